"""The house rules load, play to the end, and have the stated effect."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rules_dsl as rd

FOLDER = Path(rd.__file__).parent.parent / "games" / "tzolkin" / "variants"
VARIANTS = sorted(p.stem for p in FOLDER.glob("*.rules"))


def load(name: str, players: int) -> Any:
    return rd.load(str(FOLDER / f"{name}.rules"), players=players)


def begin(name: str, players: int, seed: int = 1) -> Any:
    s = load(name, players).start(seed=seed)
    while not s["under_way"]:
        s = s.play(s.moves()[0])
    return s


def test_there_are_enough() -> None:
    assert len(VARIANTS) >= 6


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_loads_and_plays(name: str, players: int) -> None:
    game = load(name, players)
    for seed in range(3):
        assert game.playout(seed=seed, backend="python").over


def test_rich_start() -> None:
    game = rd.load("tzolkin", players=2).start(seed=3)
    rich = load("rich_start", 2).start(seed=3)
    for _ in range(2):
        game, rich = game.play(game.moves()[0]), rich.play(rich.moves()[0])
    assert [rich["stock"][p]["maize"] - game["stock"][p]["maize"] for p in (0, 1)] == [3, 3]


def test_one_day_at_a_time() -> None:
    end = load("one_day_at_a_time", 4).playout(seed=2, backend="python")
    assert end["rounds"] == 27


def test_ten_skulls() -> None:
    assert load("ten_skulls", 4).start(seed=1)["supply"]["skull"] == 10


def test_open_draft() -> None:
    s = load("open_draft", 3).start(seed=1)
    assert len(list(s["row_of_tiles"])) == 8
    order = []
    while not s["under_way"]:
        order.append(s.player)
        s = s.play(s.moves()[0])
    assert order == [0, 1, 2, 2, 1, 0]
    assert [len(list(s["kept"][p])) for p in range(3)] == [2, 2, 2]


def test_begging_costs_a_point() -> None:
    game = load("begging_costs_a_point", 4)
    for seed in range(20):
        s = game.start(seed=seed)
        while not s.over:
            beg = [m for m in s.moves() if m.name == "beg"]
            if beg:
                p, before = s.player, s["points"][s.player]
                assert s.play(beg[0])["points"][p] == before - 1
                return
            s = s.play(s.moves()[0])
    raise AssertionError("nobody had to beg")


def test_short_year() -> None:
    end = load("short_year", 2).playout(seed=5, backend="python")
    assert end["rounds"] <= 20
    assert end["food_days_held"] == 4


def test_granary() -> None:
    assert len(list(load("granary", 2).start()["first_stack"])) == 15
