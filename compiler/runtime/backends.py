"""Which code plays a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler.runtime.machine import Machine

if TYPE_CHECKING:
    from compiler.runtime.game import Game


class BackendError(ValueError):
    """A back end that does not exist or cannot be used here."""


def choose(game: Game, backend: str) -> Machine:
    """The machine of a back end; "auto" takes the fastest that is there."""
    if backend in ("auto", "python"):
        return game.machine
    if backend == "native":
        raise BackendError("there is no native back end in this version; use backend='python'")
    raise BackendError(f"there is no back end {backend!r}; use 'python', 'native' or 'auto'")
