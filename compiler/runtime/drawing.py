"""Pictures of positions: the drawing that a game comes with, or one that fits every game."""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from rules_dsl.language.sources import GAMES

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.state import State


def draw(state: State, viewer: int | None = None) -> str | None:
    """The position as SVG for a viewer, or nothing if the game has no drawing.

    A game's drawing is the function `draw(state, viewer) -> str` of the module
    `games.NAME.drawing`; without a viewer it shows what everybody sees. It belongs to the rules in
    that folder, not to other rules with the same name.
    """
    module = beside_the_rules(state.game, "drawing")
    return None if module is None else str(module.draw(state, viewer))


def beside_the_rules(game: Game, what: str) -> ModuleType | None:
    """A module in the folder of a shipped game."""
    name = game.name
    if Path(game.origin.sources.main).resolve().parent != GAMES / name:
        return None  # a user's own game of that name
    for module in (f"games.{name}", f"games.{name}.{what}"):
        if importlib.util.find_spec(module) is None:
            return None
    return importlib.import_module(f"games.{name}.{what}")


def own_drawing(state: State, viewer: int | None = None) -> str | None:
    """The result of `draw`, or nothing where the game's drawing fails or gives no picture.

    A variant may lack what the drawing of its game shows, and a position that was put together by
    hand may be one that it does not know.
    """
    try:
        drawn = draw(state, viewer)
    except Exception:
        return None
    return drawn if drawn is not None and drawn.startswith("<svg") else None


def picture(state: State, viewer: int | None = None) -> str:
    """The position as SVG: by the drawing of its game, else from its boards, pools and zones.

    What cannot be drawn for one seat is drawn plainly for that seat.

    >>> import rules_dsl as rd
    >>> picture(rd.load("tic_tac_toe").start())[:4]
    '<svg'
    """
    drawn = own_drawing(state, viewer)
    if drawn is None:
        drawn = str(importlib.import_module("games.default_drawing").draw(state, viewer))
    return drawn
