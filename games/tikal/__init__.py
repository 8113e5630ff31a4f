"""Tikal: the rules of both editions, with and without auction, variants, and the drawing."""
