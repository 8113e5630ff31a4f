"""Decisions that all back ends share: the layout of positions, the numbers of moves."""
