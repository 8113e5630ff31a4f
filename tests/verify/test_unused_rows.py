"""What no row uses is told apart from what is dead for any other reason."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

import rules_dsl as rd
import verify
from compiler import ir
from compiler.interpret import Interpreter
from tests.compiler.agreement import play_side_by_side
from tests.compiler.program_strategy import programs
from tests.compiler.test_generated_programs import build
from verify.analysis.possible_values import PossibleValues
from verify.proof.results import Result
from verify.running.reports.terminal import verdict

RULES = """\
game fight "The fight"
    players 2

enum Symbol: sword, shield, crown

table Card
    columns shows: Symbol, wild: bool = false, worth: 0..9 = 1
    row lance: sword
    row wall: shield, worth = 3
    row bow: sword

const marks[c in Card, s in Symbol] = if c.shows = s then 1 else 0
const steep[k in 0..2] = k

state
    rounds: 0..3
    points[Player]: 0..90 clamped = 0
    zone deck of Card holds all hidden
    zone hand[Player] of Card

function force(p: Player, s: Symbol): 0..9 = sum(c in hand[p]: marks[c, s])

action crowned(c in hand[p]) by p
    let shown = c.shows
    require points[p] >= 0 and shown = crown "no crown"
    points[p] += 2

action wild(c in hand[p]) by p
    require c.wild "not wild"
    points[p] += 5

action rich(c in hand[p]) by p
    require c.worth > 5 "too little"
    points[p] += 5

action keep by p
    if force(p, crown) > 0
        points[p] += 3
    points[p] += 1

play
    while rounds < 3 decreases 3 - rounds
        rounds += 1
        for p in Player
            if deck is not empty
                draw c from deck
                move c from deck to hand[p]
            choose p: keep, crowned, wild, rich

scoring
    score p = points[p]
"""
OF_ROWS = ("crowned", "wild", "rich", "keep")


def report_on(tmp_path: Path, text: str) -> verify.Report:
    path = tmp_path / "fight.rules"
    path.write_text(text, encoding="utf-8")
    return verify.run(rd.load(str(path)), jobs=1, fresh=True)


def liveness(report: verify.Report) -> dict[str, Result]:
    return {r.subject: r for r in report.results if r.obligation == "liveness"}


def test_what_no_row_uses_is_no_failure(tmp_path: Path) -> None:
    report = report_on(tmp_path, RULES)
    found = liveness(report)
    assert {name: found[name].status for name in OF_ROWS} == dict.fromkeys(OF_ROWS, "UNUSED")
    assert "`Card.shows`" in found["crowned"].detail
    assert "`marks`" in found["keep"].detail
    assert found["keep"].span.endswith("fight.rules:37:8")
    assert report.ok
    assert "4 that no row uses" in verdict(report)


def test_a_row_brings_it_to_life(tmp_path: Path) -> None:
    text = RULES.replace("row bow: sword", "row bow: crown, true, 9")
    report = report_on(tmp_path, text)
    assert {r.status for r in liveness(report).values()} == {"PROVED"}
    assert report.ok
    assert "no row" not in verdict(report)


@pytest.mark.parametrize(
    ("old", "new", "subject"),
    [
        # In a constant that comes from no row, in the state, and in no state at all.
        ("if force(p, crown) > 0", "if steep[rounds mod 2] > 1", "keep"),
        ("if force(p, crown) > 0", "if points[p] > 85 and rounds < 2", "keep"),
        ('require c.worth > 5 "', 'require points[p] < 0 "', "rich"),
        # Rows alone would not help: the action is offered nowhere.
        ("choose p: keep, crowned, wild, rich", "choose p: keep, crowned, wild", "rich"),
    ],
)
def test_what_is_dead_for_another_reason_fails(
    old: str, new: str, subject: str, tmp_path: Path
) -> None:
    assert old in RULES
    report = report_on(tmp_path, RULES.replace(old, new))
    assert liveness(report)[subject].status == "UNPROVED"
    assert not report.ok


def test_where_one_place_may_be_alive_nothing_is_unused(tmp_path: Path) -> None:
    text = RULES.replace(
        "let shown = c.shows", "let shown = if points[p] > 1 then crown else c.shows"
    )
    assert liveness(report_on(tmp_path, text))["crowned"].status == "PROVED"


# A rule that asks, called with what the rows say; it is called for no other reason.
JOURNEYS = """\
game journeys
    players 2

enum Deal: no_deal, trip

table Card
    columns deal: Deal = no_deal, worth: 0..9 = 1
    row lance: no_deal, 2
    row wall

state
    rounds: 0..3
    points[Player]: 0..90 clamped = 0

action use(c: Card) by p
    points[p] += c.worth
    bargain(p, c.deal)

procedure bargain(p: Player, d: Deal)
    if d = trip
        travel(p)

procedure travel(p: Player)
    if points[p] > 3
        points[p] += 1
    choose p as travels "go {n}": n in 1..2
    points[p] += n

play
    while rounds < 3 decreases 3 - rounds
        rounds += 1
        for p in Player
            choose p: use

scoring
    score p = points[p]
"""


def test_what_only_unused_branches_lead_to_is_unused(tmp_path: Path) -> None:
    report = report_on(tmp_path, JOURNEYS)
    found = liveness(report)
    assert found["bargain"].status == found["travel.travels"].status == "UNUSED"
    assert "`Card.deal`" in found["bargain"].detail
    # Its branches are told with the branch that leads there.
    assert "travel" not in found
    assert report.ok
    alive = liveness(report_on(tmp_path, JOURNEYS.replace("row wall", "row wall: trip")))
    assert alive["bargain"].status == alive["travel.travels"].status == "PROVED"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # What rows could say is not passed on, or would not help.
        ("bargain(p, c.deal)", "bargain(p, no_deal)"),
        ("n in 1..2", "n in 1..2 where (n > 5)"),
        # Another call may say otherwise, for all that is known of the state.
        ("bargain(p, c.deal)", "bargain(p, if points[p] > 85 then trip else c.deal)"),
    ],
)
def test_what_is_dead_behind_a_branch_for_another_reason(
    old: str, new: str, tmp_path: Path
) -> None:
    assert old in JOURNEYS
    text = JOURNEYS.replace(old, new)
    assert liveness(report_on(tmp_path, text))["travel.travels"].status != "UNUSED"


class _Watching(Interpreter):
    """Compares every value that is met with those that are said to be possible."""

    possible: dict[int, tuple[ir.Expr, frozenset[int] | range]]

    def value(self, expr: ir.Expr, env: Mapping[str, int]) -> int:
        found = super().value(expr, env)
        if id(expr) not in _Watching.possible:
            known = PossibleValues(self.module).of(expr, {})
            _Watching.possible[id(expr)] = expr, known
        assert found in _Watching.possible[id(expr)][1], (expr, found)
        return found


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs(), st.integers(2, 3), st.integers(0, 9))
def test_no_possible_value_is_missing(text: str, players: int, seed: int) -> None:
    try:
        game = build(text, players)
    except rd.RuleError:
        reject()
    _Watching.possible = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("compiler.reference.Interpreter", _Watching)
        play_side_by_side(game, seed, limit=10)
    assert _Watching.possible
