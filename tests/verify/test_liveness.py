"""Every branch of a rule happens in some game, or is said never to."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
import verify
from compiler.rebuild import assemble
from verify.analysis.branches import arms_of, marked_for_play
from verify.proof.results import Result
from verify.search.rule_coverage import never_reached

# A counter of this size is not walked through in a search of short games.
RULES = """\
game tide
    players 2

state
    height: 0..900 = 0
    days: 0..900 = 0
    sunk: 0..1 = 0

action wait by p
    days += 1
    if height > 400
        sunk = 1
    else if height > 300
        height -= 3
    else
        height += 2

play
    while days < 900 decreases 900 - days
        choose p1: wait

scoring
    score p = height

invariant never_high "The water stays below the dam"
    height <= LIMIT
"""


def game_of(tmp_path: Path, limit: int) -> rd.Game:
    path = tmp_path / "tide.rules"
    path.write_text(RULES.replace("LIMIT", str(limit)), encoding="utf-8")
    return rd.load(str(path))


def liveness(game: rd.Game) -> dict[str, Result]:
    report = verify.run(game, jobs=1, fresh=True, effort="low")
    return {r.subject: r for r in report.results if r.obligation == "liveness"}


def test_arms_are_found_once() -> None:
    arms = arms_of(rd.load("kuhn_poker").ir)
    assert len({(a.span, a.what) for a in arms.values()}) == len(arms)
    assert {a.rule for a in arms.values()} == {"play", "showdown"}


@pytest.mark.parametrize("name", ["kuhn_poker", "goofspiel", "mancala"])
def test_marks_change_nothing(name: str) -> None:
    game = rd.load(name)
    other = assemble(game, game.origin.program(), marked_for_play(game.ir))
    state, copy = game.start(seed=3), other.start(seed=3)
    while not state.over:
        assert state.cells == copy.cells
        move = state.moves()[-1]
        state, copy = state.play(move), copy.play(str(move))
    assert state.scores() == copy.scores()


def test_the_invariants_rule_a_branch_out(tmp_path: Path) -> None:
    game = game_of(tmp_path, 302)
    arms = arms_of(game.ir)
    dead = never_reached(game.ir, set(arms))
    assert [(arms[name].rule, arms[name].span.line) for name in dead] == [("wait", 11)]


def test_a_dead_branch_is_reported(tmp_path: Path) -> None:
    result = liveness(game_of(tmp_path, 302))["wait"]
    assert result.status == "UNPROVED"
    assert "never true" in result.detail
    assert result.span.endswith("tide.rules:11:8")


def test_what_unproved_invariants_rule_out_is_not_called_dead(tmp_path: Path) -> None:
    # The invariant does not hold, and what it rules out is no less possible for it.
    path = tmp_path / "tide.rules"
    text = RULES.replace("LIMIT", "300").replace("height > 400", "height > 301")
    path.write_text(text.replace("height > 300", "height > 299"), encoding="utf-8")
    assert liveness(rd.load(str(path)))["wait"].status != "UNPROVED"


OPTIONS = """\
game inn
    players 2

option feast: bool = false

state
    nights: 0..3 = 0
    meals: 0..3 = 0

procedure dine()
    if meals < 3
        meals += 1

action sleep by p
    nights += 1

play
    while nights < 3 decreases 3 - nights
        choose p1: sleep
        if feast
            dine()

scoring
    score p = meals
"""


def test_what_an_option_rules_out_is_no_dead_rule(tmp_path: Path) -> None:
    path = tmp_path / "inn.rules"
    path.write_text(OPTIONS, encoding="utf-8")
    assert {a.rule for a in arms_of(rd.load(str(path)).ir).values()} == {"play"}
    feast = rd.load(str(path), options={"feast": True})
    assert {a.rule for a in arms_of(feast.ir).values()} == {"play", "dine"}


def test_an_action_that_nobody_is_ever_offered_is_reported(tmp_path: Path) -> None:
    actions = "action toast by p\n    meals = 1\n\naction leave by p\n    meals = 0\n\nplay\n"
    path = tmp_path / "inn.rules"
    text = OPTIONS.replace("play\n", actions).replace("dine()\n\nsc", "choose p1: toast\n\nsc")
    path.write_text(text, encoding="utf-8")
    alive = liveness(rd.load(str(path)))
    assert "toast" not in alive  # with the other option it is offered
    assert alive["leave"].status == "UNPROVED"
