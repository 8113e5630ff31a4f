"""What happens in play at a place that is called PROVED is a contradiction, and loud."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from time import perf_counter

import pytest
from click.testing import CliRunner

import rules_dsl as rd
import verify
from compiler.runtime.fault import Fault
from rules_dsl.cli.verify import verify as command
from tests.verify.fault_table import FAULTS
from verify.encode.terms import Truth
from verify.proof.obligation import Obligation
from verify.proof.prover import Prover, Verdict
from verify.proof.results import Report


def gullible(
    prover: Prover, obligation: Obligation, assumed: list[Truth], initial: bool,
    patient: bool = True,
) -> Verdict:  # fmt: skip
    """A prover that believes everything."""
    return Verdict("proved", "frame", perf_counter() - perf_counter())


@pytest.fixture
def lying(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULES_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(Prover, "prove", gullible)


LIES = {
    "number_too_large": ("safety", "gain"),
    "action_breaks_a_law": ("invariant", "nobody_above_four"),
    "no_legal_move": ("progress", "play"),
    "score_without_a_value": ("scoring", "scores"),
    "ensures_is_wrong": ("safety", "clean"),
    "requires_is_not_met": ("safety", "burn"),
    "loop_does_not_keep": ("safety", "play"),
    "draw_from_an_empty_bag": ("safety", "reach"),
}


@pytest.mark.usefixtures("lying")
@pytest.mark.parametrize("name", LIES)
def test_a_lie_is_found_out(name: str) -> None:
    game = rd.load(str(FAULTS / f"{name}.bad.rules"))
    report = verify.run(game, jobs=1)
    assert LIES[name] in {(c.obligation, c.subject) for c in report.contradictions}
    assert report.exit_code == 3
    for contradiction in report.contradictions:
        if contradiction.record:
            game.replay(contradiction.record)
    again = Report.from_data(json.loads(report.to_json()))
    assert again is not None
    assert again.contradictions == report.contradictions


@pytest.mark.usefixtures("lying")
def test_it_is_said_first() -> None:
    path = str(FAULTS / "number_too_large.bad.rules")
    result = CliRunner().invoke(command, [path, "--jobs", "1"])
    assert result.exit_code == 3
    assert result.output.startswith("CONTRADICTION safety gain")
    assert "all is proved" not in result.output


@pytest.mark.usefixtures("lying")
def test_tests_are_held_against_proofs() -> None:
    path = str(FAULTS / "number_too_large.bad.rules")
    arguments = [path, "--jobs", "1", "--check", "safety", "--tests", "300"]
    assert CliRunner().invoke(command, arguments).exit_code == 3


def test_a_checked_game_stops_at_a_broken_contract() -> None:
    plain = rd.load(str(FAULTS / "ensures_is_wrong.bad.rules"))
    assert plain.playout(seed=1, backend="python").over
    with pytest.raises(Fault, match="what clean ensures"):
        plain.checked().playout(seed=1, backend="python")


def test_a_checked_game_stops_at_a_broken_invariant() -> None:
    game = rd.load(str(FAULTS / "action_breaks_a_law.bad.rules")).checked()
    with pytest.raises(Fault, match="the invariant nobody_above_four"):
        list(map(partial(game.playout, backend="python"), range(50)))


@pytest.mark.parametrize("name", ["tic_tac_toe", "goofspiel", "tikal"])
def test_a_checked_game_is_the_same_game(name: str) -> None:
    plain = rd.load(name)
    checked = plain.checked()
    for seed in range(2):
        one = plain.playout(seed=seed, backend="python")
        assert checked.playout(seed=seed, backend="python").scores() == one.scores()
