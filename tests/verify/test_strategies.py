"""Hypothesis plays games: states are reachable, failures shrink to short games."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis.stateful import run_state_machine_as_test

import rules_dsl as rd
from verify.authoring.invariant_tests import test_invariants as play_and_check
from verify.authoring.strategies import (
    BrokenRules,
    machine_settings,
    state_machine,
    strategies,
)

CLIMB = """\
game climb
    players 2

state
    steps: 0..20 = 0
    height[Player]: 0..9 = 0

action up by p
    height[p] += 1

action down by p
    require height[p] > 0 "you stand at the bottom"
    height[p] -= 1

play
    while steps < 20 decreases 20 - steps
        for p in Player
            choose p: up, down
        steps += 1

scoring
    score p = height[p]
"""

INVARIANT = """\

invariant low
    every p in Player: height[p] < 4
"""


def load(tmp_path: Path, text: str) -> rd.Game:
    path = tmp_path / "climb.rules"
    path.write_text(text)
    return rd.load(path)


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(strategies(rd.load("kuhn_poker")).states())
def test_states_are_reachable(state: rd.State) -> None:
    game = state.game
    assert game.replay(game.record(state)) == state


def test_a_game_shrinks_to_the_shortest() -> None:
    game = rd.load("tic_tac_toe")
    shortest = find(
        strategies(game).games(),
        lambda end: end["winner"] == 1,
        # Shrinking goes on for as long as it finds something; where it starts is chance.
        random=Random(1),
    )
    assert len(shortest.played()) == 6
    assert find(strategies(game).moves(), lambda moves: len(moves) > 1) == ("a1", "b1")


def test_a_broken_invariant_is_refuted_by_a_short_game(tmp_path: Path) -> None:
    game = load(tmp_path, CLIMB + INVARIANT)
    results = play_and_check(game, decisions=500)
    refuted = [r for r in results if r.status == "REFUTED"]
    assert [(r.obligation, r.subject) for r in refuted] == [("invariant", "low")]
    assert refuted[0].moves == ["up"] * 7
    end = game.replay(refuted[0].record)
    assert end["height"][0] == 4


def test_a_fault_is_refuted_under_the_rule_that_fails(tmp_path: Path) -> None:
    text = CLIMB.replace('    require height[p] > 0 "you stand at the bottom"\n', "")
    results = play_and_check(load(tmp_path, text), decisions=200)
    refuted = [r for r in results if r.status == "REFUTED"]
    assert [(r.obligation, r.subject, r.moves) for r in refuted] == [("safety", "down", ["down"])]


def test_the_state_machine_finds_it_too(tmp_path: Path) -> None:
    machine = state_machine(load(tmp_path, CLIMB + INVARIANT))
    with pytest.raises(BrokenRules, match="low"):
        run_state_machine_as_test(
            machine, settings=machine_settings(max_examples=50, stateful_step_count=30)
        )


def test_the_state_machine_plays_sound_games() -> None:
    machine = state_machine(rd.load("connect_four"))
    run_state_machine_as_test(
        machine, settings=machine_settings(max_examples=5, stateful_step_count=20)
    )


@pytest.mark.parametrize("name", ["mancala", "kuhn_poker", "goofspiel"])
def test_classics_hold_when_played(name: str) -> None:
    results = play_and_check(rd.load(name), decisions=200)
    assert {r.status for r in results} == {"TESTED"}


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_tzolkin_holds_for_many_decisions(players: int) -> None:
    results = play_and_check(rd.load("tzolkin", players=players), decisions=20_000)
    assert {r.status for r in results} == {"TESTED"}
