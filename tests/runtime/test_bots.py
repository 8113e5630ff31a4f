"""Bots are fair: what their seat cannot see makes no difference to them."""

from __future__ import annotations

import pytest

import rules_dsl as rd
from compiler.runtime.bots import Bot

BOTS: dict[str, Bot] = {
    "random": rd.bots.random(seed=4),
    "greedy": rd.bots.greedy(seed=4, samples=2),
    "mcts": rd.bots.mcts(playouts=12, seed=4),
}


@pytest.mark.parametrize("bot", BOTS.values(), ids=BOTS)
@pytest.mark.parametrize("name", ["kuhn_poker", "goofspiel", "first_sealed_auction"])
def test_positions_that_look_alike_get_the_same_choice(name: str, bot: Bot) -> None:
    game = rd.load(name)
    by_sight: dict[object, set[tuple[bytes, str]]] = {}
    for seed in range(25):
        state = game.start(seed)
        for _ in range(4):
            if state.over:
                break
            assert state.player is not None
            sight = game.sights.of(state.cells, state.player)
            choice = str(bot.choose(state))
            by_sight.setdefault((state.player, sight), set()).add((state.cells, choice))
            moves = state.moves()
            state = state.play(moves[seed % len(moves)])
    hidden = [found for found in by_sight.values() if len({cells for cells, _ in found}) > 1]
    assert hidden, "no two positions looked alike"
    for found in hidden:
        assert len({choice for _, choice in found}) == 1


def test_bots_play_whole_games() -> None:
    game = rd.load("connect_four")
    result = game.simulate(games=6, policy=[rd.bots.greedy(), "random"], seed=3)
    assert result.lengths.total() == 6
    assert result.policy.startswith("GreedyBot")
    again = game.simulate(games=6, policy=[rd.bots.greedy(), "random"], seed=3, jobs=2)
    assert again == result


def test_a_function_is_a_policy() -> None:
    game = rd.load("tic_tac_toe")
    result = game.simulate(games=3, policy=lambda state: state.moves()[0])
    assert result.lengths == {7: 3}


@pytest.mark.parametrize("policy", ["clever", ["random"], 7])
def test_what_is_not_a_policy(policy: object) -> None:
    with pytest.raises(ValueError, match=r"polic"):
        rd.load("tic_tac_toe").simulate(games=1, policy=policy)  # type: ignore[arg-type]


def test_greedy_does_not_answer_a_secret_bid() -> None:
    """The second to bid does not know the first bid: over many games it gains nothing by it."""
    game = rd.load("goofspiel")
    share = game.simulate(games=200, policy="greedy", seed=1).win_share()
    assert 0.35 < share[1] < 0.65
