"""`rules diff`, and `rules verify` with tests, mutants and suggestions."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

import rules_dsl as rd
from rules_dsl.cli.authoring import diff
from rules_dsl.cli.verify import verify
from tests.verify.fault_table import FAULTS

MARKET = str(FAULTS / "market.rules")
GENEROUS = str(FAULTS / "variant_breaks_an_invariant.bad.rules")


def test_diff_prints_changes_and_saves_positions(tmp_path: Path) -> None:
    result = CliRunner().invoke(diff, [MARKET, GENEROUS, "--records", str(tmp_path)])
    assert result.exit_code == 1
    assert "changed constant wage: 2 → 4" in result.output
    end = rd.load(MARKET).replay((tmp_path / "1_one.json").read_text())
    assert [str(m) for m in end.played()] == ["work"]


def test_diff_of_the_same_game() -> None:
    result = CliRunner().invoke(diff, [MARKET, MARKET, "--json"])
    assert result.exit_code == 0
    assert json.loads(result.output)["same"] is True


def test_mutants_on_the_command_line() -> None:
    result = CliRunner().invoke(verify, ["kuhn_poker", "--mutate", "2", "--json"])
    data = json.loads(result.output)
    assert len(data["mutants"]) == 2
    assert result.exit_code == (0 if data["share"] == 1 else 1)


def test_suggestions_on_the_command_line() -> None:
    result = CliRunner().invoke(verify, ["tic_tac_toe", "--suggest"])
    assert result.exit_code == 0
    assert "placed = count(i in 0..8 where mark[i] != none)" in result.output


def test_tests_on_the_command_line() -> None:
    result = CliRunner().invoke(
        verify, [GENEROUS, "--check", "termination", "--tests", "200", "--json"]
    )
    assert result.exit_code == 1
    refuted = [r for r in json.loads(result.output)["results"] if r["status"] == "REFUTED"]
    assert [r["subject"] for r in refuted] == ["nobody_has_more_than_ten"]
    assert len(refuted[0]["moves"]) == 5
