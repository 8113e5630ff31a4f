"""The author's own lines in a refutation, for every statement that changes the state."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
from verify.search.culprits import culprits

RULES = """game harbour "Harbour"
    players 2

table Card
    columns value: 1..4
    row gull: 1
    row crab: 2

state
    coins: 0..9 = 5
    turn: order of Player
    pile deck of Card holds all hidden
    pile heap of Card
    zone hand[Player] of Card

action bow by p
    move p to back of turn

action fish by p
    require deck is not empty
    draw c from top of deck to hand[p]

action mix by p
    shuffle heap into deck

action pay by p
    cost 1 coins
    coins = 9

play
    choose first(p in turn): bow, fish, mix, pay

scoring
    score p = coins
"""


@pytest.mark.parametrize(
    ("name", "action", "lines"),
    [
        ("turn", "bow", ["move p to back of turn"]),
        ("deck", "fish", ["draw c from top of deck to hand[p]"]),
        ("hand", "fish", ["draw c from top of deck to hand[p]"]),
        ("heap", "mix", ["shuffle heap into deck"]),
        ("coins", "pay", ["cost 1 coins", "coins = 9"]),
        ("heap", "bow", []),
    ],
)
def test_a_line_that_changes_a_name_is_shown(
    name: str, action: str, lines: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "harbour.rules"
    path.write_text(RULES, encoding="utf-8")
    found = culprits(rd.load(str(path)), {name}, action, "", lambda _: True)
    assert [line.text for line in found] == lines
