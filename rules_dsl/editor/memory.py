"""Full garbage collections in the pauses of typing, not in the middle of an answer.

A full collection walks over everything that is known of a game and takes longer than checking an
edit. Young objects are collected as usual.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# A threshold that no session reaches.
NEVER = 1_000_000_000
# Number of edits without a pause after which a full collection runs anyway.
MOST_EDITS = 100


@contextmanager
def full_collections_by_request() -> Iterator[None]:
    """Inside, only `gc.collect()` makes a full collection.

    >>> with full_collections_by_request():
    ...     gc.get_threshold()[2]
    1000000000
    """
    young, middle, old = gc.get_threshold()
    gc.set_threshold(young, middle, NEVER)
    try:
        yield
    finally:
        gc.set_threshold(young, middle, old)
