"""The screen that a game comes with: its position laid out for people, in 80 characters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler.runtime.drawing import beside_the_rules

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.state import State


class OwnScreen:
    """The functions of `games.NAME.terminal` for whole positions, beside its board in letters.

    >>> import rules_dsl as rd
    >>> screen = OwnScreen(rd.load("tikal"), "en")
    >>> len(screen.lines(rd.load("tikal").start(), None)) > 20
    True
    """

    def __init__(self, game: Game, language: str) -> None:
        self.module = beside_the_rules(game, "terminal")
        self.language = language

    def lines(self, state: State, viewer: int | None) -> list[str]:
        """The position for a viewer; nothing if a variant lacks what the screen shows."""
        laid_out = getattr(self.module, "screen", None)
        if laid_out is None:
            return []
        try:
            return list(laid_out(state, viewer, self.language))
        except Exception:
            return []

    def legend(self) -> list[str]:
        """The legend of the screen."""
        told = getattr(self.module, "legend", None)
        return [] if told is None else list(told(self.language))

    def about(self, state: State, name: str) -> list[str]:
        """The game's own text on a name, in addition to its rules."""
        told = getattr(self.module, "about", None)
        try:
            return [] if told is None else list(told(state, name, self.language))
        except Exception:
            return []
