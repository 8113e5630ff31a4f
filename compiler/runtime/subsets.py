"""The sets that a player can choose at once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations
from math import comb

from compiler.runtime.fault import Fault

# Maximum number of sets listed.
MAX_SUBSETS = 1_000_000
# Number of elements up to which every set can be listed.
ALWAYS_LISTED = 19


def subsets(there: list[int], least: int, most: int, place: str) -> Iterator[tuple[int, ...]]:
    """All sets within the bounds on their size, in the order of their move numbers.

    >>> list(subsets([2, 5], 0, 1, "x.rules:1"))
    [(), (2,), (5,)]
    """
    sizes = range(max(0, least), min(most, len(there)) + 1)
    count = sum(comb(len(there), size) for size in sizes)
    if count > MAX_SUBSETS:
        raise Fault(f"{place}: {count:,} sets can be chosen; at most {MAX_SUBSETS:,} are listed")
    return chain.from_iterable(combinations(there, size) for size in sizes)
