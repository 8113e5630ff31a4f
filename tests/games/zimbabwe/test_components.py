"""What is printed on tiles and cards, counted against the components of the game."""

from __future__ import annotations

from collections import Counter

import pytest

import rules_dsl as rd

from .components import CRAFTS, GODS, SPECIALISTS
from .geometry import LAYOUTS, TILES, slots, turned

KINDS = {
    "land": ".",
    "start_cell": "S",
    "water": "W",
    "wood": "T",
    "clay": "C",
    "ivory": "I",
    "diamonds": "D",
}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_map_is_made_of_the_tiles_that_were_drawn(players: int) -> None:
    game = rd.load("zimbabwe", players=players)
    state = game.start()
    drawn: list[tuple[str, int]] = []
    for _, _, start in slots(players):
        if start:
            drawn.append(("A", 0))
            continue
        outcomes = state.outcomes()
        tile = outcomes[(3 * len(drawn) + 1) % len(outcomes)][0]
        state = state.play(tile)
        turn = state.outcomes()[len(drawn) % 4][0]
        state = state.play(turn)
        drawn.append((str(tile).split()[1], int(str(turn).split()[1])))
    expected = "".join("".join(turned(tile, quarters)) for tile, quarters in drawn)
    found = "".join(KINDS[str(state["kind"][k])] for k in range(len(expected)))
    assert found == expected


def test_the_printed_tiles() -> None:
    others = Counter("".join(rows for tile, rows in TILES.items() if tile != "A"))
    assert (others["T"], others["C"], others["I"], others["D"], others["W"]) == (9, 9, 7, 5, 90)
    assert Counter(TILES["A"])["S"] == 6
    for tile, rows in TILES.items():
        assert tile == "A" or sum(rows.count(letter) for letter in "TCID") == 3


@pytest.mark.parametrize(("players", "tiles"), [(2, 4), (3, 6), (4, 7), (5, 9)])
def test_layouts(players: int, tiles: int) -> None:
    assert LAYOUTS[players].count("x") + 1 == tiles
    assert len(rd.load("zimbabwe", players=players).start()["kind"]) == 36 * tiles


def test_cards() -> None:
    code = rd.load("zimbabwe", players=2).machine.code
    assert list(code["T_God_requirement"]) == list(GODS.values())
    assert list(code["T_Specialist_requirement"]) == [vr for vr, _ in SPECIALISTS.values()]
    assert list(code["T_Specialist_price"]) == [price for _, price in SPECIALISTS.values()]
    assert list(code["T_Craft_requirement"]) == [c.vr for c in CRAFTS.values()]
    assert list(code["T_Craft_price"]) == [c.cost for c in CRAFTS.values()]
    assert list(code["T_Craft_points"]) == [c.points for c in CRAFTS.values()]
