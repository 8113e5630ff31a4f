"""The same input gives the same verdicts: whatever the order of hashing, however many workers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.verify.fault_table import FAULTS

GAMES = ("kuhn_poker", "pig", str(FAULTS / "variant_breaks_an_invariant.bad.rules"))


def report(game: str, folder: Path, hashing: str, jobs: int) -> dict[str, Any]:
    """A report made from nothing, by a process of its own; times are left out."""
    run = subprocess.run(
        [sys.executable, "-m", "rules_dsl", "verify", game, "--players", "2", "--json", "--fresh",
         "--effort", "low", "--jobs", str(jobs)],
        env={**os.environ, "PYTHONHASHSEED": hashing, "RULES_CACHE_DIR": str(folder)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode in (0, 1), run.stderr
    data: dict[str, Any] = json.loads(run.stdout)
    del data["seconds"]
    for result in data["results"]:
        del result["seconds"]
    return data


@pytest.mark.parametrize("game", GAMES, ids=lambda path: Path(path).name)
def test_the_same_report_again(game: str, tmp_path: Path) -> None:
    first = report(game, tmp_path / "1", "1", 1)
    assert first["results"]
    assert report(game, tmp_path / "2", "2", 1) == first
    assert report(game, tmp_path / "3", "3", 2) == first
