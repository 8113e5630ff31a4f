"""Vectorised environments play the games of single positions."""

from __future__ import annotations

import numpy as np
import pytest

import rules_dsl as rd
from compiler.runtime.actions import PartialMove
from rules_dsl import rl
from rules_dsl.rl.rewards import Reward, rewards

SLOTS = 3


@pytest.mark.parametrize(
    ("name", "reward"),
    [("kuhn_poker", "score"), ("tic_tac_toe", "win"), ("tikal", "win"), ("tzolkin", "win")],
)
def test_slots_play_the_games_of_their_seeds(name: str, reward: Reward) -> None:
    game = rd.load(name)
    env = rl.vector_env(game, SLOTS, seed=4, reward=reward)
    rng = np.random.default_rng(2)
    singles: list[rd.State | PartialMove] = [game.start(seed=4 + k) for k in range(SLOTS)]
    ended = 0
    for _ in range(60):
        masks, seen = env.masks(), env.observations()
        chosen = [int(rng.choice(np.flatnonzero(mask))) for mask in masks]
        for slot, at in enumerate(singles):
            state = at.state if isinstance(at, PartialMove) else at
            assert state.player == env.player[slot]
            assert np.flatnonzero(masks[slot]).tolist() == at.action_ids()
            assert (seen[slot] == at.observation(int(env.player[slot]))).all()
        outcome = env.step(chosen)
        for slot, at in enumerate(singles):
            found = game.actions.move(at, chosen[slot])
            state = at.state if isinstance(at, PartialMove) else at
            assert outcome.acted[slot] == state.player
            if isinstance(found, PartialMove):
                singles[slot] = found
                assert not outcome.done[slot]
                continue
            after = state.play(found)
            assert outcome.done[slot] == after.over
            assert outcome.rewards[slot].tolist() == pytest.approx(rewards(after, reward))
            if after.over:
                ended += 1
                after = game.start(seed=int(env.batch.seeds[slot]))
            singles[slot] = after
    assert ended or game.name in ("tikal", "tzolkin")


def test_an_illegal_action_changes_nothing() -> None:
    env = rl.vector_env(rd.load("tic_tac_toe"), 2)
    env.step([0, 1])
    with pytest.raises(ValueError, match="1 is not a legal action in slot 1"):
        env.step([1, 1])
    assert env.masks().sum(axis=1).tolist() == [8, 8]
