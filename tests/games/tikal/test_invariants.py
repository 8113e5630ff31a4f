"""Every invariant holds in 20,000 decisions of play for each number of players."""

from __future__ import annotations

from itertools import product

import pytest

import rules_dsl as rd
from verify.authoring.invariant_tests import test_invariants as invariants_in_play

FORMS = list(product((1999, 2018), (False, True)))
DECISIONS = 20_000 // len(FORMS)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(("edition", "auction"), FORMS)
def test_no_invariant_is_broken(players: int, edition: int, auction: bool) -> None:
    options = {"edition": edition, "auction": auction}
    game = rd.load("tikal", players=players, options=options)
    results = invariants_in_play(game, decisions=DECISIONS)
    assert results
    for result in results:
        assert result.status == "TESTED", f"{result.subject}: {result.detail}"
