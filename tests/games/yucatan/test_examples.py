"""The worked examples of the rulebook, and those of what is printed on components."""

from __future__ import annotations

from tests.games.worked_examples import cited_headings

# Where the rulebook itself gives an example, or a sequence of steps with numbers.
OF_THE_BOOK = {
    "Development", "Construction", "Military camp", "Barracks", "Temple", "Clan leader", "Warlords",
    "Prisoners", "Step 1: preparation", "Step 2: clash", "Step 3: end of the battle",
    "Destruction of an army", "Activating a city", "Sacrifice phase", "Calendar phase",
    "End of the game", "Symbols",
}  # fmt: skip


def test_every_part_of_the_book_has_one() -> None:
    cited = cited_headings("yucatan")
    assert cited >= OF_THE_BOOK
