"""Causes of false verdicts, put back into the verifier: the corpus of planted faults notices each.

With a cause put back, a rule set that breaks in play is called PROVED, or the play of the verifier
contradicts it; without it, the fault is reported (`test_faults`).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

import rules_dsl as rd
import verify
from compiler import ir
from tests.verify.fault_table import TABLE
from tests.verify.test_faults import most_players
from verify.analysis.fact_places import NONE_REFUSED
from verify.analysis.visibility import Sight
from verify.encode import terms as v
from verify.encode.expressions import Environment, Evaluator
from verify.encode.statements import SymbolicRun
from verify.encode.terms import Truth, Value
from verify.proof.obligation import Obligation
from verify.proof.prover import Prover, Verdict
from verify.proof.results import Part, Report
from verify.proof.step_checker import Checker
from verify.proof.step_goals import StepGoals
from verify.proof.step_opening import StepOpening
from verify.proof.step_parts import Start, TooManyPathsError, Unknown
from verify.proof.symbolic_step import Explorer, StepRun

Plant = Callable[[pytest.MonkeyPatch], None]


def waived_invariants_are_believed(patch: pytest.MonkeyPatch) -> None:
    """A waived invariant is assumed all the same."""

    def all_laws(module: ir.Module) -> tuple[ir.Invariant, ...]:
        return module.invariants

    patch.setattr("verify.proof.prover.hypotheses", all_laws)
    patch.setattr("verify.proof.step_opening.hypotheses", all_laws)


def depth_is_not_looked_at(patch: pytest.MonkeyPatch) -> None:
    """Nobody asks whether calls fit into the machine."""

    def nothing(module: ir.Module) -> list[Part]:
        return []

    patch.setattr("verify.proof.structure.nesting", nothing)


def invariants_need_no_value(patch: pytest.MonkeyPatch) -> None:
    """Values of invariants, texts and scores are not checked."""
    patch.setattr(StepGoals, "defined", lambda *_: None)


def scores_need_no_value(patch: pytest.MonkeyPatch) -> None:
    """Nobody asks whether scores and ties have values."""
    patch.setattr("verify.proof.symbolic_step.scoring_faults", lambda *_: [])


def nothing_is_out_of_reach(patch: pytest.MonkeyPatch) -> None:
    """What cannot be reached is taken to be no farther than the dearest path and one more."""

    def nearest(found: Value, within: Value, _: int | None) -> Value:
        return v.minimum(found, v.add(within, 1))

    patch.setattr("verify.encode.fields.found_within", nearest)


def measures_are_not_compared(patch: pytest.MonkeyPatch) -> None:
    """Nobody asks whether a loop or a recursion has less to do."""
    patch.setattr(StepGoals, "smaller", lambda *_: None)
    patch.setattr(StepGoals, "recursion", lambda *_: None)


def no_bank_is_ever_empty(patch: pytest.MonkeyPatch) -> None:
    """Every pool is taken for a bank of goods without a limit."""
    patch.setattr(SymbolicRun, "endless", lambda *_: True)


def every_value_fits(patch: pytest.MonkeyPatch) -> None:
    """Nobody asks whether a value is in the range that it is used in."""

    def inner(look: Evaluator, _: ir.Narrow, value: ir.Expr, env: Environment) -> Value:
        return look.value(value, env)

    patch.setattr(Evaluator, "narrow", inner)


def nothing_is_hidden(patch: pytest.MonkeyPatch) -> None:
    """Players are taken to know every cell."""
    patch.setattr(Sight, "unknown", frozenset())


def names_of_contracts_are_captured(patch: pytest.MonkeyPatch) -> None:
    """A contract is read with the words of its caller, and nobody proves what follows from it."""
    patch.setattr("verify.analysis.facts.bound_names", lambda _: frozenset())
    patch.setattr(Checker, "unproved", lambda *_: NONE_REFUSED)


def everybody_is_asked(patch: pytest.MonkeyPatch) -> None:
    """What was chosen in secret is taken to be in its range, also of players who were not asked."""
    narrow = Evaluator.narrow

    def inner(look: Evaluator, expr: ir.Narrow, value: ir.Expr, env: Environment) -> Value:
        if isinstance(value, ir.LocalCell):
            return v.maximum(look.value(value, env), expr.lo)
        return narrow(look, expr, value, env)

    patch.setattr(Evaluator, "narrow", inner)


PLANTED: list[tuple[Plant, str]] = [
    (names_of_contracts_are_captured, "word_of_a_contract"),
    (everybody_is_asked, "nobody_asked_has_no_bid"),
    (nothing_is_out_of_reach, "limit_beyond_every_path"),
    (measures_are_not_compared, "measure_stays"),
    (measures_are_not_compared, "recursion_without_an_end"),
    (no_bank_is_ever_empty, "pool_below_zero"),
    (every_value_fits, "number_too_large"),
    (every_value_fits, "index_out_of_range"),
    (nothing_is_hidden, "secret_is_copied_into_the_open"),
    (nothing_is_hidden, "hidden_card_decides_who_moves"),
    (scores_need_no_value, "score_without_a_value"),
    (scores_need_no_value, "tie_without_a_value"),
    (waived_invariants_are_believed, "waived_invariant_is_no_reason"),
    (depth_is_not_looked_at, "calls_nest_too_deeply"),
    (invariants_need_no_value, "invariant_without_a_value"),
    (invariants_need_no_value, "notation_without_a_value"),
]


def reported(name: str) -> tuple[bool, Report]:
    """Whether a planted fault is found under its obligation, and the report."""
    fault = next(f for f in TABLE if f.name == name)
    game, place = most_players(str(fault.bad)), (fault.obligation, fault.subject)
    kinds = ["init", "invariant", "safety", "conservation", "scoring"]
    kinds = [*dict.fromkeys((*kinds, fault.obligation))]
    report = verify.run(game, kinds, jobs=1, effort="low", fresh=True)
    about = [r for r in report.results if (r.obligation, r.subject) == place]
    return any(r.fails_itself for r in about), report


@pytest.mark.parametrize(("plant", "name"), PLANTED, ids=lambda p: getattr(p, "__name__", p))
def test_a_cause_that_is_put_back_is_noticed(
    plant: Plant, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, _ = reported(name)
    assert found
    plant(monkeypatch)
    found, report = reported(name)
    assert not found or report.contradictions


def test_unknowns_that_share_a_name_are_loud(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two choices of one name and different ranges cannot be one unknown: nothing is reported."""
    monkeypatch.setattr(Unknown, "text", property(lambda self: f"{self.name}?{self.role}"))
    with pytest.raises(AssertionError, match=r"bid.* is two unknowns"):
        reported("two_secret_choices_of_one_name")


