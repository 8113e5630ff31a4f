"""Batches and rollouts are the games that single states play."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import rules_dsl as rd
from compiler.runtime.backends import BackendError
from compiler.runtime.batch import Batch

SLOTS = 4


def chosen(batch: Batch, rng: np.random.Generator) -> np.ndarray:
    return batch.moves[np.arange(batch.size), rng.integers(0, batch.counts)]


@pytest.mark.parametrize("backend", ["python", "native"])
@pytest.mark.parametrize("name", ["pig", "kuhn_poker", "breakthrough"])
def test_slots_play_the_games_of_their_seeds(name: str, backend: str) -> None:
    game = rd.load(name)
    batch = game.batch(SLOTS, seed=20, backend=backend)
    rng = np.random.default_rng(3)
    singles = [game.start(seed=20 + slot) for slot in range(SLOTS)]
    ended = 0
    for _ in range(150):
        for slot, single in enumerate(singles):
            assert batch.states[slot].tobytes() == single.cells
            assert batch.player[slot] == single.player
            listed = batch.moves[slot, : batch.counts[slot]].tolist()
            assert listed == [move.code for move in single.moves()]
            assert (batch.moves[slot, batch.counts[slot] :] == -1).all()
        assert (batch.mask().sum(axis=1) == batch.counts).all()
        choices = chosen(batch, rng)
        batch.step(choices)
        for slot, single in enumerate(singles):
            after = single._after(int(choices[slot]))
            assert batch.done[slot] == after.over
            if after.over:
                ended += 1
                assert batch.scores[slot].tolist() == [
                    score * batch.denominator for score in after.scores()
                ]
                assert tuple(np.flatnonzero(batch.winners[slot])) == after.winners()
                after = game.start(seed=int(batch.seeds[slot]))
                assert int(batch.seeds[slot]) % SLOTS == slot
            singles[slot] = after
    assert ended > 0


@pytest.mark.parametrize("backend", ["python", "native"])
def test_a_slot_can_wait(backend: str) -> None:
    batch = rd.load("tic_tac_toe").batch(2, seed=1, backend=backend)
    before = batch.states.copy()
    batch.step([-1, 4])
    assert (batch.states[0] == before[0]).all()
    assert batch.counts.tolist() == [9, 8]
    assert not batch.done.any()


def test_an_illegal_choice_changes_nothing() -> None:
    batch = rd.load("tic_tac_toe").batch(2, seed=1)
    batch.step([4, 0])
    before = batch.states.copy()
    with pytest.raises(ValueError, match="4 is not a legal move in slot 0"):
        batch.step([4, 1])
    with pytest.raises(ValueError, match="2 choices are needed"):
        batch.step([1])
    assert (batch.states == before).all()


def test_what_a_batch_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    game = rd.load("tic_tac_toe")
    with pytest.raises(ValueError, match="at least one game"):
        game.batch(0)
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(BackendError, match="need numpy"):
        game.batch(2)


@pytest.mark.parametrize("name", ["pig", "hex"])
def test_rollouts_are_random_games_from_here(name: str) -> None:
    game = rd.load(name)
    state = game.start(seed=5)
    for _ in range(3):
        state = state.play(state.moves()[-1])
    native = state.rollouts(12, seed=9, backend="native")
    assert native == state.rollouts(12, seed=9, backend="python")
    ends = [game.machine.random_game(state.cells, 9 + k) for k in range(12)]
    assert native.lengths.total() == 12
    assert sum(native.lengths.elements()) == sum(decisions for _, decisions, _ in ends)


def test_rollouts_from_the_end() -> None:
    end = rd.load("tic_tac_toe").playout(seed=3)
    result = end.rollouts(5)
    assert result.lengths == {0: 5}
    assert result.winners == {end.winners(): 5}
