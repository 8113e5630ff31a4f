"""Numbered places are named as in moves, if all moves agree."""

from __future__ import annotations

from pathlib import Path

import rules_dsl as rd
from compiler.runtime.terminal import board_in_letters, bookkeeping

GAME = """game walk "A walk"
    players 1

enum Letter: a, b, c
const letter[x in 0..5] = next(a, x mod 3)
const number[x in 0..5] = x div 3 + 1

state
    trodden[0..5]: bool = false
    at: 0..5? = none
    steps: 0..5 = 0

action go(x: 0..5) by p "go to {letter[x]}{number[x]}"
    require not trodden[x]
    trodden[x] = true
    at = x
    steps = min(steps + 1, 5)

play
    while steps < 3 decreases 5 - steps
        choose p1: go

scoring
    score p = steps
"""


def load(folder: Path, text: str, name: str = "walk") -> rd.Game:
    path = folder / f"{name}.rules"
    path.write_text(text, encoding="utf-8")
    return rd.load(path)


def test_cells_are_called_what_moves_call_them(tmp_path: Path) -> None:
    found = load(tmp_path, GAME).machine.meta["places"]
    assert found == {6: ("a1", "b1", "c1", "a2", "b2", "c2")}


def test_what_happens_is_told_with_these_names(tmp_path: Path) -> None:
    after = load(tmp_path, GAME).start().play("go to b2")
    told = [str(event) for event in after.events()]
    assert "trodden b2: no → yes" in told
    assert "at: none → b2" in told
    assert "steps: 0 → 1" in told


def test_two_ways_to_write_a_place_are_none(tmp_path: Path) -> None:
    other = """        choose p1 as rest "rest on {number[x]}{letter[x]}": x in 0..5
"""
    both = GAME.replace("        choose", other + "        choose")
    assert load(tmp_path, both).machine.meta["places"] == {}


def test_a_name_for_two_places_is_none(tmp_path: Path) -> None:
    other = GAME.replace("{letter[x]}{number[x]}", "{letter[x]} {x}")
    assert load(tmp_path, other).machine.meta["places"] == {}


def test_a_game_of_the_same_name_has_no_board_of_the_shipped_one(tmp_path: Path) -> None:
    other = load(tmp_path, GAME.replace("game walk", "game zimbabwe"), "zimbabwe")
    assert board_in_letters(other.start()) == ([], frozenset())
    assert bookkeeping(other) == frozenset()
