"""Observations: within their bounds, as the schema says, and without anybody's secrets."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import rules_dsl as rd
from compiler.runtime.actions import PartialMove
from compiler.runtime.observations import ObservationField
from tests.random_play import played

GAMES = [info.name for info in rd.games()]


@pytest.mark.parametrize("name", GAMES)
def test_what_a_player_cannot_see_makes_no_difference(name: str) -> None:
    """A sample, with other cards in hidden places, gives the player the same observation."""
    game = rd.load(name)
    differ = 0
    for seed, plies in ((1, 0), (2, 1), (3, 9), (4, 25)):
        state = played(game, seed, plies)
        for player in range(game.players):
            sample = state.sample(player, seed=seed)
            assert (sample.observation(player) == state.observation(player)).all()
            differ += sample.cells != state.cells
    if name in ("kuhn_poker", "first_sealed_auction", "yucatan"):
        assert differ, "the samples hide nothing"


@pytest.mark.parametrize("name", GAMES)
def test_fields_follow_each_other_and_hold_numbers_from_0_to_1(name: str) -> None:
    game = rd.load(name)
    schema = game.observations
    at = 0
    for field in schema.fields:
        assert field.start == at
        at += field.size
    assert at == schema.size
    for seed in range(3):
        state = played(game, seed, 12)
        for player in range(game.players):
            seen = state.observation(player)
            assert seen.dtype == np.float32
            assert seen.shape == (schema.size,)
            assert seen.min() >= 0 and seen.max() <= 1


def decoded(field: ObservationField, seen: np.ndarray) -> int | None:
    """The value that a field shows; None if that cannot be told exactly."""
    part = seen[field.start : field.start + field.size]
    if field.coding == "one-hot":
        return field.low + int(part.argmax())
    if field.coding == "flag":
        return field.high if part[0] else field.low
    if field.coding == "scaled":
        return field.low + round(float(part[0]) * (field.high - field.low))
    return None


@pytest.mark.parametrize("name", ["tzolkin", "tikal", "goofspiel", "kuhn_poker"])
def test_fields_show_the_cells_they_name(name: str) -> None:
    """Read back by the schema, an observation says what the view says."""
    game = rd.load(name)
    state = played(game, 4, 15)
    arrays = game.machine.meta["arrays"]
    compared = 0
    for player in range(game.players):
        seen, view = state.observation(player), state.view(player)
        for field in game.observations.fields:
            if field.name not in arrays or arrays[field.name]["kind"] == "zone":
                continue
            value = view[field.name]
            elements = arrays[field.name]["kind"] == "set"
            for key in field.index[:-1] if elements else field.index:
                value = value[key]
            shown = decoded(field, seen)
            if isinstance(value, rd.Hidden):
                assert not seen[field.start : field.start + field.size].any()
            elif elements:
                assert bool(shown) == (field.index[-1] in value)
            elif shown is not None:
                base = field.kind.partition("?")[0]
                number = (
                    -1
                    if value is None
                    else (value if isinstance(value, int) else game.reader.names.index(base, value))
                )
                assert shown == int(number or 0)
            compared += 1
    assert compared > 10


def test_hidden_hands_are_zero_for_others() -> None:
    game = rd.load("kuhn_poker")
    state = game.start().play("draw jack").play("draw king")
    other = game.start().play("draw jack").play("draw queen")
    assert (state.observation(0) == other.observation(0)).all()
    assert (state.observation(1) != other.observation(1)).any()


def test_parts_of_a_move_are_shown_to_their_player_only() -> None:
    game = rd.load("tikal", players=2, options={"auction": True})
    state = game.start(seed=1)
    partial = next(
        found
        for number in state.action_ids()
        if isinstance(found := game.actions.move(state, number), PartialMove)
    )
    me = state.player
    assert me is not None
    assert (partial.observation(me) != state.observation(me)).any()
    assert (partial.observation(1 - me) == state.observation(1 - me)).all()


def test_batches_see_what_single_positions_see() -> None:
    for name in ("tzolkin", "kuhn_poker", "zimbabwe"):
        game = rd.load(name)
        states = [played(game, seed, 8) for seed in range(5)]
        rows = np.stack([np.frombuffer(state.cells, np.uint8) for state in states])
        viewers = np.arange(5) % game.players
        found = game.observations.batch(rows, viewers)
        for state, viewer, row in zip(states, viewers, found, strict=True):
            single = game.observations.of(state.cells, int(viewer))
            assert (row == single).all()


RECURSIVE = """\
game dig
    players 2

state
    depth: 0..400 = 0

procedure tunnel(p: Player, left: 0..20)
    decreases left
    if left > 0
        choose p as digging "{n} of {left}": n in 0..left
        depth += n
        tunnel(next(p), left - 1)

play
    tunnel(first(p in Player), 20)

scoring
    score p = depth
"""


def test_what_a_decision_is_about_in_a_procedure_that_calls_itself(tmp_path: Path) -> None:
    path = tmp_path / "dig.rules"
    path.write_text(RECURSIVE, encoding="utf-8")
    game = rd.load(str(path))
    state = game.start()
    (about,) = [field for field in game.observations.fields if field.name.startswith("left")]
    shown = []
    while not state.over:
        seen = state.observation(0)
        shown.append(round(float(seen[about.start]) * 20))
        state = state.play(state.moves()[0])
    assert shown == list(range(20, 0, -1))
