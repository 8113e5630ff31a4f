"""A game as learners play it: a position, and the parts of the next move chosen so far."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces

from compiler.runtime.actions import PartialMove
from compiler.runtime.moves import IllegalMove
from rules_dsl.rl.rewards import Illegal

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.state import State

Observation = dict[str, Any]


class Turn:
    """One game from its opening to its end, played by action ids."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.state: State = game.start(seed)
        self.partial: PartialMove | None = None
        # The player who lost by an illegal action.
        self.loser: int | None = None

    @property
    def at(self) -> State | PartialMove:
        """Where the next id is chosen."""
        return self.state if self.partial is None else self.partial

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.state.over or self.loser is not None

    def act(self, number: int, illegal: Illegal) -> None:
        """Choose an action id, or a part of a move."""
        try:
            found = self.game.actions.move(self.at, number)
        except IllegalMove:
            if illegal == "raise":
                raise
            self.loser = self.state.player
            return
        if isinstance(found, PartialMove):
            self.partial = found
        else:
            self.partial = None
            self.state = self.state.play(found)

    def observation(self, player: int, more: int = 0) -> Observation:
        """The observation and the action mask of a player; `more` ids follow those of the game."""
        mask = np.zeros(self.game.actions.size + more, np.int8)
        if self.state.player == player and not self.over:
            mask[self.at.action_ids()] = 1
        return {"observation": self.at.observation(player), "action_mask": mask}


def observation_space(game: Game, more: int = 0) -> spaces.Dict:
    """The space of observations; `more` ids follow those of the game."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0.0, 1.0, (game.observations.size,), np.float32),
            "action_mask": spaces.Box(0, 1, (game.actions.size + more,), np.int8),
        }
    )


def rendered(state: State, mode: str | None) -> str | None:
    """The position as everybody sees it: as text or as a picture."""
    if mode is None:
        return None
    return state.view().to_json() if mode == "ansi" else state._repr_svg_()


RENDER_MODES = ["ansi", "svg"]


def check_mode(mode: str | None) -> None:
    """Raise `ValueError` for a way of rendering that does not exist."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"a render mode is one of {', '.join(RENDER_MODES)}, not {mode!r}")
