"""Functions that have a value wherever they are asked: proved once, and only of those."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
from compiler.rule_id import rule_name
from verify.encode.counting import Totals
from verify.encode.faults import may_fault
from verify.encode.statements import SymbolicRun
from verify.encode.unknowns import World

RULES = """
game huts "Huts"
    players 2

state
    owner[0..3]: Player? = none
    rank[Player]: 0..3 = 0

function guarded(x: 0..3): bool = owner[x] != none and rank[owner[x]] = 0

function unguarded(x: 0..3): bool = rank[owner[x]] = 0

function asks_guarded(x: 0..3): bool = guarded(3 - x)

function asks_unguarded(x: 0..3): bool = x > 0 and unguarded(x)

action look(x: 0..3) by p
    require guarded(x) or asks_guarded(x)
    require owner[x] != none and unguarded(x) and asks_unguarded(x)
    owner[x] = none

play
    choose first(q in Player) optionally: look

scoring
    score p = rank[p]
"""


@pytest.mark.parametrize(
    ("function", "expected"),
    [("guarded", False), ("asks_guarded", False), ("unguarded", True), ("asks_unguarded", True)],
)
def test_faults_are_excluded_only_by_proof(function: str, expected: bool, tmp_path: Path) -> None:
    path = tmp_path / "huts.rules"
    path.write_text(RULES, encoding="utf-8")
    world = World(rd.load(str(path)).ir)
    state = world.any_state
    look = SymbolicRun(world, state, {}, Totals(world, state)).silent()
    name = next(n for n in world.module.functions if rule_name(n) == function)
    assert may_fault(look, name) is expected


def test_nothing_is_excluded_that_another_solver_disputes(tmp_path: Path) -> None:
    path = tmp_path / "huts.rules"
    path.write_text(RULES, encoding="utf-8")
    world = World(rd.load(str(path)).ir, confirms=lambda _: False)
    state = world.any_state
    look = SymbolicRun(world, state, {}, Totals(world, state)).silent()
    name = next(n for n in world.module.functions if rule_name(n) == "guarded")
    assert may_fault(look, name)
