"""A loaded game."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from compiler.runtime.arguments import whole_number
from compiler.runtime.backends import WORTH_BUILDING, BackendError, Backends
from compiler.runtime.machine import Machine
from compiler.runtime.moves import Notation
from compiler.runtime.saving import (
    DataError,
    Record,
    make_record,
    replay_record,
    state_from_json,
    without_seed,
)
from compiler.runtime.sight import Sights
from compiler.runtime.state import State
from compiler.runtime.values import Reader

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from compiler import ir
    from compiler.loading import Origin, Recipe
    from compiler.runtime.actions import Actions
    from compiler.runtime.batch import Batch
    from compiler.runtime.components import Component
    from compiler.runtime.observations import Observations
    from compiler.runtime.positions import CheckedInvariant
    from compiler.runtime.simulation import Policies, Simulation


class Game:
    """A game for one number of players and one choice of options.

    >>> import rules_dsl as rd
    >>> game = rd.load("tic_tac_toe")
    >>> game
    <game tic_tac_toe for 2 players>
    >>> game.start().player
    0
    """

    def __init__(self, machine: Machine, origin: Origin) -> None:
        meta = machine.meta
        self.machine = machine
        self.origin = origin
        self.name: str = meta["name"]
        self.title: str = meta["title"]
        self.players: int = meta["players"]
        self.options: dict[str, Any] = dict(meta["options"])
        self.variants: tuple[str, ...] = tuple(meta["variants"])
        self.digest: str = meta["digest"]
        self.player_names: tuple[str, ...] = meta["enums"]["Player"][1]
        self.reader = Reader(meta)
        self.notation = Notation(machine, self.reader.names)
        # The class of its positions: native code has methods of its own.
        self.states: type[State] = State
        self._sights: Sights | None = None
        self._tables: Mapping[str, Mapping[str, Component]] | None = None
        self.backends = Backends(self, machine)

    @cached_property
    def identity(self) -> tuple[Any, ...]:
        """The identity of a loaded game: rules, players, options."""
        return (self.digest, self.players, tuple(sorted(self.options.items())))

    @property
    def tables(self) -> Mapping[str, Mapping[str, Component]]:
        """The cards, tiles and other components: tables by name, rows by name.

        >>> import rules_dsl as rd
        >>> cards = rd.load("kuhn_poker").tables["Card"]
        >>> list(cards)
        ['jack', 'queen', 'king']
        """
        if self._tables is None:
            from compiler.runtime.components import components

            self._tables = components(self)
        return self._tables

    def position(
        self,
        values: Mapping[str, Any] | None = None,
        at: State | None = None,
        lawful: bool = True,
        **more: Any,
    ) -> State:
        """A position by the names of the rules: the opening, or `at`, with some values changed.

        Raises `PositionError`, which names the invariants that the position breaks, unless `lawful`
        is False.

        >>> import rules_dsl as rd
        >>> game = rd.load("tic_tac_toe")
        >>> game.position(mark={0: 0, 4: 1}, placed=2)["mark"][4]
        1
        """
        from compiler.runtime.positions import position

        return position(self, {**(values or {}), **more}, at, lawful)

    def check(self, state: State) -> tuple[CheckedInvariant, ...]:
        """Every invariant in a position: its name, whether it holds, and a text with its values.

        >>> import rules_dsl as rd
        >>> game = rd.load("tic_tac_toe")
        >>> all(one.holds for one in game.check(game.start()))
        True
        """
        from compiler.runtime.positions import check

        if not isinstance(state, State):
            raise TypeError(f"a position is needed, not {state!r}")
        if state.game.identity != self.identity:
            raise ValueError(f"this is a position of {state.game!r}, not of {self!r}")
        return check(self, state.cells)

    @property
    def sights(self) -> Sights:
        """Reads what each player sees of a position, as one value."""
        if self._sights is None:
            self._sights = Sights(self)
        return self._sights

    @cached_property
    def actions(self) -> Actions:
        """Moves as numbers for learners; see `Actions`."""
        from compiler.runtime.actions import Actions

        return Actions(self)

    @cached_property
    def observations(self) -> Observations:
        """What players see as numbers for learners; see `Observations`."""
        try:
            from compiler.runtime.observations import Observations
        except ImportError:
            raise BackendError("observations need numpy: `pip install 'rules-dsl[rl]'`") from None
        return Observations(self)

    @property
    def ir(self) -> ir.Module:
        """The typed intermediate representation, for verification and for other back ends."""
        return self.origin.module()

    def label(self, name: str, language: str = "en") -> str:
        """The label of a name of the rules, in a language if the rules have it.

        >>> import rules_dsl as rd
        >>> rd.load("tic_tac_toe").label("mark")
        'mark'
        """
        text, translations = self.machine.meta["labels"].get(name, (name, {}))
        return str(translations.get(language, text))

    def use(self, backend: str) -> None:
        """Let the code of a back end play the states of this game."""
        self.machine = self.backends.choose(backend, games=WORTH_BUILDING)
        self.notation = Notation(self.machine, self.reader.names)
        self.states = self.machine.states(self.notation, State)

    # ---- playing ---------------------------------------------------------------------------------

    def start(self, seed: int | None = None) -> State:
        """The opening position. With a seed chance is resolved from it during the game;
        without one chance is left to the caller."""
        if seed is not None:
            seed = whole_number(seed, "a seed")
        cells, draws, key = self.machine.opening(seed)
        return self.states(self, cells, seed, draws, None, key)

    def playout(self, seed: int = 0, backend: str = "auto") -> State:
        """Play at random to the end; the same seed gives the same game.

        The state at the end has no history; `simulate` is the way to play many games.
        """
        seed = whole_number(seed, "a seed")
        cells, _, draws = self.backends.choose(backend).playout(seed)
        return self.states(self, bytes(cells), seed, draws, None)

    def simulate(
        self,
        games: int = 1000,
        policy: Policies = "random",
        seed: int = 0,
        backend: str = "auto",
        jobs: int = 1,
        progress: Any = None,
        executor: Executor | None = None,
    ) -> Simulation:
        """Play many games and count; see `Simulation`. `progress(done)` is called now and then.

        A policy is a name ("random", "greedy", "mcts"), a bot (`rules_dsl.bots`) or a function from
        a position to a move; a list has one for each seat.

        The games are shared among `jobs` processes, or the workers of an `executor`: any
        `concurrent.futures.Executor`, such as that of a Dask cluster.
        """
        from compiler.runtime.simulation import simulate

        return simulate(self, games, policy, seed, backend, jobs, progress, executor)

    def checked(self) -> Game:
        """The same game on a machine that checks its rules.

        It evaluates every contract (`assumes`, `ensures`, `keeps`) as it plays, every invariant
        wherever it waits, and that a loop or a recursion has less to do (`decreases`) at every
        round and every call that leads back; what does not hold is a `Fault`.

        >>> import rules_dsl as rd
        >>> rd.load("pig").checked().playout(seed=1).over
        True
        """
        from compiler.rebuild import checked_game

        return checked_game(self)

    def batch(self, n: int, seed: int = 0, backend: str = "auto") -> Batch:
        """Games side by side over numpy arrays; see `Batch`."""
        from compiler.runtime.batch import Batch

        return Batch(self, n, seed, backend)

    # ---- keeping ---------------------------------------------------------------------------------

    def state_from_json(self, text: str) -> State:
        """Read a position written by `State.to_json`."""
        return state_from_json(self, text)

    def record(self, state: State, seed: bool = True) -> Record:
        """How a position was reached: configuration, seed and moves.

        The seed tells what is still hidden or to come. Without it the record has what chance did
        so far instead: such a record can be shared while the game goes on.

        >>> import rules_dsl as rd
        >>> game = rd.load("pig")
        >>> state = game.start(seed=1).play("roll")
        >>> game.record(state).moves, game.record(state, seed=False).moves
        (('roll',), ('roll', 'roll 5'))
        """
        return make_record(state if seed else without_seed(state))

    def replay(self, record: Record | str) -> State:
        """Replay a record (or its JSON).

        Raises `ReplayError` at the first move that is not possible or leads elsewhere.
        """
        if isinstance(record, str):
            record = Record.from_json(record)
        if not isinstance(record, Record):
            raise TypeError(f"a record or its JSON is needed, not {record!r}")
        return replay_record(self, record)

    def __repr__(self) -> str:
        variants = "".join(f" + {v}" for v in self.variants)
        return f"<game {self.name}{variants} for {self.players} players>"

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _reloaded, (self.origin.recipe(), self.digest)


def _reloaded(recipe: Recipe, digest: str) -> Game:
    """The game that was pickled; raises `DataError` if its rules have changed since."""
    game = recipe.load()
    if game.digest != digest:
        raise DataError(f"the rules of {game.name} have changed since this was pickled")
    return game
