"""Random games end in time, keep the books, and bring everything about."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import rules_dsl as rd

from .components import ABILITIES, CREATURES, REINFORCEMENTS, SPECIAL, STANDS, STARTING


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


EVERYTHING = {
    *(f"play {c}" for c in (*STARTING, *SPECIAL)),
    *(f"play {c} card" for c in CREATURES),
    *(f"summon {c}" for c in CREATURES),
    *(f"place {t}" for t in REINFORCEMENTS),
    *(f"use {a}" for a in ABILITIES),
    *(f"take {b} of {city}" for city, rows in STANDS.items() for r, b, _ in rows if r < 4),
    *(f"count {what}" for what in ("buildings", "reinforcements", "creatures")),
    *(f"step {k}" for k in (1, 2, 3)),
    "pay for SP06",
    "pay for SP12",
}


def shown(before: Any, text: str) -> str:
    """What a move brings about: the component that is used, by its name."""
    words = text.split()
    match words[0]:
        case "play":
            return text.split(" (")[0]
        case "summon" | "place":
            return " ".join(words[:2])
        case "use":
            return f"use {str(before['ability'][before.player]).upper()}"
        case "pay":
            return f"pay for {str(before['played'][before.player]).split('_')[0].upper()}"
        case _:
            return text


def eager(rng: random.Random, moves: list[str], round_: int, column: str) -> str:
    """A move: seldom none, offerings that grow from round to round, one column above all."""
    moves = [m for m in moves if m != "pass"] or moves if rng.random() < 0.9 else moves
    if moves[0].startswith("offer"):
        offered = moves[: round_ + 1] if "prisoners" in moves[0] else moves
        return moves[0] if "corn" in moves[0] else offered[-1]
    kinds: dict[str, list[str]] = {}
    for move in moves:
        kinds.setdefault(move.split()[0], []).append(move)
    kind = rng.choice(sorted(kinds))
    among = kinds[kind]
    liked = [m for m in among if column in m] if kind == "move" else []
    high = [m for m in among if m[:9] == among[-1][:9]] if kind in ("summon", "place") else []
    return rng.choice((liked or high or among) if rng.random() < 0.6 else among)


def test_everything_happens() -> None:
    game = rd.load("yucatan", players=3)
    missing = set(EVERYTHING)
    for seed in range(400):
        rng = random.Random(seed)
        column = ("construction", "training", "summoning")[seed % 3]
        s: Any = game.start(seed=seed)
        while not s.over:
            text = eager(rng, sorted(str(m) for m in s.moves()), s["round"], column)
            missing.discard(shown(s, text))
            s = s.play(text)
        missing -= {f"step {s['step'][p]}" for p in range(3)}
        if not missing:
            break
    assert not missing, sorted(missing)
