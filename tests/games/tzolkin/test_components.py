"""The components, against figures counted independently of the rule files."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import rules_dsl as rd

from .components import BUILDINGS, MONUMENTS, WEALTH
from .oracle import Oracle


@pytest.fixture(scope="module")
def start() -> Any:
    return rd.load("tzolkin", players=4).start()


def _names(zone: Any) -> set[str]:
    return {str(card) for card in zone}


def test_buildings(start: Any) -> None:
    first, second = _names(start["first_stack"]), _names(start["second_stack"])
    assert (len(first), len(second)) == (14, 18)
    assert {n.upper().replace("_", "-") for n in first | second} == {
        line.split()[0] for line in BUILDINGS.strip().splitlines()
    }


def test_monuments_and_wealth(start: Any) -> None:
    assert len(_names(start["monument_box"])) == 13 == len(MONUMENTS.strip().splitlines())
    assert len(_names(start["bag"])) == 21 == len(WEALTH.strip().splitlines())


def test_frames_add_up() -> None:
    oracle = Oracle(4)
    assert Counter(t.frame for t in oracle.buildings.values()) == dict.fromkeys(
        ("farm", "tomb", "civil", "shrine"), 8
    )
    assert Counter(t.frame for t in oracle.all_monuments.values()) == {
        "tomb": 5,
        "civil": 4,
        "shrine": 4,
    }


@pytest.mark.parametrize("players", [2, 3, 4])
def test_set_up(players: int) -> None:
    game = rd.load("tzolkin", players=players)
    for seed in range(5):
        s = game.start(seed=seed)
        while not s["under_way"]:
            s = s.play(s.moves()[0])
        assert len(_names(s["display"])) == 6
        assert len(_names(s["monuments"])) == players + 2
        assert len(_names(s["bag"])) == 0
        for p in range(players):
            assert len(_names(s["kept"][p])) == 2
            assert len(_names(s["dealt"][p])) == 0
            assert s["in_hand"][p] == 4 - (s["in_reserve"][p] == 3)
            assert [s["step"][p][t] >= 1 for t in ("chaac", "quetzalcoatl", "kukulcan")]
        neutral = sum(
            s["neutral"][g][n]
            for g in ("palenque", "yaxchilan", "tikal", "uxmal", "chichen_itza")
            for n in range(13)
        )
        assert neutral == {2: 12, 3: 6, 4: 0}[players] == s["neutral_placed"]
        for n in range(2, 6):
            assert s["jungle"][n]["maize_tile"] == players
            assert s["jungle"][n]["wood_tile"] == (players if n > 2 else 0)


def test_all_harvest_tiles_are_used_by_four_players(start: Any) -> None:
    s = rd.load("tzolkin", players=4).start(seed=1)
    assert sum(s["jungle"][n]["maize_tile"] for n in range(2, 6)) == 16
    assert sum(s["jungle"][n]["wood_tile"] for n in range(2, 6)) == 12
    assert s["supply"]["skull"] == 13
