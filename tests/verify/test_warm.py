"""A check that was made before needs neither the parser nor a solver."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import rules_dsl as rd
import verify
from compiler.rebuild import build
from verify.authoring.mutants import mutants

HEAVY = ("z3", "lark", "compiler.lower.module", "verify.proof.symbolic_step", "hypothesis")


def check(folder: Path) -> tuple[str, list[str]]:
    """The report, and the heavy modules that were imported for it."""
    run = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "rules_dsl", "verify", "tic_tac_toe",
         "--check", "invariant", "--jobs", "1"],
        env={**os.environ, "RULES_CACHE_DIR": str(folder)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    imported = {line.rsplit("|", 1)[-1].strip() for line in run.stderr.splitlines()}
    return run.stdout, [name for name in HEAVY if name in imported]


def test_a_second_check_imports_nothing_heavy(tmp_path: Path) -> None:
    first, cold = check(tmp_path)
    second, warm = check(tmp_path)
    assert "z3" in cold
    assert warm == []
    assert first.splitlines()[:2] == second.splitlines()[:2]


def test_changed_rules_are_not_taken_for_those_in_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mutant has the files of the original; its report is its own."""
    monkeypatch.setenv("RULES_CACHE_DIR", str(tmp_path))
    game = rd.load("connect_four")
    assert verify.run(game, ["safety"], jobs=1).ok
    program = game.origin.program()
    mutant = next(m for m in mutants(program) if m.operator == "drop requirement")
    broken = build(game, mutant.program(program))
    assert not broken.origin.as_written
    assert not verify.run(broken, ["safety"], jobs=1).ok
    assert game.origin.as_written
    assert verify.run(game, ["safety"], jobs=1).ok


def test_failures_are_kept_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure is found again without work, and its game is replayed before it is shown."""
    monkeypatch.setenv("RULES_CACHE_DIR", str(tmp_path / "cache"))
    path = tmp_path / "climb.rules"
    path.write_text(
        "game climb\n    players 2\n\nstate\n    at: 0..9 = 0\n\naction up by p\n    at += 1\n\n"
        "play\n    while at < 9 decreases 9 - at\n        choose p1: up\n\n"
        "scoring\n    score p = at\n\ninvariant low\n    at < 4\n",
        encoding="utf-8",
    )
    first = verify.run(rd.load(path), ["invariant"], jobs=1)
    assert [r.status for r in first.results if r.fails] == ["REFUTED"]
    replayed: list[str] = []
    original = rd.Game.replay

    def noting(game: rd.Game, record: str) -> rd.State:
        replayed.append(record)
        return original(game, record)

    monkeypatch.setattr(rd.Game, "replay", noting)
    monkeypatch.setattr(
        "verify.proof.step_checker.Checker.check", lambda *_: pytest.fail("proved again")
    )
    again = verify.run(rd.load(path), ["invariant"], jobs=1)
    assert again.results == first.results
    assert replayed == [r.record for r in first.results if r.record]
