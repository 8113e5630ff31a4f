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
