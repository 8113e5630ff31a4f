"""Hands and the deck are hidden; secret choices stay secret until they are revealed."""

from __future__ import annotations

from typing import Any

import pytest

import rules_dsl as rd

OPENING = ("draw white", "be advised by AD1 and AD2", "lead the clan by CL1")


@pytest.fixture
def opening() -> Any:
    s = rd.load("yucatan", players=3).start()
    for move in OPENING:
        s = s.play(move)
    return s


def test_the_start_is_chosen_in_secret(opening: Any) -> None:
    other = rd.load("yucatan", players=3).start()
    for move in (OPENING[0], "be advised by AD3 and AD4", "lead the clan by CL3"):
        other = other.play(move)
    for player in (None, 1, 2):
        assert opening.view(player=player) == other.view(player=player)


def test_hands_are_seen_by_their_owners_only(opening: Any) -> None:
    assert str(opening.view(player=0)["hand"][1]) == "5 hidden"
    assert len(opening.view(player=1)["hand"][1]) == 5
    assert str(opening.view()["deck"]) == "23 hidden"


def test_a_battle_card_is_not_seen_before_both_are_played() -> None:
    states = []
    for card in ("ST1", "ST5"):
        s: Any = rd.load("yucatan", players=2).start(seed=1)
        while s["attacker"] is None:
            names = [str(m) for m in s.moves()]
            wanted = [
                *(m for m in names if m.startswith("move to the red")),
                *(m for m in names if m.startswith(("activate the first", "activate the granary"))),
                names[0],
            ]
            s = s.play(wanted[0])
        names = [str(m) for m in s.moves() if f"play {card}" in str(m)]
        mover = s.player
        s = s.play(names[0])
        states.append((mover, s))
    (mover, first), (_, second) = states
    assert first.view(player=1 - mover) == second.view(player=1 - mover)
    assert first.view() == second.view()
