"""The worked examples of the rulebook, and the answered questions."""

from __future__ import annotations

from tests.games.worked_examples import cited_headings


def test_the_book_has_its_own() -> None:
    cited = cited_headings("zimbabwe")
    assert {"Auction example", "Placing example", "Raising example"} <= cited


def test_every_god_and_specialist_has_one() -> None:
    cited = cited_headings("zimbabwe")
    gods = {
        "Shadipinyi", "Elegua", "Dziva", "Eshu", "Gu", "Obatala", "Atete", "Tsui-Goab", "Anansi",
        "Qamata", "Engai", "Xango",
    }  # fmt: skip
    assert gods | {"Shaman", "Rain ceremony", "Herd", "Builder", "Nomads"} <= cited
