"""Requirements that may fault are neither skipped nor tested early by generated code."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
from compiler import ir
from compiler.plan.heads import may_fault
from compiler.rule_id import rule_name
from compiler.transform import Simplifier

RULES = """game huts "Huts"
    players 2

state
    owner[0..3]: Player? = none
    rank[Player]: 0..3 = 0

function next_hut(a: 0..3, b: 0..3): bool = owner[a] != none and rank[owner[a]] = b

function any_hut(a: 0..3, b: 0..3): bool = rank[owner[a]] = b

function guarded(x: 0..3): bool = reaches(0, x by next_hut)

function unguarded(x: 0..3): bool = reaches(0, x by any_hut)

action look(x: 0..3) by p
    require guarded(x) or unguarded(x)
    owner[x] = none

play
    choose first(q in Player) optionally: look

scoring
    score p = rank[p]
"""


@pytest.mark.parametrize(("function", "expected"), [("guarded", False), ("unguarded", True)])
def test_a_path_may_fault_where_its_steps_may(
    function: str, expected: bool, tmp_path: Path
) -> None:
    path = tmp_path / "huts.rules"
    path.write_text(RULES, encoding="utf-8")
    module = rd.load(str(path)).ir
    body = next(f.body for n, f in module.functions.items() if rule_name(n) == function)
    assert isinstance(body, ir.Graph)
    assert may_fault(Simplifier(module), body) is expected
