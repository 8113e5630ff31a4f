"""The components, against figures counted independently of the rule files."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import rules_dsl as rd

from .oracle import SPACES, TOKENS, Oracle, across

EDGES = ("north", "northeast", "southeast", "south", "southwest", "northwest")


@pytest.fixture(scope="module")
def start() -> Any:
    return rd.load("tikal", players=4).start()


def test_forty_spaces_four_of_them_explored(start: Any) -> None:
    terrain = {str(h): str(t) for h, t in start["terrain"].items()}
    assert set(terrain) == set(SPACES)
    explored = {h: t for h, t in terrain.items() if t != "unexplored"}
    assert explored == {"a1": "base_camp", "a2": "temple", "b1": "temple", "b2": "clearing"}


def test_printed_roads(start: Any) -> None:
    edge = start["edge"]

    def stones(space: str, way: int) -> int:
        there = across(space, way)
        assert there is not None
        return int(edge[space][EDGES[way]] + edge[there][EDGES[(way + 3) % 6]])

    assert (stones("a1", 0), stones("a1", 1), stones("a1", 2)) == (2, 1, 2)
    assert stones("b2", 3) == 0  # between the clearing and the southern temple
    assert stones("b2", 5) == 0  # between the clearing and the northern temple


def test_printed_stones_never_leave_the_board(start: Any) -> None:
    for space in ("a1", "a2", "b1", "b2"):
        for way, name in enumerate(EDGES):
            assert not start["edge"][space][name] or across(space, way)


def test_temple_tokens(start: Any) -> None:
    words = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    stock = start["token_stock"]
    assert [stock[w] for w in words] == [TOKENS[n] for n in range(2, 11)]
    assert sum(stock[w] for w in words) == 48


def test_treasures(start: Any) -> None:
    assert [start["earth"][f"T{n}"] for n in range(1, 9)] == [3] * 8


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_set_for_each_player(players: int) -> None:
    s = rd.load("tikal", players=players).start()
    for p in range(players):
        assert (s["reserve"][p]["worker"], s["reserve"][p]["leader"]) == (18, 1)
        assert s["camps_left"][p] == 2


def test_tiles_by_kind_and_letter() -> None:
    tiles = Oracle(2, 2018, False).tiles
    assert Counter(t[0] for t in tiles) == {"A": 6, "B": 6, "C": 5, "D": 5, "E": 5, "F": 5, "G": 4}
    kinds = Counter(kind for kind, _, _ in tiles.values())
    assert kinds == {"temple": 15, "clearing": 10, "ruin": 8, "volcano": 3}
    assert sum(n for kind, n, _ in tiles.values() if kind == "ruin") == 24
    assert all(sum(stones) == (0 if k == "volcano" else 3) for k, _, stones in tiles.values())


@pytest.mark.parametrize(("auction", "points"), [(False, 0), (True, 20)])
def test_points_at_the_start(auction: bool, points: int) -> None:
    s = rd.load("tikal", players=3, options={"auction": auction}).start()
    assert [s["points"][p] for p in range(3)] == [points] * 3
