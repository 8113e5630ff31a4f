"""Examples that start in a position which the rules cannot reach say so."""

from __future__ import annotations

from compiler.examples import run_examples
from rules_dsl.language.program import assemble
from tests.language.programs import game, sources

RULES = game(
    """
invariant few "Few points"
    every p in Player: points[p] < 50

invariant best_has_points
    best != none implies points[best] > 0

example "A lawful position"
    players 2
    given points[ann] = 3
    given best = ann
    start turn(ann)
    do "gain"

example "Two invariants are broken"
    players 2
    given points[bob] = 50
    given best = ann
    start turn(ann)
    do "gain"

example "The opening"
    expect points[ann] = 0
"""
)


def test_the_invariants_that_a_position_breaks_are_named() -> None:
    results = run_examples(assemble(sources(RULES)))
    assert all(result.ok for result in results)
    assert [result.breaks for result in results] == [(), ("few", "best_has_points"), ()]


ARRANGED = """
game beads "Beads"
    players 2..3 named ann, bob, cem

good bead

state
    points[Player]: 0..4 = 0
    pool box[Player] of bead holds 4 bead
    pool shelf[Player, 1..3] of bead
    pool floor of bead holds 12 bead

procedure put_by(p: Player, n: 0..4)
    move n bead from box[p] to shelf[p, 1]
    points[p] = n

invariant beads_of_each
    every p in Player: box[p].bead + sum(n in 1..3: shelf[p, n].bead) = 4

example "Goods come from the pool where they start"
    players 2
    given shelf[bob, 2].bead = 3
    start turn(ann)
    expect box[bob].bead = 1 and box[ann].bead = 4

example "A procedure arranges the position, and the course of the game stays"
    players 2
    given put_by(ann, 2)
    given every p in Player where p != ann: put_by(p, 1)
    start turn(ann)
    expect box[ann].bead = 2 and box[bob].bead = 3 and points[ann] = 2 and points[bob] = 1
    do "gain"

example "There are only four"
    players 2
    given shelf[bob, 2].bead = 5
    expect points[ann] = 0

action gain by p
    points[p] = 3

procedure turn(p: Player)
    choose p: gain

play
    put_by(ann, 1)
    turn(ann)

scoring
    score p = points[p]
"""


def test_given_keeps_goods_together_and_calls_procedures() -> None:
    *sound, short = run_examples(assemble(sources(ARRANGED)))
    assert [(result.ok, result.message, result.breaks) for result in sound] == [(True, "", ())] * 2
    assert (short.ok, short.message) == (False, "there is not enough bead")


MISSPELT = game(
    """
example "The reason of a similar move is not the reason of this one"
    refuse "gian" because "did you mean"
"""
)


def test_a_hint_is_not_a_reason() -> None:
    (result,) = run_examples(assemble(sources(MISSPELT)))
    assert not result.ok
    assert result.message == "refused, but because: there is no move `gian` here"
