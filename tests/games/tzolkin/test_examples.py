"""The worked examples of the rulebook, and those of the house rules."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
from compiler.examples import run_examples
from rules_dsl.language.program import assemble
from rules_dsl.language.sources import gather
from tests.games.worked_examples import cited_headings

VARIANTS = sorted((Path(rd.__file__).parent.parent / "games/tzolkin/variants").glob("*.rules"))


@pytest.mark.slow
@pytest.mark.parametrize("path", VARIANTS, ids=lambda path: path.stem)
def test_house_rules_come_out_as_written(path: Path) -> None:
    for result in run_examples(assemble(gather(str(path)))):
        assert result.ok, f"{result.title}: {result.message}"


def test_every_worked_example_of_the_book_is_there() -> None:
    cited = cited_headings("tzolkin")
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


BUILDING = """        given stock[yellow].wood = 2
        given stock[yellow].stone = 1
        given stock[yellow].gold = 1
        given stock[yellow].maize = 2
        given a2_07 in display
        given worker[tikal, 2] = yellow
        start turn(yellow)
        do "pick up Tikal 2", "perform Tikal 2", "build A2-07"
"""
RULED = f"""variant ruled of tzolkin
    example "Any action from a building may be that of the space for any action"
        players 4
        with any_action_again = allowed
{BUILDING}        do "perform Uxmal 5", "perform Palenque 1"
        expect stock[yellow].maize = 3

    example "It is excluded as the rules stand"
        players 4
{BUILDING}        refuse "perform Uxmal 5" because "the space for any action is excluded itself"

    example "A level that the first building gives may wait for the second"
        players 4
        with own_level = after
        given stock[yellow].wood = 5
        given stock[yellow].stone = 5
        given stock[yellow].gold = 5
        given a1_13 in display
        given a1_01 in display
        start build_two_or_a_monument(yellow)
        do "build A1-13 without architecture"
        expect stock[yellow].maize = 0
        do "build A1-01"
        expect stock[yellow].maize = 1
"""


def test_rulings_are_carried_out(tmp_path: Path) -> None:
    path = tmp_path / "ruled.rules"
    path.write_text(RULED, encoding="utf-8")
    added = {line.split('"')[1] for line in RULED.splitlines() if "    example" in line}
    results = [r for r in run_examples(assemble(gather(str(path)))) if r.title in added]
    assert {r.title for r in results} == added
    for result in results:
        assert result.ok, f"{result.title}: {result.message}"
