"""Rules that a constant, an option or a ruling switches off: the rest is still a game."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import rules_dsl as rd
from compiler.python.writer import filled
from compiler.runtime.fault import Fault
from rules_dsl.cli import rules
from rules_dsl.language.spans import NOWHERE

GAME = """\
game g
    players 2

option on: bool = false
const n = 1

good cube limit 9

state
    x: 0..99
    pool bank bank
    pool own[Player]

action a by p
    require on "switched off"
    x += 1

action b(k: 0..3) by p
    require k > 9 "never"
    x += k

action c by p
    x += 1

procedure nothing()
    if n != n
        x = 1

procedure quiet()
    for k in Player where n != n
        x = 1

{more}
play
{play}
    end

scoring
    score p = x
"""

PLAYS = {
    "the only option": ("", "    choose p1: a"),
    "the only option has a parameter": ("", "    choose p1: b"),
    "all options": ("", "    choose p1: a, b"),
    "one of two options": ("", "    choose p1: a, c"),
    "an optional choice": ("", "    choose p1 optionally: a"),
    "a loop over nobody": ("", "    for k in Player where n != n\n        x = 1"),
    "a loop with a decision": ("", "    for k in Player where n != n\n        choose k: c"),
    "a condition": ("", "    if n != n\n        x = 1"),
    "a condition with a decision": ("", "    if on\n        choose p1: c"),
    "an empty procedure": ("", "    nothing()\n    quiet()"),
    "a move of nothing": ("", "    move 0 cube from bank to own[p1]"),
    "a loop in a loop": (
        "",
        "    for k in Player\n        for j in 1..3 where n != n\n            x = 1",
    ),
    "an else that is off": (
        "",
        "    if x = 0\n        x = 1\n    else\n        if n != n\n            x = 2",
    ),
    "a while that is off": ("", "    while on and x < 9 decreases 9 - x\n        choose p1: c"),
    "a function of it": (
        "function f(): 0..9\n    if on\n        return 1\n    return 2\n\n",
        "    x = f()",
    ),
}


@pytest.mark.parametrize(("more", "play"), PLAYS.values(), ids=PLAYS)
def test_it_is_a_game(more: str, play: str, tmp_path: Path) -> None:
    path = tmp_path / "g.rules"
    path.write_text(GAME.format(more=more, play=play), encoding="utf-8")
    checked = CliRunner().invoke(rules, ["check", str(path)])
    assert checked.exit_code == 0, checked.output
    for on in (False, True):
        game = rd.load(path, options={"on": on})
        state = game.start(seed=1)
        while not state.over and state.moves():
            state = state.play(state.moves()[0])
        if state.over:
            assert game.playout(seed=1).over
        else:
            # A player who must decide and cannot: said in words in all play.
            assert state.explain("a")
            with pytest.raises(rd.IllegalMove):
                state.play("a")
            for work in (game.playout, game.simulate):
                with pytest.raises(Fault, match="p1 must decide and has no legal move"):
                    work()


def test_check_compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that cannot become code are reported by `check`, not only on loading."""
    monkeypatch.setattr("compiler.pipeline.link", lambda *_: compile("if :", "<g>", "exec"))
    result = CliRunner().invoke(rules, ["check", "pig"])
    assert result.exit_code == 2
    assert "SyntaxError" in result.output


def test_blocks_are_filled() -> None:
    texts = ["for a in b:", "    if c:", "    d()", "if e:", "", "def f():"]
    assert [text for text, _ in filled([(text, NOWHERE) for text in texts])] == [
        "for a in b:", "    if c:", "        pass", "    d()", "if e:", "    pass", "",
        "def f():", "    pass",
    ]  # fmt: skip
