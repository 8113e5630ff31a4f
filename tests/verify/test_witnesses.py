"""Games kept next to the rules are played first, and count only for what they show when played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import rules_dsl as rd
import verify
from rules_dsl.cli import rules
from verify.proof.results import Result
from verify.search.witnesses import FILE, FORMAT

# At random nobody ever opens the vault.
RULES = """\
game vault
    players 1

state
    turned: 0..40 = 0
    right: 0..40 = 0
    open: bool = false

action turn(n: 0..9) by p "turn {n}"
    turned += 1
    if n = 7
        right += 1
    EXTRA

play
    while turned < 40 decreases 40 - turned
        choose p1: turn
    if right = 40
        open = true

scoring
    score p = right

invariant counted "Only turns can be right"
    right <= turned
"""


def game_of(tmp_path: Path, moves: list[str] | None, extra: str = "right += 0") -> rd.Game:
    path = tmp_path / "vault.rules"
    path.write_text(RULES.replace("EXTRA", extra), encoding="utf-8")
    if moves is not None:
        keep(tmp_path, {"players": 1, "moves": moves})
    return rd.load(str(path))


def keep(tmp_path: Path, data: object) -> None:
    lines = [json.dumps({"format": FORMAT}), json.dumps(data)]
    (tmp_path / FILE).write_text("\n".join(lines), encoding="utf-8")


def branch(game: rd.Game) -> Result:
    """Whether the vault can be opened."""
    report = verify.run(game, ["liveness"], jobs=1, effort="low")
    return next(r for r in report.results if r.subject == "play")


def test_a_rare_branch_is_shown(tmp_path: Path) -> None:
    assert branch(game_of(tmp_path, None)).status == "UNKNOWN"
    # The report that was kept does not hide the new game.
    assert branch(game_of(tmp_path, ["turn 7"] * 40)).status == "PROVED"


@pytest.mark.parametrize("moves", [["turn 7"] * 20, ["turn 10", "open"], ["turn 8"] * 40])
def test_what_cannot_be_played_shows_nothing(tmp_path: Path, moves: list[str]) -> None:
    assert branch(game_of(tmp_path, moves)).status == "UNKNOWN"


def test_a_game_that_nearly_gets_there_leads_there(tmp_path: Path) -> None:
    assert branch(game_of(tmp_path, ["turn 7"] * 39)).status == "PROVED"


def test_it_may_refute(tmp_path: Path) -> None:
    extra = 'assert right < 40 "the alarm"'
    result = verify.run(game_of(tmp_path, ["turn 7"] * 40, extra), ["safety"], jobs=1, effort="low")
    assert [r.status for r in result.results if r.moves] == ["REFUTED"]
    assert len(next(r for r in result.results if r.moves).moves) == 40


@pytest.mark.parametrize("data", [
    [], {"players": 1}, {"players": "1", "moves": []}, {"moves": []},
    {"players": 1, "moves": ["turn 7"], "by": []}, {"players": 1, "moves": ["turn 7"], "by": ["p"]},
])  # fmt: skip
def test_a_file_that_is_no_game(tmp_path: Path, data: object) -> None:
    game_of(tmp_path, [])
    keep(tmp_path, data)
    answer = CliRunner().invoke(rules, ["verify", str(tmp_path / "vault.rules"), "--fresh"])
    assert answer.exit_code == 2
    assert "witnesses.jsonl: a witness is a line of JSON" in answer.output
