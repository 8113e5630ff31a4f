"""How far a check is, for those who wait."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen


@frozen
class Event:
    """How far a check is: pieces that are done, of those that are known by now."""

    # The game with its players and options, in a few words.
    configuration: str
    done: int
    total: int
    what: str
    failed: int = 0


Progress = Callable[[Event], None]
