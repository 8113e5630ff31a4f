"""A search among choices made together: positions that it identifies, and its limits."""

from __future__ import annotations

import pytest

import rules_dsl as rd
from compiler.plan.points import Plan
from compiler.plan.renewed import renewed
from compiler.reference import ReferenceMachine
from compiler.runtime.fault import Endless, Fault
from compiler.runtime.game import Game
from tests.compiler.test_native import in_memory, native, same_game

# More kinds are asked for than there are: every way to spend stones on the others is a dead end.
CRAFTS = """\
game crafts "Crafts"
    players 2 named red, blue
const last = 19
state
    used[0..last]: 0..2 = 0
    made[0..5]: bool = false
    need: 0..9 = 7
    ended: 0..9 = 0
action start by p
    used[0] = 1
action make(k: 0..5, x: 0..last) by p
    require not made[k]
    require used[x] < 1
    made[k] = true
    used[x] += 1
play
    choose red: start
    together
        for n in 1..need
            choose red: make
    ended = 1
    choose red: start
scoring
    score p = ended
"""
# Twenty choices of two each, of which only the last way can be finished: a million positions.
BITS = """\
game bits "Bits"
    players 2 named red, blue
state
    bit[0..19]: 0..1 = 0
    done: 0..1 = 0
action start by p
    done = 0
action finish by p
    require sum(n in 0..19: bit[n]) >= 20
    done = 1
play
    choose red: start
    together
        for n in 0..19
            choose red as noting "note {k}": k in 0..1
            bit[n] = k
        choose red: finish
    choose red: start
scoring
    score p = done
"""


def used_up(text: str) -> tuple[str, ...]:
    return renewed(Plan(in_memory(text).ir))


def test_what_is_only_used_up() -> None:
    assert used_up(CRAFTS) == ("used",)
    assert used_up(CRAFTS.replace("used[x] < 1", "1 > used[x] and x < 30")) == ("used",)
    down = CRAFTS.replace("used[x] < 1", "used[x] >= 1").replace("used[x] += 1", "used[x] -= 1")
    assert used_up(down) == ("used",)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("used[x] < 1", "used[x] = 0", id="another requirement"),
        pytest.param("used[x] < 1", "used[x] > 0", id="a requirement that gets easier"),
        pytest.param("used[x] < 1", "used[x] < 1 or k = 0", id="one of two requirements"),
        pytest.param("used[x] < 1", "used[x] < 1 and used[0] > 0", id="two directions"),
        pytest.param("used[x] += 1", "used[x] = 1", id="set to a value"),
        pytest.param("used[x] += 1", "used[x] += 1\n    used[0] -= 1", id="given back"),
        pytest.param("used[x] += 1", "used[x] += 1\n    need = used[0]", id="read elsewhere"),
        pytest.param("const last = 19", "const last = 5", id="few cells"),
    ],
)
def test_what_must_be_told_apart(old: str, new: str) -> None:
    assert old in CRAFTS
    assert used_up(CRAFTS.replace(old, new)) == ()


def test_dead_ends_are_seen_in_few_positions() -> None:
    """In both back ends; telling used stones apart, there are 177,100 positions."""
    game = in_memory(CRAFTS)
    assert same_game(game.machine, native(game), 0, 10) == 2
    end = game.start(seed=1).play("start").play("start")
    assert end.scores() == (1, 1)


@pytest.mark.parametrize("need", [1, 2, 3])
@pytest.mark.parametrize("stones", [1, 2, 17])
def test_the_answers_are_those_of_a_plain_search(need: int, stones: int) -> None:
    """With as many stones left as needed, one more, or fewer: the reference tries everything."""
    text = CRAFTS.replace("const last = 19", "const last = 17")
    text = text.replace("0..5", "0..2").replace("0..9 = 7", f"0..9 = {need}")
    text = text.replace("used[0] = 1", f"for x in 0..{17 - stones}\n        used[x] = 1")
    game = in_memory(text)
    assert renewed(Plan(game.ir)) == ("used",)
    plain = ReferenceMachine(game.ir)
    plain.play(0, ())
    state = game.start(seed=1).play("start")
    asked = len(plain.moves())
    assert len(list(state.moves())) == asked
    assert (asked > 1) == (need <= stones)
    assert same_game(game.machine, native(game), 3, 10) == (need + 2 if need <= stones else 2)


