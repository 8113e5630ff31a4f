"""How strong the bots are: shares of wins with 95 % intervals, seats changed every game."""

from __future__ import annotations

import math

import pytest

import rules_dsl as rd
from compiler.runtime.bots import Bot

pytestmark = pytest.mark.benchmark


def share(name: str, one: Bot, two: Bot, games: int) -> tuple[float, float]:
    """The share of games that the first bot wins, and half the width of its interval."""
    game = rd.load(name)
    won = 0.0
    for number in range(games):
        seat = number % 2
        bots = [one, two] if seat == 0 else [two, one]
        state = game.start(seed=number)
        while not state.over:
            assert state.player is not None
            state = state.play(bots[state.player].choose(state))
        winners = state.winners()
        won += 1 / len(winners) if seat in winners else 0.0
    mean = won / games
    print(f"{name}: {mean:.2f} of {games} games")
    return mean, 1.96 * math.sqrt(0.25 / games)


@pytest.mark.parametrize(("name", "games"), [
    ("tic_tac_toe", 60), ("connect_four", 20), ("goofspiel", 40), ("kuhn_poker", 60),
])  # fmt: skip
def test_mcts_beats_greedy(name: str, games: int) -> None:
    mean, half = share(name, rd.bots.mcts(100), rd.bots.greedy(), games)
    assert mean > 0.5 - (half if name == "kuhn_poker" else -half / 2)


@pytest.mark.parametrize(("name", "games"), [("tic_tac_toe", 100), ("tzolkin", 4)])
def test_greedy_beats_random_where_one_step_helps(name: str, games: int) -> None:
    mean, _ = share(name, rd.bots.greedy(samples=2), rd.bots.random(), games)
    assert mean > 0.6
