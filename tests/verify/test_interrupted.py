"""Whoever interrupts a check sees what was proved until then; it is not taken for the whole."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import rules_dsl as rd
import verify
from rules_dsl.cli.verify import verify as command
from verify.proof.settings import STEPWISE
from verify.running.scheduler import _Course


@pytest.fixture
def interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A check is interrupted after its first step."""
    original = _Course.note
    calls: list[Any] = []

    def note(course: _Course, task: Any, answer: Any) -> Iterator[Any]:
        calls.append(task)
        if len(calls) == 2:
            raise KeyboardInterrupt
        yield from original(course, task, answer)

    monkeypatch.setenv("RULES_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(_Course, "note", note)
    return monkeypatch


def test_what_was_done_is_reported(interrupted: pytest.MonkeyPatch) -> None:
    report = verify.run(rd.load("goofspiel"), STEPWISE, jobs=1)
    assert report.interrupted
    assert report.results
    assert report.exit_code == 1


def test_it_is_not_kept_as_the_whole(interrupted: pytest.MonkeyPatch) -> None:
    first = verify.run(rd.load("goofspiel"), STEPWISE, jobs=1)
    again = verify.run(rd.load("goofspiel"), STEPWISE, jobs=1)
    assert not again.interrupted
    assert again.ok
    assert len(again.results) >= len(first.results)
    # The step that was proved before the interruption is used.
    assert any("kept" in r.proofs for r in again.results)


def test_on_the_command_line(interrupted: pytest.MonkeyPatch) -> None:
    arguments = ["goofspiel", "pig", "--check", "safety", "--jobs", "1"]
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 130
    assert "interrupted: results so far" in result.output
    assert "pig" not in result.output
    assert "UNKNOWN  Interrupted: not every step was checked" in result.output
