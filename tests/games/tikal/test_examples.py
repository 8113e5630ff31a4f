"""The worked examples of both rulebooks."""

from __future__ import annotations

import pytest

from compiler.examples import Examples
from rules_dsl.language import syntax
from rules_dsl.language.program import assemble
from rules_dsl.language.sources import gather

PROGRAM = assemble(gather("tikal"))
RUNNER = Examples(PROGRAM)
EXAMPLES = {e.title.value: e for e in PROGRAM.of(syntax.Example)}


@pytest.mark.parametrize("title", EXAMPLES)
def test_comes_out_as_written_from_a_lawful_position(title: str) -> None:
    result = RUNNER.run_one(EXAMPLES[title])
    assert result.ok, f"{result.span}: {result.message}"
    assert not result.breaks


def test_both_books_have_theirs() -> None:
    cited = {c.heading for e in EXAMPLES.values() for c in e.cites}
    assert {
        "Moving members",
        "Example of a scoring stage",
        "Example of the sequence of turns",
        "Placing terrain tiles",
        "Roads",
        "Example of the first turn",
        "Auction example",
    } <= cited
