"""Hypothesis plays games: strategies for move sequences and reachable states, and a state machine.

Each decision and each draw of a game is one choice of Hypothesis, counted from the first legal
move. A failing game therefore shrinks by itself: moves are left out, and those that stay become the
simplest ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from attrs import frozen
from hypothesis import HealthCheck, Phase, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from compiler.rebuild import with_ghosts
from compiler.runtime.fault import Fault
from compiler.runtime.game import Game
from compiler.runtime.state import State
from verify.search.invariant_check import Breach, PositionChecks

# Maximum number of choices of a game: Hypothesis keeps all of them in memory.
LONGEST = 2_000


class BrokenRules(AssertionError):
    """A game broke an invariant: `.breach` says which, `.state` is the last state reached.

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


_PLACE = re.compile(r"^(?P<file>.*?):(?P<line>\d+): (?P<text>.*)$", re.DOTALL)


def fault_breach(checks: PositionChecks, fault: Fault) -> Breach:
    """A fault as a breach: it belongs to the rule in which it happened."""
    match = _PLACE.match(str(fault))
    rule_ = checks.rule_at(match["file"], int(match["line"])) if match else checks.module.main
    return Breach("safety", rule_, str(fault))


def stuck(checks: PositionChecks, state: State) -> Breach | None:
    """A breach if the game waits and nothing can happen, or is over and cannot be scored."""
    machine = state.game.machine
    cells = state.cells
    try:
        moves = machine.moves(cells)
        if machine.over(cells):
            state.winners()
            return None
    except Fault as fault:
        return fault_breach(checks, fault)
    if moves:
        return None
    number = machine.point(cells)
    point = machine.meta["points"][number]
    if machine.is_chance(cells):
        return Breach("safety", checks.rules[number], f"there is nothing to {point['verb']}")
    label = f".{point['label']}" if point["label"] else ""
    return Breach("progress", f"{checks.rules[number]}{label}", "nothing can be chosen")


def check_state(checks: PositionChecks, state: State) -> None:
    """Raise `BrokenRules` if a state breaks an invariant or the game is stuck in it."""
    breach = checks.broken(state.cells) or stuck(checks, state)
    if breach is not None:
        raise BrokenRules(breach, state)


def open_game(game: Game, checks: PositionChecks) -> State:
    """The opening position, with chance left open and checked."""
    try:
        state = game.start()
    except Fault as fault:
        raise BrokenRules(fault_breach(checks, fault), None) from None
    check_state(checks, state)
    return state


def step(checks: PositionChecks, state: State, index: int) -> State:
    """The state after the legal move with a number, counted from 0; checked."""
    code = state.game.machine.moves(state.cells)[index]
    try:
        after = state._after(code)
    except Fault as fault:
        raise BrokenRules(fault_breach(checks, fault), state, code) from None
    check_state(checks, after)
    return after


def play_on(
    state: State,
    draw: Callable[[st.SearchStrategy[int]], int],
    limit: int,
    after: Callable[[State, int], State],
) -> State:
    """Play drawn moves until the end or the limit; `after` makes a move, counted from 0."""
    machine = state.game.machine
    for _ in range(limit):
        count = 0 if machine.over(state.cells) else len(machine.moves(state.cells))
        if count == 0:
            break
        state = after(state, draw(st.integers(0, count - 1)) if count > 1 else 0)
    return state


def _plain(state: State, index: int) -> State:
    return state._after(state.game.machine.moves(state.cells)[index])


@frozen
class Strategies:
    """Strategies for one game; they play by the rules and check nothing."""

    game: Game

    def games(self, limit: int = LONGEST) -> st.SearchStrategy[State]:
        """Games played to the end (or the limit); `state.history()` has every position."""

        @st.composite
        def played(draw: st.DrawFn) -> State:
            return play_on(self.game.start(), draw, limit, _plain)

        return played()

    def states(self, limit: int = 200) -> st.SearchStrategy[State]:
        """Reachable states: positions after any number of moves, simplest is the opening."""

        @st.composite
        def reached(draw: st.DrawFn) -> State:
            return play_on(self.game.start(), draw, draw(st.integers(0, limit)), _plain)

        return reached()

    def decisions(self, limit: int = 200) -> st.SearchStrategy[State]:
        """Reachable states in which a player decides."""
        return self.states(limit).filter(lambda state: state.player is not None)

    def moves(self, limit: int = 200) -> st.SearchStrategy[tuple[str, ...]]:
        """Legal sequences of moves from the opening, in notation (chance included)."""
        return self.states(limit).map(lambda state: tuple(str(m) for m in state.played()))


def strategies(game: Game) -> Strategies:
    """Hypothesis strategies for a game.

    >>> import rules_dsl as rd
    >>> from hypothesis import find
    >>> game = rd.load("tic_tac_toe")
    >>> won = find(strategies(game).games(), lambda state: state["winner"] == 0)
    >>> won.over, won.winners()
    (True, (0,))
    """
    return Strategies(game)


def state_machine(game: Game) -> type[RuleBasedStateMachine]:
    """A Hypothesis state machine that plays a game and checks all its invariants after every step.

    `state_machine(game).TestCase` is a unittest case; a failing run shrinks to a short game.
    """
    game = with_ghosts(game)
    checks = PositionChecks.of(game)

    class GameMachine(RuleBasedStateMachine):
        """Plays one move after another."""

        state: State

        @initialize()
        def start(self) -> None:
            """The opening position."""
            self.state = open_game(game, checks)

        @precondition(lambda self: not self.state.over)
        @rule(data=st.data())
        def play(self, data: st.DataObject) -> None:
            """A legal move, or an outcome of chance."""
            count = len(game.machine.moves(self.state.cells))
            index = data.draw(st.integers(0, count - 1)) if count > 1 else 0
            self.state = step(checks, self.state, index)
            note(str(self.state.played()[-1]))

        @precondition(lambda self: self.state.over)
        @rule()
        def again(self) -> None:
            """A new game, so that a run always has a next step."""
            self.state = open_game(game, checks)

        @invariant()
        def invariants_hold(self) -> None:
            """Invariants, conservation, ranges, and that something can be done."""
            check_state(checks, self.state)

    GameMachine.__name__ = GameMachine.__qualname__ = f"{game.name}_machine"
    return GameMachine


def machine_settings(**chosen: Any) -> Any:
    """Settings for running a game's state machine.

    Games are slow to draw, and that is fine; explaining failures line by line is slower than all
    the rest and says nothing about rules.
    """
    return settings(
        deadline=None,
        suppress_health_check=list(HealthCheck),
        database=None,
        phases=(Phase.generate, Phase.shrink),
        **chosen,
    )
