"""One seat at the table: everything that may be shown to the player who sits there, nothing else.

Whatever shows a game to a person or hands it to a bot goes through a seat: it has neither the seed
nor hidden cards, and refuses to explain the decisions of others, whose options would tell what they
hold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler.runtime.elementary import elementary_steps, face_down
from compiler.runtime.events import Event, events_of, step_event
from compiler.runtime.moves import IllegalMove, Move, Reason

if TYPE_CHECKING:
    from compiler.runtime.decision import Decision
    from compiler.runtime.state import State
    from compiler.runtime.view import View


class Seat:
    """What one player may have of a position.

    >>> import rules_dsl as rd
    >>> seat = rd.load("kuhn_poker").start(seed=1).seat(0)
    >>> seat.view["hand"], seat.my_turn, [str(move) for move in seat.moves]
    ({0: ('king',), 1: 1 hidden}, True, ['check', 'bet'])
    """

    __slots__ = ("__state", "player")

    def __init__(self, state: State, player: int) -> None:
        self.__state = state
        self.player = player

    @property
    def name(self) -> str:
        """The name of the player who sits here."""
        return self.__state.game.player_names[self.player]

    @property
    def my_turn(self) -> bool:
        """Whether this player decides now."""
        return self.__state.player == self.player

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.__state.over

    @property
    def view(self) -> View:
        """The position as this player sees it."""
        return self.__state.view(self.player)

    @property
    def decision(self) -> Decision | None:
        """What is being decided, by this player or by another; None at the end."""
        return self.__state.decision

    @property
    def moves(self) -> tuple[Move, ...]:
        """This player's legal moves; none while others decide."""
        return self.__state.moves() if self.my_turn else ()

    def explain(self, move: Move | str) -> tuple[Reason, ...]:
        """Why one of the own moves is legal or not."""
        if not self.my_turn:
            return (Reason("it is not your turn", "", False),)
        return self.__state.explain(move)

    def play(self, move: Move | str) -> State:
        """The position after a move of this player; raises `IllegalMove`."""
        if not self.my_turn:
            raise IllegalMove(f"it is not the turn of {self.name}")
        return self.__state.play(move)

    @property
    def events(self) -> tuple[Event, ...]:
        """What the last move did, as this player sees it."""
        return events_of(self.__state, self.player)

    @property
    def log(self) -> tuple[str, ...]:
        """The decisions and public draws from the opening, as this player knows them."""
        game = self.__state.game
        steps = elementary_steps(self.__state)
        secret = face_down(game, steps, self.__state.cells)
        found = [step_event(game, step, self.player, k in secret) for k, step in enumerate(steps)]
        return tuple(event.text for event in found if event is not None)

    @property
    def drawing(self) -> str | None:
        """The position as a picture for this player, if the game has a drawing."""
        from compiler.runtime.drawing import draw

        # A variant may lack what the drawing of its game shows: then there is no picture.
        try:
            return draw(self.__state, self.player)
        except Exception:
            return None

    def __repr__(self) -> str:
        return f"<seat of {self.name} in {self.__state.game.name}>"
