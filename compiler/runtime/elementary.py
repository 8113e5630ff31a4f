"""The history of a position step by step: every decision and every outcome of chance.

With a seed, chance is resolved between decisions and not kept: it is computed again from the
seed. A position that was not reached from the opening has no history before it; what players know
starts there.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from attrs import frozen

from compiler.plan.known_locals import ROUND
from compiler.runtime.decision import about_decision
from compiler.runtime.randomness import chance_key

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.state import History, State


@frozen
class ElementaryStep:
    """One decision or one outcome of chance."""

    before: bytes
    # A player, or -2 for chance.
    who: int
    code: int
    after: bytes


def elementary_steps(state: State) -> list[ElementaryStep]:
    """All steps from the opening, or from where the history of a position starts.

    >>> import rules_dsl as rd
    >>> s = rd.load("kuhn_poker").start(seed=3).play("bet")
    >>> [step.who for step in elementary_steps(s)]
    [-2, -2, 0]
    """
    chain = state.history()
    steps = list(_opening(chain[0]))
    for before, after in pairwise(chain):
        steps += _between(before, after)
    return steps


def _opening(first: State) -> Iterator[ElementaryStep]:
    """The draws of set-up, if the first position is the opening as a seed gives it."""
    if first.seed is None or not first.draws:
        return
    machine = first.game.machine
    cells = machine.new()
    steps = []
    for number in range(first.draws):
        if not machine.is_chance(cells):
            return
        steps.append(_chance(first, cells, number))
    if bytes(cells) == first.cells:
        yield from steps


def way_to(state: State) -> History:
    """The position before another and the move between them, for the same with another seed.

    An opening was drawn with the seed that is given up: it is reached by its draws.
    """
    if state.previous is not None:
        return state.previous, state.last_code
    steps = list(_opening(state))
    if not steps:
        return None
    before = state.game.start()
    for step in steps[:-1]:
        before = before._after(step.code)
    return before, steps[-1].code


def _between(before: State, after: State) -> Iterator[ElementaryStep]:
    machine = before.game.machine
    cells = bytearray(before.cells)
    who = machine.player(cells)
    machine.play(cells, after.last_code)
    yield ElementaryStep(before.cells, who, after.last_code, bytes(cells))
    # The seed before the move resolves the chance that follows it, also where the position was
    # given another seed afterwards.
    resolves = after if before.seed is None else before
    number = 0 if before.seed is None else before.draws
    while resolves.seed is not None and machine.is_chance(cells):
        yield _chance(resolves, cells, number)
        number += 1


def seeds_given(chain: tuple[State, ...]) -> tuple[tuple[int, int | None], ...]:
    """The seeds that a chain of positions was given: the place in the chain, and the seed.

    >>> import rules_dsl as rd
    >>> s = rd.load("pig").start(seed=1).play("roll").reseed(7).play("roll")
    >>> seeds_given(s.history())
    ((0, 1), (1, 7))
    """
    found = [(0, chain[0].seed)]
    for place, (before, after) in enumerate(pairwise(chain), 1):
        draws = before.draws
        if before.seed is not None:
            draws += sum(1 for _ in _between(before, after)) - 1
        if (after.seed, after.draws) != (before.seed, draws):
            found.append((place, after.seed))
    return tuple(found)


def _chance(state: State, cells: bytearray, number: int) -> ElementaryStep:
    """Resolve chance once, in place, as the seed of a position does."""
    machine = state.game.machine
    assert state.seed is not None
    before = bytes(cells)
    code = machine.chance_move(cells, chance_key(state.seed), number)
    machine.play(cells, code)
    return ElementaryStep(before, -2, code, bytes(cells))


def face_down(game: Game, steps: list[ElementaryStep], end: bytes) -> frozenset[int]:
    """The secret choices that only their player knows yet, by number of the step.

    What one player chooses alone stays secret, and so do actions; the values that all choose are
    known when the last one has.
    """
    points = game.machine.meta["points"]
    kept = {
        number
        for number, step in enumerate(steps)
        if step.who >= 0 and points[game.machine.point(step.before)].get("kept")
    }
    return frozenset(kept | open_round(game, steps, end))


def open_round(game: Game, steps: list[ElementaryStep], end: bytes) -> set[int]:
    """The choices in a round of secret choices that not all have finished."""
    asked = place_in_round(game, end)
    found: set[int] = set()
    for number in range(len(steps) - 1, -1, -1):
        place = place_in_round(game, steps[number].before)
        if asked is None or place is None or place > asked:
            break
        found.add(number)
        asked = place
    return found


def place_in_round(game: Game, cells: bytes) -> int | None:
    """The place of a position in a round of secret choices: it rises until all have chosen."""
    machine = game.machine
    point = machine.meta["points"][machine.point(cells)]
    if not point.get("secret") or point.get("alone"):
        return None
    counters = [v for name, kind, v in about_decision(game, cells) if name.startswith(ROUND)]
    return counters[-1] if counters else 0
