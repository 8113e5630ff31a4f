"""Loops `without end`: nothing is claimed, and a game that goes round is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rules_dsl as rd
import verify
from verify.analysis.length_bound import decisions
from verify.running.reports.lines import configuration_lines, unclaimed_lines

HENS = """\
game hens "Hens"
    players 2
    source R "Rules of the yard"

state
    eggs[Player]: 0..5 clamped = 0

function won(): bool = some p in Player: eggs[p] = 5

action lay by p
    eggs[p] += 1

procedure round(p: Player)
    choose p optionally: lay

play
    while not won() {loop}
        for p in Player
            round(p)

scoring
    score p = eggs[p]

invariant few
    every p in Player: eggs[p] <= 5
"""
ENDLESS = 'without end "nobody has to lay an egg" [R 3 "End"]'


def hens(tmp_path: Path, loop: str, **changes: str) -> rd.Game:
    text = HENS.replace("{loop}", loop)
    for old, new in changes.items():
        text = text.replace(old, new)
    file = tmp_path / "hens.rules"
    file.write_text(text)
    return rd.load(file)


def test_nothing_is_claimed_and_a_game_is_kept(tmp_path: Path) -> None:
    game = hens(tmp_path, ENDLESS)
    report = verify.run(game)
    assert report.ok
    assert decisions(game.ir) is None
    assert not report.bounds
    assert not any("at most" in line for line in configuration_lines(report))
    (loop,) = report.unclaimed
    assert loop.rule == "play"
    assert loop.reason == "nobody has to lay an egg [R p. 3 End]"
    assert "not claimed: that a game of hens 2 players ends" in unclaimed_lines(report)[0]
    assert set(loop.moves) == {"pass"}
    state = game.start()
    for move in loop.moves:
        state = state.play(move)
    assert [state["eggs"][p] for p in range(2)] == [0, 0]
    kept = json.loads(report.to_json())["not_claimed"]
    assert kept[0]["reason"] == loop.reason
    assert kept[0]["moves"] == list(loop.moves)


def test_a_loop_that_always_ends_shows_no_game(tmp_path: Path) -> None:
    """Whoever must lay an egg comes nearer to the end; the rules still claim nothing."""
    game = hens(tmp_path, ENDLESS, optionally="")
    (loop,) = verify.run(game, checks=["termination"]).unclaimed
    assert not loop.moves
    assert not loop.shown


def test_a_measure_that_does_not_decrease_is_still_refuted(tmp_path: Path) -> None:
    report = verify.run(hens(tmp_path, "decreases 10 - eggs[p1] - eggs[p2]"))
    assert not report.ok
    assert not report.unclaimed
    assert [r.status for r in report.results if r.fails] == ["REFUTED"]


def test_other_proofs_go_through_the_loop(tmp_path: Path) -> None:
    """A broken invariant behind the loop's head is found."""
    report = verify.run(hens(tmp_path, ENDLESS, **{"<= 5": "<= 1"}))
    assert any(r.subject == "few" and r.status == "REFUTED" for r in report.results)


@pytest.mark.parametrize("loop", ["decreases 1 " + ENDLESS, "without end"])
def test_a_measure_or_a_reason(tmp_path: Path, loop: str) -> None:
    with pytest.raises(rd.RuleError):
        hens(tmp_path, loop)


def test_a_stuck_player_is_reported_and_no_game_goes_on(tmp_path: Path) -> None:
    lay = "action lay by p\n    require eggs[p] < 1"
    game = hens(tmp_path, ENDLESS, optionally="", **{"action lay by p": lay})
    report = verify.run(game)
    assert any(r.obligation == "progress" and r.fails for r in report.results)
    assert not report.unclaimed or not report.unclaimed[0].moves
