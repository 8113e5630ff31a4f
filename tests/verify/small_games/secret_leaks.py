"""Leaks by way of secret choices, procedures, cards that are shown and what is revealed."""

from __future__ import annotations

from tests.verify.small_games import Leaky

LEAKS = [
    Leaky(
        "sib_act_public_effect",
        "choose bob secretly: hide, hush",
        more="""\
action hide by p
    grid[0] = 1

action hush by p
    marker = 1
""",
    ),
    Leaky(
        "sib_act_asks",
        "choose bob secretly: hide, hush",
        more="""\
action hide by p
    grid[0] = 1

action hush by p
    choose next(p): go
""",
    ),
    Leaky(
        "sib_opt_local",
        """\
choose bob optionally always secretly: n in 0..3
choose ann: go
marker = if n = none then 0 else 1
""",
    ),
    Leaky(
        "sib_pass_zone",
        """\
choose bob optionally always secretly: c in hand[bob]
if c != none
    move c from hand[bob] to deck
""",
    ),
    Leaky(
        "laid_open_later",
        """\
choose bob secretly: c in hand[bob]
choose ann: go
if c.worth > 2
    marker = 1
""",
    ),
    Leaky(
        "laid_then_marker",
        """\
draw a from deck
move a from deck to hand[bob]
choose bob secretly: c in hand[bob]
move c from hand[bob] to shown
marker = secret[bob]
""",
    ),
    Leaky(
        "shown_min",
        """\
draw a from deck
move a from deck to hand[bob]
let w = fewest(c in hand[bob]: c.worth)
if w != none
    move w from hand[bob] to shown
""",
    ),
    Leaky(
        "two_draws_order",
        """\
draw a from deck
draw b from deck where b != a
if secret[bob] > 1
    move a from deck to shown
else
    move b from deck to shown
""",
    ),
    Leaky(
        "draw_then_choice_shown",
        """\
draw a from deck
choose ann: go
move a from deck to shown
if a.worth > 2
    grid[0] = 1
marker = grid[0]
""",
    ),
    Leaky(
        "draw_hold_local",
        """\
draw a from deck
choose ann: n in 0..1 where n = 0 or a.worth > 2
""",
    ),
    Leaky(
        "while_hidden_inner_choice",
        """\
var k: 0..3 = 0
while k < grid[0] decreases 3 - k
    k += 1
    choose ann: go
""",
    ),
    Leaky(
        "proc_returns2",
        "early()",
        more="""\
procedure early()
    if grid[0] > 1
        return
    choose ann: go
""",
    ),
    Leaky(
        "proc_arg_kept2",
        "asks(grid[0])",
        more="""\
procedure asks(n: 0..3)
    choose ann: go
    inner(n)

procedure inner(n: 0..3)
    choose bob: go
    marker = n
""",
    ),
    Leaky(
        "let_in_action_text",
        "choose ann: act, go",
        more="""\
action act(m: 0..3) by p "act {m}"
    let z = secret[next(p)]
    require z >= 0 "no {z}"
    rounds += 0
""",
    ),
    Leaky(
        "let_in_action_effect",
        "choose ann: act, go",
        more="""\
action act(m: 0..3) by p "act {m}"
    let z = secret[next(p)]
    marker = z
""",
    ),
    Leaky(
        "component_choice",
        "choose ann: k in 0..3 where component of k by net = 0",
        more="""\
relation net on a in 0..3
    joined with 0 as b where grid[a] > 1
""",
    ),
    Leaky(
        "order_loop_asks",
        """\
if secret[bob] > 1
    move bob to front of turn
for p in turn
    choose p: go
""",
        more="""\
state
    turn: order of Player
""",
    ),
    Leaky(
        "each_actions_first",
        """\
choose each p in Player secretly
    choose p as a: n in 0..1
    choose p optionally as b: m in 0..1 where n = 1
""",
    ),
    Leaky(
        "each_sets_size_hid",
        """\
choose each p in Player secretly
    choose p as a: s among 0..secret[p] of 0..3
    choose p optionally as b: m in 0..1 where 3 in s
""",
    ),
    Leaky(
        "each_where_own_hidden",
        "choose each p in Player where king not in hand[p] secretly: n in 0..1",
    ),
    Leaky(
        "reveal_choice_other",
        """\
choose bob secretly: n in 0..3
reveal n
marker = secret[bob]
""",
    ),
    Leaky(
        "reveal_hidden_cond",
        """\
if secret[bob] > 1
    reveal 1
else
    reveal 1
""",
    ),
    Leaky(
        "reveal_card",
        """\
let f = first(c in hand[bob])
reveal f
marker = secret[bob]
""",
    ),
    Leaky(
        "reveal_count_loop",
        """\
for c in hand[bob] where c.worth > 2
    reveal c
""",
    ),
    Leaky(
        "one_of_two_chosen",
        """\
draw a from deck
move a from deck to hand[bob]
choose bob secretly: c in hand[bob], d in hand[bob] where c < d
if secret[bob] > 1
    move c from hand[bob] to shown
else
    move d from hand[bob] to shown
""",
    ),
    Leaky(
        "text_for_another",
        """\
var who: Player = caller
if secret[bob] > 1
    for k in 0..1
        keeps true
        who = bob
choose who: tell
""",
        more="""\
state
    caller: Player = bob

action tell by p "tell {secret[bob]}"
    marker = 1

invariant bob_calls
    caller = bob
""",
    ),
    Leaky(
        "not_what_is_secret",
        """\
draw d in 0..3
draw e in 0..3 where e != d
marker = e
grid[0] = d
""",
    ),
]

