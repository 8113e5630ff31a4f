"""PettingZoo's own tests, unmodified, on every shipped game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rules_dsl as rd
from rules_dsl import rl

pytest.importorskip("pettingzoo", reason="needs the extra `rl`")

from pettingzoo.test import api_test, parallel_api_test, seed_test

GAMES = [info.name for info in rd.games()]
pytestmark = [
    # Nobody but the player to move has a legal action, and after the end nobody has.
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
    # Observations with masks are dictionaries, as in PettingZoo's own board games.
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]
# Steps that the suites play: a game of Zimbabwe takes a while.
CYCLES = {"zimbabwe": 8, "tikal": 40, "yucatan": 60, "tzolkin": 80}


def made(name: str, make: Callable[[rd.Game], Any]) -> Callable[[], Any]:
    game = rd.load(name)
    return lambda: make(game)


@pytest.mark.parametrize("name", GAMES)
def test_api(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(made(name, rl.pettingzoo_env)(), num_cycles=CYCLES.get(name, 200))
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("name", GAMES)
def test_seeds(name: str) -> None:
    seed_test(made(name, rl.pettingzoo_env), num_cycles=10)


@pytest.mark.parametrize("name", GAMES)
def test_parallel_api(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    parallel_api_test(made(name, rl.parallel_env)(), num_cycles=CYCLES.get(name, 200))
    assert "Passed Parallel API test" in capsys.readouterr().out


def test_a_rule_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "nim.rules"
    path.write_text(NIM, encoding="utf-8")
    game = rd.load(str(path))
    api_test(rl.pettingzoo_env(game), num_cycles=200)
    parallel_api_test(rl.parallel_env(game), num_cycles=200)
    assert "Passed Parallel API test" in capsys.readouterr().out


NIM = """\
game nim
    players 2

state
    heap: 0..21 = 21
    last: Player? = none

action take(n: 1..3) by p
    require n <= heap "only {heap} are left"
    heap -= n
    last = p

play
    var mover: Player = first(p in Player)
    while heap > 0 decreases heap
        choose mover: take
        mover = next(mover)

scoring
    score p = if last = p then 1 else 0
"""


def test_rewards_come_at_the_end() -> None:
    env = rl.pettingzoo_env(rd.load("tic_tac_toe"))
    env.reset(seed=1)
    for action in (0, 3, 1, 4):
        env.step(action)
        assert set(env.rewards.values()) == {0.0}
    env.step(2)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert all(env.terminations.values())


def test_an_illegal_action_loses_or_raises() -> None:
    game = rd.load("tic_tac_toe")
    env = rl.pettingzoo_env(game)
    env.reset(seed=1)
    env.step(0)
    env.step(0)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    strict = rl.pettingzoo_env(game, illegal="raise")
    strict.reset(seed=1)
    strict.step(0)
    with pytest.raises(rd.IllegalMove):
        strict.step(0)


def test_secret_choices_are_made_together() -> None:
    game = rd.load("goofspiel")
    env = rl.parallel_env(game)
    observations, _ = env.reset(seed=2)
    assert all(o["action_mask"][:13].sum() == 13 for o in observations.values())
    assert not any(o["action_mask"][env.wait] for o in observations.values())
    observations, *_ = env.step({"player_0": 4, "player_1": 6})
    single = game.start(seed=2).play("bidding 5").play("bidding 7")
    assert env.state.cells == single.cells
    for seat, agent in enumerate(env.agents):
        assert (observations[agent]["action_mask"][:13] == single.action_mask()).all() or seat
        assert not np.isnan(observations[agent]["observation"]).any()


def test_the_others_wait() -> None:
    env = rl.parallel_env(rd.load("tic_tac_toe"))
    observations, _ = env.reset(seed=1)
    assert np.flatnonzero(observations["player_1"]["action_mask"]).tolist() == [env.wait]
    _, rewards, terminations, _, _ = env.step({"player_0": env.wait, "player_1": env.wait})
    assert rewards == {"player_0": -1.0, "player_1": 1.0}, "who decides cannot wait"
    assert all(terminations.values())


def test_pictures_and_texts() -> None:
    game = rd.load("tzolkin", players=2)
    env = rl.pettingzoo_env(game, render_mode="svg")
    env.reset(seed=1)
    assert str(env.render()).startswith("<svg")
    with pytest.raises(ValueError, match="render mode"):
        rl.pettingzoo_env(game, render_mode="human")
    with pytest.raises(ValueError, match="reward"):
        rl.pettingzoo_env(game, reward="points")  # type: ignore[arg-type]
