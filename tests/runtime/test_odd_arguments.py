"""Odd arguments of the Python interface are refused in words, before anything is played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import rules_dsl as rd
import verify

# Callers without a type checker may pass anything.
GAME: Any = rd.load("tic_tac_toe")
OTHER = rd.load("pig").start(seed=1)
OVER = GAME.playout(seed=1)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: GAME.start().view(1.0), "a player is a whole number"),
        (lambda: GAME.start().seat(2), "there is no player 2"),
        (lambda: GAME.replay(None), "a record or its JSON is needed"),
        (lambda: GAME.check(OTHER), "not of <game tic_tac_toe"),
        (lambda: GAME.check(None), "a position is needed"),
        (lambda: GAME.simulate(games=1, executor=3), "an executor is"),
        (
            lambda: GAME.simulate(games=1, policy=lambda _: None),
            "a policy gives a Move or its notation",
        ),
        (lambda: GAME.simulate(games=9, policy=lambda s: s.moves()[0], jobs=2), "cannot go to"),
        (lambda: GAME.actions.move(GAME.start(), "b2"), "an action id is a whole number"),
        (lambda: rd.bots.random().choose(OVER), "no player decides here: it is over"),
        (lambda: rd.bots.mcts().choose(OVER), "no player decides here"),
        (
            lambda: rd.bots.greedy().choose(rd.load("kuhn_poker").start()),
            "no player decides here: chance does",
        ),
        (lambda: rd.bots.greedy(samples=0), "the number of samples is at least 1"),
        (lambda: rd.bots.mcts(0), "the number of playouts is at least 1"),
        (lambda: verify.run(GAME, effort="most"), "no such effort: most; there are low"),
        (lambda: verify.run(GAME, checks="most"), "no such check: most"),
    ],
)
def test_what_is_refused(call: Callable[[], Any], words: str) -> None:
    with pytest.raises((ValueError, TypeError)) as refused:
        call()
    assert words in str(refused.value)


def test_a_policy_may_answer_in_notation() -> None:
    found = GAME.simulate(games=3, policy=lambda state: str(state.moves()[0]))
    assert found.moves["place"] == sum(length * n for length, n in found.lengths.items())


def test_no_games_are_told_as_such() -> None:
    assert str(GAME.simulate(games=0)) == "tic_tac_toe, 2 players: no games (random)"


def test_one_check_may_be_named_alone() -> None:
    report = verify.run(GAME, checks="init", jobs=1)
    assert {result.obligation for result in report.results} == {"init"}
