"""The bound on the number of decisions is never below what can be played."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
from verify.analysis import length_bound

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
    assert played <= most_decisions(game) <= 10_000


BRANCHES = """game branches "Branches"
    players 2

state
    left: 0..3 = 3
    made: 0..200 = 0

action go by p
    made += 1

action wait by p
    made += 0

play
    while left > 0 decreases left
        left -= 1
        choose p1: go, wait
        if made mod 2 = 1
            choose p2: go
            choose p1: go
            for q in Player
                choose q: go
        else
            choose p2: go
    if made > 3
        choose p1: go
    else
        choose p1: go
        choose p2: go

scoring
    score p = made
"""


def most_decisions(game: rd.Game) -> int:
    most = length_bound.decisions(game.ir)
    assert most is not None
    return most


def longest(state: rd.State) -> int:
    """The most decisions that can follow."""
    return 0 if state.over else 1 + max(longest(state.play(move)) for move in state.moves())


def test_of_branches_the_longer_one_counts(tmp_path: Path) -> None:
    file = tmp_path / "branches.rules"
    file.write_text(BRANCHES)
    game = rd.load(file)
    # A measure of four values allows four rounds, the one of two players' turns allows three.
    assert longest(game.start()) <= most_decisions(game) == 4 * (3 + 3) + 2


@pytest.mark.parametrize("name", ["tzolkin", "tikal"])
def test_large_games(name: str) -> None:
    """The bound is no tight one, but it says something: a random game has some 300 decisions."""
    game = rd.load(name, players=4)
    assert 300 < most_decisions(game) < 100_000
