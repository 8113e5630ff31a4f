"""Openings worked out by hand, move by move."""

from __future__ import annotations

from typing import Any

import pytest

import rules_dsl as rd

SET_UP = """
draw M-01 | draw M-02 | draw M-03 | draw M-13
draw A1-01 | draw A1-04 | draw A1-06 | draw A1-08 | draw A1-09 | draw A1-13
draw Palenque-1 | draw Tikal-1 | draw Palenque-3 | draw Tikal-3
draw Palenque-5 | draw Tikal-5 | draw Palenque-7 | draw Tikal-7
draw Uxmal-1 | draw Uxmal-3 | draw Uxmal-5 | draw Uxmal-7 | draw Yaxchilan-1
draw Chichen-0 | draw Chichen-3 | draw Chichen-5 | draw Chichen-7 | draw Chichen-10
keep Palenque-1 and Palenque-7 | keep Tikal-1 and Tikal-5
"""
BLUE, RED = 0, 1


def play(s: Any, script: str) -> Any:
    for line in script.strip().splitlines():
        for move in line.split("|"):
            s = s.play(move.strip())
    return s


@pytest.fixture(scope="module")
def opening() -> Any:
    return play(rd.load("tzolkin", players=2).start(), SET_UP)


@pytest.fixture(scope="module")
def second_round(opening: Any) -> Any:
    return play(
        opening,
        """
        place Uxmal | place Uxmal | place Chichen Itza
        place Yaxchilan | place Yaxchilan | place first player
        turn the calendar by two days
        """,
    )


def goods(s: Any, p: int) -> dict[str, int]:
    return {
        g: s["stock"][p][g] for g in ("maize", "wood", "stone", "gold", "skull") if s["stock"][p][g]
    }


def neutral(s: Any, gear: str) -> list[int]:
    return [n for n in range(13) if s["neutral"][gear][n]]


def test_starting_wealth(opening: Any) -> None:
    assert goods(opening, BLUE) == {"maize": 12, "stone": 1}
    assert goods(opening, RED) == {"maize": 5, "gold": 1}
    assert opening["step"][BLUE]["quetzalcoatl"] == 2
    assert opening["step"][RED]["chaac"] == 2
    assert opening["level"][BLUE]["agriculture"] == 1
    assert opening["level"][RED]["architecture"] == 2


def test_neutral_workers(opening: Any) -> None:
    assert neutral(opening, "uxmal") == [1, 3, 5, 6, 7]
    assert neutral(opening, "yaxchilan") == [1, 6]
    assert neutral(opening, "chichen_itza") == [0, 3, 5, 7, 10]
    assert neutral(opening, "palenque") == neutral(opening, "tikal") == []


def test_two_days_at_once(second_round: Any) -> None:
    s = second_round
    assert (s["day"], s["rounds"], s["first_player"], s.player) == (3, 1, RED, RED)
    assert goods(s, BLUE) == {"maize": 6, "stone": 1}
    assert goods(s, RED) == {"gold": 1}
    assert not s["light"][RED]
    assert s["in_hand"][RED] == 1
    assert [s["worker"]["uxmal"][n] for n in (2, 4)] == [BLUE, BLUE]
    assert s["worker"]["chichen_itza"][3] == BLUE
    assert [s["worker"]["yaxchilan"][n] for n in (2, 4)] == [RED, RED]
    assert neutral(s, "uxmal") == [3, 5, 7, 8, 9]
    assert neutral(s, "chichen_itza") == [2, 5, 7, 9, 12]


def test_begging_skulls_and_a_building_for_maize(second_round: Any) -> None:
    s = play(
        second_round,
        """
        beg, angering Quetzalcoatl
        pick up Yaxchilan 4 | perform Yaxchilan 4 | pick up Yaxchilan 2 | perform Yaxchilan 2
        pick up Uxmal 4 | perform Uxmal 4 | build A1-06 for maize
        pick up Uxmal 2 | perform Uxmal 2 | sell 1 stone | buy 1 wood | stop
        draw A1-02
        """,
    )
    assert goods(s, RED) == {"maize": 4, "stone": 1, "gold": 1, "skull": 1}
    assert goods(s, BLUE) == {"maize": 1, "wood": 1}
    assert [s["step"][RED][t] for t in ("chaac", "quetzalcoatl", "kukulcan")] == [2, 0, 1]
    assert [s["step"][BLUE][t] for t in ("chaac", "quetzalcoatl", "kukulcan")] == [2, 3, 1]
    assert s["wheel"]["maize"] == 1
    assert (s["day"], s["supply"]["skull"]) == (4, 12)
    assert s["worker"]["chichen_itza"][4] == BLUE
    assert [s["in_hand"][p] for p in (BLUE, RED)] == [2, 3]


def test_reasons(opening: Any) -> None:
    reasons = opening.explain("pick up Palenque 3")
    assert any(not r.holds and "no worker on space 3" in r.text for r in reasons)
    reasons = opening.explain("place Uxmal")
    assert all(r.holds for r in reasons)
