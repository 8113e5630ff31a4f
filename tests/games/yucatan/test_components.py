"""The box: how many of everything there are, and that both games use the same values."""

from __future__ import annotations

from typing import Any

import pytest

import rules_dsl as rd
from rules_dsl.language.program import Program, assemble
from rules_dsl.language.provenance import counted, least_sure
from rules_dsl.language.sources import gather
from rules_dsl.language.syntax import Table

from .components import COPIES, CREATURES, REINFORCEMENTS, STANDS, STARTING


@pytest.fixture(scope="module")
def program() -> Program:
    return assemble(gather("yucatan"))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_counts_of_the_box(players: int) -> None:
    s: Any = rd.load("yucatan", players=players).start(seed=1)
    assert len(s["deck"]) == sum(COPIES.values()) == 23
    assert [len(s["hand"][p]) for p in range(players)] == [len(STARTING)] * players
    assert len(s["summoning_area"]) == len(CREATURES) == 9
    assert len(s["creature_cards"]) == 9
    supply = s["supply"]
    assert supply["corn"] + sum(s["stock"][p]["corn"] for p in range(players)) == 40
    assert supply["jade"] + sum(s["stock"][p]["jade"] for p in range(players)) == 30
    assert supply["warrior"] == 60


def test_what_is_printed_is_marked(program: Program) -> None:
    tables = {table.name.name: table for table in program.of(Table)}
    assert counted(tables["Face"]) == {"provisional": 55}
    assert counted(tables["Bonus"]) == {"provisional": sum(map(len, STANDS.values()))}
    stages = tables["Stage"]
    printed = {r.name.name for r in stages.rows if least_sure(stages, r) == "printed"}
    assert printed == {"construction_0", "camp_0", "barracks_0"}
    assert set(counted(tables["Reinforcement"])) == {"provisional"}
    assert set(counted(tables["Creature"])) == {"provisional"}
    assert len(tables["Reinforcement"].rows) == len(REINFORCEMENTS)
