"""How strong the bots are on large games and classics: shares of wins with 95 % intervals.

Seats change every game. The numbers of games and the bars were fixed before the first run.
"""

from __future__ import annotations

import math

import pytest

import rules_dsl as rd
from compiler.runtime.bots import Bot

pytestmark = pytest.mark.long


def wins(game: rd.Game, one: Bot, two: Bot, games: int) -> float:
    """How many games the first of two bots wins; shared wins count in parts."""
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
    return won


def interval(won: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share.

    >>> [round(x, 3) for x in interval(10, 10)]
    [0.722, 1.0]
    """
    z = 1.96
    share, rest = won / games, z * z / games
    middle = (share + rest / 2) / (1 + rest)
    half = z * math.sqrt(share * (1 - share) / games + rest / (4 * games)) / (1 + rest)
    return middle - half, min(1.0, middle + half)


@pytest.mark.parametrize(("name", "playouts", "games"), [
    ("tic_tac_toe", 100, 60), ("connect_four", 100, 20), ("goofspiel", 100, 20),
    ("breakthrough", 100, 12), ("tzolkin", 100, 10), ("tikal", 100, 8),
])  # fmt: skip
def test_mcts_beats_greedy(name: str, playouts: int, games: int) -> None:
    game = rd.load(name, players=2)
    won = wins(game, rd.bots.mcts(playouts), rd.bots.greedy(), games)
    low, high = interval(won, games)
    print(f"{name}: mcts({playouts}) won {won:g} of {games} against greedy: {low:.2f}..{high:.2f}")
    assert low > 0.5


@pytest.mark.parametrize(("name", "games"), [
    ("tic_tac_toe", 100), ("connect_four", 60), ("mancala", 60), ("tzolkin", 20), ("tikal", 16),
])  # fmt: skip
def test_greedy_beats_random_where_one_step_helps(name: str, games: int) -> None:
    game = rd.load(name, players=2)
    won = wins(game, rd.bots.greedy(), rd.bots.random(), games)
    low, high = interval(won, games)
    print(f"{name}: greedy won {won:g} of {games} against random: {low:.2f}..{high:.2f}")
    assert low > 0.5
