"""A share of the fuzzing, from a fresh seed each time; RULES_SEED repeats a run."""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.fuzzing import damaged_rules, fuzz, read_once
from tests.seeds import fresh_seed


def test_a_share_of_it() -> None:
    seed = fresh_seed()
    tallies = fuzz(seed, rules=10, saves=100, commands=25)
    report = "\n".join([f"RULES_SEED={seed}", *map(str, tallies)])
    print(report)
    assert [t.done for t in tallies] == [10, 100, 25]
    assert not [finding for tally in tallies for finding in tally.findings], report


def test_a_run_that_was_killed_goes_on_from_its_journal(tmp_path: Path) -> None:
    whole = fuzz(5, rules=0, saves=30, commands=0)
    journal = tmp_path / "journal.jsonl"
    fuzz(5, rules=0, saves=10, commands=0, journal=journal)
    with journal.open("a") as out:
        out.write('{"seed": 5, "kind": "sav')
    assert fuzz(6, rules=0, saves=30, commands=0, journal=journal) == whole


def test_what_is_read_once_is_read_as_before() -> None:
    """The short cut of the script changes nothing of what becomes of an input."""
    inputs = [f"77 rule files {number}" for number in range(8)]
    plain = [damaged_rules(Random(text)) for text in inputs]
    with read_once():
        for _ in range(2):
            assert [damaged_rules(Random(text)) for text in inputs] == plain
