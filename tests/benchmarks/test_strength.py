"""How strong the bots are on the large games and the classics: contests, with 95 % intervals.

The bars of `contest` were fixed before the first run.
"""

from __future__ import annotations

import pytest

import rules_dsl as rd
from compiler.runtime.balance import Sample
from compiler.runtime.bots import Bot
from tests.benchmarks.contest import contest

# Playouts of a decision of MCTS.
PLAYOUTS = 100
HANDS = 400
# Games in which one step shows what a move is worth. In Tikal and Breakthrough, and in classics
# whose score is the result, it rarely does: there greedy is no better than random.
LOOKING_AHEAD = ["tic_tac_toe", "connect_four", "tzolkin"]
QUICK = ["tic_tac_toe", "connect_four", "goofspiel", "breakthrough", "mancala"]
LONGER = ["hex", "pig", "first_sealed_auction", "tzolkin", "tikal"]


def mcts_beats_greedy(name: str) -> None:
    found = contest(rd.load(name, players=2), rd.bots.mcts(PLAYOUTS), rd.bots.greedy())
    print(f"{name}: mcts({PLAYOUTS}) against greedy {found}")
    assert found.decided
    assert found.interval.low > 0.5


def greedy_beats_random(name: str) -> None:
    found = contest(rd.load(name, players=2), rd.bots.greedy(), rd.bots.random())
    print(f"{name}: greedy against random {found}")
    assert found.decided
    assert found.interval.low > 0.5


@pytest.mark.benchmark
@pytest.mark.parametrize("name", QUICK)
def test_mcts_beats_greedy(name: str) -> None:
    mcts_beats_greedy(name)


@pytest.mark.long
@pytest.mark.parametrize("name", LONGER)
def test_mcts_beats_greedy_on_longer_games(name: str) -> None:
    mcts_beats_greedy(name)


@pytest.mark.benchmark
def test_mcts_wins_chips_from_greedy_at_kuhn_poker() -> None:
    """Mostly the better card wins: the difference is how little is lost with the worse one."""
    game, chips = rd.load("kuhn_poker"), Sample()
    bots: list[Bot] = [rd.bots.mcts(200, aim="score"), rd.bots.greedy()]
    for number in range(HANDS):
        seat = number % 2
        order = bots if seat == 0 else bots[::-1]
        state = game.start(seed=number)
        while not state.over:
            assert state.player is not None
            state = state.play(order[state.player].choose(state))
        chips.add(float(state.scores()[seat]))
    found = chips.interval()
    print(f"kuhn_poker: mcts(200) wins {found.low:.2f}..{found.high:.2f} chips a hand")
    assert found.low > 0


@pytest.mark.benchmark
@pytest.mark.parametrize("name", LOOKING_AHEAD)
def test_greedy_beats_random_where_one_step_helps(name: str) -> None:
    greedy_beats_random(name)
