"""Leaks by way of orders, prices, fields, sets, questions and texts."""

from __future__ import annotations

from tests.verify.small_games import Leaky

_PILE = """\
table Token
    row round
    row square
    row thin

state
    pile bag of Token holds all hidden
    pile table of Token
"""

LEAKS = [
    Leaky(
        "pile_put_where_a_card_says",
        """\
draw t from top of bag to top of bag
if top of bag = thin
    move square to bottom of bag
""",
        more=_PILE,
    ),
    Leaky(
        "pile_top_is_told",
        """\
draw t from top of bag to top of bag
if top of bag = thin
    marker = 1
""",
        more=_PILE,
    ),
    Leaky(
        "pile_shuffled_by_a_secret",
        """\
draw t from top of bag to bottom of bag
if secret[bob] = 1
    shuffle bag
""",
        more=_PILE,
    ),
    Leaky(
        "pile_card_laid_by_a_secret",
        """\
draw t from top of bag to top of bag
choose bob secretly: n in 0..1
if n = 0 and bag is not empty
    draw s from bottom of bag to top of table
secret[bob] = n
""",
        more=_PILE,
    ),
    Leaky(
        "show_from_two",
        """\
draw a from deck
move a from deck to hand[bob]
choose bob secretly: c in hand[bob]
let o = first(d in hand[bob] where d != c)
if secret[bob] > 1
    move c from hand[bob] to shown
else if o != none
    move o from hand[bob] to shown
""",
    ),
    Leaky(
        "set_among_shown",
        """\
draw a from deck
move a from deck to hand[bob]
choose bob secretly: s among 1 of hand[bob]
for c in hand[bob] where (c in s) = (secret[bob] > 1)
    move c from hand[bob] to shown
""",
    ),
    Leaky(
        "order_state",
        """\
for p in Player by secret[p]
    move p to back of turn
""",
        more="""\
state
    turn: order of Player
""",
    ),
    Leaky(
        "loop_by_asks",
        """\
for p in Player by secret[p]
    choose p: go
""",
    ),
    Leaky(
        "most_leak",
        """\
let m = most(p in Player: secret[p])
if m != none
    marker = 1 + ord(m)
""",
    ),
    Leaky(
        "function_loop",
        "marker = run()",
        more="""\
function run(): 0..9
    var r: 0..9 = 0
    for k in 0..3
        if grid[k] > 1
            r += 1
    return r
""",
    ),
    Leaky(
        "cost_hidden",
        """\
secret[ann] = 3
choose ann: pay, go
""",
        more="""\
action pay by p
    cost 1 secret[next(p)]
    rounds += 0
""",
    ),
    Leaky(
        "cost_own_public_effect",
        "choose bob repeatedly: pay",
        more="""\
action pay by p
    cost 1 secret[p]
    rounds += 0
""",
    ),
    Leaky(
        "possible_text",
        'choose ann as t "take {n} {possible(show by bob)}": n in 0..1',
        more="""\
action show by p
    require king in hand[p]
    rounds += 0
""",
    ),
    Leaky(
        "recursion_arg",
        "dig(secret[bob])",
        more="""\
procedure dig(n: 0..3)
    decreases n
    choose ann: go
    if n > 0
        dig(n - 1)
""",
    ),
    Leaky(
        "legs_hidden",
        """\
marker = legs from 0 to 3 by net within 1 stopping at each k in 0..3 where grid[k] > 2 up to 3
""",
        more="""\
relation net on a in 0..3
    to 1 as b where a = 0
    to 2 as b where a = 1
    to 3 as b where a = 2
""",
    ),
    Leaky(
        "spread_loop",
        """\
for k in spread from 0 by net
    board[k] = 1
""",
        more="""\
relation net on a in 0..3
    to 1 as b where a = 0 and grid[1] > 1
    to 2 as b where a = 1
""",
    ),
    Leaky(
        "spread_choice",
        """\
choose ann: k in spread from 0 by net
marker = k
""",
        more="""\
relation net on a in 0..3
    to 1 as b where a = 0 and grid[1] > 1
    to 2 as b where a = 1
""",
    ),
    Leaky(
        "reveal_before_change",
        """\
reveal grid[0]
grid[0] = secret[bob]
marker = grid[0]
""",
    ),
    Leaky(
        "reveal_after_decision",
        """\
choose ann: go
marker = secret[bob]
choose ann: go
reveal secret[bob]
""",
    ),
    Leaky(
        "each_texts",
        """\
choose each p in Player secretly as b "b {bb}": bb in 0..secret[p]
choose ann as z "z {zz}": zz in 0..1 where zz != secret[bob] or zz = bb[bob]
""",
    ),
    Leaky(
        "each_then_hidden",
        """\
choose each p in Player where secret[p] > 0 secretly: bb in 0..3
marker = count(p in Player where bb[p] != none)
""",
    ),
    Leaky("subset_bound_hidden", "choose ann: s among 0..secret[bob] of 0..3"),
    Leaky(
        "draw_where_secret_shown",
        """\
draw d from deck where d.worth > secret[bob]
move d from deck to shown
""",
    ),
    Leaky(
        "clamped_leak",
        "soft += secret[bob]",
        more="""\
state
    soft: 0..2 clamped = 0
""",
    ),
    Leaky(
        "set_elem",
        "add secret[bob] to marks",
        more="""\
state
    marks: set of 0..3
""",
    ),
    Leaky(
        "optional_player",
        "who = first(p in Player where secret[p] > 1)",
        more="""\
state
    who: Player? = none
""",
    ),
    Leaky(
        "draw_good_put_other",
        """\
draw k: Kind from bag
move 1 k from open to bag2
""",
        more="""\
goods Kind: ruby, opal limit 4

state
    pool bag of Kind holds 2 ruby, 2 opal hidden
    pool bag2 of Kind holds 1 ruby, 1 opal hidden
    pool open of Kind holds 1 ruby, 1 opal
""",
    ),
]
