"""Random games end in time, keep the books, and bring everything about."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import rules_dsl as rd

from .components import ABILITIES, STANDS


def only_grows(before: Any, after: Any, players: int) -> None:
    """Victory points, levels, steps and markers never go back; cards that left stay away."""
    assert set(before["out_of_play"]) <= set(after["out_of_play"])
    for p in range(players):
        for name in ("points", "sacrifice_marker", "step"):
            assert before[name][p] <= after[name][p]
        for name in ("level", "development"):
            assert all(before[name][p][k] <= v for k, v in after[name][p].items())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_four_rounds_of_twelve_turns(players: int) -> None:
    game = rd.load("yucatan", players=players)
    rng = random.Random(players)
    seen: Counter[str] = Counter()
    for seed in range(3):
        s: Any = game.start(seed=seed)
        activated: Counter[int] = Counter()
        leaders: Counter[int] = Counter()
        while not s.over:
            move = rng.choice(s.moves())
            text = str(move)
            if text.startswith("activate the"):
                activated[s.player] += 1
                leaders[s.player] += "war" in text or "clan" in text
            before = s
            seen[text.split(" of ")[0] if text.startswith("take") else text.split()[0]] += 1
            s = s.play(move)
            only_grows(before, s, players)
        assert activated == dict.fromkeys(range(players), 24)
        assert leaders == dict.fromkeys(range(players), 12)
        goods = {
            "corn": s["supply"]["corn"] + sum(s["stock"][p]["corn"] for p in range(players)),
            "jade": s["supply"]["jade"]
            + sum(s["stock"][p]["jade"] for p in range(players))
            + sum(place["jade"] for place in s["lying"].values()),
        }
        assert goods == {"corn": 40, "jade": 30}
    for verb in ("raise", "place", "summon", "recruit", "play", "offer", "give", "use"):
        assert seen[verb], verb
    assert len(ABILITIES) == 3
    assert sum(1 for name in seen if name.startswith("take")) >= len(STANDS)
