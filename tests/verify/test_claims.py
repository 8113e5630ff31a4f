"""Facts are goals: a wrong analysis costs a proof and never makes one."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

import rules_dsl as rd
import verify
from compiler import ir
from verify.analysis.fact_places import FactPlace
from verify.analysis.fact_sets import Facts
from verify.analysis.facts import FactBase
from verify.proof.results import Report
from verify.proof.settings import STEPWISE

GAME = """game lamp
    players 2

state
    oil: 0..3 = 2
    other: 0..3 = 2
    turns: 0..6 = 0

procedure pour()
    choose p1: spill, keep_it

action spill by p
    oil = max(0, oil - 1)

action keep_it by p
    other = other

play
    while turns < 6 decreases 6 - turns
        turns += 1
        if oil = 2
            pour()
            assert oil = LEFT
        other = OTHER

scoring
    score p = oil

invariant bright
    other >= 1
"""


@pytest.fixture
def lamp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULES_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path


def report_on(folder: Path, left: str, other: str = "other") -> Report:
    path = folder / "lamp.rules"
    path.write_text(GAME.replace("LEFT", left).replace("OTHER", other), encoding="utf-8")
    return verify.run(rd.load(str(path)), STEPWISE, jobs=1, fresh=True)


def forgets_nothing(base: FactBase, facts: Facts, arrays: object, names: object) -> None:
    return


def calls_write_nothing(
    base: FactBase, facts: Facts, arrays: Iterable[str], names: Iterable[str]
) -> None:
    gone = set(names)
    for number, fact in list(facts.items()):
        if base.effects.reads(fact).locals & gone:
            del facts[number]


def says_anything(base: FactBase, facts: Facts, place: FactPlace) -> Facts:
    found = dict(facts)
    cell = ir.Cell("oil", (), lo=0, hi=3)
    base.gain(found, ir.Op("eq", (cell, ir.Int(2, lo=2, hi=2)), lo=0, hi=1))
    return {n: f for n, f in found.items() if (place, f) not in base.refused}


BREAKAGES = {
    "forget": forgets_nothing,
    "accepted": says_anything,
    "written": calls_write_nothing,
}


def broken(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    method = "forget" if name == "written" else name
    monkeypatch.setattr(FactBase, method, BREAKAGES[name])


@pytest.mark.parametrize("name", BREAKAGES)
def test_a_wrong_analysis_proves_nothing_false(
    lamp: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    broken(monkeypatch, name)
    report = report_on(lamp, "2")
    assert ("safety", "play") in {(r.obligation, r.subject) for r in report.results if r.fails}


@pytest.mark.parametrize("name", BREAKAGES)
def test_what_is_true_is_proved_all_the_same(
    lamp: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    broken(monkeypatch, name)
    assert report_on(lamp, "oil").ok


def test_the_analysis_itself_is_enough(lamp: Path) -> None:
    assert report_on(lamp, "oil").ok
    assert not report_on(lamp, "2").ok


def test_what_rests_on_something_open_is_not_proved(lamp: Path) -> None:
    report = report_on(lamp, "oil", "turns - 1")
    assert not report.bounds
    resting = [r for r in report.results if r.given]
    assert {r.status for r in resting} == {"UNPROVED"}
    assert {name for r in resting for name in r.given} <= {
        "invariant bright",
        "init bright",
        "safety play",
    }
    assert not any(r.status == "PROVED" and r.obligation == "progress" for r in report.results)


def test_checks_asked_for_only_choose_what_is_shown(lamp: Path) -> None:
    path = lamp / "lamp.rules"
    report_on(lamp, "oil", "turns - 1")
    shown = verify.run(rd.load(str(path)), ["termination"], jobs=1)
    assert {r.obligation for r in shown.results} == {"termination"}
    assert all(r.status == "UNPROVED" and r.given for r in shown.results)
    assert not shown.bounds
    assert shown.exit_code == 1
