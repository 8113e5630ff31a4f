"""Answers that are kept until a cell changes that they were read from."""

from __future__ import annotations

from attrs import frozen


@frozen
class Memo:
    """Members of the state that hold kept answers, and how many answers there is room for."""

    members: str
    slots: int = 1
