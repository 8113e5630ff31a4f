"""What proofs know of fields: enough for the contracts of a small game, and nothing untrue."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
import verify

SETTLERS = Path(__file__).with_name("settlers.rules")
# Each makes the game say something that its fields do not keep.
WRONG = {
    "nearer than required": ("away(p, c) <= 1", "away(p, c) <= 0"),
    "no source needed": ('within 1 "too far"', 'within 1 or turns > 3 "too far"'),
    "water is dry": ("assert before_rain >= 1", "assert before_rain >= 2"),
    "a hut is a step away": ("implies away(p, c) = 0 and", "implies away(p, c) = 1 and"),
    "nothing is in between": ("assert near(p, c) and", "assert not near(p, c) and"),
}


def test_everything_is_proved() -> None:
    report = verify.run(rd.load(str(SETTLERS)), jobs=1)
    assert report.ok, [r for r in report.results if r.status not in ("PROVED", "TESTED")]


@pytest.mark.parametrize(("old", "new"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_not_proved(old: str, new: str, tmp_path: Path) -> None:
    text = SETTLERS.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "settlers.rules"
    path.write_text(text.replace(old, new), encoding="utf-8")
    checks = ["init", "invariant", "safety"]
    report = verify.run(rd.load(str(path)), checks=checks, jobs=1)
    assert {r.status for r in report.results} & {"REFUTED", "UNPROVED"}
