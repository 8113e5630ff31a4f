"""Cells that are looked at eight at a time: native code and generated Python agree."""

from __future__ import annotations

import pytest

from compiler.pipeline import to_c
from compiler.runtime.fault import Fault
from tests.compiler.test_generated_programs import build
from tests.compiler.test_native import native, same_game

# Arrays of 3, 13 and 150 cells: less than a word, no whole number of words, and more than a mask
# has bits. Cells hold a flag, a number from 0, a number from below 0, or a player or none.
SCANS = """\
game scans "Scans"
    players 2 named red, blue
const width = 13
state
    long[0..149]: bool = false
    owner[0..3, 0..12]: Player? = none
    depth[0..12]: -3..3 = 0
    stock[0..2]: 0..4 = 4
    last: 0..200 = 0
    turn: Player = red
    total: 0..60000 clamped = 0

function marked(n: 0..200): 0..150 = count(k in 0..149 where long[k])

function unmarked(n: 0..200): 0..150 = count(k in n..149 where not long[k])

function shifted(): 0..100 = count(k in 0..99 where long[k + 40] and k mod 3 != 1)

function first_free(row: 0..3): -1..12 = min(k in 0..12 where owner[row, k] = none: k)

function own(p: Player, n: 0..12): 0..52 = (
    count(r in 0..3, k in 0..n where owner[r, k] = p and (k < 5 or owner[0, k] != p)))

function level(d: -3..3): 0..13 = count(k in 0..12 where depth[k] = d)

function bare(): bool = every k in 0..2: stock[k] = 0

function highest(): -1..149 = max(k in 0..149 where long[k]: k)

action mark_it(k: 0..149) by p
    require not long[k] "it is marked"
    require k mod 7 = last mod 7 "it is another day"
    long[k] = true
    last = k

action take(r: 0..3, k: 0..12) by p
    require owner[r, k] = none "it is taken"
    require k <= first_free(r) + 4 "it is too far"
    owner[r, k] = p
    depth[k] = if depth[k] > -3 then depth[k] - 1 else 3

action sell(k: 0..2) by p
    require stock[k] > 0 "it is sold out"
    stock[k] -= 1

action give_up(r: 0..3, k: 0..12) by p
    let mine = owner[r, k] = p
    require mine "it is not yours"
    owner[r, k] = none
    last = 12 * r + k

play
    for i in 1..60
        choose turn: mark_it, take, sell, give_up
        total += marked(0) + 2 * unmarked(last) + 3 * shifted() + 5 * own(turn, last mod 13)
        total += level(-3) + 7 * level(-1) + (if bare() then 11 else 0) + highest()
        turn = next(turn)
scoring
    score p = total
"""


@pytest.mark.parametrize("checked", [False, True])
def test_cells_are_found(checked: bool) -> None:
    game = build(SCANS, 2)
    text = to_c(game.ir)
    body = text[text.index("long") :]
    assert body.count("equal_cells(") > 6
    assert body.count("other_cells(") > 2
    game.origin.as_written = False  # type: ignore[misc]
    machine = native(game, checked)
    assert [same_game(game.machine, machine, seed, 60) for seed in range(6)] == [60] * 6
    for seed in range(20):
        assert machine.playout(seed) == game.machine.playout(seed)


def test_an_empty_range_is_not_looked_at() -> None:
    """The cells of `unmarked(150)` would lie behind the last one."""
    game = build(SCANS.replace("unmarked(last)", "unmarked(150)"), 2)
    game.origin.as_written = False  # type: ignore[misc]
    machine = native(game, checked=True)
    for seed in range(3):
        assert machine.playout(seed) == game.machine.playout(seed)


def test_a_scan_behind_a_test_that_can_fail_stays_there() -> None:
    text = SCANS.replace("where depth[k] = d)", "where depth[last * k] = d and depth[k] = d)")
    game = build(text, 2)
    game.origin.as_written = False  # type: ignore[misc]
    machine = native(game, checked=True)
    played = [same_game(game.machine, machine, seed, 60) for seed in range(6)]
    assert min(played) < 60
    with pytest.raises(Fault):
        game.machine.playout(0)
