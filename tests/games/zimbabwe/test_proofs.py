"""Steps of The Great Zimbabwe that are hard to prove, and the house rule that makes games end."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
from verify.proof.settings import STEPWISE, Settings
from verify.proof.step_checker import Checker
from verify.proof.step_parts import ENTRY, Start

TWELVE_ROUNDS = Path(rd.__file__).parent.parent / "games/zimbabwe/variants/twelve_rounds.rules"
# In `play`, after the last turn of a round: revenue, the winner, and round again.
END_OF_A_ROUND = Start("play", 8, None)


@pytest.fixture(scope="module")
def checker() -> Checker:
    return Checker(rd.load("zimbabwe", players=2).ir, Settings(STEPWISE))


@pytest.mark.parametrize(
    ("procedure", "block", "way"),
    [
        ("action place_craftsmen", 0, None),
        ("set_price", 0, ENTRY),
        ("set_price", 0, 0),
        ("action raise_one", 2, None),
    ],
    ids=["where craftsmen are placed", "a price to set", "a price set", "a gift to receive"],
)
def test_the_step_is_proved(checker: Checker, procedure: str, block: int, way: int | None) -> None:
    checked = checker.check(Start(procedure, block, way))
    assert not checked.unproved
    assert checked.parts
    assert not [part for part in checked.parts if part.status != "PROVED"]


def test_both_cards_of_a_craft_may_be_taken() -> None:
    """With three players a third may ask for a card: what the text says of it has a value."""
    checked = Checker(rd.load("zimbabwe", players=3).ir, Settings(STEPWISE)).check(
        Start("action place_craftsmen", 0, None)
    )
    assert checked.parts
    assert not [part for part in checked.parts if part.status != "PROVED"]


def measures(checker: Checker) -> list[str]:
    """Verdicts about the loop of rounds: whether every round brings its end nearer."""
    parts = checker.check(END_OF_A_ROUND).parts
    assert {part.status for part in parts} == {"PROVED"}
    return [p.status for p in parts if p.obligation == "termination" and p.subject == "play"]


def test_twelve_rounds_are_proved_to_end(checker: Checker) -> None:
    limited = Checker(rd.load(str(TWELVE_ROUNDS), players=2).ir, Settings(STEPWISE))
    assert measures(limited) == ["PROVED"]
    # The game itself has no such measure, and claims none.
    assert measures(checker) == []
