"""Numbers of things as messages say them."""

from __future__ import annotations


def counted(n: int, one: str, many: str = "") -> str:
    """A number of things.

    >>> counted(1, "value"), counted(2, "value")
    ('1 value', '2 values')
    """
    return f"{n} {one if n == 1 else many or one + 's'}"
