"""Action ids: few of them, and one way to spell every legal move."""

from __future__ import annotations

import random

import numpy as np
import pytest

import rules_dsl as rd
from compiler.runtime.actions import PartialMove

GAMES = [info.name for info in rd.games()]


def reached(state: rd.State) -> set[str]:
    """The moves that can be chosen part by part."""
    found: set[str] = set()
    todo: list[rd.State | PartialMove] = [state]
    while todo:
        at = todo.pop()
        for number in at.action_ids():
            after = state.game.actions.move(at, number)
            if isinstance(after, PartialMove):
                todo.append(after)
            else:
                assert after.code not in {int(code) for code in found}
                found.add(str(after.code))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_ids_reach_exactly_the_legal_moves(name: str) -> None:
    game = rd.load(name)
    assert game.actions.size < 1000
    rng = random.Random(name)
    state = game.start(seed=3)
    for _ in range(25):
        if state.over:
            break
        assert reached(state) == {str(move.code) for move in state.moves()}
        mask = state.action_mask()
        assert mask.dtype == np.int8
        assert np.flatnonzero(mask).tolist() == state.action_ids()
        state = state.play(rng.choice(state.moves()))


def test_ids_mean_the_same_everywhere() -> None:
    """An id has one text, and the moves that have it are the same kind of move."""
    game = rd.load("tzolkin", players=2)
    actions = game.actions
    assert len({actions.text(number) for number in range(actions.size)}) == actions.size
    state = game.start(seed=1)
    for _ in range(60):
        if state.over:
            break
        for number in state.action_ids():
            found = actions.move(state, number)
            if isinstance(found, rd.Move) and number not in actions.parts:
                assert actions.text(number).startswith(found.name.replace("_", " "))
        state = state.play(state.moves()[-1])
    assert actions.digest == rd.load("tzolkin", players=2).actions.digest
    assert actions.digest != rd.load("tikal", players=2).actions.digest


def test_large_ranges_are_chosen_digit_by_digit() -> None:
    game = rd.load("zimbabwe", players=2)
    long = max(
        len(game.actions.spelling(number, option[2] + option[3] - 1))
        for number, point in enumerate(game.machine.meta["points"])
        for option in point.get("options", ())
    )
    assert long == 4, "a bid is chosen as an option and three digits"


@pytest.mark.parametrize("number", [0, 5, 9, -1, 700])
def test_illegal_ids(number: int) -> None:
    state = rd.load("tic_tac_toe").start().play("a1").play("c2")
    with pytest.raises(rd.IllegalMove, match="not legal here"):
        state.game.actions.move(state, number)


def test_no_ids_when_nobody_decides() -> None:
    game = rd.load("pig")
    assert game.start().play("roll").action_ids() == []
    assert game.playout(seed=1).action_ids() == []
