"""What a search among choices made together remembers of a position."""

from __future__ import annotations

from compiler.plan.points import Plan
from compiler.plan.together import arrays_read, remembered
from tests.compiler.test_generated_programs import build

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
    spans = remembered(plan)
    for name, slot in plan.layout.arrays.items():
        inside = [first <= slot.offset and (end is None or slot.end <= end) for first, end in spans]
        assert any(inside) == (name in read), name
    assert spans[-1][1] is None and spans[-1][0] <= plan.layout.control


def test_positions_that_differ_elsewhere_have_one_answer() -> None:
    game = build(GIFTS, 2)
    state = game.start(seed=1)
    offered = {str(move) for move in state.moves()}
    assert offered == {"give 0", "give 1", "give 2"}
    after = state.play("give 2")
    assert {str(move) for move in after.moves()} == {"give 0", "give 1"}
