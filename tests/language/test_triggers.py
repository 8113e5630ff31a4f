"""What follows an action, row by row: its order, and how variants add to it."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
from rules_dsl.language import syntax as s
from rules_dsl.language.program import assemble
from rules_dsl.language.sources import gather
from tests.compiler.agreement import play_side_by_side

RULES = """\
game bells "Bells"
    players 2 named ann, bob

table Bell
    columns tone: 1..9
    procedure rung(p: Player, n: 1..3) whenever ring
    procedure heard(p: Player) whenever ring
        heard_by = heard_by * 10 + row.tone
    row low: 1
        rung
            told = told * 10 + row.tone + n
    row twin copies 2: 5
    row high: 7
        rung
            told = told * 10 + row.tone + n

state
    rings: 0..3
    told: 0..65000
    heard_by: 0..65000

action ring(n: 1..3) by p
    told = told * 10 + 9

procedure late(p: Player) whenever ring
    told = told * 10

play
    while rings < 1 decreases 1 - rings
        rings += 1
        choose ann: ring

scoring
    score p = told
"""

VARIANT = """\
variant more of bells
    add row Bell.great: 2
        rung
            told = (told * 10 + 4) mod 5000

    add procedure last(p: Player, n: 1..3) whenever ring
        told = told mod 10000 + n

    amend action ring
        after
            told = told - 1
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "bells.rules"
    found.write_text(RULES, encoding="utf-8")
    return found


def test_rows_come_in_order_and_before_plain_procedures(path: Path) -> None:
    game = rd.load(str(path))
    state = game.start().play("ring 2")
    assert state["told"] == 9390
    assert state["heard_by"] == 1557
    assert play_side_by_side(game, 0) > 0


def test_a_variant_brings_rows_and_procedures(path: Path) -> None:
    more = path.with_name("more.rules")
    more.write_text(VARIANT, encoding="utf-8")
    game = rd.load(str(path), variants=[str(more)])
    # The action, what the variant adds to it, low, high, great, late, and last of all the new one.
    assert game.start().play("ring 2")["told"] == 3942
    assert play_side_by_side(game, 0) > 0


def test_rows_that_do_nothing_are_not_asked(path: Path) -> None:
    (ring,) = assemble(gather(str(path))).of(s.Action)
    # The action's own effect, low and high, a loop for `heard`, late.
    kinds = [s.Assign, s.CallStatement, s.CallStatement, s.For, s.CallStatement]
    assert [type(statement) for statement in ring.body] == kinds
