"""The progress of a check."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen


@frozen
class ProgressEvent:
    """The progress of a check: tasks done, of those known by now."""

    # The game with its players and options, in a few words.
    configuration: str
    done: int
    total: int
    what: str
    failed: int = 0


Progress = Callable[[ProgressEvent], None]
