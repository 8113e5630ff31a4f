"""The worked examples of both rulebooks."""

from __future__ import annotations

from tests.games.worked_examples import cited_headings


def test_both_books_have_theirs() -> None:
    cited = cited_headings("tikal")
    assert {
        "Moving members",
        "Example of a scoring stage",
        "Example of the sequence of turns",
        "Placing terrain tiles",
        "Roads",
        "Example of the first turn",
        "Auction example",
    } <= cited
