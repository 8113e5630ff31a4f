"""Pictures of positions: the drawing that a game comes with, or one that fits every game."""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

from rules_dsl.language.sources import GAMES

if TYPE_CHECKING:
    from compiler.runtime.state import State


def draw(state: State, viewer: int | None = None) -> str | None:
    """The position as SVG for a viewer, or nothing if the game has no drawing.

    A game's drawing is the function `draw(state, viewer) -> str` of the module
    `games.NAME.drawing`; without a viewer it shows what everybody sees. It belongs to the rules in
    that folder, not to whatever has the same name.
    """
    name = state.game.name
    if Path(state.game.origin.sources.main).resolve().parent != GAMES / name:
        return None  # somebody's own game of that name
    if importlib.util.find_spec(f"games.{name}") is None:
        return None
    if importlib.util.find_spec(f"games.{name}.drawing") is None:
        return None
    module = importlib.import_module(f"games.{name}.drawing")
    return str(module.draw(state, viewer))


def picture(state: State, viewer: int | None = None) -> str:
    """The position as SVG: by the drawing of its game, else from its boards, pools and zones.

    >>> import rules_dsl as rd
    >>> picture(rd.load("tic_tac_toe").start())[:4]
    '<svg'
    """
    try:
        drawn = draw(state, viewer)
    except Exception:  # a variant may lack what the drawing of its game shows
        drawn = None
    if drawn is None:
        drawn = str(importlib.import_module("games.default_drawing").draw(state, viewer))
    return drawn
