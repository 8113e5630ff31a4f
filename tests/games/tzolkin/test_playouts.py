"""Random games end, whatever the number of players, and use every action and every card."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import rules_dsl as rd

from .components import BUILDINGS, MONUMENTS
from .policy import PERSONAS, pick

ACTIONS = {
    "beg", "place", "claim_first_space", "pick_up", "perform", "perform_elsewhere",
    "harvest_maize", "harvest_wood", "burn_forest", "irrigate", "advance", "build", "build_first",
    "build_first_plainly", "build_for_maize", "raise_monument",
    "offer_resource", "turn_two_days",
}  # fmt: skip
CITIES = {"Palenque": 5, "Yaxchilan": 5, "Tikal": 5, "Uxmal": 5, "Chichen Itza": 9}
SPACES = {f"perform {city} {n}" for city, last in CITIES.items() for n in range(1, last + 1)}
TILES = {line.split()[0] for line in (BUILDINGS + MONUMENTS).split("\n") if line}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_playouts_end(players: int) -> None:
    game = rd.load("tzolkin", players=players)
    for seed in range(30):
        end = game.playout(seed=seed, backend="python")
        assert end.over
        assert end["food_days_held"] == 4
        assert end["day"] == 28
        assert end["rounds"] <= 27
        assert end.winners()


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_everything_happens(players: int) -> None:
    game = rd.load("tzolkin", players=players)
    actions: Counter[str] = Counter()
    moves: Counter[str] = Counter()
    built: Counter[str] = Counter()
    bonuses: Counter[str] = Counter()
    rng = random.Random(players)
    for seed in range(1000):
        s = game.start(seed=seed)
        while not s.over:
            offered = {str(m): m for m in s.moves()}
            assert s.player is not None
            goods = s["stock"][s.player]
            cubes = goods["wood"] + goods["stone"] + goods["gold"]
            persona = PERSONAS[(seed + s.player) % 3]
            text = pick(rng, sorted(offered), persona, cubes, goods["skull"])
            actions[offered[text].name] += 1
            if text.startswith("advance") and s["level"][s.player][text.split()[1]] == 3:
                bonuses[text.split()[1]] += 1
            if text.startswith("perform"):
                moves[text] += 1
            if text.startswith("build "):
                built[text.split()[1]] += 1
            s = s.play(offered[text])
        if not (ACTIONS - set(actions) or SPACES - set(moves) or TILES - set(built)) and (
            len(bonuses) == 4
        ):
            break
    assert set(actions) >= ACTIONS
    assert set(moves) >= SPACES
    assert set(built) >= TILES
    assert len(bonuses) == 4
