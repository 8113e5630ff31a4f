"""Room for rules that are defined through each other."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

# Python's own limit is meant to find endless recursion; the depth of expressions is bounded by the
# parser, but a chain of constants, each using the next, may be long.
DEEP = 20_000


class _Room:
    """The limit is one for all threads: the first that needs room raises it, the last lowers it."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.inside = 0
        self.before = 0

    def enter(self) -> None:
        with self.lock:
            if not self.inside:
                self.before = sys.getrecursionlimit()
                sys.setrecursionlimit(max(self.before, DEEP))
            self.inside += 1

    def leave(self) -> None:
        with self.lock:
            self.inside -= 1
            if not self.inside:
                sys.setrecursionlimit(self.before)


_room = _Room()


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Allow deeper recursion inside."""
    _room.enter()
    try:
        yield
    finally:
        _room.leave()
