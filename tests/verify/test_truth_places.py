"""A false verdict is noticed at its own place, whatever else fails in the same report."""

from __future__ import annotations

import pytest

import rules_dsl as rd
import verify
from tests.verify.truth import CHECKED, false_verdicts
from tests.verify.truth_positions import Explorer, Truth
from verify.proof.obligation import Kind
from verify.proof.results import Report
from verify.proof.step_goals import StepGoals

# Every rule but `wait` goes wrong, each in its own way.
RULES = """game faulty
    players 2

good coin limit 2

state
    low: 0..2 = 1
    high: 0..2 = 1
    turns: 0..3 = 0
    pool chest bank of coin
    pool purse of coin

action fall by p
    low -= 1

action climb by p
    high += 1

action promise by p
    ensures low > 1
    turns = turns

action wait by p
    turns = turns

procedure trust()
    assumes low > 0
    low -= 1

procedure nothing_left()
    choose p1 as odd: n in 0..2 where n > 2
    low = n

procedure empty()
    draw n in 0..2 where n > high
    low = n

procedure spend()
    choose p2: wait
    move 1 coin from purse to chest

play
    while turns < 3 decreases 3 - turns
        turns += 1
        choose p1: fall, climb, promise, wait
        choose p2 as then: do_trust, do_nothing, do_draw, do_spend, wait
        if turns = 3 and low = 2
            spend()

action do_trust by p
    trust()

action do_nothing by p
    nothing_left()

action do_draw by p
    empty()

action do_spend by p
    require turns > 1 "later"
    spend()

scoring
    score p = 2 div (2 - high)

invariant not_both
    low < 2 or high < 2
"""

PLACES = {
    ("safety", "fall"),
    ("safety", "climb"),
    ("safety", "promise"),
    ("safety", "do_trust"),
    ("safety", "empty"),
    ("safety", "spend"),
    ("progress", "nothing_left.odd"),
    ("scoring", "scores"),
    ("invariant", "not_both"),
}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> rd.Game:
    path = tmp_path_factory.mktemp("faulty") / "faulty.rules"
    path.write_text(RULES, encoding="utf-8")
    return rd.load(str(path), players=2)


@pytest.fixture(scope="module")
def truth(game: rd.Game) -> Truth:
    return Explorer(game.ir).explore()


def report_on(game: rd.Game) -> Report:
    return verify.run(game, CHECKED, jobs=1, effort="low", fresh=True)


def test_what_goes_wrong_is_noted_with_its_place(truth: Truth) -> None:
    assert {(w.obligation, w.subject) for w in truth.wrong_first} == PLACES


def test_the_report_is_true(game: rd.Game, truth: Truth) -> None:
    assert list(false_verdicts(report_on(game), truth)) == []


@pytest.mark.parametrize(("kind", "subject"), sorted(PLACES))
def test_an_obligation_that_is_dropped_is_missed_there(
    kind: Kind, subject: str, game: rd.Game, truth: Truth, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others still fail: so the report as a whole is not green, and one result is false."""
    owe = StepGoals.owe

    def forgetful(self: StepGoals, owed: Kind, about: str, *args: object, **more: object) -> None:
        if about != subject:
            owe(self, owed, about, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(StepGoals, "owe", forgetful)
    report = report_on(game)
    assert any(r.fails_itself for r in report.results)
    (found,) = false_verdicts(report, truth)
    assert repr(subject) in found
