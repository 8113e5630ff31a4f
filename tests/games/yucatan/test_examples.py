"""The worked examples of the rulebook, and those of what is printed on components."""

from __future__ import annotations

import pytest

from compiler.examples import Examples
from rules_dsl.language import syntax
from rules_dsl.language.program import assemble
from rules_dsl.language.sources import gather

PROGRAM = assemble(gather("yucatan"))
RUNNER = Examples(PROGRAM)
EXAMPLES = {e.title.value: e for e in PROGRAM.of(syntax.Example)}
# Where the rulebook itself gives an example, or a sequence of steps with numbers.
OF_THE_BOOK = {
    "Development", "Construction", "Military camp", "Barracks", "Temple", "Clan leader", "Warlords",
    "Prisoners", "Step 1: preparation", "Step 2: clash", "Step 3: end of the battle",
    "Destruction of an army", "Activating a city", "Sacrifice phase", "Calendar phase",
    "End of the game", "Symbols",
}  # fmt: skip


@pytest.mark.parametrize("title", EXAMPLES)
def test_comes_out_as_written(title: str) -> None:
    result = RUNNER.run_one(EXAMPLES[title])
    assert result.ok, f"{result.span}: {result.message}"


def test_every_part_of_the_book_has_one() -> None:
    cited = {c.heading for e in EXAMPLES.values() for c in e.cites}
    assert cited >= OF_THE_BOOK
