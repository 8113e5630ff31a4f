"""Positions on native code behave as those of generated Python, and leave nothing behind."""

from __future__ import annotations

import copy
import gc
import pickle
import random
import sys
import weakref
from pathlib import Path

import pytest

import rules_dsl as rd
from compiler.native import states
from compiler.runtime.fault import Fault
from compiler.runtime.moves import Move
from compiler.runtime.state import State

GAMES = ("tic_tac_toe", "hex", "mancala", "kuhn_poker", "pig", "goofspiel")
LARGE = (("tzolkin", 4), ("tikal", 3), ("yucatan", 2))

FAULTY = """\
game counting "Counting"
    players 2 named white, black
state
    n: 0..9 = 0
    turn: Player = white
action count_on(k: 1..4) by p
    n += k
    turn = next(p)
play
    for i in 1..3
        choose turn: count_on
scoring
    score p = n
"""


def told(move: Move) -> tuple[object, ...]:
    return move.name, move.args, move.by, move.text, move.point, move.code, move.rules, repr(move)


def same(ours: State, plain: State) -> None:
    assert (ours.cells, ours.draws, ours.seed) == (plain.cells, plain.draws, plain.seed)
    assert (ours.player, ours.over, ours.is_chance) == (plain.player, plain.over, plain.is_chance)
    assert ours == plain and plain == ours and hash(ours) == hash(plain)
    assert ours.moves() == plain.moves()
    assert ours.codes() == plain.codes()


def same_games(name: str, players: int | None, seed: int | None, number: int) -> None:
    native, python = (rd.load(name, players=players, backend=b) for b in ("native", "python"))
    assert native.states is not State and python.states is State
    rng = random.Random(number)
    ours, plain = native.start(seed=seed), python.start(seed=seed)
    while not plain.over:
        same(ours, plain)
        if plain.is_chance:
            k = rng.randrange(len(plain.outcomes()))
            one, two = ours.outcomes()[k][0], plain.outcomes()[k][0]
        else:
            k = rng.randrange(len(plain.moves()))
            one, two = ours.moves()[k], plain.moves()[k]
        assert told(one) == told(two)
        before = ours.cells
        ours, plain = ours.play(one), plain.play(two)
        assert ours.previous is not None and ours.previous.cells == before
    same(ours, plain)
    assert ours.moves() == ()
    assert ours.played() == plain.played()
    assert native.record(ours) == python.record(plain)


@pytest.mark.parametrize("name", GAMES)
def test_the_same_games(name: str) -> None:
    for number in range(5):
        same_games(name, None, number, number)
        same_games(name, None, None, number)


@pytest.mark.long
@pytest.mark.parametrize(("name", "players"), LARGE)
def test_the_same_large_games(name: str, players: int) -> None:
    same_games(name, players, 1, 1)


def test_what_may_be_handed_in() -> None:
    game = rd.load("tic_tac_toe", backend="native")
    start = game.start(seed=1)
    again = game.start(seed=1)
    center = start.moves()[4]
    expected = start.play("b2").cells
    assert start.play(center).cells == expected
    assert again.play(center).cells == expected  # listed by another position, found by its number
    assert start.play(move=center).cells == expected
    assert start.play(pickle.loads(pickle.dumps(center))).cells == expected
    with pytest.raises(rd.IllegalMove, match="already taken"):
        start.play(center).play("b2")
    with pytest.raises(rd.IllegalMove, match="already taken"):
        start.play(center).play(center)
    with pytest.raises(rd.IllegalMove, match="another game"):
        start.play(rd.load("connect_four").start().moves()[0])
    with pytest.raises(TypeError):
        start.play(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        start.play()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        start.moves(1)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        start.play(steps=center)  # type: ignore[call-arg]


def test_it_is_kept_and_copied_as_a_state() -> None:
    game = rd.load("pig", backend="native")
    state = game.start(seed=3).play("roll").play("roll")
    assert type(state).__name__ == "State"
    assert copy.copy(state) is state and copy.deepcopy(state) is state
    assert game.state_from_json(state.to_json()) == state
    assert pickle.loads(pickle.dumps(state)) == state
    for other in (state.unseeded(), state.reseed(5), state.sample(0, seed=1)):
        assert type(other) is type(state)


def test_what_is_impossible_is_said_as_in_python(tmp_path: Path) -> None:
    path = tmp_path / "counting.rules"
    path.write_text(FAULTY, encoding="utf-8")
    texts = []
    for backend in ("native", "python"):
        state = rd.load(path, players=2, backend=backend).start(seed=1)
        for _ in range(2):
            state = state.play(state.moves()[3])
        with pytest.raises(Fault) as found:
            state.play(state.moves()[3])
        texts.append(str(found.value))
    assert texts[0] == texts[1]


def test_nothing_is_left_behind() -> None:
    game = rd.load("tikal", players=2, backend="native")

    def play() -> None:
        state = game.start(seed=2)
        rng = random.Random(3)
        while not state.over:
            state = state.play(rng.choice(state.moves()))

    play()  # moves that are kept by number are made
    gc.collect()
    counts = []
    for _ in range(2):
        play()
        gc.collect()
        counts.append(
            (sys.getallocatedblocks(), sys.getrefcount(game), sys.getrefcount(game.notation))
        )
    assert counts[1][1:] == counts[0][1:]
    assert abs(counts[1][0] - counts[0][0]) < 100
    assert not any(isinstance(one, game.states) for one in gc.get_objects())


def test_a_class_goes_with_its_game() -> None:
    first = rd.load("tic_tac_toe", backend="native")
    second = rd.load("tic_tac_toe", backend="native")
    first.start(seed=1).moves()
    gone, notation = weakref.ref(first.states), weakref.ref(first.notation)
    del first
    gc.collect()  # the class goes, and gives up what it kept
    gc.collect()
    assert gone() is None and notation() is None
    assert len(second.start(seed=1).moves()) == 9


def test_without_places_positions_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(states, "_places", lambda plain: None)
    game = rd.load("tic_tac_toe", backend="native")
    assert game.states is State
    assert game.start(seed=1).play("b2").player == 1
