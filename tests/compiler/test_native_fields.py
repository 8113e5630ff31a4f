"""Fields over relations: native code gives the answers of the generated Python."""

from __future__ import annotations

import pytest

import rules_dsl as rd
from compiler.pipeline import to_c
from tests.compiler.test_generated_programs import build
from tests.compiler.test_native import native, same_game

TOWN = """\
game town "Town"
    players 2 named red, blue
const near[x in 0..23, d in 0..3] = (
    if d = 0 then (if x mod 6 = 5 then -1 else x + 1)
    else if d = 1 then (if x mod 6 = 0 then -1 else x - 1)
    else if d = 2 then (if x >= 18 then -1 else x + 6)
    else (if x < 6 then -1 else x - 6))
state
    owner[0..23]: Player? = none
    wet[0..23]: bool = false
    turn: Player = red
    sum_of: 0..60000 clamped = 0

relation road(p: Player) on a in 0..23
    to (if near[a, d] < 0 then none else near[a, d]) as b for d in 0..3 where owner[b] != next(p)
    to (if a < 20 then a + 4 else none) as c where owner[a] = p and owner[c] = p costs a mod 3
    joined with (if near[a, d] < 0 then none else near[a, d]) as e for d in 0..1 where (
        wet[a] and wet[e])

function reach(p: Player, a: 0..23): bool = (
    a in spread from each b in 0..23 where owner[b] = p by road(p) within 2)

function anywhere(p: Player, a: 0..23): bool = (
    a in spread from each b in 0..23 where owner[b] = p by road(p))

function far(p: Player, a: 0..23, b: 0..23): 0..9 = steps from a to b by road(p) within 8

function rests(p: Player, a: 0..23, b: 0..23): 0..5 = (
    legs from a to b by road(p) within 2 stopping at each c in 0..23 where owner[c] = p up to 4)

function group(p: Player, a: 0..23): 0..23 = component of a by road(p)

action take(x: 0..23) by p
    require owner[x] = none "it is taken"
    owner[x] = p
    turn = next(p)
    sum_of += sum(y in 0..23: (
        far(p, x, y) + 7 * rests(p, x, y) + group(p, y) * (if anywhere(p, y) then 3 else 1)))

action flood(x: 0..23) by p
    require not wet[x] "it is wet"
    require reach(p, x) "it is too far"
    wet[x] = true
    turn = next(p)
    sum_of += sum(y in 0..23 where y in spread from x by road(p) within (x mod 4): y)

play
    for k in 1..24
        choose turn: take, flood
scoring
    score p = count(x in 0..23 where reach(p, x))
"""


def town(places: int, dear: bool, told: str = TOWN) -> rd.Game:
    """The town with more places; unless it is dear, a step costs nothing or one."""
    text = told.replace("23", str(places - 1)).replace("x >= 18", f"x >= {places - 6}")
    text = text.replace("a < 20", f"a < {places - 4}").replace("60000", "999999999")
    try:
        game = build(text if dear else text.replace(" costs a mod 3", ""), 2)
    except rd.RuleError as error:
        pytest.fail(error.render())
    game.origin.as_written = False  # type: ignore[misc]
    return game


@pytest.mark.parametrize("checked", [False, True])
@pytest.mark.parametrize("dear", [False, True])
def test_fields_agree(checked: bool, dear: bool) -> None:
    game = town(24, dear)
    machine = native(game, checked)
    for seed in range(8):
        assert same_game(game.machine, machine, seed, 30) == 24
        assert machine.playout(seed) == game.machine.playout(seed)
    assert game.simulate(20, backend="native") == game.simulate(20, backend="python")


@pytest.mark.parametrize(("places", "as_sets"), [(66, True), (192, True), (516, False)])
def test_fields_over_many_places_agree(places: int, as_sets: bool) -> None:
    """Sets of places are bits in a few words, or lists if there are more places."""
    game = town(places, dear=False)
    assert ("legs_over(&g" in to_c(game.ir)) == as_sets
    machine = native(game)
    for seed in range(3):
        assert same_game(game.machine, machine, seed, 24) == 24


@pytest.mark.parametrize("places", [24, 66, 192])
def test_steps_that_are_the_same_everywhere_agree(places: int) -> None:
    """They are shifts of sets: by 1 and by 6, up and down, also from word to word."""
    game = town(places, False, TOWN.replace(" where owner[b] != next(p)", ""))
    assert "Shift Z_road[4] = {{-6, " in to_c(game.ir)
    machine = native(game, checked=True)
    for seed in range(3):
        assert same_game(game.machine, machine, seed, 24) == 24


LAND = """\
game land "Land"
    players 2 named red, blue
state
    kind[0..29]: 0..4 = 1
    turn: Player = red
    sum_of: 0..60000 clamped = 0

relation way on a in 0..29
    to (if a mod 6 = 5 then none else a + 1)
    joined with (if a >= 24 then none else a + 6) as e where kind[a] = 2 and 3 != kind[e]

function legs_to(a: 0..29): 0..4 = (
    legs from each b in 0..29 where kind[b] = 4 to a by way within 2
        stopping at each c in 0..29 where kind[c] != 1 up to 3)

action turn_into(x: 0..29, k: 0..4) by p
    require kind[x] != k "it is that"
    kind[x] = k
    turn = next(p)
    sum_of += sum(y in 0..29: legs_to(y) * y)
    sum_of += count(y in 0..29 where y in spread from x by way within 3)
    sum_of += sum(y in 0..29 where kind[y] = 0: component of y by way)

play
    for k in 1..40
        choose turn: turn_into
scoring
    score p = sum_of
"""


def test_answers_are_kept_while_no_value_changes_that_matters() -> None:
    game = build(LAND, 2)
    game.origin.as_written = False  # type: ignore[misc]
    text = to_c(game.ir)
    assert "if (was == 2 || is == 2 || was == 3 || is == 3) " in text
    machine = native(game, checked=True)
    for seed in range(8):
        assert same_game(game.machine, machine, seed, 40) == 40
        assert machine.playout(seed) == game.machine.playout(seed)
