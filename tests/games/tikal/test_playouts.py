"""Random games end, whatever the form, and use every action."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from typing import Any

import pytest

import rules_dsl as rd

FORMS = list(product((2, 3, 4), (1999, 2018), (False, True)))
ACTIONS = {
    "place", "enter", "send", "walk", "uncover", "dig", "exchange", "found_camp", "post_guard"
}  # fmt: skip
BIDS = {"bid", "pass_bidding"}


@pytest.mark.parametrize(("players", "edition", "auction"), FORMS)
def test_every_action_is_played(players: int, edition: int, auction: bool) -> None:
    game = rd.load("tikal", players=players, options={"edition": edition, "auction": auction})
    played: Counter[str] = Counter()
    wanted = ACTIONS | (BIDS if auction else set())
    rng = random.Random(players)
    for seed in range(20):
        s = game.start(seed=seed)
        while not s.over:
            kinds: dict[str, list[Any]] = {}
            for move in s.moves():
                kinds.setdefault(move.name, []).append(move)
            if len(kinds) > 1:
                kinds.pop("stop", None)
            chosen = rng.choice(kinds[rng.choice(sorted(kinds))])
            played[chosen.name] += 1
            s = s.play(chosen)
        assert len(s.winners()) >= 1
        if wanted <= set(played):
            break
    assert wanted <= set(played)


@pytest.mark.parametrize(("players", "edition", "auction"), FORMS)
def test_playouts_end(players: int, edition: int, auction: bool) -> None:
    game = rd.load("tikal", players=players, options={"edition": edition, "auction": auction})
    for seed in range(10):
        end = game.playout(seed=seed, backend="python")
        assert end.over
        assert end["final"]
        assert end["scorings"] == 4
