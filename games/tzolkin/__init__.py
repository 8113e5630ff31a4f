"""Tzolk'in: the rules of the base game, its variants, and its drawing."""
