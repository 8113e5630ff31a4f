"""Hypothesis plays games: strategies for move sequences and reachable states, and a state machine.

Each decision and each draw of a game is one choice of Hypothesis, counted from the first legal
move. A failing game therefore shrinks by itself: moves are left out, and those that stay become the
simplest ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen
from hypothesis import HealthCheck, Phase, assume, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from compiler.runtime.fault import Fault
from compiler.runtime.game import Game
from compiler.runtime.state import State
from verify.laws import Breach, Laws

# Longer games are cut off: Hypothesis keeps every choice of a game in memory.
LONGEST = 2_000


class BrokenRules(AssertionError):
    """A game broke a law: `.breach` says which, `.state` is the last state that could be reached.

    `.move` is the number of the move that failed in it, if one did.
    """

    def __init__(self, breach: Breach, state: State | None, move: int | None = None) -> None:
        super().__init__(f"{breach.obligation} {breach.subject}: {breach.text}")
        self.breach = breach
        self.state = state
        self.move = move

    @property
    def moves(self) -> tuple[str, ...]:
        """The game as numbered moves would be written, the failing one included."""
        if self.state is None:
            return ()
        played = [str(move) for move in self.state.played()]
        if self.move is not None:
            played.append(str(self.state.game.notation.move(self.state.cells, self.move)))
        return tuple(played)


def fault_breach(game: Game, state: State | None, move: int | None, fault: Fault) -> Breach:
    """A fault as a breach: it belongs to the rule that was being carried out."""
    subject = "play"
    if state is not None and move is not None:
        machine = game.machine
        point = machine.meta["points"][machine.point(state.cells)]
        if "options" in point:
            index, _ = game.notation.decode(point, move)
            subject = point["options"][index][0]
        else:
            subject = point["name"]
    return Breach("safety", subject, str(fault))


def stuck(state: State) -> Breach | None:
    """A breach if the game waits and nothing can happen."""
    machine = state.game.machine
    cells = state.cells
    if machine.over(cells):
        return None
    try:
        moves = machine.moves(cells)
    except Fault as fault:
        return Breach("safety", "legal moves", str(fault))
    if moves:
        return None
    point = machine.meta["points"][machine.point(cells)]
    if machine.is_chance(cells):
        return Breach("safety", point["name"], f"there is nothing to {point['verb']}")
    label = f".{point['label']}" if point["label"] else ""
    return Breach("progress", f"{point['procedure']}{label}", "nothing can be chosen")


def check_state(laws: Laws, state: State) -> None:
    """Raise `BrokenRules` if a state breaks a law or the game is stuck in it."""
    breach = laws.broken(state.cells) or stuck(state)
    if breach is not None:
        raise BrokenRules(breach, state)


def open_game(game: Game) -> State:
    """The opening position, with chance left open."""
    try:
        return game.start()
    except Fault as fault:
        raise BrokenRules(fault_breach(game, None, None, fault), None) from None


def step(state: State, index: int) -> State:
    """The state after the legal move with a number, counted from 0; checks for faults."""
    code = state.game.machine.moves(state.cells)[index]
    try:
        return state._after(code)
    except Fault as fault:
        breach = fault_breach(state.game, state, code, fault)
        raise BrokenRules(breach, state, code) from None


def play_on(
    state: State, draw: Callable[[st.SearchStrategy[int]], int], limit: int,
    check: Callable[[State], None] | None = None,
) -> State:  # fmt: skip
    """Play with drawn moves until the end or the limit."""
    machine = state.game.machine
    if check is not None:
        check(state)
    for _ in range(limit):
        if machine.over(state.cells):
            break
        count = len(machine.moves(state.cells))
        if count == 0:
            break
        state = step(state, draw(st.integers(0, count - 1)) if count > 1 else 0)
        if check is not None:
            check(state)
    return state


@frozen
class Strategies:
    """Strategies for one game."""

    game: Game

    def games(self, limit: int = LONGEST) -> st.SearchStrategy[State]:
        """Games played to the end (or the limit); `state.history()` has every position."""

        @st.composite
        def played(draw: st.DrawFn) -> State:
            return play_on(open_game(self.game), draw, limit)

        return played()

    def states(self, limit: int = 200) -> st.SearchStrategy[State]:
        """Reachable states: positions after any number of moves, simplest is the opening."""

        @st.composite
        def reached(draw: st.DrawFn) -> State:
            return play_on(open_game(self.game), draw, draw(st.integers(0, limit)))

        return reached()

    def decisions(self, limit: int = 200) -> st.SearchStrategy[State]:
        """Reachable states in which a player decides."""

        @st.composite
        def deciding(draw: st.DrawFn) -> State:
            state = draw(self.states(limit))
            assume(state.player is not None)
            return state

        return deciding()

    def moves(self, limit: int = 200) -> st.SearchStrategy[tuple[str, ...]]:
        """Legal sequences of moves from the opening, in notation (chance included)."""
        return self.states(limit).map(lambda state: tuple(str(m) for m in state.played()))


def strategies(game: Game) -> Strategies:
    """Hypothesis strategies for a game.

    >>> import rules_dsl as rd
    >>> from hypothesis import find
    >>> game = rd.load("tic_tac_toe")
    >>> shortest = find(strategies(game).games(), lambda state: state["winner"] == 0)
    >>> len(shortest.played())
    5
    """
    return Strategies(game)


def state_machine(game: Game) -> type[RuleBasedStateMachine]:
    """A Hypothesis state machine that plays a game and checks all its laws after every step.

    `state_machine(game).TestCase` is a unittest case; a failing run shrinks to a short game.
    """
    laws = Laws.of(game)

    class GameMachine(RuleBasedStateMachine):
        """Plays one move after another."""

        state: State

        @initialize()
        def start(self) -> None:
            """The opening position."""
            self.state = open_game(game)

        @precondition(lambda self: not self.state.over)
        @rule(data=st.data())
        def play(self, data: st.DataObject) -> None:
            """A legal move, or an outcome of chance."""
            count = len(game.machine.moves(self.state.cells))
            index = data.draw(st.integers(0, count - 1)) if count > 1 else 0
            before = self.state
            self.state = step(before, index)
            note(str(self.state.played()[-1]))

        @precondition(lambda self: self.state.over)
        @rule()
        def again(self) -> None:
            """A new game, so that a run is never without something to do."""
            self.state = open_game(game)

        @invariant()
        def laws_hold(self) -> None:
            """Invariants, conservation, ranges, and that something can be done."""
            check_state(laws, self.state)

    GameMachine.__name__ = GameMachine.__qualname__ = f"{game.name}_machine"
    return GameMachine


def machine_settings(**chosen: Any) -> Any:
    """Settings for running a game's state machine.

    Games are slow to draw, and that is fine; explaining failures line by line is slower than all
    the rest and says nothing about rules.
    """
    return settings(
        deadline=None, suppress_health_check=list(HealthCheck), database=None,
        phases=(Phase.generate, Phase.shrink), **chosen,
    )  # fmt: skip
