"""A house rule that changes one number is checked much faster than the game itself."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import pytest

import rules_dsl as rd
import verify
from verify.proof.obligation import KINDS

PLAYERS = (2, 3, 4)
# Proofs of views are not kept step by step: they are made anew when any rule changes.
KEPT = [kind for kind in KINDS if kind != "views"]
# As parts of the time that the whole game takes: most of its proofs are used again, and for what
# was checked before there is nothing to do.
HOUSE_RULE = 0.7
AGAIN = 0.05


def seconds(name: str) -> float:
    """How long a check takes for all numbers of players."""
    began = perf_counter()
    reports = verify.run_all([rd.load(name, players=n) for n in PLAYERS], KEPT, jobs=2)
    assert all(report.ok for report in reports)
    return perf_counter() - began


@pytest.mark.benchmark
def test_a_house_rule_is_checked_fast(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULES_CACHE_DIR", str(tmp_path / "cache"))
    first, house_rule, again = seconds("tzolkin"), seconds("rich_start"), seconds("tzolkin")
    print(f"tzolkin {first:.1f} s, with a house rule {house_rule:.1f} s, again {again:.2f} s")
    assert house_rule < HOUSE_RULE * first
    assert again < AGAIN * first
