"""How far a check is, for those who wait."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen


@frozen
class Event:
    """How far a check is."""

    done: int
    total: int
    what: str
    failed: int = 0


Progress = Callable[[Event], None]
