"""Games bring about every god, specialist and craft, and what they change in the rules."""

from __future__ import annotations

import random
from typing import Any

import pytest

import rules_dsl as rd

from .test_oracle import pick

GODS = 12
SPECIALISTS = {"shaman", "rain_ceremony", "the_herd", "builder", "nomads"}
CRAFTS = 7
EFFECTS = {
    "a gift of a secondary craftsman", "Shadipinyi's plaque", "Elegua's subsidy", "Dziva's prices",
    "Gu's rebate", "Obatala's second monument", "two used markers", "fees on Qamata's card",
    "water from rain", "a resource from the shaman", "calves", "a raised price", "a hub fee",
}  # fmt: skip


def effects(before: Any, move: str, after: Any) -> set[str]:
    """What one move showed."""
    p = before.player
    cells = range(len(after["kind"]))
    found = {
        "a gift of a secondary craftsman": move.startswith("help"),
        "Shadipinyi's plaque": after["plaque"][0]["cattle"] > 0,
        "Elegua's subsidy": move.startswith("bid")
        and int(move.split()[1]) > before["herd"][p]["cattle"],
        "Dziva's prices": move.startswith("price of"),
        "Gu's rebate": move == "adore Gu" and after["vr"][p] < before["vr"][p] + 4,
        "Obatala's second monument": move.startswith("build on")
        and any(str(m).startswith("build on") for m in after.moves()),
        "two used markers": any(after["used"][x] == 2 for x in cells),
        "fees on Qamata's card": after["god_card"]["cattle"] > 0,
        "water from rain": move.startswith("rain"),
        "a resource from the shaman": move.startswith("put"),
        "calves": move.startswith("gain"),
        "a raised price": move.startswith("raise price"),
        "a hub fee": move.startswith(("gift", "help"))
        and after["supply"]["cattle"] > before["supply"]["cattle"],
    }
    return {name for name, holds in found.items() if holds}


@pytest.mark.slow
def test_everything_happens() -> None:
    game = rd.load("zimbabwe", players=3)
    rng = random.Random(5)
    gods: set[str] = set()
    specialists: set[str] = set()
    crafts: set[str] = set()
    seen: set[str] = set()
    for seed in range(40):
        s: Any = game.start(seed=seed)
        while not s.over:
            move = pick(rng, sorted(str(m) for m in s.moves()))
            after = s.play(move)
            seen |= effects(s, move, after)
            s = after
        assert all(holds for _, holds, _ in game.check(s))
        for p in range(3):
            gods |= set(map(str, s["adored"][p]))
            specialists |= set(map(str, s["hired"][p]))
            crafts |= {str(k) for k, card in s["card"][p].items() if card}
        if len(gods) == GODS and len(crafts) == CRAFTS and seen == EFFECTS:
            break
    assert len(gods) == GODS
    assert specialists == SPECIALISTS
    assert len(crafts) == CRAFTS
    assert seen == EFFECTS


@pytest.mark.parametrize("players", [2, 5])
def test_both_back_ends_play_the_same_game(players: int) -> None:
    game = rd.load("zimbabwe", players=players)
    python, native = (game.playout(seed=3, backend=b) for b in ("python", "native"))
    assert python == native
    assert python.over
