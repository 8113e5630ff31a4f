"""The number of a cell among those of an array or table of several dimensions, row by row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def flat_index(index: Iterable[int], sizes: Iterable[int]) -> int:
    """The number of a cell; every index must lie within its dimension.

    >>> flat_index((1, 2), (3, 4)), flat_index((), ())
    (6, 0)
    """
    flat = 0
    for at, size in zip(index, sizes, strict=True):
        flat = flat * size + at
    return flat


def outside(index: Sequence[int], sizes: Sequence[int]) -> tuple[int, int] | None:
    """The first index that lies outside its dimension, with the size of that dimension.

    >>> outside((1, 2), (3, 4)), outside((1, 4), (3, 4)), outside((-1, 0), (3, 4))
    (None, (4, 4), (-1, 3))
    """
    for at, size in zip(index, sizes, strict=True):
        if not 0 <= at < size:
            return at, size
    return None
