"""The compiled rules against the plain Python game: the same moves on offer, all the way."""

from __future__ import annotations

import random
from functools import partial
from itertools import product

import pytest

import rules_dsl as rd
from tests.games.side_by_side import side_by_side

from .oracle import SPACES, Oracle

FORMS = list(product((2, 3, 4), (1999, 2018), (False, True)))


def _pick(rng: random.Random, who: int | None, moves: list[str]) -> str:
    """A random kind of move first, so that rare kinds are played; stopping is rare."""
    kinds: dict[str, list[str]] = {}
    for move in moves:
        kinds.setdefault(move.split()[0], []).append(move)
    if len(kinds) > 1 and rng.random() < 0.95:
        kinds.pop("stop", None)
    if "bid" in kinds and rng.random() < 0.8:
        kinds["bid"] = kinds["bid"][:2]
    return rng.choice(kinds[rng.choice(sorted(kinds))])


@pytest.mark.parametrize(("players", "edition", "auction"), FORMS)
def test_side_by_side(players: int, edition: int, auction: bool) -> None:
    game = rd.load("tikal", players=players, options={"edition": edition, "auction": auction})
    for seed in range(2):
        rng = random.Random(f"{players} {edition} {auction} {seed}")
        oracle = Oracle(players, edition, auction)
        s = game.start()
        for s in side_by_side(game, oracle.course(), partial(_pick, rng)):
            assert [s["points"][p] for p in range(players)] == oracle.points
        assert s.over
        assert list(s.scores()) == oracle.points
        assert sorted(s.winners()) == oracle.winners()
        for space in SPACES:
            assert str(s["terrain"][space]) == oracle.terrain.get(space, "unexplored")
            assert s["value"][space] == oracle.value[space]