def test_both_back_ends_stop_at_the_same_limit() -> None:
    game = in_memory(BITS)
    said = "50,000 positions do not show whether the choices can be finished"
    cells = game.machine.new()
    for machine in (game.machine, native(game)):
        with pytest.raises(Endless, match=said):
            machine.play(bytearray(cells), 0)
    few = in_memory(BITS.replace("0..19", "0..9").replace(">= 20", ">= 10"))
    assert same_game(few.machine, native(few), 0, 20) == 13


def test_choices_that_nothing_finishes() -> None:
    game = in_memory(BITS.replace(">= 20", "> 20"))
    assert same_game(game.machine, native(game), 0, 10) == 2


def test_both_back_ends_look_equally_far_ahead() -> None:
    """A choice of one value: the first search goes to the last choice."""

    def chain(choices: int) -> Game:
        text = BITS.replace("0..19", f"0..{choices - 2}").replace("bit[n]) >= 20", "bit[n]) >= 0")
        return in_memory(text)

    enough, more = chain(200), chain(201)
    assert same_game(enough.machine, native(enough), 0, 3) == 3
    for machine in (more.machine, native(more)):
        with pytest.raises(Endless, match="more than 200 choices are made together"):
            machine.play(machine.new(), 0)


def test_a_search_that_took_a_quarter_of_a_minute() -> None:
    """A monument that must be raised five times with four crafts: all ways to use resources."""
    game = rd.load("zimbabwe", players=5, options={"start_tile": "turned"})
    assert same_game(game.machine, native(game), 0, 460) == 460


# The fourth thing that is made faults. With three stones left it is made only in the search in
# which stones are given back, which ends the search there; the answers about roads are kept.
WORN = """\
game worn "Worn"
    players 2 named red, blue
const last = 19
state
    used[0..last]: 0..2 = 0
    made[0..5]: bool = false
    wear: 0..3 = 0
    need: 0..9 = 5
    ended: 0..99 = 0
relation road on a in 0..5
    to (if a < 5 then a + 1 else none) as b where not made[b]
    to (if a > 2 then a - 2 else none) as c where made[a]
function away(k: 0..5): 0..7 = steps from 0 to k by road within 6
action start by p
    for x in 3..last
        used[x] = 1
action make(k: 0..5, x: 0..last) by p
    require not made[k]
    require used[x] < 1
    require away(k) < 7
    made[k] = true
    wear += 1
    used[x] += 1
action ask(k: 0..5) by p
    require away(k) < 7
    ended += away(k)
play
    choose red: start
    together
        for n in 1..need
            choose red: make
    choose red: ask
    made[1] = true
    choose red: ask
scoring
    score p = ended
"""


@pytest.mark.parametrize("checked", [False, True])
def test_a_fault_where_stones_are_given_back_leaves_nothing_behind(checked: bool) -> None:
    game = in_memory(WORN)
    assert renewed(Plan(game.ir)) == ("used",)
    machine = native(game, checked)
    for seed in range(6):
        assert same_game(game.machine, machine, seed, 10) == 3
    after = machine.new()
    machine.play(after, 0)
    before = bytes(after)
    assert machine.moves(after) == game.machine.moves(before)
    assert bytes(after) == before
    # With four stones left the search itself makes the fourth thing, and that is impossible.
    four = in_memory(WORN.replace("3..last", "4..last"))
    for back_end in (four.machine, native(four, checked)):
        with pytest.raises(Fault, match="wear"):
            back_end.play(back_end.new(), 0)
