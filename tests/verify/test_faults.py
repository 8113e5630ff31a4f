"""Every planted fault is found, under the right obligation and rule; every repaired twin holds."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
import verify
from compiler.examples import run_examples
from tests.verify.fault_table import FAULTS, TABLE, Fault
from verify.authoring.invariant_tests import test_invariants as play_and_check
from verify.proof.results import Result

LOADING = [f for f in TABLE if f.by == "load"]
PLAYED = [f for f in TABLE if f.by == "play"]
EXAMPLES = [f for f in TABLE if f.by == "examples"]
PROVED = [f for f in TABLE if f.by != "load"]
# A few of each kind are proved in every run; the whole corpus is slow.
QUICK = {
    "action_breaks_an_invariant", "fourteenth_skull", "no_legal_move", "measure_stays",
    "contradictory_requirements", "legal_moves_tell_a_secret", "example_contradicts_the_rules",
    "setup_breaks_an_invariant", "combination_lock", "treasure_in_the_light",
}  # fmt: skip


def most_players(path: str) -> rd.Game:
    game = rd.load(path)
    return rd.load(path, players=game.origin.program().player_range[1])


def name_of(fault: Fault) -> str:
    return fault.name


def played(path: str) -> list[Result]:
    results = play_and_check(most_players(path), decisions=250)
    return [r for r in results if r.status != "TESTED"]


def proofs() -> list[object]:
    return [
        pytest.param(f, id=f.name, marks=() if f.name in QUICK else pytest.mark.slow)
        for f in PROVED
    ]


def test_every_rule_set_is_in_the_table() -> None:
    files = {path.name for path in FAULTS.glob("*.*.rules")}
    assert files == {p.name for f in TABLE for p in (f.bad, f.good)}
    assert len(TABLE) >= 40


@pytest.mark.parametrize("fault", LOADING, ids=name_of)
def test_what_the_language_makes_impossible(fault: Fault) -> None:
    with pytest.raises(rd.RuleError) as caught:
        rd.load(str(fault.bad))
    assert [d.code for d in caught.value.diagnostics] == [fault.subject]
    assert played(str(fault.good)) == []


@pytest.mark.parametrize("fault", PLAYED, ids=name_of)
def test_play_shows_the_fault(fault: Fault) -> None:
    (result,) = played(str(fault.bad))
    # Play does not tell set-up from the rest.
    obligation = "invariant" if fault.obligation == "init" else fault.obligation
    assert (result.obligation, result.status) == (obligation, "REFUTED")
    if fault.name != "function_result_too_large":  # play blames the function, proof its caller
        assert result.subject == fault.subject
    assert played(str(fault.good)) == []


@pytest.mark.parametrize("fault", EXAMPLES, ids=name_of)
def test_examples_show_the_fault(fault: Fault) -> None:
    bad = run_examples(rd.load(str(fault.bad)).origin.program())
    assert [e.title for e in bad if not e.ok] == [fault.subject]
    good = run_examples(rd.load(str(fault.good)).origin.program())
    assert all(e.ok for e in good)


@pytest.mark.parametrize("fault", proofs())
def test_the_fault_is_reported(fault: Fault) -> None:
    game = most_players(str(fault.bad))
    report = verify.run(game, jobs=1)
    failing = [r for r in report.results if r.fails]
    assert (fault.obligation, fault.subject, fault.status) in {
        (r.obligation, r.subject, r.status) for r in failing
    }
    for result in failing:
        if result.record:
            game.replay(result.record)


@pytest.mark.parametrize("fault", proofs())
def test_the_repaired_twin_is_proved(fault: Fault) -> None:
    report = verify.run(most_players(str(fault.good)), jobs=1)
    assert [r for r in report.results if r.fails] == []


def test_a_value_that_is_not_looked_at_spoils_no_reason(tmp_path: Path) -> None:
    """A move that is legal is explained as legal, though what is behind a reason has no value."""
    path = tmp_path / "edge.rules"
    rules = Path(FAULTS / "index_in_a_requirement.good.rules").read_text(encoding="utf-8")
    path.write_text(
        rules.replace("at < 5 and not wall[at + 1]", "at = 5 or not wall[at + 1]").replace(
            "    at += 1", "    at = min(5, at + 1)"
        ),
        encoding="utf-8",
    )
    state = rd.load(str(path)).start(seed=1)
    for _ in range(5):
        state = state.play("walk")
    assert "walk" in map(str, state.moves())
    assert [reason.holds for reason in state.explain("walk")] == [True]
