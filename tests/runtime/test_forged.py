"""Positions, moves and pickles from elsewhere: refused in words, or as good as our own."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from random import Random

import pytest

import rules_dsl as rd
from compiler.runtime import saving
from compiler.runtime.fault import Fault
from compiler.runtime.state import State

RECURSIVE = """\
game towers
    players 2

state
    n: 0..9
    deep: 0..5

action up by p
    n = min(9, n + 1)

procedure dig(left: 0..5, who: Player)
    decreases left
    var seen: 1..7 = 3
    deep = left
    choose who: k in 1..6
    n = k
    seen = 2
    if left > 0
        dig(left - 1, next(who))
    choose who: up
    n = min(9, seen)

play
    dig(5, p1)
    end

scoring
    score p = n
"""


def game_of(name: str, folder: Path) -> rd.Game:
    if name != "towers":
        return rd.load(name)
    path = folder / "towers.rules"
    path.write_text(RECURSIVE, encoding="utf-8")
    return rd.load(path)


def walk(game: rd.Game, seed: int | None, most: int = 250) -> list[State]:
    """The positions of a random game."""
    random = Random(7)
    states = [game.start(seed=seed)]
    while not states[-1].over and len(states) < most:
        codes = game.machine.moves(states[-1].cells)
        states.append(states[-1]._after(random.choice(codes)))
    return states


GAMES = ["towers", "tikal", "tzolkin", "kuhn_poker", "goofspiel", "mancala", "pig"]


def with_cells(state: State, cells: bytes, **more: object) -> str:
    """A position in JSON with other bytes, and a checksum that fits."""
    data = json.loads(state.to_json())
    del data["checksum"]
    return saving._sealed({**data, "moves": [], "cells": cells.hex(), **more})


@pytest.mark.parametrize("name", GAMES)
def test_every_position_of_a_game_is_read(name: str, tmp_path: Path) -> None:
    game = game_of(name, tmp_path)
    for seed in (None, 1):
        for state in walk(game, seed)[::3]:
            again = game.state_from_json(with_cells(state, state.cells))
            assert again.cells == state.cells


@pytest.mark.parametrize("name", GAMES)
def test_a_forged_position_is_refused_or_playable(name: str, tmp_path: Path) -> None:
    """What is read can be played: a fault is possible, an error of Python is not."""
    game = game_of(name, tmp_path)
    random = Random(11)
    states = [state for state in walk(game, 1) if not state.over]
    control = game.machine.meta["control"]
    refused = 0
    for _ in range(400):
        cells = bytearray(random.choice(states).cells)
        for _ in range(random.choice([1, 1, 2, 4])):
            low = random.choice([0, control])
            at = random.randrange(low, len(cells)) if low < len(cells) else 0
            cells[at] = random.choice([0, 1, 254, 255, cells[at] ^ 1, random.randrange(256)])
        if random.random() < 0.1:
            cells += bytes(random.randrange(9))
        try:
            state = game.state_from_json(with_cells(states[0], bytes(cells)))
        except rd.DataError:
            refused += 1
            continue
        try:
            for _ in range(12):
                state.scores()
                state.view(0)
                if not state.moves():
                    break
                state = state.play(random.choice(state.moves()))
        except Fault:
            pass
    assert refused > 100


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"seed": "1"}, "incomplete"),
        ({"seed": 1.5}, "incomplete"),
        ({"draws": None}, "incomplete"),
        ({"moves": [10**9]}, "not legal"),
        ({"moves": ["b2"]}, "incomplete"),
        ({"moves": [-1]}, "not legal"),
        ({"moves": None}, "incomplete"),
        ({"cells": "xyz"}, "incomplete"),
        ({"cells": ""}, "bytes"),
        ({"rules": "other"}, "rules"),
        ({"players": 9}, "players"),
    ],
)
def test_forged_fields(change: dict[str, object], reason: str) -> None:
    game = rd.load("pig")
    state = game.start(seed=1)
    data = {**json.loads(state.to_json()), **change}
    del data["checksum"]
    with pytest.raises(rd.DataError, match=reason):
        game.state_from_json(saving._sealed(data))


# ---- moves of other games ------------------------------------------------------------------------


def test_a_move_of_another_game() -> None:
    cross = rd.load("tic_tac_toe").start()
    other = rd.load("connect_four").start()
    few, more = rd.load("pig", players=2).start(), rd.load("pig", players=3).start()
    for state, move in ((cross, other.moves()[0]), (few, more.moves()[0])):
        with pytest.raises(rd.IllegalMove, match="another game"):
            state.play(move)
        with pytest.raises(rd.IllegalMove, match="another game"):
            state.explain(move)
    assert cross.play(rd.load("tic_tac_toe").start().moves()[0]).player == 1


# ---- pickles and copies --------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [None, 5])
def test_a_long_game_is_pickled_and_copied(seed: int | None) -> None:
    state = walk(rd.load("tikal"), seed, 400)[-1]
    assert len(state.history()) > 250
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert [s.cells for s in again.history()] == [s.cells for s in state.history()]
    assert (again.seed, again.draws) == (state.seed, state.draws)
    assert copy.deepcopy(state) is copy.copy(state) is state
    assert copy.deepcopy([state])[0] == state


def test_a_position_that_was_set_up_is_pickled() -> None:
    game = rd.load("tic_tac_toe")
    state = walk(game, None, 4)[-1]
    bare = game.state_from_json(with_cells(state, state.cells))
    assert pickle.loads(pickle.dumps(bare.play(bare.moves()[0]))).previous == bare


def test_a_pickle_of_changed_rules_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "towers.rules"
    game = game_of("towers", tmp_path)
    kept = [pickle.dumps(thing) for thing in (game, game.start(), walk(game, None, 4)[-1])]
    path.write_text(RECURSIVE.replace("min(9, n + 1)", "min(8, n + 1)"), encoding="utf-8")
    for one in kept:
        with pytest.raises(rd.DataError, match="the rules of towers have changed"):
            pickle.loads(one)
    path.write_text(RECURSIVE, encoding="utf-8")
    assert [type(pickle.loads(one)).__name__ for one in kept] == ["Game", "State", "State"]


# ---- records without the seed --------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pig", "kuhn_poker", "tikal"])
def test_a_record_for_sharing(name: str) -> None:
    game = rd.load(name)
    state = walk(game, 3, 40)[-1]
    shared = game.record(state, seed=False)
    assert shared.seed is None
    assert "3" not in str(json.loads(shared.to_json())["seed"])
    again = game.replay(shared.to_json())
    assert again == state
    assert again.seed is None
    ours = [str(move) for move in again.played() if move.by is not None]
    assert ours == [str(move) for move in state.played()]


def test_two_moves_that_are_written_alike(tmp_path: Path) -> None:
    """The text is the same, the number is not: the record says which one it was."""
    path = tmp_path / "alike.rules"
    path.write_text(
        "game alike\n    players 2\n\nstate\n    x: 0..9\n\n"
        'action take(k: 1..3) by p "take some"\n    x = k\n\n'
        "play\n    choose p1: take\n    end\n\nscoring\n    score p = x\n",
        encoding="utf-8",
    )
    game = rd.load(path)
    for number in range(3):
        start = game.start()
        end = start.play(start.moves()[number])
        record = game.record(end)
        assert record.moves == ("take some",)
        assert game.replay(record.to_json())["x"] == number + 1
