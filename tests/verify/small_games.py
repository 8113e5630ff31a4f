"""Small rule sets, each with one planted fault and its repaired twin."""

from __future__ import annotations

from attrs import frozen


@frozen
class Fault:
    """A rule set with a fault: what is reported, about what, and how to repair it."""

    name: str
    obligation: str
    subject: str
    rules: str
    # Lines of the rules and what they are replaced by in the repaired twin.
    repair: tuple[tuple[str, str], ...]

    @property
    def repaired(self) -> str:
        text = self.rules
        for old, new in self.repair:
            assert old in text, (self.name, old)
            text = text.replace(old, new)
        return text


HEAD = """game {name} "Test"
    players 2
    source S "Test"

"""
TAIL = """
scoring
    score p = 0
"""


def game(name: str, body: str) -> str:
    return HEAD.format(name=name) + body.strip("\n") + "\n" + TAIL


FAULTS: tuple[Fault, ...] = (
    Fault(
        "range", "safety", "step",
        game("range", """
state
    n: 0..9 = 0
    left: 0..20 = 20

action step by p
    n += 1
    left -= 1

play
    while left > 0 decreases left
        choose p1: step
"""),
        (("    n += 1\n", "    n = (n + 1) mod 10\n"),),
    ),
    Fault(
        "pool_below_zero", "safety", "pay",
        game("pool_below_zero", """
good coin limit 5

state
    pool bank_box bank
    pool purse[Player]
    left: 0..9 = 9

action pay by p
    move 1 coin from purse[p] to bank_box
    left -= 1

play
    while left > 0 decreases left
        choose p1: pay
"""),
        (("    move 1 coin", "    move up to 1 coin"),),
    ),
    Fault(
        "law_broken", "invariant", "small",
        game("law_broken", """
state
    n: 0..9 = 0
    left: 0..5 = 5

action gain(k: 1..2) by p
    require n + k <= 9 "full"
    n += k
    left -= 1

play
    while left > 0 decreases left
        choose p1 optionally: gain
        if left > 0
            left -= 1

invariant small
    n <= 5
"""),
        (('    require n + k <= 9 "full"', '    require n + k <= 5 "full"'),),
    ),
    Fault(
        "set_up_breaks_a_law", "init", "empty",
        game("set_up_breaks_a_law", """
state
    n: 0..9 = 0

action go by p
    n = 0

setup
    n = 3

play
    choose p1: go

invariant empty
    n = 0
"""),
        (("    n = 3\n", "    n = 0\n"),),
    ),
    Fault(
        "stuck", "progress", "play",
        game("stuck", """
state
    taken: set of 0..2
    left: 0..4 = 4

action take(k: 0..2) by p
    require k not in taken "taken"
    add k to taken
    left -= 1

play
    while left > 0 decreases left
        choose p1: take

invariant counted
    count(k in taken) + left = 4
"""),
        (("left: 0..4 = 4", "left: 0..3 = 3"), ("+ left = 4", "+ left = 3")),
    ),
    Fault(
        "endless", "termination", "play",
        game("endless", """
state
    n: 0..9 = 5

action up by p
    require n < 9 "top"
    n += 1

action down by p
    require n > 0 "bottom"
    n -= 1

play
    while n > 0 decreases n
        choose p1: up, down
"""),
        (("choose p1: up, down", "choose p1: down"), ("""action up by p
    require n < 9 "top"
    n += 1

""", "")),
    ),
    Fault(
        "empty_bag", "safety", "play",
        game("empty_bag", """
table Card
    row a
    row b

state
    zone deck of Card holds all
    zone gone of Card
    left: 0..3 = 3

play
    while left > 0 decreases left
        draw c from deck
        move c from deck to gone
        left -= 1

invariant counted
    count(c in gone) + left = 3
"""),
        (("left: 0..3 = 3", "left: 0..2 = 2"), ("+ left = 3", "+ left = 2")),
    ),
    Fault(
        "dead_rule", "liveness", "bribe",
        game("dead_rule", """
state
    n: 0..5 = 5
    rich: bool = false

action wait by p
    n -= 1

action bribe by p
    require rich "never"
    n -= 1

play
    while n > 0 decreases n
        choose p1: wait, bribe
"""),
        (("require rich", "require n > 3"),),
    ),
    Fault(
        "contradiction", "liveness", "trade",
        game("contradiction", """
state
    n: 0..5 = 5

action wait by p
    n -= 1

action trade by p
    require n > 3 "few"
    require n < 2 "many"
    n -= 1

play
    while n > 0 decreases n
        choose p1: wait, trade
"""),
        (("require n < 2", "require n < 5"),),
    ),
    Fault(
        "leak", "views", "shown",
        game("leak", """
state
    secret[Player]: 0..3 visible to owner
    shown: 0..3 = 0

action keep(k: 0..3) by p
    secret[p] = k

play
    choose p1: keep
    choose p2: keep
    shown = secret[p1]
"""),
        (("    shown = secret[p1]\n", "    shown = 1\n"),),
    ),
    Fault(
        "peeking", "views", "play.guess",
        game("peeking", """
state
    secret[Player]: 0..3 visible to owner
    won: bool = false

action keep(k: 0..3) by p
    secret[p] = k

play
    choose p1: keep
    choose p2 as guess: k in 0..secret[p1]
"""),
        (("k in 0..secret[p1]", "k in 0..secret[p2]"),),
    ),
    Fault(
        "wrong_example", "examples", "One step",
        game("wrong_example", """
state
    n: 0..5 = 5

action wait by p
    n -= 1

play
    while n > 0 decreases n
        choose p1: wait

example "One step"
    do "wait"
    expect n = 3
"""),
        (("expect n = 3", "expect n = 4"),),
    ),
    Fault(
        "index", "safety", "walk",
        game("index", """
state
    seen[0..4]: bool
    at: 0..9 = 0
    left: 0..6 = 6

action walk by p
    at += 1
    seen[at] = true
    left -= 1

play
    while left > 0 decreases left
        choose p1: walk

invariant counted
    at + left = 6
"""),
        (("seen[0..4]", "seen[0..9]"),),
    ),
    Fault(
        "two_on_one_space", "invariant", "apart",
        game("two_on_one_space", """
state
    at[Player]: 0..5
    mover: Player = p1
    left: 0..9 = 9

action go(k: 0..5) by p
    at[p] = k
    mover = next(p)
    left -= 1

setup
    at[p2] = 5

play
    while left > 0 decreases left
        choose mover: go

invariant apart
    at[p1] != at[p2]
"""),
        (("    at[p] = k\n", '    require at[next(p)] != k "taken"\n    at[p] = k\n'),),
    ),
    Fault(
        "assertion", "safety", "play",
        game("assertion", """
state
    n: 0..5 = 5

action wait by p
    n -= 1

play
    while n > 0 decreases n
        choose p1: wait
        assert n > 0 "something is left"
"""),
        (("assert n > 0", "assert n >= 0"),),
    ),
)
