"""Where rules fail, the rule file is shown."""

from __future__ import annotations

import traceback
from pathlib import Path

import pytest

import rules_dsl as rd

FAULTY = """\
game faulty "Faulty"
    players 2

state
    x: 0..3 = 3
    pick: Player? = none
    seen[Player]: 0..3

action leap by p
    x += 2

action ask by p
    assert x < 3 "x is small"

action follow by p
    seen[pick] = 1

play
    choose p1: leap, ask, follow

scoring
    score p = x
"""


@pytest.fixture
def game(tmp_path: Path) -> rd.Game:
    path = tmp_path / "faulty.rules"
    path.write_text(FAULTY)
    return rd.load(path)


@pytest.mark.parametrize(
    ("move", "line", "message"),
    [("leap", 10, "x is 5, outside 0..3"), ("ask", 13, "x is small"), ("follow", 16, "")],
)
def test_a_fault_names_its_line(game: rd.Game, move: str, line: int, message: str) -> None:
    with pytest.raises(rd.Fault) as caught:
        game.start(seed=1).play(move)
    assert f"faulty.rules:{line}: " in str(caught.value)
    assert message in str(caught.value)


def test_a_traceback_shows_the_rule(game: rd.Game) -> None:
    with pytest.raises(rd.Fault) as caught:
        game.start(seed=1).play("leap")
    shown = "".join(traceback.format_exception(caught.value))
    assert "faulty.rules" in shown
    assert "x += 2" in shown


def test_a_warm_traceback_shows_it_too(game: rd.Game) -> None:
    again = rd.load(game.origin.name)
    with pytest.raises(rd.Fault) as caught:
        again.start(seed=1).play("leap")
    assert "x += 2" in "".join(traceback.format_exception(caught.value))


def test_generated_functions_belong_to_rule_files() -> None:
    code = rd.load("tic_tac_toe").machine.code
    names = {f.__code__.co_filename for f in code.values() if hasattr(f, "__code__")}
    assert any(name.endswith("tic_tac_toe.rules") for name in names)
