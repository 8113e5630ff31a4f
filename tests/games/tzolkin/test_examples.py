"""The worked examples of the rulebook, and those of the house rules."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
from compiler.examples import Examples, run_examples
from rules_dsl import syntax
from rules_dsl.program import assemble
from rules_dsl.sources import gather

PROGRAM = assemble(gather("tzolkin"))
RUNNER = Examples(PROGRAM)
EXAMPLES = {e.title.value: e for e in PROGRAM.of(syntax.Example)}
VARIANTS = sorted((Path(rd.__file__).parent.parent / "games/tzolkin/variants").glob("*.rules"))


@pytest.mark.parametrize("title", EXAMPLES)
def test_comes_out_as_written(title: str) -> None:
    result = RUNNER.run_one(EXAMPLES[title])
    assert result.ok, f"{result.span}: {result.message}"


@pytest.mark.slow
@pytest.mark.parametrize("path", VARIANTS, ids=lambda path: path.stem)
def test_house_rules_come_out_as_written(path: Path) -> None:
    for result in run_examples(assemble(gather(str(path)))):
        assert result.ok, f"{result.title}: {result.message}"


def test_every_worked_example_of_the_book_is_there() -> None:
    cited = {c.heading for e in EXAMPLES.values() for c in e.cites}
    assert {
        "Neutral workers",
        "Placing workers",
        "Picking up workers",
        "Buildings and monuments",
        "Palenque",
        "Tikal",
        "Uxmal",
        "Chichen Itza",
        "Two-day privilege",
        "Buildings with a one-off bonus",
        "Farms",
        "Feeding",
        "Rewards in the middle of an age",
        "Rewards at the end of an age",
        "Example: the first two rounds",
    } <= cited
