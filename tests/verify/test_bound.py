"""The bound on the number of decisions is never below what can be played."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
from verify.bound import decisions

GAME = """game {name} "Recursion"
    players 2

state
    made: 0..200 = 0

action go by p
    made += 1

{procedures}

play
    chain(first(p in Player), 5)

scoring
    score p = made
"""

ONCE = """procedure chain(p: Player, left: 0..5)
    decreases left
    if left > 0
        choose p: go
        chain(next(p), left - 1)
"""
TWICE = """procedure chain(p: Player, left: 0..5)
    decreases left
    if left > 0
        choose p: go
        chain(next(p), left - 1)
        chain(p, left - 1)
"""
IN_A_LOOP = """procedure chain(p: Player, left: 0..5)
    decreases left
    if left > 2
        for q in Player
            choose q: go
            chain(q, left - 1)
"""
IN_TURNS = """procedure chain(p: Player, left: 0..5)
    decreases left
    if left > 0
        choose p: go
        link(next(p), left - 1)

procedure link(p: Player, left: 0..5)
    decreases left
    if left > 0
        choose p: go
        chain(next(p), left - 1)
        chain(p, left - 1)
"""


@pytest.mark.parametrize("procedures", [ONCE, TWICE, IN_A_LOOP, IN_TURNS])
def test_recursion(tmp_path: Path, procedures: str) -> None:
    file = tmp_path / "recursion.rules"
    file.write_text(GAME.format(name="recursion", procedures=procedures))
    game = rd.load(file)
    s = game.start()
    played = 0
    while not s.over:
        s = s.play(s.moves()[0])
        played += 1
    assert played >= 5
    assert played <= decisions(game.ir) <= 10_000
