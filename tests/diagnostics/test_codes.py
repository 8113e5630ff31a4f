"""The catalogue of errors: it is complete, and each example has the error that it explains."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rules_dsl.language.checking import diagnose
from rules_dsl.language.codes import CATALOGUE, Explanation, explanation
from rules_dsl.language.diagnostics import RuleError
from rules_dsl.language.sources import gather
from tests.diagnostics.rendering import BROKEN, warnings

ROOT = Path(__file__).resolve().parents[2]

BEFORE = """\
game fair "The fair"
    players 2..3 named ann, bob, cem
    source R "The rules of the fair"

enum Fruit: apple, pear, plum

good coin limit 20

state
    points[Player]: 0..50 = 0
    best: Player? = none
    seen: set of Fruit
    pool bank bank
    pool purse[Player]

action gain by p
    points[p] += 1

"""
AFTER = """

play
    choose ann: gain

scoring
    score p = points[p]
"""


def test_every_code_is_explained() -> None:
    used: set[str] = set()
    for package in ("rules_dsl", "compiler", "verify"):
        for path in (ROOT / package).rglob("*.py"):
            if "codes" not in path.parts:
                used |= set(re.findall(r'"([EW]0\d{3})"', path.read_text(encoding="utf-8")))
    assert used == set(CATALOGUE)
    assert len(CATALOGUE) >= 60


def test_every_code_has_a_broken_file() -> None:
    shown = {path.stem.split("_")[0] for path in BROKEN.glob("[EW]*.rules")}
    # These need more than one file, or none; test_broken.py has them. E0450 is found by playing.
    assert set(CATALOGUE) - shown == {"E0109", "E0130", "E0450", "E0506", "E0507"}


def found(entry: Explanation, snippet: str, folder: Path) -> set[str]:
    """The codes that an example gives."""
    text = snippet + "\n"
    if entry.kind == "declarations":
        text = BEFORE + text + AFTER
    elif entry.kind == "changes":
        indented = "".join(f"    {line}\n" for line in snippet.split("\n"))
        text = "variant dear of counting\n" + indented
    base = BROKEN.parent / "counting.rules"
    (folder / "counting.rules").write_text(base.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "example.rules").write_text(text, encoding="utf-8")
    try:
        sources = gather(str(folder / "example.rules"))
        return {d.code for d in diagnose(sources) or warnings(sources)}
    except RuleError as error:
        return {d.code for d in error.diagnostics}


@pytest.mark.parametrize("entry", CATALOGUE.values(), ids=lambda e: e.code)
def test_examples(entry: Explanation, tmp_path: Path) -> None:
    if entry.kind == "nothing":
        assert not entry.wrong
        return
    assert found(entry, entry.wrong, tmp_path) == {entry.code}
    right = found(entry, entry.right, tmp_path)
    assert right == set() or (entry.code == "E0120" and right == {"E0409"})


def test_finding_a_code() -> None:
    assert explanation("e0320") is explanation("E0320") is explanation("320")
    assert explanation("w601") is explanation("W0601")
    with pytest.raises(KeyError):
        explanation("E9999")


def test_an_explanation_as_text() -> None:
    text = str(explanation("E0318"))
    assert text.startswith("E0318: Division by zero\n\n")
    assert "\n    const price = 3 div 0\n" in text
