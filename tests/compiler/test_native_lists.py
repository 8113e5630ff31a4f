"""Loops over listed values: native code and generated Python agree."""

from __future__ import annotations

import re

import pytest

import rules_dsl as rd
from compiler.pipeline import to_c
from tests.compiler.test_generated_programs import build
from tests.compiler.test_native import native, same_game

EDGES = """\
game edges "Edges"
    players 2 named red, blue
state
    owner[0..24]: Player? = none
    last: 0..24? = none
    turn: Player = red
    total: 0..60000 clamped = 0

# Which values are left depends on nothing, on a player, on what may be none, or on a second range.
function corners(): 0..25 = (
    count(x in 0..24 where owner[x] != none and (x mod 5 = 0 or x mod 5 = 4) and x div 5 mod 4 = 0))

function edge(p: Player): 0..24 = (
    max(x in 0..24 where (if p = red then x mod 5 else x div 5) = 4: if owner[x] = p then x else 0))

function lowest(p: Player): 0..24 = (
    min(x in 0..24 where (if p = red then x mod 5 else x div 5) = 2:
        if owner[x] = p then x else 24))

function beside(q: Player?): 0..9999 = (
    sum(x in 0..24 where owner[x] = q and q != none and on_line(q, x): x))

function on_line(p: Player, x: 0..24): bool = (if p = red then x mod 5 else x div 5) = 1

function pairs(p: Player): 0..625 = (
    count(x in 0..24, y in 0..24 where owner[x] = p and x mod 6 = 1 and y = x + 5 and owner[y] = p))

function filled(p: Player): bool = every x in 0..24 where x mod 9 = 2: owner[x] != next(p)

function row(k: 0..4): bool = some x in 0..24 where x div 5 = k: owner[x] = none

action take(x: 0..24) by p
    require owner[x] = none "it is taken"
    total += 3 * corners() + 5 * edge(p) + 7 * lowest(p) + pairs(p) + beside(owner[24 - x])
    total += (if filled(p) then 1 else 0) + count(k in 0..4 where row(k)) + FAULTY
    owner[x] = p
    turn = next(p)

play
    for k in 1..25
        choose turn: take
scoring
    score p = total
"""


def edges(faulty: str) -> rd.Game:
    try:
        game = build(EDGES.replace("FAULTY", faulty), 2)
    except rd.RuleError as error:
        pytest.fail(error.render())
    game.origin.as_written = False  # type: ignore[misc]
    return game


@pytest.mark.parametrize("checked", [False, True])
def test_listed_values_agree(checked: bool) -> None:
    game = edges("0")
    # Of corners, edges, the lowest, pairs, what is filled, and each of five rows; two by player.
    lists = re.findall(r"static const \w+ (V_\w+)\[", to_c(game.ir))
    assert len([name for name in lists if not name.endswith("_ends")]) == 10
    assert len([name for name in lists if name.endswith("_ends")]) == 2
    machine = native(game, checked)
    for seed in range(8):
        assert same_game(game.machine, machine, seed, 30) == 25
        assert machine.playout(seed) == game.machine.playout(seed)


@pytest.mark.parametrize(
    ("tests", "faults"),
    [
        ("y mod 9 = 2 and total mod (y - 2) = 1", True),  # 2 is left
        ("y mod 9 = 3 and total mod (y - 2) = 1", False),  # 3, 12 and 21 are left
        ("total mod (y - 2) = 1 and y mod 9 = 3", True),  # it is made for every value
    ],
)
def test_a_test_that_may_fault_is_made_for_the_same_values(tests: str, faults: bool) -> None:
    game = edges(f"count(y in 0..24 where {tests})")
    machine = native(game)
    for seed in range(3):
        assert same_game(game.machine, machine, seed, 30) == (0 if faults else 25)
