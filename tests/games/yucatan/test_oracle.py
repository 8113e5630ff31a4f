"""The compiled rules against the plain Python game: the same moves on offer, all the way."""

from __future__ import annotations

import random
from typing import Any

import pytest

import rules_dsl as rd
from tests.games.side_by_side import side_by_side

from .components import Box
from .oracle import Oracle
from .table import CITIES, COLUMNS, UPGRADABLE, kind

RULINGS = {
    "supplies": "plenty",
    "granary_levels": "raised",
    "battle_jade": "one",
    "evicting_army": "enters",
    "reforming": "whole_supply",
    "end_bonus": "column",
    "tie_break": "total",
    "kept_cards": "back",
    "contested_card": "to_owner",
    "extension": "none_when_summoning",
    "short_captures": "warriors_only",
}


def compare(s: Any, oracle: Oracle) -> None:
    """The position, read by the names of the rules."""
    assert s["round"] == oracle.round
    assert s["first_player"] == oracle.first
    supply = s["supply"]
    assert (supply["corn"], supply["jade"], supply["warrior"]) == (
        oracle.corn,
        oracle.jade,
        oracle.warriors,
    )
    assert len(s["deck"]) == len(oracle.deck)
    assert len(s["discard"]) == len(oracle.discard)
    assert len(s["out_of_play"]) == len(oracle.removed)
    assert len(s["summoning_area"]) == len(oracle.summonable)
    for city in CITIES:
        assert s["lying"][city]["jade"] == oracle.lying[city]
    for p, seat in enumerate(oracle.seats):
        assert s["stock"][p]["corn"] == seat.corn
        assert s["stock"][p]["jade"] == seat.jade
        assert s["prison"][p]["warrior"] == seat.prisoners
        assert s["points"][p] == seat.points
        assert s["sacrifice_marker"][p] == seat.marker
        assert s["sacrifice_total"][p] == seat.total
        assert s["step"][p] == seat.step
        own = [c for c in seat.hand if kind(c) != "creature"]
        assert len(s["hand"][p]) == len(own)
        held = {c.split()[0].lower() for c in seat.hand if kind(c) == "creature"}
        mine = {x for army in s["attached"][p].values() for x in army}
        assert {x for x in mine if s["card_held"][x]} == held
        assert {q for q in range(oracle.n) if s["clan_token"][p][q]} == seat.tokens
        levels = [s["level"][p]["camp" if b == "military camp" else b] for b in UPGRADABLE]
        assert levels == [seat.level[b] for b in UPGRADABLE]
        columns = ("building", "training", "summoning")
        cells = [s["development"][p][c] for c in columns]
        assert cells == [seat.development[c] for c in COLUMNS]
        for which, army in seat.armies.items():
            w = f"{which}_warlord"
            assert s["at"][p][w] == army.place
            assert s["army"][p][w]["warrior"] == army.warriors
            assert len(s["attached"][p][w]) == (army.creature is not None)
            if army.creature:
                assert s["expiry"][p][w] == army.expiry
            for k in range(3):
                token = s["reinforcement"][p][w][k + 1]
                assert (token or "").upper() == (army.sectors[k] or "")


def weighted(rng: random.Random, moves: list[str], eager: float) -> str:
    """A move; an eager player seldom passes and likes to fight and to build."""
    if len(moves) > 1 and rng.random() < eager:
        moves = [m for m in moves if m != "pass"] or moves
        last = [m for m in moves if m.startswith(("offer", "move to the", "raise"))]
        if last and rng.random() < eager:
            return last[-1]
    return rng.choice(moves)


def play(players: int, seed: int, rulings: dict[str, str]) -> None:
    play_beside(rd.load("yucatan", players=players, options=rulings), Box(), seed, rulings)


def play_beside(
    game: rd.Game, box: Box, seed: int, rulings: dict[str, str] | None = None
) -> set[str]:
    """One game side by side with the plain one; returns the moves that were on offer."""
    players = game.players
    rng = random.Random(f"{players} {seed}")
    oracle = Oracle(players, box, **(rulings or {}))
    eager = (0.0, 0.6, 0.9)[seed % 3]
    offered: set[str] = set()

    def pick(_: int | None, moves: list[str]) -> str:
        offered.update(moves)
        return weighted(rng, moves, eager)

    s = game.start()
    for count, s in enumerate(side_by_side(game, oracle.course(), pick), 1):
        if count > 20 and count % 10 == 0 and s["attacker"] is None:
            compare(s, oracle)
    assert s.over
    compare(s, oracle)
    assert list(s.scores()) == oracle.scores()
    assert sorted(s.winners()) == oracle.winners()
    return offered


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(9))
def test_side_by_side(players: int, seed: int) -> None:
    play(players, seed, {})


@pytest.mark.parametrize("ruling", sorted(RULINGS))
def test_side_by_side_with_the_other_ruling(ruling: str) -> None:
    players = 2 + sorted(RULINGS).index(ruling) % 3
    for seed in range(3):
        play(players, 100 + seed, {ruling: RULINGS[ruling]})


@pytest.mark.parametrize("players", [2, 3, 4])
def test_side_by_side_with_all_other_rulings(players: int) -> None:
    for seed in range(3):
        play(players, 200 + seed, dict(RULINGS))