HARMLESS = [
    Leaky(
        "cost_own_text",
        "choose bob: pay, go",
        more="""\
action pay by p
    cost 1 secret[p]
    rounds += 0
""",
    ),
    Leaky(
        "keeps_hidden",
        """\
for k in 0..2
    keeps rounds <= 3
    grid[k] = secret[bob]
""",
    ),
    Leaky(
        "reveal_sum_fine",
        """\
reveal secret[bob] + secret[ann]
marker = secret[bob] + secret[ann]
""",
    ),
    Leaky(
        "each_value_kept",
        """\
choose each p in Player secretly: bb in 0..3
marker = bb[bob]
""",
    ),
    Leaky(
        "public_choice_of_hand_card",
        """\
choose bob as laying "lay {c}": c in hand[bob]
move c from hand[bob] to shown
""",
    ),
    Leaky(
        "draw_mask_ok",
        """\
draw d in 0..3
grid[0] = (d + secret[bob]) mod 4
""",
    ),
    Leaky(
        "ghost_before",
        "keepit()",
        more="""\
procedure keepit()
    ensures secret[bob] >= before(secret[bob])
    secret[bob] = 3
""",
    ),
    Leaky(
        "sib_act_hidden_effect",
        "choose bob secretly: hide, hush",
        more="""\
action hide by p
    grid[0] = 1

action hush by p
    grid[0] = 2
""",
    ),
    Leaky(
        "sib_laid_open",
        """\
choose bob secretly: c in hand[bob]
move c from hand[bob] to shown
""",
    ),
    Leaky(
        "shown_all",
        """\
draw a from deck
move a from deck to hand[bob]
for c in hand[bob]
    move c from hand[bob] to shown
""",
    ),
    Leaky(
        "proc_arg_ok",
        "asks(grid[0])",
        more="""\
procedure asks(n: 0..3)
    choose ann: go
    grid[1] = n
""",
    ),
    Leaky(
        "by_key_hidden_inner",
        """\
for p in Player by secret[p] downwards
    grid[0] = ord(p)
""",
    ),
    Leaky(
        "each_actions_always",
        """\
choose each p in Player secretly
    choose p as a: n in 0..1
    choose p optionally always as b: m in 0..1 where n = 1
""",
    ),
    Leaky(
        "each_sets",
        """\
choose each p in Player secretly
    choose p as a: s among 0..2 of 0..3
for k in s[bob]
    board[k] = 1
""",
    ),
    Leaky(
        "each_cards",
        """\
choose each p in Player secretly: c in hand[p]
for p in Player
    move c[p] from hand[p] to shown
""",
    ),
    Leaky(
        "reveal_choice_only",
        """\
choose bob secretly: n in 0..3
reveal n
marker = n
""",
    ),
]
