"""The properties of the game are proved: each by invariants and other obligations."""

from __future__ import annotations

import pytest

import rules_dsl as rd
from compiler import ir
from compiler.runtime.game import Game
from rules_dsl.language.option_values import OptionValue
from verify.proof.results import Report
from verify.proof.structure import statements
from verify.running.scheduler import STEPWISE, run

TREASURES = tuple(f"T{number}" for number in range(1, 9))
TOKENS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

# The obligations that prove each property, as kind and subject.
PROPERTIES: dict[str, tuple[tuple[str, str], ...]] = {
    "members are conserved": (
        ("invariant", "members_conserved"), ("conservation", "worker"), ("conservation", "Member"),
    ),
    "the leader is unique": (("invariant", "members_conserved"), ("conservation", "leader")),
    "treasures are conserved": (
        ("invariant", "treasures_enough"), ("conservation", "Treasure"),
        *(("conservation", kind) for kind in TREASURES),
    ),
    "temple tokens are conserved": (
        ("invariant", "tokens_on_temples"), ("conservation", "Token"),
        *(("conservation", kind) for kind in TOKENS),
    ),
    "one camp a tile, two a player": (
        ("invariant", "camp_of_in_one_place"), ("safety", "found_camp"),
    ),
    "two guards a player": (("invariant", "guards_counted"),),
    "a closed temple never changes": (("invariant", "closed_temples_stay"),),
    "every tile but a volcano is reachable when it is placed": (
        ("safety", "place"), ("invariant", "roads_lead_everywhere"),
    ),
    "bids rise": (("safety", "bid"),),
    "points are paid exactly once": (("safety", "settle"), ("invariant", "paid_once")),
    "there is always a move": (
        ("progress", "place_tile"), ("progress", "bidding"), ("progress", "auction_turns.take"),
        ("progress", "exchange.take"),
    ),
    "the game ends": (
        ("termination", "play"), ("termination", "explore"), ("termination", "scoring_round"),
        ("termination", "bidding"), ("termination", "auction_turns"),
        ("termination", "reveal_tiles"),
    ),
}  # fmt: skip

OPTIONS: dict[str, OptionValue] = {"edition": 2018, "auction": True}


@pytest.fixture(scope="module")
def game() -> Game:
    return rd.load("tikal", players=2, options=OPTIONS)


@pytest.fixture(scope="module")
def report(game: Game) -> Report:
    return run(game, STEPWISE)


@pytest.mark.slow
@pytest.mark.parametrize("name", PROPERTIES)
def test_property(report: Report, name: str) -> None:
    for obligation, subject in PROPERTIES[name]:
        found = {
            r.status for r in report.results if (r.obligation, r.subject) == (obligation, subject)
        }
        assert found == {"PROVED"}, (obligation, subject)


@pytest.mark.slow
def test_action_points_stay_in_range(game: Game, report: Report) -> None:
    """Wherever action points are written, that they stay in their range is proved."""
    assert (game.ir.arrays["ap"].lo, game.ir.arrays["ap"].hi) == (0, 10)
    writers = {
        rule
        for rule, statement in statements(game.ir)
        if isinstance(statement, ir.SetCell) and statement.target.array == "ap"
    }
    assert writers >= {"explore", "enter", "walk", "uncover", "dig", "post_guard", "found_camp"}
    proved = {r.subject for r in report.results if (r.obligation, r.status) == ("safety", "PROVED")}
    assert writers <= proved


@pytest.mark.slow
def test_nothing_is_left_and_the_length_is_bounded(report: Report) -> None:
    assert report.ok
    assert {r.status for r in report.results} == {"PROVED"}
    assert list(report.bounds.values()) == [1_038_606]


def test_printed_numbers(game: Game) -> None:
    limits = {name: game.ir.goods[name].limit for name in (*TOKENS, *TREASURES)}
    assert [limits[name] for name in TOKENS] == [3, 6, 9, 11, 8, 5, 3, 2, 1]
    assert [limits[name] for name in TREASURES] == [3] * 8
