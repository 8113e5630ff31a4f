"""The classics against OpenSpiel: random games played in both, compared move by move."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import attrs
import pytest

import rules_dsl as rd

pyspiel = pytest.importorskip("pyspiel", reason="needs the extra `rl`")

GAMES_EACH = 500

AnyState = Any  # pyspiel has no stubs, and both libraries call their states `State`


def _number(move: str) -> int:
    """The number that ends a move's notation."""
    return int(move.split()[-1])


@attrs.frozen
class Twin:
    """How a move of ours is numbered in OpenSpiel."""

    action: Callable[[AnyState, str], int]
    outcome: Callable[[AnyState, str], int] = lambda _state, move: _number(move)
    players: int = 2
    parameters: Mapping[str, int] = attrs.field(factory=dict)


def _breakthrough(state: AnyState, move: str) -> int:
    square, way = move.split()
    column, row = "abcdefgh".index(square[0]), 8 - int(square[1])
    aside, forward = ("left", "ahead", "right").index(way), 1 if state.player == 0 else -1
    target = "abcdefgh"[column + aside - 1] + str(8 - row - forward)
    capture = state["piece"][target] is not None
    direction = aside + (0 if state.player == 0 else 3)
    return ((row * 8 + column) * 6 + direction) * 2 + int(capture)


TWINS = {
    "tic_tac_toe": Twin(lambda _state, move: (int(move[1]) - 1) * 3 + "abc".index(move[0])),
    "connect_four": Twin(lambda _state, move: int(move)),
    "breakthrough": Twin(_breakthrough),
    "hex": Twin(lambda _state, move: (int(move[1:]) - 1) * 11 + "abcdefghijk".index(move[0])),
    "mancala": Twin(lambda _state, move: int(move)),
    "goofspiel": Twin(
        lambda _state, move: _number(move) - 1, outcome=lambda _state, move: _number(move) - 1
    ),
    "kuhn_poker": Twin(
        lambda _state, move: {"check": 0, "fold": 0, "bet": 1, "call": 1}[move],
        outcome=lambda _state, move: ("Jack", "Queen", "King").index(move.split()[-1]),
    ),
    "pig": Twin(
        lambda _state, move: ("roll", "stop").index(move),
        outcome=lambda _state, move: _number(move) - 1,
    ),
    "first_sealed_auction": Twin(
        lambda _state, move: _number(move),
        # Values are drawn first; the last chance is between those who bid most.
        outcome=lambda _state, move: (
            int(word[1:]) - 1 if (word := move.split()[-1]).startswith("p") else int(word)
        ),
    ),
}


def _play_both(name: str, twin: Twin, count: int, rng: random.Random) -> None:
    game = rd.load(name, players=twin.players)
    other = pyspiel.load_game(name, dict(twin.parameters))
    assert other.num_players() == twin.players
    for _ in range(count):
        ours, theirs = game.start(), other.new_initial_state()
        secret: list[int] = []  # the choices of a simultaneous node, gathered one by one
        while not theirs.is_terminal():
            assert not ours.over, theirs
            if theirs.is_chance_node():
                expected = {
                    action: Fraction(p).limit_denominator(1000)
                    for action, p in theirs.chance_outcomes()
                }
                if not ours.is_chance:
                    # A chance with one outcome is none to us.
                    assert list(expected.values()) == [1], theirs
                    theirs.apply_action(*expected)
                    continue
                outcomes = {twin.outcome(ours, str(move)): (move, p) for move, p in ours.outcomes()}
                assert {action: p for action, (_, p) in outcomes.items()} == expected, theirs
                assert ours.player is None
                action = rng.choice(sorted(outcomes))
                ours = ours.play(outcomes[action][0])
                theirs.apply_action(action)
                continue
            assert not ours.is_chance, theirs
            together = theirs.is_simultaneous_node()
            player = len(secret) if together else theirs.current_player()
            assert ours.player == player, theirs
            moves = {twin.action(ours, str(move)): move for move in ours.moves()}
            assert len(moves) == len(ours.moves())
            assert sorted(moves) == theirs.legal_actions(player), theirs
            action = rng.choice(sorted(moves))
            ours = ours.play(moves[action])
            if not together:
                theirs.apply_action(action)
                continue
            secret.append(action)
            if len(secret) == twin.players:
                theirs.apply_actions(secret)
                secret = []
        assert ours.over, theirs
        assert ours.player is None
        returns = [Fraction(value).limit_denominator(1000) for value in theirs.returns()]
        assert [Fraction(score) for score in ours.scores()] == returns, theirs
        best = max(returns)
        assert list(ours.winners()) == [p for p, value in enumerate(returns) if value == best]


@pytest.mark.slow
@pytest.mark.parametrize("name", TWINS)
def test_same_games(name: str) -> None:
    _play_both(name, TWINS[name], GAMES_EACH, random.Random(name))


@pytest.mark.parametrize("players", [3, 5, 10])
@pytest.mark.parametrize("name", ["pig", "first_sealed_auction"])
def test_same_games_with_more_players(name: str, players: int) -> None:
    twin = attrs.evolve(TWINS[name], players=players, parameters={"players": players})
    _play_both(name, twin, 20, random.Random(f"{name}{players}"))
