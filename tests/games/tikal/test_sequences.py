"""Positions worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

import rules_dsl as rd


def _basic(edition: int = 2018, players: int = 2) -> Any:
    return rd.load("tikal", players=players, options={"edition": edition, "auction": False}).start()


def _play(s: Any, *moves: str) -> Any:
    for move in moves:
        s = s.play(move)
    return s


def _reason(s: Any, move: str) -> str:
    with pytest.raises(rd.IllegalMove):
        s.play(move)
    return "; ".join(r.text for r in s.explain(move) if not r.holds)


def test_first_turn_by_hand() -> None:
    s = _play(_basic(), "draw red", "draw A2", "place A2 on a3 turned 0")
    # A2 shows 2 stones north and 1 south; with the stone of a2 the road south has two.
    s = _play(s, "bring worker to a1", "bring worker to a1", "bring leader to a1")
    assert s["ap"] == 7
    s = _play(s, "move worker from a1 north")
    assert s["ap"] == 5
    s = _play(s, "move worker from a2 north")
    assert s["ap"] == 3
    s = _play(s, "uncover a3")
    assert s["ap"] == 1
    assert s["value"]["a3"] == 3
    assert s["token_stock"]["three"] == 5
    assert "you have 1 action points" in _reason(s, "move leader from a1 north")
    s = _play(s, "stop")
    assert s["ap"] == 0
    assert s.is_chance


def test_turns_go_round_from_the_start_player() -> None:
    s = _play(_basic(players=3), "draw white", "draw A1")
    assert s.player == 2
    s = _play(s, "place A1 on c2 turned 0", "stop", "draw A2")
    assert s.player == 0
    s = _play(s, "place A2 on a3 turned 0", "stop", "draw A3")
    assert s.player == 1


def test_a_volcano_stops_the_turn_for_a_scoring_round() -> None:
    s = _play(_basic(), "draw red")
    places = {"A1": "c2", "A2": "a3", "A3": "b3", "A4": "c1", "A5": "d2", "A6": "d1"}
    for tile, space in places.items():
        s = _play(s, f"draw {tile}")
        s = next(
            s.play(f"place {tile} on {space} turned {k}")
            for k in range(6)
            if f"place {tile} on {space} turned {k}" in {str(m) for m in s.moves()}
        )
        s = _play(s, "stop")
    s = _play(s, "draw B6")
    assert (s.player, s["ap"], s["scorings"]) == (0, 10, 1)
    s = _play(s, "bring worker to a1", "move worker from a1 north", "stop")
    assert s["points"][0] == 1
    s = _play(s, "bring leader to a1", "move leader from a1 north", "stop")
    assert (s["points"][0], s["points"][1]) == (1, 1)
    assert s.player == 0
    assert all(m.name == "place" for m in s.moves())
    s = _play(s, "place B6 on b4 turned 0")
    assert (s.player, s["ap"]) == (0, 10)
    s = _play(s, "stop", "draw B1")
    assert s.player == 1


def test_camps_differ_between_the_editions() -> None:
    opening = ("draw red", "draw A1", "place A1 on c2 turned 0")
    old, new = _play(_basic(1999), *opening), _play(_basic(2018), *opening)
    assert _play(old, "found a camp on b2")["camp"]["b2"] is not None
    assert "no member" in _reason(new, "found a camp on b2")
    new = _play(new, "bring worker to a1", "move worker from a1 northeast")
    assert "found a camp on b2" in {str(m) for m in new.moves()}


def test_auction_is_paid_by_the_winner_only() -> None:
    s = rd.load("tikal", players=3, options={"auction": True}).start()
    s = _play(s, "draw yellow", "draw A1", "draw A2", "draw A3")
    assert s.player == 1
    s = _play(s, "bid 3", "pass", "bid 4")
    assert s.player == 1
    s = _play(s, "pass")
    assert s.player == 0
    assert [s["points"][p] for p in range(3)] == [16, 20, 20]
    s = _play(s, "take A2", "place A2 on a3 turned 0", "stop")
    assert s.player == 1  # the left neighbour of red opens
    s = _play(s, "pass")
    assert s.player == 2
    s = _play(s, "pass")
    assert s.player == 1  # both passed: the first to pass moves free of charge
    s = _play(s, "take A1", "place A1 on c2 turned 0", "stop")
    assert s.player == 2
    assert [str(m) for m in s.moves()] == ["take A3"]
    s = _play(s, "take A3", "place A3 on b3 turned 0", "stop", "draw A4", "draw A5", "draw A6")
    assert s.player == 0
    assert [s["points"][p] for p in range(3)] == [16, 20, 20]
