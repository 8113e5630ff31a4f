"""The worked examples of the rulebook, and the answered questions."""

from __future__ import annotations

import pytest

from compiler.examples import Examples
from rules_dsl.language import syntax
from rules_dsl.language.program import assemble
from rules_dsl.language.sources import gather

PROGRAM = assemble(gather("zimbabwe"))
RUNNER = Examples(PROGRAM)
EXAMPLES = {e.title.value: e for e in PROGRAM.of(syntax.Example)}


@pytest.mark.parametrize("title", EXAMPLES)
def test_comes_out_as_written(title: str) -> None:
    result = RUNNER.run_one(EXAMPLES[title])
    assert result.ok, f"{result.span}: {result.message}"
    assert not result.breaks


def test_the_book_has_its_own() -> None:
    cited = {c.heading for e in EXAMPLES.values() for c in e.cites}
    assert {"Auction example", "Placing example", "Raising example"} <= cited


def test_every_god_and_specialist_has_one() -> None:
    cited = {c.heading for e in EXAMPLES.values() for c in e.cites}
    gods = {
        "Shadipinyi", "Elegua", "Dziva", "Eshu", "Gu", "Obatala", "Atete", "Tsui-Goab", "Anansi",
        "Qamata", "Engai", "Xango",
    }  # fmt: skip
    assert gods | {"Shaman", "Rain ceremony", "Herd", "Builder", "Nomads"} <= cited
