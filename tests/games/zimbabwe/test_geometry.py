"""Distances of the rules against plain Python: steps, reach, hubs and lakes on random maps."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd

from .geometry import Geometry, lakes, name

PROBE = Path(__file__).with_name("probe.rules")
LETTERS = {"land": ".", "start_cell": "S", "water": "W", "monument": "."}
MAPS = 500


def _cell(game: rd.Game, number: int) -> tuple[int, int]:
    rows, columns = game.machine.code["T_number"], game.machine.code["T_letter"]
    return rows[number] - 1, columns[number]


def _compare(game: rd.Game, seed: int) -> int:
    """One map; gives the number of cells that need a hub or cannot be reached."""
    state = game.start(seed=seed)
    answers = [tuple(int(n) for n in str(m).split()[1:]) for m in state.moves()]
    at = [_cell(game, number) for number in range(len(answers))]
    kinds = [str(state["kind"][number]) for number in range(len(answers))]
    ground = {at[k]: LETTERS.get(kind, "R") for k, kind in enumerate(kinds)}
    monuments = [at[k] for k, kind in enumerate(kinds) if kind == "monument"]
    centre = at[state["centre"]]
    plain = Geometry(ground)
    steps, near = plain.steps([centre]), plain.near([centre], 3)
    hubs, water = plain.hubs([centre], 3, monuments), lakes(ground)
    first = {
        lake: min(k for k in range(len(at)) if water.get(at[k]) == lake)
        for lake in set(water.values())
    }
    far = 0
    for number, (cell, answer) in enumerate(zip(at, answers, strict=True)):
        legs = 31
        if cell in hubs:
            legs = 0 if cell == centre else hubs[cell] + 1
        lake = first[water[cell]] if cell in water else number
        found = (steps.get(cell, 41), int(cell in near), legs, lake)
        assert answer == found, (seed, name(centre), name(cell))
        far += legs > 1
    return far


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_maps(players: int) -> None:
    game = rd.load(PROBE, players=players)
    assert sum(_compare(game, seed) for seed in range(MAPS)) > MAPS


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_some_random_maps(players: int) -> None:
    game = rd.load(PROBE, players=players)
    assert sum(_compare(game, seed) for seed in range(MAPS, MAPS + 10)) > 10
