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
    from compiler.runtime.state import State


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


def _between(before: State, after: State) -> Iterator[ElementaryStep]:
    machine = before.game.machine
    cells = bytearray(before.cells)
    who = machine.player(cells)
    machine.play(cells, after.last_code)
    yield ElementaryStep(before.cells, who, after.last_code, bytes(cells))
    if after.seed is not None:
        for number in range(before.draws, after.draws):
            yield _chance(after, cells, number)


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

    What one player chooses alone stays secret; what all choose is known when the last one has.
    """
    points = game.machine.meta["points"]
    alone = {
        number
        for number, step in enumerate(steps)
        if step.who >= 0 and points[game.machine.point(step.before)].get("alone")
    }
    asked = place_in_round(game, end)
    open_round: set[int] = set()
    for number in range(len(steps) - 1, -1, -1):
        place = place_in_round(game, steps[number].before)
        if asked is None or place is None or place > asked:
            break
        open_round.add(number)
        asked = place
    return frozenset(alone | open_round)


def place_in_round(game: Game, cells: bytes) -> int | None:
    """The place of a position in a round of secret choices: it rises until all have chosen."""
    machine = game.machine
    point = machine.meta["points"][machine.point(cells)]
    if not point.get("secret") or point.get("alone"):
        return None
    counters = [v for name, kind, v in about_decision(game, cells) if name.startswith(ROUND)]
    return counters[-1] if counters else 0
