"""Every reading of an unclear rule plays to the end."""

from __future__ import annotations

import pytest

import rules_dsl as rd

READINGS = [
    ("stuck_tile", "unlinked"),
    ("level_limit", "whole_turn"),
    ("treasure_limit", "whole_turn"),
    ("exchange_choice", "holder"),
    ("camp_on_ruin", "no_member"),
    ("printed_clearing", "no_camp"),
    ("guarded_temple", "majority_too"),
    ("final_count_1999", "last_player"),
    ("least_bid", "zero"),
    ("opening", "must_bid"),
    ("debts", "allowed"),
    ("limits_after_volcano", "go_on"),
]


@pytest.mark.parametrize(("ruling", "reading"), READINGS)
def test_plays_to_the_end(ruling: str, reading: str) -> None:
    edition = 1999 if ruling == "final_count_1999" else 2018
    auction = ruling in ("least_bid", "opening", "debts")
    options: dict[str, str | int | bool] = {"edition": edition, "auction": auction}
    options[ruling] = reading
    game = rd.load("tikal", players=3, options=options)
    for seed in range(3):
        assert game.playout(seed=seed, backend="python").over


def test_the_holder_may_name_the_treasure_that_is_taken() -> None:
    for reading, chooser in (("mover", 0), ("holder", 1)):
        game = rd.load("tikal", players=2, options={"exchange_choice": reading})
        s = game.start()
        for move in (
            *("draw red", "draw A5", "place A5 on c2 turned 1", "bring worker to a1"),
            *("move worker from a1 northeast", "move worker from b2 northeast", "dig on c2"),
            *("draw T1", "stop", "draw A6", "place A6 on c1 turned 0", "bring worker to a1"),
            *("move worker from a1 northeast", "move worker from b2 northeast", "dig on c2"),
            *("draw T2", "stop", "draw A1", "place A1 on b3 turned 0", "exchange T1 with yellow"),
        ):
            s = s.play(move)
        assert s.player == chooser
        s = s.play("take T2")
        assert s["treasures"][0]["T2"] == 1
        assert s["treasures"][1]["T1"] == 1


def test_debts_go_down_to_twenty() -> None:
    game = rd.load("tikal", players=2, options={"auction": True, "debts": "allowed"})
    s = game.start()
    for move in ("draw red", "draw A1", "draw A2", "bid 40", "pass"):
        s = s.play(move)
    assert s["points"][0] == -20
