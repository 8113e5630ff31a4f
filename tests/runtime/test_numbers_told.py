"""Why an invariant does not hold in a position, in numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
from compiler.runtime.numbers_told import Numbers
from verify.proof.obligation import Kind
from verify.proof.results import Result
from verify.search.culprits import quoted_rule

GAME = """\
game purse
    players 2 named ann, bob

good coin

state
    pool bank holds 9 coin
    turns: 0..9 = 5
    gold[Player]: 0..9 = 0
    field[1..3]: 0..9 = 0
    winner: Player? = ann

label gold "gold pieces"

action spend by p
    turns -= 1

play
    for p in Player
        choose p: spend

scoring
    score p = gold[p]

example "spend"
    do "spend"

invariant broken
"""

CASES = [
    (
        "turns <= 3 or every p in Player: gold[p] = 1",
        "5 (turns), but must be at most 3; or else for ann: 0 gold pieces, but must be 1",
    ),
    (
        "turns <= 3 or turns >= 7",
        "5 (turns), but must be at most 3; or else 5 (turns), but must be at least 7",
    ),
    ("turns = 5 implies gold[bob] = 2", "turns is 5; 0 gold pieces of bob, but must be 2"),
    ("winner = none or turns = 0", "winner is ann; 5 (turns), but must be 0"),
    ("winner = none or winner = bob", "winner is ann"),
    (
        "every k in 1..3: field[k] = k",
        "where k = 1: 0 (field), but must be 1",
    ),
    ("every k in 1..3: (field[k] = 0) = (k = 1)", "where k = 2: field[2] is 0"),
    ("sum(k in 1..3: field[k]) = turns", "0 (the sum of field), but must be 5 (turns)"),
]


def game(folder: Path, condition: str) -> rd.Game:
    file = folder / "purse.rules"
    file.write_text(f"{GAME}    {condition}\n")
    return rd.load(str(file))


@pytest.mark.parametrize(("condition", "told"), CASES)
def test_each_way_to_hold_is_told(tmp_path: Path, condition: str, told: str) -> None:
    purse = game(tmp_path, condition)
    (invariant,) = purse.ir.invariants
    assert Numbers(purse, purse.start().cells).broken(invariant.condition) == told


@pytest.mark.parametrize(
    ("obligation", "quoted"),
    [
        ("safety", "purse.rules:15   action spend by p"),
        ("examples", 'purse.rules:25   example "spend"'),
        ("views", "purse.rules:15   action spend by p"),
        ("invariant", ""),
    ],
)
def test_a_quoted_rule_is_of_the_kind_that_the_obligation_is_about(
    tmp_path: Path, obligation: Kind, quoted: str
) -> None:
    """An example may have the title that is the name of an action."""
    program = game(tmp_path, "turns = 5").origin.program()
    result = Result("purse", 2, {}, obligation, "spend", "REFUTED", 0.0)
    assert quoted_rule(program, result) == quoted


BAG = """\
game bag
    players 2

goods Stone: red, blue

state
    pool bag of Stone holds 1 red, 1 blue
    pool mine[Player]

play
    choose p1: k in 0..1
    draw s: Stone from bag
    move 1 s from mine[p1] to bag

scoring
    score p = 0
"""


def test_goods_of_a_kind(tmp_path: Path) -> None:
    path = tmp_path / "bag.rules"
    path.write_text(BAG, encoding="utf-8")
    bag = rd.load(str(path))
    there = Numbers(bag, bag.start().cells)
    assert list(there.goods("bag", "Stone")) == ["1 red in bag", "1 blue in bag"]
    assert list(there.goods("bag", "red")) == ["1 in bag"]
