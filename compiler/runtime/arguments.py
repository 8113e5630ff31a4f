"""Checking what callers hand in: those without a type checker may hand in anything."""

from __future__ import annotations

from operator import index
from typing import SupportsIndex


def whole_number(given: object, what: str) -> int:
    """A whole number; raises `TypeError` in words if it is something else.

    >>> whole_number(3, "a seed")
    3
    """
    if not isinstance(given, SupportsIndex):
        raise TypeError(f"{what} is a whole number, not {given!r}")
    return index(given)
