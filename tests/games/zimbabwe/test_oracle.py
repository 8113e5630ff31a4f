"""The compiled rules against the plain Python game: the same moves on offer, all the way."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import rules_dsl as rd
from tests.games.side_by_side import side_by_side

from .geometry import name
from .oracle import Oracle

# Each ruling with its other readings; together they are what a literal reader or another
# implementation plays.
OTHERS = {
    "start_tile": ["turned"],
    "first_settler": ["first_plaque"],
    "start_points": ["two"],
    "nomads_help": ["first"],
    "pieces": ["as_in_the_box"],
    "linked_craftsman": ["one_hub", "not_needed"],
    "same_turn": ["never_both"],
    "claimed_resource": ["same_resource"],
    "god_in_play": ["on_offer"],
    "xango_wins": ["equal_points", "always"],
    "dziva_prices": ["at_once"],
    "interleaving": ["allowed"],
    "different_gifts": ["by_resource"],
    "disc_of_gu": ["stays"],
    "monuments_stop": ["all_ways"],
}
SLOWLY = {"stop": 0.15, "bid": 0.6}


def pick(rng: random.Random, moves: list[str]) -> str:
    """A random kind of move first, so that rare kinds are played; stopping is rare."""
    kinds: dict[str, list[str]] = {}
    for move in moves:
        kinds.setdefault(move.split()[0], []).append(move)
    if "bid" in kinds and rng.random() < 0.8:
        kinds["bid"] = kinds["bid"][:2]
    weights = [SLOWLY.get(kind, 1.0) for kind in sorted(kinds)]
    return rng.choice(kinds[rng.choices(sorted(kinds), weights)[0]])


def compare(s: Any, oracle: Oracle) -> None:
    """The whole position, read by the names of the rules."""
    names = [name(cell) for cell in oracle.ground]
    columns, numbers = s.game.machine.code["T_letter"], s.game.machine.code["T_number"]
    where = {f"{'abcdefghijklmnopqr'[c]}{n}": k for k, (c, n) in enumerate(zip(columns, numbers))}  # noqa: B905
    standing = {name(c): k for k in oracle.craftsmen for c in k.cells}
    for cell, label in zip(oracle.ground, names, strict=True):
        at = where[label]
        owner, level = oracle.monuments.get(cell, (None, 0))
        assert (s["builder_of"][at], s["level"][at]) == (owner, level)
        assert s["used"][at] == oracle.used[cell]
        who = s["stands"][at]
        assert (who is None) == (label not in standing)
        if who is not None:
            assert str(who).rsplit("_", 1)[0].replace("_", " ") == standing[label].craft
            assert s["owner"][who] == standing[label].owner
    for p in range(oracle.n):
        assert s["herd"][p]["cattle"] == oracle.herd[p]
        assert s["vr"][p] == oracle.vr[p]
        assert s["points"][p] == oracle.points(p)
        assert s["disc"][p] == oracle.discs.index(p)
        for craft, asked in oracle.price[p].items():
            assert s["price"][p][craft.replace(" ", "_")] == asked
            lying = s["on_card"][p][craft.replace(" ", "_")]["cattle"]
            assert lying == oracle.on_card[p][craft]
    assert s["god_card"]["cattle"] == oracle.fees
    assert s["water_left"] == oracle.water_left


def play(players: int, seed: int, rulings: dict[str, str]) -> Counter[str]:
    """One game side by side; gives how often each kind of move was made."""
    game = rd.load("zimbabwe", players=players, options=rulings)
    rng = random.Random(f"{players} {seed}")
    oracle = Oracle(players, **rulings)
    made: Counter[str] = Counter()

    def choose(who: int | None, moves: list[str]) -> str:
        move = rng.choice(moves) if who is None else pick(rng, moves)
        made[move.split()[0]] += 1
        return move

    s = game.start()
    for s in side_by_side(game, oracle.course(), choose):
        auction_held = made["bid"] + made["pass"]
        if made.total() % 40 == 0 and s.player is not None and auction_held:
            compare(s, oracle)
    assert s.over
    compare(s, oracle)
    assert list(s.winners()) == oracle.winners()
    return made


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_side_by_side(players: int) -> None:
    made = play(players, 0, {})
    assert {"bid", "pass", "adore", "hire", "use", "build", "place", "raise", "gift"} <= made.keys()


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(1, 8))
def test_more_games_side_by_side(players: int, seed: int) -> None:
    play(players, seed, {})


@pytest.mark.long
@pytest.mark.parametrize(
    ("ruling", "value"), [(r, v) for r, values in OTHERS.items() for v in values]
)
def test_side_by_side_with_the_other_ruling(ruling: str, value: str) -> None:
    players = 2 + sorted(OTHERS).index(ruling) % 3
    for seed in (100, 101):
        play(players, seed, {ruling: value})


@pytest.mark.parametrize("players", [2, 3])
def test_side_by_side_with_all_other_rulings(players: int) -> None:
    play(players, 200, {ruling: values[0] for ruling, values in OTHERS.items()})
