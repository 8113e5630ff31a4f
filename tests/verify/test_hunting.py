"""Games that break an invariant and that playing at random does not find."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

import rules_dsl as rd
import verify
from tests.verify.fault_table import FAULTS
from verify.encode.replica import Replica
from verify.encode.unknowns import World
from verify.proof.obligation import Obligation
from verify.search.backward import Backwards
from verify.search.bounded import Unrolling, Wanted
from verify.search.player import Player
from verify.search.random_games import Search


def load(name: str) -> rd.Game:
    return rd.load(str(FAULTS / f"{name}.bad.rules"))


def about(invariant: str) -> Wanted:
    def wanted(obligation: Obligation) -> bool:
        return obligation.subject == invariant

    return wanted


@pytest.mark.parametrize("name", ["combination_lock", "treasure_in_the_light"])
def test_playing_at_random_finds_nothing(name: str) -> None:
    game = load(name)
    search = Search(Player(game, game.ir), "normal", list(game.ir.invariants))
    search.run()
    assert search.tried >= 20_000
    assert not search.found


def test_all_short_games_at_once() -> None:
    game = load("combination_lock")
    replica = Replica(World(game.ir))
    replica.start()
    unrolling = Unrolling(replica.world, about("stays_locked"), 3_000_000)
    assert list(unrolling.lines(replica, 5)) == []
    lines = [line for _, line in unrolling.lines(replica, 6)]
    (line,) = lines
    assert [list(values.values()) for _, values in line] == [[3], [1], [4], [1], [5], [9]]


OPTIONS = """\
game buttons
    players 2

state
    pressed[0..5]: 0..9 = 0
    at: 0..6 = 0

{actions}
play
    while at < 6 decreases 6 - at
        choose p1: {names}

scoring
    score p = at

invariant never_opens
    some k in 0..5: pressed[k] != (2 * k + 3) mod 10
"""


def test_options_are_joined(tmp_path: Path) -> None:
    """Ten options and six moves are one formula, not a million games."""
    actions = "".join(
        f"action press{n} by p\n    pressed[at] = {n}\n    at += 1\n\n" for n in range(10)
    )
    names = ", ".join(f"press{n}" for n in range(10))
    path = tmp_path / "buttons.rules"
    path.write_text(OPTIONS.format(actions=actions, names=names), encoding="utf-8")
    report = verify.run(rd.load(str(path)), checks=["invariant"], jobs=1, fresh=True)
    (result,) = [r for r in report.results if r.status != "PROVED"]
    assert result.status == "REFUTED"
    assert result.moves == [f"press{(2 * k + 3) % 10}" for k in range(6)]


def test_landmarks_lead_back() -> None:
    module = load("treasure_in_the_light").ir
    backwards = Backwards(module, about("treasure_in_the_dark"), 60)
    ((_, marks),) = list(backwards.landmarks(6))
    assert [mark.left for mark in marks] == list(range(6))
    steps = [mark.cells["steps", 0] for mark in marks]
    assert steps == sorted(steps, reverse=True)
    onward = [3, 5, 7, 1, 9, 6, 8, 4, 10, 2, 12, 11, 14, 13, 0]
    rooms = [mark.cells["room", 0] for mark in marks]
    assert rooms[0] in (12, 14)
    assert all(later in (before, onward[before], 0) for later, before in pairwise(rooms))


@pytest.mark.parametrize("name", ["combination_lock", "treasure_in_the_light"])
def test_the_game_replays(name: str) -> None:
    game = load(name)
    report = verify.run(game, checks=["invariant"], jobs=1, fresh=True)
    (result,) = [r for r in report.results if r.status == "REFUTED"]
    state = game.replay(result.record)
    invariant = next(
        invariant for invariant in game.ir.invariants if invariant.name == result.subject
    )
    assert not Player(game, game.ir).invariant_holds(invariant, state.cells)
