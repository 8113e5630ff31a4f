"""Whether an action is possible: by its requirements, which say why if it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
import verify
from tests.compiler.agreement import play_side_by_side

GAME = """\
game builders
    players 2 named ann, bob

state
    rounds: 0..3
    wood[Player]: 0..9 = 1
    huts[Player]: 0..9 clamped

function price(skilled: bool): 1..2 = if skilled then 1 else 2

action build(skilled: bool) by p
    require wood[p] >= price(skilled) "a hut costs {price(skilled)} wood"
    wood[p] -= price(skilled)
    huts[p] += 1

action boast by p
    require possible(build(skilled = false))
    huts[p] += 0

action chop by p
    require not possible(build) "you can build"
    require wood[p] < 9 "there is no room"
    wood[p] += 1

play
    while rounds < 3 decreases 3 - rounds
        rounds += 1
        for p in Player
            if possible(build(skilled = true) by p)
                choose p: build, boast
            else
                choose p: chop

scoring
    score p = huts[p]
"""


@pytest.fixture
def game(tmp_path: Path) -> rd.Game:
    file = tmp_path / "builders.rules"
    file.write_text(GAME, encoding="utf-8")
    return rd.load(str(file))


def test_back_ends_agree(game: rd.Game) -> None:
    assert [play_side_by_side(game, seed) for seed in range(5)] == [6] * 5


def test_the_reasons_are_those_of_the_action(game: rd.Game) -> None:
    state = game.start()
    assert [str(m) for m in state.moves()] == ["build yes"]
    (reason,) = state.explain("boast")
    assert (reason.text, reason.holds) == ("a hut costs 2 wood", False)
    state = state.play("build yes").play("build yes")
    assert [str(m) for m in state.moves()] == ["chop"]


def test_it_is_proved(game: rd.Game) -> None:
    report = verify.run(game, jobs=1)
    bad = [r for r in report.results if r.status not in ("PROVED", "TESTED")]
    # No player ever has two pieces of wood.
    assert {(r.obligation, r.subject) for r in bad} <= {("liveness", "boast")}
