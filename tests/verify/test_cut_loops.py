"""Loops that the verifier cuts: nothing false is proved of them, and little is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
import verify
from tests.verify.cut_loops import CUT_LOOPS, CutLoop
from verify.encode import loop_cuts
from verify.encode.unknowns import SymbolicState
from verify.proof.settings import Settings
from verify.proof.step_checker import Checker

# One of each sort is proved in every run.
QUICK = {
    "second_round_breaks_an_invariant", "local_is_carried_across_rounds", "return_in_the_loop",
    "before_across_the_loop", "sum_across_rounds",
}  # fmt: skip


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a broken verifier proves is not kept."""
    monkeypatch.setenv("RULES_CACHE_DIR", str(tmp_path / "cache"))


def loaded(rules: str, folder: Path) -> rd.Game:
    path = folder / "cut_loops.rules"
    path.write_text(rules, encoding="utf-8")
    return rd.load(str(path))


def cases() -> list[object]:
    return [
        pytest.param(case, id=case.name, marks=() if case.name in QUICK else pytest.mark.long)
        for case in CUT_LOOPS
    ]


def cuts(game: rd.Game) -> bool:
    """Whether some step of a game cuts a loop."""
    checker = Checker(game.ir, Settings(frozenset({"safety"}), "low", recheck=False, cores=False))
    todo = [checker.explorer.opening]
    seen = set(todo)
    while todo:
        run = checker.explored(todo.pop())
        todo += [start for start in run.next if start not in seen]
        seen |= run.next.keys()
    return bool(checker.explorer.world.opened)


@pytest.mark.parametrize("case", cases())
def test_the_fault_is_not_called_proved(case: CutLoop, tmp_path: Path) -> None:
    game = loaded(case.rules(case.bad), tmp_path)
    report = verify.run(game, ["invariant", "safety"], jobs=1, effort="low")
    assert case.obligation in {r.obligation for r in report.results if r.fails and not r.given}
    assert report.contradictions == []


@pytest.mark.parametrize("case", cases())
def test_its_repaired_twin_is_proved(case: CutLoop, tmp_path: Path) -> None:
    game = loaded(case.rules(case.good), tmp_path)
    report = verify.run(game, ["invariant", "safety"], jobs=1, effort="low")
    assert [r for r in report.results if r.fails] == []
    assert cuts(game)


def test_loops_of_shipped_games_are_carried_out() -> None:
    assert not cuts(rd.load("mancala"))


def breaks(name: str) -> CutLoop:
    """A loop with a fault, by its name."""
    return next(case for case in CUT_LOOPS if case.name == name)


def nothing(*_: object) -> set[object]:
    return set()


@pytest.mark.parametrize(
    ("owner", "what", "broken", "missed"),
    [
        (Checker, "not_kept", nothing, "second_round_breaks_an_invariant"),
        (loop_cuts, "_ranges", lambda _: {}, "local_is_carried_across_rounds"),
        (SymbolicState, "last_opened", lambda *_: None, "sum_across_rounds"),
        (SymbolicState, "meet", nothing, "sum_where_ways_meet"),
    ],
)  # fmt: skip
def test_an_error_of_the_verifier_would_be_noticed(
    owner: object, what: str, broken: object, missed: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(owner, what, broken)
    game = loaded(breaks(missed).rules(breaks(missed).bad), tmp_path)
    report = verify.run(game, ["invariant", "safety"], jobs=1, effort="low", fresh=True)
    failing = {r.obligation for r in report.results if r.fails and not r.given}
    assert breaks(missed).obligation not in failing or report.contradictions
