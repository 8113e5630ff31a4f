"""A share of the fuzzing, from a fresh seed each time; RULES_SEED repeats a run."""

from __future__ import annotations

from tests.fuzzing import fuzz
from tests.seeds import fresh_seed


def test_a_share_of_it() -> None:
    seed = fresh_seed()
    tallies = fuzz(seed, rules=10, saves=100, commands=25)
    report = "\n".join([f"RULES_SEED={seed}", *map(str, tallies)])
    print(report)
    assert [t.done for t in tallies] == [10, 100, 25]
    assert not [finding for tally in tallies for finding in tally.findings], report
