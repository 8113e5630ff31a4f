"""The stack and buried treasures are hidden from all players; everything else is public."""

from __future__ import annotations

from typing import Any

import pytest

import rules_dsl as rd


@pytest.fixture(scope="module")
def midgame() -> Any:
    s = rd.load("tikal", players=3).start(seed=5)
    for _ in range(60):
        s = s.play(s.moves()[0])
    return s


@pytest.mark.parametrize("player", [None, 0, 1, 2])
def test_hidden_and_public_parts(midgame: Any, player: int | None) -> None:
    view = midgame.view(player=player)
    left = 36 - sum(t != "unexplored" for t in view["terrain"].values()) + 4
    assert str(view["stack"]) in (f"{left} hidden", f"{left - 1} hidden")
    assert {str(n) for n in view["earth"].values()} == {"hidden"}
    public = set(view) - {"stack", "earth"}
    assert not any("hidden" in str(view[part]) for part in public)


def test_the_same_view_for_everybody(midgame: Any) -> None:
    assert midgame.view(player=0) == midgame.view(player=1) == midgame.view()


def test_which_treasure_lies_where_is_settled_when_it_is_dug() -> None:
    s = rd.load("tikal", players=2).start()
    for move in (
        *("draw red", "draw A5", "place A5 on c2 turned 1", "bring worker to a1"),
        *("move worker from a1 northeast", "move worker from b2 northeast"),
    ):
        s = s.play(move)
    before = s.view(player=0)
    s = s.play("dig on c2")
    assert {str(move): p for move, p in s.outcomes()} == {
        f"draw T{n}": pytest.approx(1 / 8) for n in range(1, 9)
    }
    assert before["earth"] == s.view(player=0)["earth"]
