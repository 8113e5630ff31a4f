"""The question that the rules put to a player is what the player reads."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import rules_dsl as rd
from rules_dsl.cli import rules

GAME = """\
game quiz "Quiz"
    players 2 named ann, bob

state
    points[Player]: 0..9 clamped

action go by p
    points[p] += 1

action rest by p

play
    for p in Player
        choose p as evening "what about the \\{quiet\\} evening?": go, rest
        choose p as later: go, rest

scoring
    score p = points[p]
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    path = tmp_path / "quiz.rules"
    path.write_text(GAME, encoding="utf-8")
    return str(path)


def test_a_question_is_the_prompt_of_its_decision(path: str) -> None:
    state = rd.load(path).start()
    assert state.decision is not None
    assert state.decision.prompt == "ann: what about the {quiet} evening?"
    after = state.play("rest")
    assert after.decision is not None
    assert after.decision.prompt == "ann: go or rest"


def test_the_terminal_asks_it(path: str) -> None:
    shown = CliRunner().invoke(rules, ["play", path, "--seed", "1"], input="quit\n").output
    assert "ann: what about the {quiet} evening?" in shown
