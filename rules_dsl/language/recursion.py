"""Room for rules that are defined through each other."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

# Python's own limit is meant to find endless recursion; the depth of expressions is bounded by the
# parser, but a chain of constants, each using the next, may be long.
DEEP = 20_000


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Allow deeper recursion inside."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, DEEP))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
