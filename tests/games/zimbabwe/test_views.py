"""Only the tiles that were not drawn are hidden, from everybody alike."""

from __future__ import annotations

import json
from typing import Any

import pytest

import rules_dsl as rd


@pytest.mark.parametrize(("players", "hidden"), [(2, 7), (3, 5), (4, 4), (5, 2)])
def test_tiles_that_are_not_on_the_map_are_hidden(players: int, hidden: int) -> None:
    s: Any = rd.load("zimbabwe", players=players).start(seed=1)
    for seat in (None, *range(players)):
        view = s.view(player=seat)
        assert str(view["tile_stack"]) == f"{hidden} hidden"
        state = json.loads(view.to_json())["state"]
        assert state["tile_stack"] == {"hidden": True, "count": hidden}
        others = {name: part for name, part in state.items() if name != "tile_stack"}
        assert "hidden" not in json.dumps(others)


def test_every_seat_sees_the_same() -> None:
    s: Any = rd.load("zimbabwe", players=3).start(seed=2)
    for _ in range(12):
        moves = s.moves()
        s = s.play(moves[len(moves) // 3])
        assert s.view(player=0) == s.view(player=1) == s.view(player=2) == s.view()
