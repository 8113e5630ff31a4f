"""No verdict on a small random game is false; what is planted is found.

The long run is `python -m tests.verify.truth --programs 20000`. Here a fresh seed is tried for a
minute and a half: some dozens of programs on two cores, more on faster machines.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import pytest

from tests.seeds import fresh_seed
from tests.verify.truth import Tally, compare, run
from tests.verify.truth_games import program
from tests.verify.truth_productions import all_productions, programs_with
from verify.analysis.fact_places import NONE_REFUSED, Refused
from verify.analysis.facts import FactBase
from verify.encode.expressions import SafetyCondition
from verify.encode.statements import SymbolicRun
from verify.proof.step_checker import Checker
from verify.proof.symbolic_step import StepRun
from verify.proof.watcher import Watcher

SECONDS = 90.0
# A planted error shows in about one of fifty programs; the search stops at the first.
PROGRAMS = 400


def test_no_verdict_is_false(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RULES_CACHE_DIR", str(tmp_path))
    seed = fresh_seed()
    tally = run(seed, 300, SECONDS)
    assert tally.false == [], f"seed {seed}"
    assert tally.compared > 0


def believed(checker: Checker, run: StepRun) -> Refused:
    return NONE_REFUSED


def nothing_forgotten(base: FactBase, facts: object, arrays: object, names: object) -> None:
    return


def never_undefined(machine: SymbolicRun) -> list[SafetyCondition]:
    return []


def found(seeds: Iterable[int], folder: Path) -> Tally:
    tally = Tally()
    for seed in seeds:
        compare(seed, folder, tally)
        if tally.false:
            break
    return tally


def test_facts_that_are_believed_are_found_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RULES_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(Checker, "unproved", believed)
    monkeypatch.setattr(FactBase, "forget", nothing_forgotten)
    assert found(range(PROGRAMS), tmp_path).false


def test_scores_that_nobody_looks_at_are_found_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RULES_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr("verify.proof.symbolic_step.scoring_faults", never_undefined)
    assert found(range(PROGRAMS), tmp_path).false


def test_every_production_of_the_grammar_occurs() -> None:
    counts = programs_with(range(1_000))
    rare = {name: counts[name] for name in all_productions() if counts[name] < 20}
    assert rare == {}


def test_leaks_that_nobody_looks_for_are_found_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RULES_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(Watcher, "differences", lambda *_: iter(()))
    seeds = (s for s in range(2_000) if any("own[" in t for t in program(s).texts.values()))
    assert found(islice(seeds, 60), tmp_path).false
