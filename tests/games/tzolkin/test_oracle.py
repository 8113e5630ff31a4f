"""The compiled rules against the plain Python game: the same moves on offer, all the way."""

from __future__ import annotations

import random
from typing import Any

import pytest

import rules_dsl as rd
from tests.games.side_by_side import side_by_side

from .components import GEARS, TEETH, TOPS, TRACKS
from .oracle import Oracle
from .policy import PERSONAS, pick

RULINGS = {
    "spent_skull": "leaves",
    "short_skulls": "nothing",
    "theology_from_nine": "nothing",
    "own_level": "after",
    "extra_building": "once",
    "granted_order": "as_built",
    "architecture_maize": "before_paying",
    "discount": "obligatory",
    "top_level": "nothing",
    "any_action_again": "allowed",
    "wasted_steps": "forbidden",
    "neutral_blocks": "yes",
    "eve_of_the_end": "forbidden",
    "last_turn": "choice",
    "first_space_worker": "fasts",
    "quarter_points": "rounded_down",
    "temple_monument": "gains_only",
}


def compare(s: Any, oracle: Oracle) -> None:
    """The whole position, read by the names of the rules."""
    assert s["day"] == min(27, oracle.day) or s.over
    assert s["food_days_held"] == oracle.held
    assert s["first_player"] == oracle.first
    assert s["supply"]["skull"] == oracle.skulls
    assert s["wheel"]["maize"] == oracle.wheel
    assert {n for n in range(1, 10) if s["altar"][n]["skull"]} == oracle.altar
    for n in range(2, 6):
        assert s["jungle"][n]["maize_tile"] == oracle.maize_tiles[n]
        assert s["jungle"][n]["wood_tile"] == oracle.wood_tiles[n]
    for p in oracle.seats:
        assert s["points"][p] == oracle.points[p]
        assert s["in_hand"][p] == oracle.hand[p]
        assert s["in_reserve"][p] == oracle.reserve[p]
        assert s["on_gears"][p] == oracle.on_gears(p)
        assert s["light"][p] == oracle.light[p]
        for good in ("maize", "wood", "stone", "gold", "skull", "maize_tile", "wood_tile"):
            assert s["stock"][p][good] == oracle.goods[p][good]
        for t in TOPS:
            assert s["step"][p][t] == oracle.step[p][t]
        for t in TRACKS:
            assert s["level"][p][t] == oracle.level[p][t]
    for g in GEARS:
        name = "chichen_itza" if g == "chichen" else g
        for k in range(TEETH[g]):
            who = oracle.board[g][k]
            assert s["neutral"][name][k] == (who == "neutral")
            if k <= TEETH[g] - 3:
                assert s["worker"][name][k] == (who if isinstance(who, int) else None)


def play(players: int, seed: int, rulings: dict[str, str]) -> None:
    game = rd.load("tzolkin", players=players, options=rulings)
    rng = random.Random(f"{players} {seed}")
    oracle = Oracle(players, **rulings)

    def choose(who: int | None, moves: list[str]) -> str:
        if who is None:
            return rng.choice(moves)
        persona = PERSONAS[(seed + who) % 3]
        return pick(rng, moves, persona, oracle.cubes(who), oracle.goods[who]["skull"])

    s = game.start()
    for count, s in enumerate(side_by_side(game, oracle.course(), choose), 1):
        if count % 25 == 0:
            compare(s, oracle)
    assert s.over
    compare(s, oracle)
    assert list(s.scores()) == oracle.scores()
    assert sorted(s.winners()) == oracle.winners()


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(8))
def test_side_by_side(players: int, seed: int) -> None:
    play(players, seed, {})


@pytest.mark.slow
@pytest.mark.parametrize("ruling", sorted(RULINGS))
def test_side_by_side_with_the_other_ruling(ruling: str) -> None:
    players = 2 + sorted(RULINGS).index(ruling) % 3
    for seed in range(3):
        play(players, 100 + seed, {ruling: RULINGS[ruling]})


@pytest.mark.parametrize("players", [2, 3, 4])
def test_side_by_side_with_all_other_rulings(players: int) -> None:
    for seed in range(3):
        play(players, 200 + seed, dict(RULINGS))
