"""Checking arguments: callers without a type checker may pass anything."""

from __future__ import annotations

from operator import index


def whole_number(given: object, what: str) -> int:
    """A whole number; raises `TypeError` in words if it is something else.

    >>> whole_number(3, "a seed")
    3
    """
    try:
        return index(given)  # type: ignore[arg-type]  # whether it is one is asked here
    except TypeError:
        raise TypeError(f"{what} is a whole number, not {given!r}") from None


def at_least_one(given: object, what: str) -> int:
    """A whole number from 1; raises `TypeError` or `ValueError` in words.

    >>> at_least_one(3, "the number of samples")
    3
    """
    found = whole_number(given, what)
    if found < 1:
        raise ValueError(f"{what} is at least 1, not {found}")
    return found
