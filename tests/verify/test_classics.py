"""The classics are proved; the formulas agree with the compiled rules."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import rules_dsl as rd
import verify
from verify.agreement.sampled_games import Agreement
from verify.running.scheduler import STEPWISE

CLASSICS = (
    "breakthrough", "connect_four", "first_sealed_auction", "goofspiel", "hex", "kuhn_poker",
    "mancala", "pig", "tic_tac_toe",
)  # fmt: skip

TRANSITIONS = int(os.environ.get("RULES_AGREEMENT", "10000"))


@pytest.mark.parametrize("name", CLASSICS)
def test_proved(name: str) -> None:
    report = verify.run(rd.load(name), checks=STEPWISE, jobs=1, fresh=True)
    assert report.ok, [(r.obligation, r.subject, r.status, r.detail) for r in report.results]
    assert {r.status for r in report.results} == {"PROVED"}
    assert all(bound > 0 for bound in report.bounds.values())


@pytest.mark.slow
@pytest.mark.parametrize("name", CLASSICS)
def test_everything(name: str) -> None:
    low, high = rd.load(name).origin.program().player_range
    for players in {low, high}:
        report = verify.run(rd.load(name, players=players), jobs=1, fresh=True)
        assert report.ok, [
            (r.obligation, r.subject, r.status, r.detail) for r in report.results if r.fails
        ]


@pytest.mark.parametrize("name", CLASSICS)
def test_agreement(name: str) -> None:
    comparison = Agreement(rd.load(name), TRANSITIONS)
    comparison.run()
    assert comparison.differs == ""
    assert comparison.compared == TRANSITIONS


def test_same_verdicts_again() -> None:
    """The same input gives the same verdicts, on one worker or two."""
    game = rd.load("goofspiel")
    one = verify.run(game, checks=STEPWISE, jobs=1, fresh=True)
    two = verify.run(game, checks=STEPWISE, jobs=2, fresh=True)
    assert [(r.obligation, r.subject, r.status) for r in one.results] == [
        (r.obligation, r.subject, r.status) for r in two.results
    ]


HARD = """game hard "An invariant that is too hard"
    players 2

state
    a: 1..999 = 3
    b: 1..999 = 4
    c: 1..999 = 6
    left: 0..9 = 9

action change by p
    roll x in 1..999
    roll y in 1..999
    roll z in 1..999
    a = x
    b = y
    c = z
    left -= 1

play
    while left > 0 decreases left
        choose p1: change

scoring
    score p = 0

invariant no_such_cubes
    a * a * a + b * b * b != c * c * c
"""


def test_too_hard_is_unknown(tmp_path: Path) -> None:
    """What the solver gives up on is never a pass."""
    file = tmp_path / "hard.rules"
    file.write_text(HARD, encoding="utf-8")
    report = verify.run(rd.load(str(file)), checks=["invariant"], jobs=1, effort="low")
    found = [r for r in report.results if r.subject == "no_such_cubes"]
    assert {r.status for r in found} == {"UNKNOWN"}
    assert report.exit_code == 1
    assert any(r.detail for r in found)


def test_kept_proofs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second run uses what was proved; damaged files are ignored."""
    monkeypatch.setenv("RULES_CACHE_DIR", str(tmp_path))
    game = rd.load("pig")
    first = verify.run(game, checks=["invariant"], jobs=1)
    files = list((tmp_path / "proofs").glob("*.bin"))
    assert files
    assert verify.run(game, checks=["invariant"], jobs=1).results == first.results
    for file in files:
        file.write_bytes(file.read_bytes().replace(b"PROVED", b"TESTED"))
    again = verify.run(game, checks=["invariant"], jobs=1)
    assert {r.status for r in again.results} == {"PROVED"}
