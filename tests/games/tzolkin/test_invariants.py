"""Every invariant holds in 20,000 decisions of play for each number of players."""

from __future__ import annotations

import pytest

import rules_dsl as rd
from verify.authoring.invariant_tests import test_invariants as invariants_in_play

DECISIONS = 20_000


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_invariant_is_broken(players: int) -> None:
    results = invariants_in_play(rd.load("tzolkin", players=players), decisions=DECISIONS)
    assert results
    for result in results:
        assert result.status == "TESTED", f"{result.subject}: {result.detail}"
