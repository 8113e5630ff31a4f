"""The memory of a search among choices made together."""

from __future__ import annotations

from compiler.plan.points import Plan
from compiler.plan.together import arrays_read, remembered
from tests.compiler.test_generated_programs import build
from tests.compiler.test_native import in_memory, native, same_game

GIFTS = """\
game gifts "Gifts"
    players 2 named red, blue
good coin
state
    pool supply bank
    pool purse
    pool paid[0..2]
    left: 0..9 = 5
    count_of: 0..9 = 0
    rounds: 0..9 = 0
function enough(n: 0..2): bool = left > n
play
    move 3 coin from supply to purse
    rounds = 2
    together
        for n in 1..rounds
            choose red as give "give {k}": k in 0..2 where enough(k) and purse.coin >= k
            move k coin from purse to paid[k]
            left -= 1
            count_of = k
    left = count_of
scoring
    score p = left
"""


def test_only_what_decides_the_answer_is_remembered() -> None:
    plan = Plan(build(GIFTS, 2).ir)
    read = arrays_read(plan)
    assert {"left", "purse"} <= read
    assert read.isdisjoint({"paid", "count_of", "supply"})
    spans = remembered(plan, ["left"])
    # The number of rounds is read, but set before the first choice.
    changing = {"left", "purse"}
    for parts, names in (
        (spans.fixed, read - changing),
        (spans.changing, changing),
        (spans.lasting, changing - {"left"}),
    ):
        for name, slot in plan.layout.arrays.items():
            inside = [
                first <= slot.offset and (end is None or slot.end <= end) for first, end in parts
            ]
            assert any(inside) == (name in names), name
    for parts in (spans.changing, spans.lasting):
        assert parts[-1][1] is None and parts[-1][0] <= plan.layout.control


PRICES = """\
game prices "Prices"
    players 2 named red, blue
state
    asked: 0..3 = 0
    left: 0..3 = 3
action trade(price: 1..3) by p "trade at {price}"
    together
        asked = price
        for n in 1..2
            choose p as pay "pay {k}": k in 0..3 where k >= asked and left >= k
            left -= k
play
    choose red repeatedly decreases left as trading: trade
scoring
    score p = left
"""


def test_what_was_set_before_the_first_choice_tells_trials_apart() -> None:
    """Trials at every price come to the first choice with as much left."""
    game = in_memory(PRICES)
    assert [str(move) for move in game.start(seed=1).moves()] == ["trade at 1", "stop"]
    assert same_game(game.machine, native(game), seed=1, limit=20)


def test_positions_that_differ_elsewhere_have_one_answer() -> None:
    game = build(GIFTS, 2)
    state = game.start(seed=1)
    offered = {str(move) for move in state.moves()}
    assert offered == {"give 0", "give 1", "give 2"}
    after = state.play("give 2")
    assert {str(move) for move in after.moves()} == {"give 0", "give 1"}
