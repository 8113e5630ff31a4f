"""Every planted fault is found under the right obligation; the repaired twin is proved."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
import verify
from tests.verify.small_games import FAULTS, Fault
from verify.results import Report, Result


def check(tmp_path: Path, rules: str, fault: Fault) -> Report:
    file = tmp_path / f"{fault.name}.rules"
    file.write_text(rules, encoding="utf-8")
    return verify.run(rd.load(str(file)), jobs=1, effort="low")


def about(report: Report, fault: Fault) -> list[Result]:
    return [
        r
        for r in report.results
        if r.obligation == fault.obligation and fault.subject in (r.subject, r.rule) and r.fails
    ]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda f: f.name)
def test_found(tmp_path: Path, fault: Fault) -> None:
    report = check(tmp_path, fault.rules, fault)
    found = about(report, fault)
    assert found, [(r.obligation, r.subject, r.status) for r in report.results if r.fails]
    assert report.exit_code == 1


@pytest.mark.parametrize("fault", FAULTS, ids=lambda f: f.name)
def test_repaired(tmp_path: Path, fault: Fault) -> None:
    report = check(tmp_path, fault.repaired, fault)
    assert report.ok, [
        (r.obligation, r.subject, r.rule, r.status, r.detail, r.cells)
        for r in report.results
        if r.fails
    ]


@pytest.mark.parametrize(
    "fault",
    [f for f in FAULTS if f.obligation in ("init", "invariant", "safety", "progress")],
    ids=lambda f: f.name,
)
def test_refuted_by_a_game(tmp_path: Path, fault: Fault) -> None:
    """A game is found for each fault, and it can be replayed."""
    file = tmp_path / f"{fault.name}.rules"
    file.write_text(fault.rules, encoding="utf-8")
    game = rd.load(str(file))
    report = verify.run(game, jobs=1, effort="low")
    found = about(report, fault)
    assert any(r.status == "REFUTED" for r in found), [(r.status, r.detail) for r in found]
    for result in found:
        if result.status == "REFUTED" and result.record:
            game.replay(result.record)
