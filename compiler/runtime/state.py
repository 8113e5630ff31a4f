"""A position of a game: immutable, readable by the names of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from compiler.runtime.arguments import whole_number
from compiler.runtime.machine import OVER
from compiler.runtime.moves import IllegalMove, Move, Reason
from compiler.runtime.randomness import chance_key
from compiler.runtime.values import Hidden

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from compiler.runtime.decision import Decision
    from compiler.runtime.events import Event
    from compiler.runtime.game import Game
    from compiler.runtime.seat import Seat
    from compiler.runtime.simulation import Simulation
    from compiler.runtime.view import View

# A chain of positions: the one before, and the number of the move.
History = tuple[Any, int] | None


class State:
    """A position. Playing a move gives a new one; the old one stays as it is.

    >>> import rules_dsl as rd
    >>> s = rd.load("tic_tac_toe").start()
    >>> t = s.play("b2")
    >>> s.player, t.player, t["mark"][4], s["mark"][4]
    (0, 1, 0, None)
    """

    __slots__ = (
        "_before", "_cells", "_code", "_codes", "_draws", "_key", "_listed", "game", "seed"
    )  # fmt: skip

    def __init__(
        self,
        game: Game,
        cells: bytes,
        seed: int | None,
        draws: int,
        history: History,
        key: int | None = None,
    ) -> None:
        self.game = game
        self.seed = seed
        self._cells = cells
        self._draws = draws
        # The position before, and the number of the move that led here from there.
        self._before: Any = None if history is None else history[0]
        self._code = None if history is None else history[1]
        # The key of the stream that resolves chance, computed from the seed once in a game.
        self._key = chance_key(seed) if key is None and seed is not None else key
        # The numbers of the legal moves, once asked for.
        self._codes: list[int] | None = None
        # The legal moves, once asked for.
        self._listed: tuple[Move, ...] | None = None

    # ---- players, phase and results --------------------------------------------------------------

    @property
    def player(self) -> int | None:
        """The player to decide; None when chance decides and at the end."""
        who = self.game.machine.player(self._cells)
        return who if who >= 0 else None

    @property
    def is_chance(self) -> bool:
        """Whether chance decides next (never with a seed)."""
        return self.game.machine.is_chance(self._cells)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self._cells[self.game.machine.who_at] == OVER

    @property
    def cells(self) -> bytes:
        """The bytes of the position, for the low-level interface."""
        return self._cells

    def moves(self) -> tuple[Move, ...]:
        """The legal moves; empty when chance decides and at the end."""
        if self._listed is None:
            if self._cells[self.game.machine.who_at] >= OVER:
                return ()
            self._listed = self.game.notation.moves(self._cells, self.codes())
        return self._listed

    def codes(self) -> list[int]:
        """The numbers of the legal moves, for the low-level interface."""
        if self._codes is None:
            self._codes = self.game.machine.moves(self._cells)
        return self._codes

    def outcomes(self) -> tuple[tuple[Move, Fraction], ...]:
        """The possible outcomes of chance, with exact probabilities."""
        if not self.is_chance:
            return ()
        found = self.game.machine.outcomes(self._cells)
        total = sum(weight for _, weight in found)
        return tuple(
            (self.game.notation.move(self._cells, code), Fraction(weight, total))
            for code, weight in found
        )

    # ---- playing ---------------------------------------------------------------------------------

    def play(self, move: Move | str) -> State:
        """The position after a move, given as a `Move` or in notation; raises `IllegalMove`."""
        game, cells = self.game, self._cells
        if isinstance(move, Move):
            code = move._code
            own = move._rules == game.notation.rules
            if own and code in self.codes() and move._point == game.machine.point(cells):
                return self._after(code)
        if self.over:
            raise IllegalMove("the game is over")
        return self._after(self._find(move).code)

    def _find(self, move: Move | str) -> Move:
        if not isinstance(move, Move | str):
            raise _no_move(move)
        if isinstance(move, Move):
            self._check_own(move)
        return self.game.notation.find(self._cells, str(move))

    def _check_own(self, move: Move) -> None:
        if move.rules != self.game.notation.rules:
            raise IllegalMove(f"`{move}` is a move of another game or of another configuration")

    def _after(self, code: int) -> State:
        """The position after the move with a number, which must be legal."""
        game = self.game
        cells, draws = game.machine.step(self._cells, code, self._key, self._draws)
        return type(self)(game, cells, self.seed, draws, (self, code), self._key)

    def rollouts(self, n: int, seed: int = 0, backend: str = "auto") -> Simulation:
        """Play on at random n times and count; game k draws chance and moves from seed + k.

        >>> import rules_dsl as rd
        >>> s = rd.load("tic_tac_toe").start().play("a1").play("a2").play("b1").play("b2")
        >>> s.rollouts(200, seed=1).games
        200
        """
        from compiler.runtime.simulation import rollouts

        return rollouts(self, n, seed, backend)

    def explain(self, move: Move | str) -> tuple[Reason, ...]:
        """Why a move is legal or not: every requirement with its text, cite and values."""
        notation = self.game.notation
        if not isinstance(move, Move | str):
            raise _no_move(move)
        if self.over:
            return (Reason("the game is over", "", False),)
        if isinstance(move, Move):
            self._check_own(move)
            if move.point == self.game.machine.point(self._cells):
                return tuple(notation.reasons(self._cells, move))
            move = move.text
        try:
            return tuple(notation.reasons(self._cells, notation.find(self._cells, move)))
        except IllegalMove as error:
            if not error.reasons:
                return (Reason(str(error), "", False),)
            return error.reasons

    # ---- reading ---------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Any:
        try:
            return self.game.reader.read(self._cells, name)
        except KeyError:
            known = ", ".join(self.game.reader.known())
            raise KeyError(f"this game has no `{name}`; it has: {known}") from None

    def __contains__(self, name: object) -> bool:
        """Whether the state has a variable, pool or zone of this name.

        >>> import rules_dsl as rd
        >>> s = rd.load("tic_tac_toe").start()
        >>> "mark" in s, "dice" in s
        (True, False)
        """
        return name in self.game.reader.known()

    def __iter__(self) -> Iterator[str]:
        """The names of the variables, pools and zones of the state.

        >>> import rules_dsl as rd
        >>> list(rd.load("tic_tac_toe").start())
        ['mark', 'placed', 'mover', 'winner']
        """
        return iter(self.game.reader.known())

    @property
    def decision(self) -> Decision | None:
        """The decision to be made; None at the end.

        >>> import rules_dsl as rd
        >>> rd.load("tic_tac_toe").start().decision.player
        0
        """
        from compiler.runtime.decision import decision_at

        return decision_at(self.game, self._cells)

    def view(self, player: int | str | None = None) -> View:
        """The view of a player, given by number or name; the rest is `Hidden`.

        Without a player it is the public view. `view.to_json()` can be sent to that player.
        """
        from compiler.runtime.view import view_of

        return view_of(self, self._viewer(player))

    def seat(self, player: int | str | None) -> Seat:
        """Everything that one seat may have of this position; for None, what a spectator may have.

        See `Seat`.

        >>> import rules_dsl as rd
        >>> s = rd.load("tic_tac_toe").start()
        >>> len(s.seat(0).moves), len(s.seat(1).moves)
        (9, 0)
        """
        from compiler.runtime.seat import Seat

        return Seat(self, self._viewer(player))

    def events(self, player: int | str | None = None) -> tuple[Event, ...]:
        """The effects of the last move that a player may see; without a player, the public ones.

        >>> import rules_dsl as rd
        >>> [e.text for e in rd.load("tic_tac_toe").start().play("b2").events()][:2]
        ['cross: b2', 'mark 4: none → cross']
        """
        from compiler.runtime.events import events_of

        return events_of(self, self._viewer(player))

    # ---- for learners ----------------------------------------------------------------------------

    def action_ids(self) -> list[int]:
        """The ids that can be chosen, as `game.actions` numbers moves and parts of moves.

        >>> import rules_dsl as rd
        >>> rd.load("tic_tac_toe").start().play("a1").action_ids()
        [1, 2, 3, 4, 5, 6, 7, 8]
        """
        return self.game.actions.ids(self)

    def action_mask(self) -> NDArray[np.int8]:
        """One for every action id that can be chosen, zero for the others."""
        return self.game.actions.mask(self)

    def observation(self, player: int | str) -> NDArray[np.float32]:
        """The view of a player as numbers between 0 and 1; `game.observations` has the schema.

        >>> import rules_dsl as rd
        >>> s = rd.load("kuhn_poker").start(seed=1)
        >>> s.observation(0).shape == (s.game.observations.size,)
        True
        """
        viewer = self._seat(player)
        own = self.game.actions.settled(self) if self.player == viewer else ()
        return self.game.observations.of(self._cells, viewer, own)

    # ---- fair play -------------------------------------------------------------------------------

    def reseed(self, seed: int) -> State:
        """The same position with other chance to come.

        >>> import rules_dsl as rd
        >>> s = rd.load("pig").start(seed=1)
        >>> s.reseed(2) == s, s.reseed(2).seed
        (True, 2)
        """
        seed = whole_number(seed, "a seed")
        cells = bytearray(self._cells)
        draws = self.game.machine.settle(cells, chance_key(seed), 0)
        from compiler.runtime.elementary import way_to

        return type(self)(self.game, bytes(cells), seed, draws, way_to(self))

    def unseeded(self) -> State:
        """The same position with chance left to the caller, and without history.

        >>> import rules_dsl as rd
        >>> rd.load("pig").start(seed=1).unseeded().play("roll").is_chance
        True
        """
        return type(self)(self.game, self._cells, None, 0, None)

    def sample(self, player: int | str, seed: int = 0) -> State:
        """A position that a player cannot tell from this one, with other chance to come.

        Hidden cards, secret choices and coming draws are drawn anew, with their probabilities given
        all that the player has seen. In a position that was set up they are drawn evenly among what
        fits; `SampleError` says where nothing was found. The sample has no history of its own.

        >>> import rules_dsl as rd
        >>> s = rd.load("kuhn_poker").start(seed=1)
        >>> s.sample(0, seed=5).view(0) == s.view(0)
        True
        """
        from compiler.runtime.sampling import sample

        return sample(self, self._seat(player), whole_number(seed, "a seed"))

    def _seat(self, player: int | str) -> int:
        """The number of a player, given by number or name."""
        viewer = self._viewer(player)
        if viewer is None:
            raise ValueError("a seat is that of a player, by number or name")
        return viewer

    def revealed(self, player: int | str | None = None) -> tuple[str, ...]:
        """The values that the rules revealed since the last decision, as lines for the log.

        With a player, by number or name, also what was revealed to that player alone.

        >>> import rules_dsl as rd
        >>> rd.load("tic_tac_toe").start().play("b2").revealed()
        ()
        """
        viewer = self._viewer(player)
        if self._before is None:
            return ()
        from compiler.runtime.reveals import reveal_lines

        found: list[tuple[int, int, int]] = []
        machine = self.game.machine
        before: State = self._before
        listeners = machine.code["LISTENERS"]

        def listen(number: int, value: int, whom: int) -> None:
            found.append((number, value, whom))

        listeners.append(listen)
        try:
            # Only the Python code reports revealed values.
            python = self.game.backends.python
            python.step(before._cells, self.last_code, before._key, before._draws)
        finally:
            listeners.remove(listen)
        lines = reveal_lines(self.game, found)
        return tuple(line for line, whom in lines if whom in (-1, viewer))

    def _viewer(self, player: int | str | None) -> int | None:
        """The number of a player who looks, given by number or name."""
        names = self.game.player_names
        if isinstance(player, str) and player in names:
            player = names.index(player)
        if player is None:
            return None
        if isinstance(player, str) or player not in range(len(names)):
            known = f"players are 0..{len(names) - 1} or {', '.join(names)}"
            raise ValueError(f"there is no player {player!r}; {known}")
        return whole_number(player, "a player")

    def values(self) -> dict[str, Any]:
        """Everything, as plain dictionaries."""
        return self.game.reader.everything(self._cells)

    def scores(self) -> tuple[int | Fraction, ...]:
        """The current score of every player, exact.

        Empty while the game goes on if the rules keep scores hidden until then.
        """
        if self.game.machine.meta["scores_hidden"] and not self.over:
            return ()
        return self.standing()

    def standing(self) -> tuple[int | Fraction, ...]:
        """The scores, also those that are still hidden from players."""
        score = self.game.machine.code["score"]
        below = self.game.machine.meta["denominator"]
        found = [score(self._cells, p) for p in range(self.game.players)]
        if below == 1:
            return tuple(int(n) for n in found)
        return tuple(Fraction(int(n), below) for n in found)

    def winners(self) -> tuple[int, ...]:
        """The players who won; empty while the game goes on."""
        if not self.over:
            return ()
        ties = self.game.machine.code["TIES"]
        scores = self.scores()
        ranks = [
            (scores[p], *(sign * int(tie(self._cells, p)) for sign, tie in ties))
            for p in range(self.game.players)
        ]
        best = max(ranks)
        return tuple(p for p, rank in enumerate(ranks) if rank == best)

    # ---- keeping ---------------------------------------------------------------------------------

    @property
    def previous(self) -> State | None:
        """The position before the last move; none at the opening."""
        before: State | None = self._before
        return before

    def history(self) -> tuple[State, ...]:
        """The positions from the opening to this one."""
        chain: list[State] = [self]
        while chain[-1]._before is not None:
            chain.append(chain[-1]._before)
        return tuple(reversed(chain))

    def played(self) -> tuple[Move, ...]:
        """The moves that led here from the opening (chance included when there is no seed)."""
        return tuple(
            before.game.notation.move(before.cells, after.last_code)
            for before, after in zip(self.history(), self.history()[1:], strict=False)
        )

    @property
    def last_code(self) -> int:
        """The number of the move that led here."""
        assert self._code is not None
        return self._code

    def to_json(self) -> str:
        """The position as text; `game.state_from_json` reads it back."""
        from compiler.runtime.saving import state_to_json

        return state_to_json(self)

    @property
    def draws(self) -> int:
        """Number of times that chance was resolved from the seed."""
        return self._draws

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, _: object) -> State:
        return self  # positions are immutable

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """A pickled position is where it began and the moves since then, not a chain of positions:
        a long game is not too deep for that."""
        from compiler.runtime.saving import pickled

        return pickled(self)

    def __eq__(self, other: object) -> bool:
        """Two positions of the same game are equal if their cells are; seeds do not count."""
        if not isinstance(other, State):
            return NotImplemented
        return self._cells == other._cells and self.game.identity == other.game.identity

    def __hash__(self) -> int:
        return hash((self.game.identity, self._cells))

    def __repr__(self) -> str:
        if self.over:
            where = "over"
        elif self.is_chance:
            where = "chance decides"
        else:
            where = f"player {self.player} to move"
        return f"<{self.game.name}, {where}>"

    def _repr_svg_(self) -> str:
        from compiler.runtime.drawing import picture

        return picture(self)


def _no_move(given: object) -> TypeError:
    return TypeError(f"a move is a Move or a text, not {type(given).__name__}")


__all__ = ["Hidden", "State"]
