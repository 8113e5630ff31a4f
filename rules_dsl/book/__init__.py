"""Rulebooks made from the rules of a game: chapters, and the formats they are written in."""
