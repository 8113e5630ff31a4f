"""Tables with many rows that have effects: nesting does not grow with their number."""

from __future__ import annotations

import pytest

from compiler.pipeline import to_c, to_python
from tests.compiler.agreement import play_side_by_side
from tests.compiler.test_generated_programs import build
from tests.compiler.test_native import native, same_game

START = """\
game many "Many rows"
    players 2 named a, b
table Card
    columns worth: 0..9
    procedure used(p: Player)
        total = 999
"""
REST = """\
state
    total: 0..999 = 0
    turn: Player = a
action take(c: Card) by p
    require total != ord(c) "not twice"
    c.used(p)
    turn = next(p)
play
    for k in 1..20
        choose turn: take
scoring
    score p = total
"""


def game_text(rows: int) -> str:
    lines = []
    for k in range(rows):
        lines.append(f"    row r{k}: {k % 9}\n")
        if k % 5:  # the others do what all rows do
            lines.append(f"        used\n            total = {k} + ord(p)\n")
    return START + "".join(lines) + REST


@pytest.mark.parametrize("rows", [8, 250])
def test_every_row_has_its_effect(rows: int) -> None:
    game = build(game_text(rows), 2)
    game.origin.as_written = False  # type: ignore[misc]
    assert play_side_by_side(game, seed=rows, limit=20) == 20
    assert same_game(game.machine, native(game, checked=True), 3, 20) == 20


def test_nesting_grows_slowly() -> None:
    module = build(game_text(400), 2).ir
    deepest = max(len(line) - len(line.lstrip()) for line in to_python(module).text.splitlines())
    assert deepest <= 4 * 14
    assert "switch (v_row)" in to_c(module)