TWO_PICKS = """\
game picks
    players 2

state
    rounds: 0..2 = 0
    high: 0..3 = 0

play
    while rounds < 2 decreases 2 - rounds
        rounds += 1
        choose p1 as one: n in 0..1
        follow(n)

procedure follow(m: 0..1)
    choose p2 as two: n in 0..1
    high = m + n
    assert high != 1 "both choose the same"

scoring
    score p = high
"""


def test_cases_that_tie_two_picks_of_one_name_are_noticed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Only cases in which both are the same are tried, if unknowns are told apart by name alone."""
    prove = Prover.prove

    def hard(
        self: Prover, obligation: Obligation, assumed: list[Truth], initial: bool, patient: bool
    ) -> Verdict:
        """As if nothing could be decided but what is plain."""
        verdict = prove(self, obligation, assumed, initial, patient)
        return verdict if verdict.outcome == "proved" else evolve(verdict, outcome="unknown")

    def valued(run: StepOpening, unknown: Unknown) -> Value:
        same_name = (value for known, value in run.fixed.items() if known.name == unknown.name)
        return next(same_name, run.world.unknown(unknown.text, unknown.lo, unknown.hi))

    monkeypatch.setattr(Prover, "prove", hard)
    path = tmp_path / "picks.rules"
    path.write_text(TWO_PICKS, encoding="utf-8")
    safe = [
        r.status for r in verify.run(rd.load(str(path)), ["safety"], jobs=1, fresh=True).results
    ]
    assert "PROVED" not in safe
    monkeypatch.setattr(StepOpening, "valued", valued)
    report = verify.run(rd.load(str(path)), ["safety"], jobs=1, fresh=True)
    assert {r.status for r in report.results} == {"PROVED"} or report.contradictions


IN_THE_DARK = """\
game dark
    players 2

state
    rounds: 0..2 = 0
    marks[0..3]: 0..1 = 0

play
    while rounds < 2 decreases 2 - rounds
        rounds += 1
        choose p1 as looking: m in 0..3
        later(m)

procedure later(m: 0..3)
    assert marks[m] = 1 "all are marked"

scoring
    score p = marks[0]

waive safety play "too many ways to look at"
"""


def test_a_waiver_of_what_was_not_looked_at_is_noticed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What comes after a step with too many paths is not proved, whatever is waived."""
    explore = Explorer.explore

    def lost(self: Explorer, start: Start) -> StepRun:
        if start != self.opening:
            raise TooManyPathsError(start.procedure)
        return explore(self, start)

    monkeypatch.setattr(Explorer, "explore", lost)
    path = tmp_path / "dark.rules"
    path.write_text(IN_THE_DARK, encoding="utf-8")
    report = verify.run(rd.load(str(path)), ["safety"], jobs=1, fresh=True)
    assert any(r.fails for r in report.results)
    monkeypatch.setattr("verify.proof.conditions.unexplored", lambda _: False)
    report = verify.run(rd.load(str(path)), ["safety"], jobs=1, fresh=True)
    assert not any(r.fails for r in report.results) or report.contradictions
