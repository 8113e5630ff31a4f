"""Examples that expect scores."""

from __future__ import annotations

import pytest

from compiler.examples import ExampleResult, run_examples
from rules_dsl.language.program import assemble
from rules_dsl.language.sources import SourceSet

GAME = """\
game race
    players 2 named ann, bob

state
    steps[Player]: -3..9 = 0
    scores: 0..9 = 4

action run(n: -3..3) by p
    steps[p] = n

play
    for p in Player
        choose p: run

scoring
    score p = steps[p] / 2 + 1

example "Half a point a step"
    do "run 3"
"""


def run(line: str) -> ExampleResult:
    text = f"{GAME}    {line}\n"
    sources = SourceSet(main="race.rules", texts={"race.rules": text}, includes={"race.rules": []})
    (result,) = run_examples(assemble(sources))
    return result


@pytest.mark.parametrize(
    "line",
    [
        "expect scores ann 5 / 2",
        "expect scores bob 1, ann 2 + 1 / 2",
        "expect scores ann (steps[ann] + 2) / 2",
        # Still the name of something else.
        "expect scores = 4",
        "expect scores mod 3 = 1",
    ],
)
def test_what_holds(line: str) -> None:
    assert run(line).message == ""
    assert run(line).ok


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("expect scores ann 2", "the score of ann is 5/2"),
        ("expect scores ann 5 / 2, bob -1 / 2", "the score of bob is 1"),
        ("expect scores < 4", "expected scores < 4, got scores = 4"),
    ],
)
def test_what_does_not(line: str, message: str) -> None:
    result = run(line)
    assert not result.ok
    assert result.message == message
    assert result.span.line == GAME.count("\n") + 1
