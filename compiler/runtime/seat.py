"""One seat at the table: everything that may be shown to its player, and nothing else.

Code that shows a game to a person or hands it to a bot uses a seat: it has neither the seed
nor hidden cards, and refuses to explain the decisions of others, whose options would reveal their
secrets.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from attrs import frozen

from compiler.runtime.discovery import shows_something
from compiler.runtime.elementary import elementary_steps, face_down
from compiler.runtime.events import Event, events_of, step_event
from compiler.runtime.moves import IllegalMove, Move, Reason
from compiler.runtime.saving import Record, make_record, without_seed

if TYPE_CHECKING:
    from compiler.runtime.decision import Decision
    from compiler.runtime.state import State
    from compiler.runtime.view import View


@frozen
class LogEntry:
    """A line of the log: the event, who decided it, and the cites of its rules."""

    text: str
    player: int | None
    cites: tuple[str, ...] = ()
    # A choice that only its player knows.
    secret: bool = False


class Seat:
    """The part of a position that one player may have; without a player, the public part.

    >>> import rules_dsl as rd
    >>> seat = rd.load("kuhn_poker").start(seed=1).seat(0)
    >>> seat.view["hand"], seat.my_turn, [str(move) for move in seat.moves]
    ({0: ('king',), 1: 1 hidden}, True, ['check', 'bet'])
    """

    __slots__ = ("__state", "player")

    def __init__(self, state: State, player: int | None) -> None:
        self.__state = state
        self.player = player

    @property
    def name(self) -> str:
        """The name of the player who sits here."""
        return "spectator" if self.player is None else self.__state.game.player_names[self.player]

    @property
    def my_turn(self) -> bool:
        """Whether this player decides now."""
        return self.player is not None and self.__state.player == self.player

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.__state.over

    @property
    def scores(self) -> tuple[int | Fraction, ...]:
        """The current scores; empty while the rules keep them hidden."""
        return self.__state.scores()

    @property
    def winners(self) -> tuple[int, ...]:
        """The players who won; empty while the game goes on."""
        return self.__state.winners()

    @property
    def view(self) -> View:
        """The position as this player sees it."""
        return self.__state.view(self.player)

    @property
    def decision(self) -> Decision | None:
        """The decision to be made, by this player or by another; None at the end."""
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
        """The effects of the last move, as this player sees them."""
        return events_of(self.__state, self.player)

    def preview(self, move: Move | str, trusted: bool = True) -> tuple[Event, ...] | None:
        """The effects that a move of this seat would have, until chance or another player decides.

        None if making the move shows something that the player does not know yet. `trusted` says
        that the views of the rules are proved; in other rules hidden things make every move
        suspect.

        >>> import rules_dsl as rd
        >>> seat = rd.load("tic_tac_toe").start().seat(0)
        >>> [event.text for event in seat.preview("b2")][:2]
        ['cross: b2', 'mark 4: none → cross']
        """
        if self.player is None or not self.my_turn:
            return None
        # Neither the seed nor the history comes along: chance stays open.
        after = self.__state.unseeded().play(move)
        return (
            None if shows_something(after, self.player, trusted) else events_of(after, self.player)
        )

    def may_take_back(self, trusted: bool = True) -> bool:
        """Whether this player made the last move and learned nothing by it; see `preview`.

        >>> import rules_dsl as rd
        >>> s = rd.load("pig").start(seed=1)
        >>> s.play("stop").seat(0).may_take_back(), s.play("roll").seat(0).may_take_back()
        (True, False)
        """
        before = self.__state.previous
        if self.player is None or before is None or before.player != self.player:
            return False
        return not shows_something(self.__state, self.player, trusted)

    @property
    def record(self) -> Record | None:
        """How the position was reached, if this player knows all of it; else None.

        There is no seed in it: chance to come stays open. After the end everybody may have it.

        >>> import rules_dsl as rd
        >>> rd.load("pig").start(seed=1).play("roll").seat(1).record.moves
        ('roll', 'roll 5')
        >>> rd.load("kuhn_poker").start(seed=1).seat(0).record is None
        True
        """
        if not self.over and len(self.story) < len(elementary_steps(self.__state)):
            return None
        if not self.over and any(entry.secret for entry in self.story):
            return None
        return make_record(without_seed(self.__state))

    @property
    def log(self) -> tuple[str, ...]:
        """The decisions and public draws from the opening, as this player knows them."""
        return tuple(entry.text for entry in self.story)

    @property
    def story(self) -> tuple[LogEntry, ...]:
        """The log with who decided and the cites of the rules.

        >>> import rules_dsl as rd
        >>> rd.load("tic_tac_toe").start().play("b2").seat(1).story[0].cites
        ('S Taking turns',)
        """
        game = self.__state.game
        steps = elementary_steps(self.__state)
        secret = face_down(game, steps, self.__state.cells)
        found = []
        for k, step in enumerate(steps):
            event = step_event(game, step, self.player, k in secret)
            if event is None:
                continue
            point = game.machine.meta["points"][game.machine.point(step.before)]
            hidden = "secret" in event.data
            cites: tuple[str, ...] = ()
            if step.who >= 0 and not hidden:
                cites = tuple(point["options"][game.notation.decode(point, step.code)[0]][4])
            found.append(LogEntry(event.text, step.who if step.who >= 0 else None, cites, hidden))
        return tuple(found)

    @property
    def drawing(self) -> str:
        """The position as a picture (SVG) for this player."""
        from compiler.runtime.drawing import picture

        return picture(self.__state, self.player)

    def __repr__(self) -> str:
        return f"<seat of {self.name} in {self.__state.game.name}>"
