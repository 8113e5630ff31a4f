"""A second solver looks at the proofs; a contradiction between solvers is never a pass."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
import z3
from click.testing import CliRunner

import rules_dsl as rd
import verify
from rules_dsl.cli.verify import verify as command
from verify.proof import audit as auditing
from verify.proof.second_solver import Opinion, SecondOpinion
from verify.proof.settings import STEPWISE

# The others take cvc5 half a minute and more.
QUICK = ("tic_tac_toe", "pig", "kuhn_poker", "goofspiel")
SLOW = ("breakthrough", "connect_four", "first_sealed_auction", "hex", "mancala")

FALSE_INVARIANT = """game climb
    players 2

state
    height: 0..9 = 0
    turns: 0..5 = 0

action up by p
    height += 1

play
    while turns < 5 decreases 5 - turns
        choose p1: up
        turns += 1

scoring
    score p = height

invariant low
    height < 4
"""


@pytest.mark.parametrize(
    "name", [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)]
)
def test_cvc5_agrees_on_the_classics(name: str) -> None:
    report = verify.run(rd.load(name), STEPWISE, jobs=2, fresh=True, recheck=True)
    assert report.ok
    rechecked = report.rechecked()
    assert rechecked.get("agreed", 0) > 0
    assert rechecked.keys() <= {"agreed", "undecided"}
    assert rechecked.get("undecided", 0) <= rechecked["agreed"] // 10


def test_a_wrong_solver_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If z3 called everything a contradiction, cvc5 would object."""
    path = tmp_path / "climb.rules"
    path.write_text(FALSE_INVARIANT, encoding="utf-8")
    game = rd.load(path)
    monkeypatch.setattr(z3.Solver, "check", lambda self, *_: z3.unsat)
    fooled = verify.run(game, ["invariant"], jobs=1, fresh=True)
    assert {r.status for r in fooled.results} == {"PROVED"}
    report = verify.run(game, ["invariant"], jobs=1, fresh=True, recheck=True)
    (result,) = [r for r in report.results if r.rechecked.get("disagreed")]
    assert result.subject == "low"
    assert result.status != "PROVED"
    assert report.exit_code == 1


def test_the_reason_names_the_solvers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "climb.rules"
    path.write_text(FALSE_INVARIANT.replace("height < 4", "height < 10 - turns"), encoding="utf-8")
    monkeypatch.setattr(z3.Solver, "check", lambda self, *_: z3.unsat)
    # No play breaks this invariant, so the verdict is left to the solvers.
    for method in ("run", "doubt"):
        monkeypatch.setattr(f"verify.search.random_games.Search.{method}", lambda self: None)
    report = verify.run(rd.load(path), ["invariant"], jobs=1, fresh=True, recheck=True)
    (result,) = [r for r in report.results if r.fails]
    assert result.status == "UNKNOWN"
    assert "cvc5 finds values that break it" in result.detail


def test_reports_say_what_was_rechecked() -> None:
    result = CliRunner().invoke(
        command, ["pig", "--check", "invariant", "--players", "2", "--recheck", "--json"]
    )
    assert result.exit_code == 0, result.output
    found = [r["rechecked"] for r in json.loads(result.output)["results"]]
    assert any(r.get("agreed") for r in found)
    text = CliRunner().invoke(
        command, ["pig", "--check", "invariant", "--players", "2", "--recheck"]
    )
    assert "proofs of z3" in text.output
    assert "0 disagreed" in text.output


def test_without_a_second_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cvc5", None)
    result = CliRunner().invoke(command, ["pig", "--recheck"])
    assert result.exit_code == 2
    assert "pip install 'rules-dsl[recheck]'" in result.output


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that cvc5 is asked about."""
    texts: list[str] = []
    original = SecondOpinion.ask

    def noting(self: SecondOpinion, text: str) -> Opinion:
        texts.append(text)
        return original(self, text)

    monkeypatch.setattr(SecondOpinion, "ask", noting)
    return texts


def test_a_proof_that_used_too_little_is_looked_at_as_a_whole(
    asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What z3 says it used may be wrong without harm."""
    x = z3.Int("x")
    second = SecondOpinion("low")
    monkeypatch.setattr(auditing, "core_of", lambda terms, *_, **__: terms[:1])
    assert auditing.second_opinion(second, [x > 3, x < 2]) == "agreed"
    assert auditing.second_opinion(second, [x > 3, x < 9]) == "disagreed"
    assert len(asked) == 4
    monkeypatch.setattr(auditing, "core_of", lambda *_, **__: [])
    assert auditing.second_opinion(second, [x > 3, x < 2]) == "agreed"


def test_only_what_a_proof_used_is_asked_about(asked: list[str]) -> None:
    x, y = z3.Ints("x y")
    formulas = [x > 3, *(y != k for k in range(50)), x < 2]
    assert auditing.second_opinion(SecondOpinion("low"), formulas) == "agreed"
    (text,) = asked
    assert "declare-fun x" in text
    assert "declare-fun y" not in text
