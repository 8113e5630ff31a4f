"""What play at random never sees is approached: the rules say how far it is."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
from compiler import build as b
from compiler import ir
from compiler.rebuild import assemble
from verify.analysis.branches import marked_for_approach, marked_for_play
from verify.analysis.condition_distance import Distances, negation
from verify.search.guided import approach
from verify.search.player import Player
from verify.search.refute import search_for_all

# One wrong turn and everything begins anew; at random nobody comes to nine.
RULES = """\
game climb
    players 1

state
    days: 0..300 = 0
    height: 0..9 = 0
    seen: 0..3 = 0

action step(n: 0..9) by p "step {n}"
    if n = (3 * height + 1) mod 10
        height = min(9, height + 1)
    else
        height = 0

action look by p "look around"
    require height >= 9 "you are not at the top"
    seen = 1

play
    while days < 300 decreases 300 - days
        days += 1
        choose p1: step, look
        if height = 9 and days > 100
            seen = 2

scoring
    score p = seen
"""


def climb(tmp_path: Path) -> rd.Game:
    path = tmp_path / "climb.rules"
    path.write_text(RULES, encoding="utf-8")
    return rd.load(str(path))


def test_what_is_far_is_approached(tmp_path: Path) -> None:
    game = climb(tmp_path)
    search = search_for_all(game, "normal")
    search.run()
    before = search.content
    approach(search, game)
    assert (before, search.content) == (False, True)
    # Each game that is said to show something can be played.
    for line in (*search.reached.values(), *search.carried.values()):
        state = game.start()
        for code in line:
            state = state.play(game.notation.move(state.cells, code))


def test_the_same_games_again(tmp_path: Path) -> None:
    seen = []
    for _ in range(2):
        game = climb(tmp_path)
        search = search_for_all(game, "normal")
        search.run()
        approach(search, game)
        seen.append((search.tried, search.reached, search.carried))
    assert seen[0] == seen[1]


@pytest.mark.parametrize("name", ["pig", "mancala", "tikal", "tzolkin"])
def test_measuring_changes_nothing(name: str) -> None:
    game = rd.load(name)
    arms = {arm for arm in marked_for_play(game.ir).routines if arm.startswith("branch ")}
    ways = {
        (procedure.name, block.id, way)
        for procedure in game.ir.procedures.values()
        for block in procedure.blocks
        if isinstance(block.terminator, ir.Decide)
        for way in range(len(block.terminator.options))
    }
    marked, measured = marked_for_approach(game.ir, arms, ways)
    assert measured.keys() == {r for r in marked.routines if r.startswith("distance ")}
    other = assemble(game, game.origin.program(), marked)
    state, copy = game.start(seed=5), other.start(seed=5)
    for _ in range(300):
        if state.over:
            break
        move = state.moves()[-1]
        state, copy = state.play(move), copy.play(str(move))
    assert [str(m) for m in state.played()] == [str(m) for m in copy.played()]
    assert state.over == copy.over


@pytest.mark.parametrize("name", ["pig", "mancala", "kuhn_poker", "tikal", "tzolkin"])
def test_nothing_is_left_exactly_where_it_holds(name: str) -> None:
    game = rd.load(name)
    player = Player(game, game.ir)
    distances = Distances(game.ir)
    invariants = [invariant.condition for invariant in game.ir.invariants]
    state = game.start(seed=7)
    for _ in range(20):
        if state.over:
            break
        interpreter = player.interpreter(state.cells)
        for invariant in invariants:
            for condition in (invariant, negation(invariant), b.not_(invariant)):
                holds = bool(interpreter.value(condition, {}))
                far = interpreter.value(distances.far(condition), {})
                assert far >= 0
                assert (far == 0) == holds
        state = state.play(state.moves()[-1])


def test_a_later_condition_may_rely_on_an_earlier() -> None:
    distances = Distances(rd.load("pig").ir)
    x = b.local("x", 0, 9)
    risky = b.eq(ir.Narrow(x, "x", lo=0, hi=3), b.int_(2))
    far = distances.far(b.and_(b.le(x, b.int_(3)), risky))
    interpreter = Player(rd.load("pig"), rd.load("pig").ir).interpreter(bytes(99))
    assert [interpreter.value(far, {"x": n}) for n in (1, 2, 3)] == [1, 0, 1]
    assert interpreter.value(far, {"x": 9}) > 6
