"""Play in a notebook: the picture of one seat, and its legal moves as buttons.

    from rules_dsl.notebook import play
    play("tzolkin", seat=0, bots="greedy", seed=7)

Needs the extra `web` (`pip install 'rules-dsl[web]'`). The page gets what the seat may see.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from compiler.loading import load
from compiler.runtime.bots import Policy, bots_for

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.state import State

SCRIPT = Path(__file__).with_name("notebook.js")


class PlayWidget(anywidget.AnyWidget):
    """A game in a notebook cell: one seat is played by hand, bots play the others."""

    _esm = SCRIPT

    picture = traitlets.Unicode().tag(sync=True)
    prompt = traitlets.Unicode().tag(sync=True)
    moves = traitlets.List(traitlets.Unicode()).tag(sync=True)
    log = traitlets.List(traitlets.Unicode()).tag(sync=True)
    # The number of the button that was pressed, and of the position in which it was.
    pressed = traitlets.List(traitlets.Int()).tag(sync=True)
    turn = traitlets.Int().tag(sync=True)

    def __init__(self, game: Game, seat: int, bots: Policy | Sequence[Policy], seed: int) -> None:
        super().__init__()
        self.seat = game.start(seed)._seat(seat)
        self._bots = bots_for(bots, game.players, seed)
        # The current position: read it, or set it to continue from another one.
        self.state: State = game.start(seed)
        self.observe(self._on_press, names="pressed")
        self.show()

    def show(self) -> None:
        """Let the bots play up to the next decision of the seat, and show it."""
        while not self.state.over and self.state.player != self.seat:
            assert self.state.player is not None
            self.state = self.state.play(self._bots[self.state.player].choose(self.state))
        seat = self.state.seat(self.seat)
        decision = seat.decision
        self.picture = seat.drawing or ""
        self.moves = [str(move) for move in seat.moves]
        self.log = list(seat.log[-8:])
        self.turn += 1
        if decision is not None:
            self.prompt = decision.prompt
            return
        names = [self.state.game.player_names[p] for p in self.state.winners()]
        scores = ", ".join(str(score) for score in self.state.scores())
        self.prompt = f"The game is over: {' and '.join(names) or 'nobody'} won ({scores})"

    def _on_press(self, change: Any) -> None:
        # A press in a position that has passed is a second click on the same button.
        number, turn = change["new"]
        if turn == self.turn and 0 <= number < len(self.moves):
            self.state = self.state.play(self.state.moves()[number])
            self.show()


def play(
    game: Game | str, seat: int = 0, bots: Policy | Sequence[Policy] = "random", seed: int = 0
) -> PlayWidget:
    """A widget in which one seat is played by hand.

    >>> widget = play("tic_tac_toe", bots="greedy", seed=1)
    >>> len(widget.moves)
    9
    >>> widget.pressed = [4, widget.turn]
    >>> len(widget.moves), widget.state["mark"][4]
    (7, 0)
    """
    return PlayWidget(load(game) if isinstance(game, str) else game, seat, bots, seed)
