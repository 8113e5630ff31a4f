"""The worked examples of the large games have the results that the rulebooks give."""

from __future__ import annotations

import pytest

from tests.games.worked_examples import examples_of, run_example

GAMES = ("tikal", "tzolkin", "yucatan", "zimbabwe")
EXAMPLES = [(game, title) for game in GAMES for title in examples_of(game)]


@pytest.mark.parametrize(("game", "title"), EXAMPLES, ids=lambda text: text)
def test_as_written_from_a_lawful_position(game: str, title: str) -> None:
    result = run_example(game, title)
    assert result.ok, f"{result.span}: {result.message}"
    assert not result.breaks
