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
