"""Gymnasium's own test, unmodified, on every shipped game."""

from __future__ import annotations

import numpy as np
import pytest

import rules_dsl as rd
from rules_dsl import rl

pytest.importorskip("gymnasium", reason="needs the extra `rl`")

import gymnasium
from gymnasium.utils.env_checker import check_env

GAMES = [info.name for info in rd.games()]


@pytest.mark.parametrize("name", GAMES)
def test_check_env(name: str) -> None:
    check_env(rl.gymnasium_env(rd.load(name)))


def test_a_whole_game_against_a_bot() -> None:
    env = rl.gymnasium_env(rd.load("connect_four"), seat=1, bots="greedy", illegal="raise")
    rng = np.random.default_rng(1)
    observation, _ = env.reset(seed=5)
    total, over = 0.0, False
    while not over:
        action = rng.choice(np.flatnonzero(observation["action_mask"]))
        observation, reward, over, _, _ = env.step(action)
        total += float(reward)
    assert total in (-1.0, 0.0, 1.0)
    assert env.turn.state.over


def test_same_seed_same_game() -> None:
    game = rd.load("tzolkin", players=2)
    for seat in (0, 1):
        env = rl.gymnasium_env(game, seat=seat)
        first, _ = env.reset(seed=9)
        again, _ = env.reset(seed=9)
        assert (first["observation"] == again["observation"]).all()
        assert env.turn.state.player == seat


def test_by_name() -> None:
    env = gymnasium.make(
        "rules_dsl/Seat-v0",
        game=rd.load("pig"),
        seat=0,
        bots="random",
        reward="score",
        illegal="lose",
    )
    observation, _ = env.reset(seed=1)
    assert observation in env.observation_space


def test_what_is_refused() -> None:
    game = rd.load("pig")
    with pytest.raises(ValueError, match="no seat 2"):
        rl.gymnasium_env(game, seat=2)
    with pytest.raises(ValueError, match="polic"):
        rl.gymnasium_env(game, bots="clever")
    with pytest.raises(ValueError, match="illegal action"):
        rl.gymnasium_env(game, illegal="ignore")  # type: ignore[arg-type]
