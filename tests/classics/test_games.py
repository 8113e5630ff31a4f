"""Common tests of all classics, besides their rules: examples, notation, saving, secrecy."""

from __future__ import annotations

import random

import pytest

import rules_dsl as rd
from compiler.examples import run_examples
from rules_dsl.language.program import assemble
from rules_dsl.language.sources import gather

CLASSICS = {
    "tic_tac_toe": (2,),
    "connect_four": (2,),
    "breakthrough": (2,),
    "hex": (2,),
    "mancala": (2,),
    "goofspiel": (2,),
    "kuhn_poker": (2,),
    "pig": (2, 3, 10),
    "first_sealed_auction": (2, 3, 10),
}
SETTINGS = [(name, players) for name, counts in CLASSICS.items() for players in counts]


def test_listed() -> None:
    assert set(CLASSICS) <= {game.name for game in rd.games()}


@pytest.mark.parametrize("name", CLASSICS)
def test_examples(name: str) -> None:
    results = run_examples(assemble(gather(name)))
    assert results
    assert [result.message for result in results if not result.ok] == []
    assert [result.title for result in results if result.breaks] == []


@pytest.mark.parametrize(("name", "players"), SETTINGS)
def test_notation_and_saving(name: str, players: int) -> None:
    game = rd.load(name, players=players)
    rng = random.Random(5)
    state = game.start()
    while not state.over:
        assert game.state_from_json(state.to_json()) == state
        moves = [move for move, _ in state.outcomes()] if state.is_chance else list(state.moves())
        notations = [str(move) for move in moves]
        assert len(set(notations)) == len(moves)
        choice = rng.randrange(len(moves))
        by_move = state.play(moves[choice])
        assert state.play(notations[choice]) == by_move
        state = by_move
    assert game.replay(game.record(state)) == state


@pytest.mark.parametrize(("name", "players"), SETTINGS)
def test_seed_decides_everything(name: str, players: int) -> None:
    game = rd.load(name, players=players)
    assert game.playout(seed=3) == game.playout(seed=3)
    ends = {game.playout(seed=seed).to_json() for seed in range(20)}
    assert len(ends) > 1


def test_kuhn_cards_are_private() -> None:
    game = rd.load("kuhn_poker")
    dealt = game.start().play("draw jack")
    with_queen, with_king = dealt.play("draw queen"), dealt.play("draw king")
    assert with_queen.view(player=0) == with_king.view(player=0)
    assert with_queen.view() == with_king.view()
    assert with_queen.view(player=1) != with_king.view(player=1)
    folded = [state.play("bet").play("fold") for state in (with_queen, with_king)]
    assert folded[0].view(player=0) == folded[1].view(player=0)
    called = [state.play("bet").play("call") for state in (with_queen, with_king)]
    assert called[0].view(player=0) != called[1].view(player=0)


def test_bids_are_secret_until_all_are_in() -> None:
    goofspiel = rd.load("goofspiel").start().play("draw 9")
    low, high = goofspiel.play("bidding 2"), goofspiel.play("bidding 12")
    assert low.player == high.player == 1
    assert low.view(player=1) == high.view(player=1)
    assert [str(move) for move in low.moves()] == [str(move) for move in high.moves()]
    assert low.play("bidding 5").view() != high.play("bidding 5").view()

    auction = rd.load("first_sealed_auction", players=2).start().play("draw 8").play("draw 5")
    assert auction.play("bidding 0").view(player=1) == auction.play("bidding 7").view(player=1)


def test_values_of_an_auction_are_private() -> None:
    start = rd.load("first_sealed_auction", players=2).start()
    one, other = start.play("draw 8").play("draw 5"), start.play("draw 3").play("draw 5")
    assert one.view(player=1) == other.view(player=1)
    assert one.view(player=0) != other.view(player=0)


def test_reasons_are_given() -> None:
    state = rd.load("connect_four").start()
    for _ in range(6):
        state = state.play("2")
    reasons = state.explain("2")
    assert [reason.text for reason in reasons if not reason.holds] == ["column 2 is full"]
    with pytest.raises(rd.IllegalMove, match="column 2 is full"):
        state.play("2")
