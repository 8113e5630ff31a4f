"""Proofs name the invariants, requirements and facts that they used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import rules_dsl as rd
import verify
from rules_dsl.cli.verify import verify as command
from verify.authoring import suggestions
from verify.authoring.mutants import mutants
from verify.authoring.mutation import MutationReport
from verify.proof.proof_core import named_requirements
from verify.proof.settings import STEPWISE

RULES = """game barn
    players 2

state
    corn: 0..9 = 0
    shown: 0..9 = 0
    tired: bool = false
    turns: 0..20 = 0

action harvest by p
    require corn < 9 "the barn is full"
    require not tired "too tired"
    corn += 1
    shown += 1

action rest by p
    tired = not tired

play
    while turns < 20 decreases 20 - turns
        turns += 1
        choose next(p1, turns): harvest, rest

scoring
    score p = corn

invariant shown_as_held
    shown = corn
"""
FULL, TIRED = 11, 12


@pytest.fixture
def barn(tmp_path: Path) -> rd.Game:
    path = tmp_path / "barn.rules"
    path.write_text(RULES, encoding="utf-8")
    return rd.load(path)


def lines(report: verify.Report) -> set[int]:
    """The lines of the requirements that proofs used."""
    places = named_requirements(name for r in report.results for name in r.used)
    return {int(place.split(":")[-2]) for place in places}


def test_what_proofs_use(barn: rd.Game) -> None:
    report = verify.run(barn, STEPWISE, jobs=1, fresh=True, cores=True)
    assert report.ok
    assert lines(report) == {FULL}
    safety = [r for r in report.results if r.obligation == "safety"]
    assert any("invariant shown_as_held" in r.used for r in safety)


def test_cores_change_no_verdict(barn: rd.Game) -> None:
    one = verify.run(barn, STEPWISE, jobs=1, fresh=True)
    two = verify.run(barn, STEPWISE, jobs=1, fresh=True, cores=True)
    assert [(r.obligation, r.subject, r.rule, r.status) for r in one.results] == [
        (r.obligation, r.subject, r.rule, r.status) for r in two.results
    ]
    assert all(r.used == [] for r in one.results)


def test_cores_are_kept_with_the_proofs(
    barn: rd.Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULES_CACHE_DIR", str(tmp_path / "cache"))
    first = verify.run(barn, STEPWISE, jobs=1, cores=True)
    # Another set of checks is another report, made of the same kept steps.
    again = verify.run(barn, [*STEPWISE, "examples"], jobs=1, cores=True)
    assert lines(again) == lines(first) == {FULL}


def test_what_no_proof_uses_is_not_needed(barn: rd.Game) -> None:
    """Without a requirement that is in no core, everything is proved all the same."""
    text = RULES.replace('    require not tired "too tired"\n', "")
    Path(barn.origin.sources.main).write_text(text, encoding="utf-8")
    assert verify.run(rd.load(barn.origin.sources.main), STEPWISE, jobs=1, fresh=True).ok


def test_on_the_command_line(barn: rd.Game) -> None:
    path = str(barn.origin.sources.main)
    arguments = [path, "--check", "safety", "--cores", "--json"]
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 0, result.output
    used = [u for r in json.loads(result.output)["results"] for u in r["used"]]
    assert any(u.startswith("require ") and f":{FULL}:" in u for u in used)


def test_used_requirements_need_no_trial(barn: rd.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []

    def noting(game: rd.Game, **how: object) -> MutationReport:
        only = how["only"]
        assert callable(only)
        tried.extend(m.span.line for m in mutants(game.origin.program()) if only(m))
        return MutationReport(game.name, game.players)

    monkeypatch.setattr(suggestions, "mutate", noting)
    suggestions.suggest(barn, games=2, requirements=True)
    assert tried == [TIRED]


def test_unprotected_requirements_are_listed(barn: rd.Game) -> None:
    path = str(barn.origin.sources.main)
    result = CliRunner().invoke(command, [path, "--suggest", "--mutate", "1", "--json"])
    assert result.exit_code in (0, 1), result.output
    end = result.output.rindex('{\n "game"')
    unprotected = json.loads(result.output[end:])["unprotected"]
    assert [f":{TIRED}:" in text for text in unprotected] == [True]
