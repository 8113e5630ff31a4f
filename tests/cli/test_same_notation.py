"""Two moves of one decision that are written alike: `check` finds them, records tell them apart."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

import rules_dsl as rd
from rules_dsl.cli import rules

ALIKE = """game alike "Alike"
    players 2

state
    x: 0..9
    n: 0..9

action take(i: 1..3) by p "take"
    x = i
    n += 1

play
    while n < 3 decreases 3 - n
        choose p1: take
    end

scoring
    score p = x
"""


def test_check_finds_it(tmp_path: Path) -> None:
    path = tmp_path / "alike.rules"
    path.write_text(ALIKE)
    result = CliRunner().invoke(rules, ["check", str(path)])
    assert result.exit_code == 1
    assert "error[E0450]: two moves are written `take` at once: `x` is 1 or 2" in result.output
    assert "alike.rules:14:9" in result.output
    path.write_text(ALIKE.replace('"take"', '"take {i}"'))
    assert CliRunner().invoke(rules, ["check", str(path)]).exit_code == 0


def test_what_differs_in_spaces_or_case_only(tmp_path: Path) -> None:
    """A move is found without regard to them, so they do not tell moves apart."""
    path = tmp_path / "alike.rules"
    other = 'action put by p "Take_1"\n    x = 7\n    n += 1\n\n'
    text = ALIKE.replace('"take"', '"take {i}"').replace("play\n", f"{other}play\n")
    path.write_text(text.replace("p1: take", "p1: take, put"))
    assert "`Take_1`" in CliRunner().invoke(rules, ["check", str(path)]).output


def test_the_same_result_is_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "alike.rules"
    path.write_text(ALIKE.replace("x = i", "x = 1"))
    assert CliRunner().invoke(rules, ["check", str(path)]).exit_code == 0


def test_records_tell_them_apart(tmp_path: Path) -> None:
    path = tmp_path / "alike.rules"
    path.write_text(ALIKE)
    game = rd.load(path)
    state = game.start()
    for number in (2, 0, 1):
        state = state.play(state.moves()[number])
    text = game.record(state).to_json()
    assert json.loads(text)["moves"] == ["take", "take", "take"]
    assert game.replay(text) == state
    assert state["x"] == 2
