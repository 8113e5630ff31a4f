"""Moves of one decision that are written alike, found by playing.

People who type or read such moves cannot distinguish them. Records keep the numbers of moves
beside their texts, so a saved game stays readable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from attrs import frozen

from compiler.runtime.fault import Fault
from compiler.runtime.game import Game
from compiler.runtime.moves import Move, normal
from compiler.runtime.state import State
from rules_dsl.language.diagnostics import Diagnostic, RuleError
from rules_dsl.language.spans import Span

GAMES = 3
MAX_DECISIONS = 400
# Maximum number of visits to one decision point, and of moves compared there.
MAX_VISITS = 4
MAX_MOVES = 2_000


@frozen
class SameNotation:
    """Two moves of one decision with the same text that lead to different positions."""

    text: str
    # The decision.
    span: Span
    # The moves from the opening to the decision, and what differs after the two.
    played: tuple[str, ...]
    differences: tuple[str, ...]

    def __str__(self) -> str:
        before = ", ".join(self.played[-4:])
        where = f"after {'… ' if len(self.played) > 4 else ''}{before}" if before else "at once"
        shown = "; ".join(self.differences)
        return f"two moves are written `{self.text}` {where}: {shown}"


def check_notation(game: Game) -> None:
    """Raises `RuleError` if two moves of a decision are written alike."""
    found = [Diagnostic("E0450", str(pair), pair.span, _HINT) for pair in same_notation(game)]
    if found:
        raise RuleError(found, game.origin.sources.texts)


_HINT = 'name what differs in the text of the action, as in `"take {i}"`'


def same_notation(game: Game, seed: int = 1) -> tuple[SameNotation, ...]:
    """The first such pair of every decision point that a few random games come to.

    >>> import rules_dsl as rd
    >>> same_notation(rd.load("tic_tac_toe"))
    ()
    """
    found: dict[int, SameNotation] = {}
    visits: Counter[int] = Counter()
    for number in range(GAMES):
        random = Random(seed + number)
        try:
            for state in _played(game, random):
                point = game.machine.point(state.cells)
                visits[point] += 1
                if point not in found and visits[point] <= MAX_VISITS:
                    pair = _pair(state)
                    if pair is not None:
                        found[point] = pair
        except Fault:
            continue  # a rule that fails is what `rules verify` looks for
    return tuple(found.values())


def _played(game: Game, random: Random) -> Iterator[State]:
    """The decisions of a random game."""
    state = game.start(seed=random.randrange(10**6))
    for _ in range(MAX_DECISIONS):
        codes = [] if state.over else game.machine.moves(state.cells)
        if not codes:
            return
        yield state
        state = state._after(random.choice(codes))


def _pair(state: State) -> SameNotation | None:
    first: dict[str, Move] = {}
    for move in state.moves()[:MAX_MOVES]:
        other = first.setdefault(normal(str(move)), move)
        if other is not move:
            one, two = state.play(other), state.play(move)
            if one != two:
                return SameNotation(
                    str(move),
                    _span(state),
                    tuple(str(m) for m in state.played()),
                    tuple(_differences(one, two)),
                )
    return None


def _span(state: State) -> Span:
    """The place of the decision at which a position waits: generated code knows its line."""
    machine = state.game.machine
    code = machine.code["MOVES"][machine.point(state.cells)].__code__
    text = state.game.origin.sources.texts.get(code.co_filename, "")
    lines = text.split("\n")
    number = code.co_firstlineno
    line = lines[number - 1] if 0 < number <= len(lines) else ""
    indent = len(line) - len(line.lstrip())
    return Span(code.co_filename, number, indent + 1, number, max(indent + 2, len(line) + 1))


def _differences(one: State, two: State) -> list[str]:
    """Up to three names with their values in two positions."""
    left, right = one.values(), two.values()
    differ = [name for name in left if left[name] != right[name]]
    shown = [f"`{name}` is {left[name]} or {right[name]}"[:100] for name in differ[:3]]
    return shown or ["the game goes on differently"]
