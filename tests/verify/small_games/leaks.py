"""Leaks through every way out that the rules have, and some that are none."""

from __future__ import annotations

from tests.verify.small_games import Leaky

_TOKENS = """\
table Token
    row round
    row square
    row thin
    row thick

state
    zone bag of Token holds all hidden
    zone table of Token
"""

LEAKS = [
    Leaky(
        "a_card_tells_a_number",
        """\
choose bob secretly: n in 0..1
if n = 0
    move round from bag to table
else
    move square from bag to table
secret[bob] = n
""",
        more=_TOKENS,
    ),
    Leaky(
        "a_card_tells_another",
        """\
choose bob secretly: t in bag
if t = thin
    move round from bag to table
else
    move square from bag to table
""",
        more=_TOKENS,
    ),
    Leaky(
        "together_order",
        """\
together
    choose ann: n in 0..3 where n <= secret[bob]
    choose ann: m in 0..1
""",
    ),
    Leaky(
        "together_else",
        """\
together
    choose ann: n in 0..1 where secret[bob] > 1
else
    marker = 1
""",
    ),
    Leaky(
        "subset_public",
        """\
choose bob secretly: c among 1..2 of 0..3
marker = count(x in c)
""",
    ),
    Leaky("subset_size_text", 'choose ann as take "take {c} {secret[bob]}": c among 1..2 of 0..3'),
    Leaky("subset_cond", "choose ann: c among 1..2 of 0..3 where secret[bob] in c"),
    Leaky("subset_from_hidden", "choose ann: c among 1 of deck"),
    Leaky(
        "secret_then_public",
        """\
choose bob secretly: n in 0..3
secret[bob] = n
marker = secret[bob]
""",
    ),
    Leaky(
        "secret_action",
        "choose bob secretly: hide, go",
        more="""\
action hide by p
    marker = 5
""",
    ),
    Leaky(
        "secret_action_asks",
        "choose bob secretly: hide, go",
        more="""\
action hide by p
    choose p: go
""",
    ),
    Leaky(
        "secret_opt_not_always", "choose bob optionally secretly: c in hand[bob] where c.worth > 2"
    ),
    Leaky(
        "secret_always_effect",
        """\
choose bob optionally always secretly: c in hand[bob]
if c != none
    choose ann: go
""",
    ),
    Leaky(
        "secret_loop",
        """\
for k in 0..1
    choose bob secretly: n in 0..3
    if n = 2
        rounds += 1
""",
    ),
    Leaky("sb_number_asked", "choose each p in Player where secret[p] > 1 secretly: bid in 0..3"),
    Leaky(
        "sb_where_other", "choose each p in Player where secret[next(p)] > 1 secretly: bid in 0..3"
    ),
    Leaky(
        "sb_second_depends_on_other",
        """\
choose each p in Player secretly
    choose p as one: a in 0..3
    choose p as two: b in 0..3 where b != secret[next(p)]
""",
    ),
    Leaky(
        "sb_second_optional",
        """\
choose each p in Player secretly
    choose p as one: a in 0..3
    choose p optionally as two: b in 0..a where b > 0
""",
    ),
    Leaky(
        "reveal_then_change",
        """\
reveal secret[bob]
draw d in 0..3
secret[bob] = d
marker = secret[bob]
""",
    ),
    Leaky(
        "reveal_weaker",
        """\
reveal secret[bob] > 1
marker = secret[bob]
""",
    ),
    Leaky(
        "reveal_other_card",
        """\
for c in hand[bob]
    reveal c.worth > 2
marker = max(c in hand[bob]: c.worth)
""",
    ),
    Leaky(
        "reveal_in_branch",
        """\
if secret[ann] > 1
    reveal secret[bob]
marker = secret[bob]
""",
    ),
    Leaky(
        "reveal_to_self_only",
        """\
reveal secret[bob] to bob
marker = secret[bob]
""",
    ),
    Leaky(
        "reveal_after",
        """\
marker = secret[bob]
choose ann: go
reveal secret[bob]
""",
    ),
    Leaky("reveal_hidden_target", "reveal rounds to (if secret[bob] > 1 then ann else bob)"),
    Leaky(
        "reveal_loop_count",
        """\
for k in 1..secret[bob]
    reveal rounds
""",
    ),
    Leaky(
        "possible_hidden",
        """\
if possible(show by bob)
    marker = 1
""",
        more="""\
action show by p
    require king in hand[p] "no king"
""",
    ),
    Leaky(
        "possible_require",
        "choose ann: go, act",
        more="""\
action show by p
    require king in hand[p] "no king"
action act by p
    require not possible(show by next(p)) "x"
    rounds += 0
""",
    ),
    Leaky("pool_amount_hidden", "move grid[0] coin from purse to pot"),
    Leaky(
        "first_of_hidden",
        """\
let f = first(c in deck)
if f = king
    marker = 2
""",
    ),
    Leaky(
        "loop_over_hand",
        """\
for c in hand[bob]
    marker = c.worth
""",
    ),
    Leaky(
        "loop_from_hidden",
        """\
for p in Player from (if secret[bob] > 1 then ann else bob)
    choose p: go
""",
    ),
    Leaky(
        "action_when",
        "choose ann: go, act when secret[bob] > 1",
        more="""\
action act by p
    rounds += 0
""",
    ),
    Leaky(
        "fixed_arg",
        "choose ann: act(n = secret[bob])",
        more="""\
action act(n: 0..3) by p "act {n}"
    rounds += 0
""",
    ),
    Leaky(
        "recursion_depth",
        "dig(secret[bob])",
        more="""\
procedure dig(n: 0..3)
    decreases n
    if n > 0
        choose ann: go
        dig(n - 1)
""",
    ),
    Leaky(
        "end_when",
        """\
if secret[bob] = 3
    end
""",
    ),
    Leaky("assert_hidden", "marker = (if secret[bob] = 3 then 0 else 1)"),
    Leaky("score_hidden_card", "rounds += 1", score="sum(c in hand[p]: c.worth)"),
    Leaky(
        "score_hidden_but_marker",
        "marker = sum(c in hand[bob]: c.worth)",
        score="sum(c in hand[p]: c.worth) hidden",
    ),
    Leaky(
        "draw_from_hidden_zone",
        """\
draw c from hand[bob]
if c = king
    marker = 1
""",
    ),
    Leaky(
        "draw_and_put_back",
        """\
draw c from deck
marker = c.worth
""",
    ),
    Leaky(
        "draw_to_hand_marker_later",
        """\
draw c from deck
move c from deck to hand[bob]
choose ann: go
if c.worth > 2
    marker = 1
""",
    ),
    Leaky(
        "draw_weight_card",
        """\
draw n in 0..1 weight (if n = 0 then 1 else secret[bob])
marker = n
""",
    ),
    Leaky(
        "zone_count_hidden_move",
        """\
if secret[bob] > 1
    draw c from deck
    move c from deck to hand[bob]
""",
    ),
    Leaky("nested_index", "board[grid[grid[0]]] = 1"),
    Leaky(
        "two_hops",
        """\
grid[1] = secret[bob]
choose ann: go
marker = grid[1]
""",
    ),
    Leaky(
        "two_hops_local",
        """\
var x: 0..3 = 0
x = secret[bob]
choose ann: go
grid[1] = x
choose ann: go
if grid[1] > x - 1
    marker = grid[1]
""",
    ),
    Leaky(
        "call_then_result",
        """\
keepit(secret[bob])
choose ann: go
marker = grid[3]
""",
        more="""\
procedure keepit(n: 0..3)
    grid[3] = n
    choose ann: go
""",
    ),
    Leaky(
        "distance_weight",
        "marker = distance(0, 3 by price within 4)",
        more="function price(a: 0..3, b: 0..3): 0..3 = if a < b then grid[a] else 0",
    ),
    Leaky("component_hidden", "marker = component(3 by linked)"),
    Leaky("min_agg", "marker = min(k in 0..3: grid[k])"),
    Leaky(
        "some_agg",
        """\
if some k in 0..3: grid[k] = 2
    marker = 1
""",
    ),
    Leaky(
        "choose_each_text",
        'choose each p in Player secretly as b "b {secret[next(p)]}": bid in 0..3',
    ),
    Leaky(
        "actor_hand",
        """\
let w = first(p in Player where secret[p] = 3)
if w != none
    choose w: go
""",
    ),
    Leaky(
        "repeat_count",
        "choose bob repeatedly decreases secret[bob]: dec",
        more="""\
action dec by p
    require secret[p] > 0 "n"
    secret[p] -= 1
""",
    ),
    Leaky(
        "repeat_loses_secret",
        """\
choose bob repeatedly decreases secret[bob]: dec
marker = 3 - secret[bob]
""",
        more="""\
action dec by p
    require secret[p] > 0 "n"
    secret[p] -= 1
""",
    ),
    Leaky(
        "hidden_loop_while",
        """\
var k: 0..3 = 0
while k < grid[0] decreases 3 - k
    k += 1
    choose ann: go
""",
    ),
    Leaky(
        "swap_cards_size",
        """\
for c in hand[bob] where c.worth > 2
    move c from hand[bob] to deck
""",
    ),
    Leaky(
        "visible_zone_take",
        """\
for c in hand[bob] where secret[bob] > 1
    move c from hand[bob] to shown
""",
    ),
    Leaky(
        "without_end",
        """\
while rounds < 3 without end "so"
    choose ann: go
    rounds += 1
    if secret[bob] = rounds
        rounds = 3
""",
    ),
    Leaky(
        "draw_where_in_hand",
        """\
draw c in Card where c in hand[bob]
marker = c.worth
""",
    ),
    Leaky(
        "draw_revealed_to_one",
        """\
draw c from deck
reveal c to bob
marker = c.worth
""",
    ),
    Leaky(
        "draw_shown_sometimes",
        """\
draw c from deck
if c.worth > 2
    move c from deck to shown
marker = c.worth
""",
    ),
    Leaky(
        "draw_good_hidden",
        """\
draw k: Kind from bag[bob]
marker = ord(k)
""",
        more="""\
goods Kind: apple, pear limit 2
state
    pool store of Kind holds 1 apple, 1 pear hidden
    pool bag2 of Kind holds 1 apple, 1 pear
    pool bag[Player] of Kind visible to owner
""",
    ),
]

# These tell nothing that is not told anyway.
HARMLESS = [
    Leaky(
        "secretly_laid_open",
        """\
choose bob secretly: c in hand[bob]
move c from hand[bob] to shown
""",
    ),
    Leaky("score_declared_hidden_ok", "rounds += 1", score="sum(c in hand[p]: c.worth) hidden"),
    Leaky(
        "draw_revealed",
        """\
draw c from deck
reveal c
marker = c.worth
""",
    ),
    Leaky(
        "draw_shown",
        """\
draw c from deck
move c from deck to shown
marker = c.worth
""",
    ),
]
