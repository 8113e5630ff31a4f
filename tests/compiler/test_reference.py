"""The generated Python agrees with the reference interpreter, move by move."""

from __future__ import annotations

import pytest

import rules_dsl as rd
from rules_dsl.language.sources import shipped_games
from tests.compiler.agreement import play_side_by_side

CLASSICS = [name for name, path in shipped_games().items() if path.parent.name == "classics"]


@pytest.mark.parametrize("name", CLASSICS)
def test_classics_agree(name: str) -> None:
    game = rd.load(name)
    moves = sum(play_side_by_side(game, seed, limit=40) for seed in range(3))
    assert moves > 5


@pytest.mark.parametrize("players", [2, 3, 4])
def test_tzolkin_agrees(players: int) -> None:
    assert play_side_by_side(rd.load("tzolkin", players=players), seed=players, limit=60) == 60


@pytest.mark.parametrize("auction", [False, True])
@pytest.mark.parametrize("edition", [1999, 2018])
def test_tikal_agrees(edition: int, auction: bool) -> None:
    game = rd.load("tikal", players=3, options={"edition": edition, "auction": auction})
    assert play_side_by_side(game, seed=edition, limit=8) == 8
