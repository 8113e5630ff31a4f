"""Every shipped game with secrets: what a seat cannot see makes no difference to its bots.

A pair of positions that look alike is made by playing a game again: with other outcomes of chance
and other secret choices wherever the player sees no difference.
"""

from __future__ import annotations

import random

import pytest

import rules_dsl as rd
from compiler.runtime.bots import Bot
from compiler.runtime.elementary import elementary_steps, face_down
from compiler.runtime.saving import without_seed
from rules_dsl.language.viewers import everybody

# Fixed before the first run: seeds of the games, plies at which they stop, seeds of retellings.
SEEDS, PLIES, RETOLD = (1, 2, 3), (0, 1, 2, 3, 5, 8, 13), (11, 12)
BOTS: dict[str, Bot] = {
    "random": rd.bots.random(seed=4),
    "greedy": rd.bots.greedy(seed=4, samples=2),
    "mcts": rd.bots.mcts(playouts=4, seed=4),
}


def has_secrets(game: rd.Game) -> bool:
    """Whether a player knows something that another does not."""
    meta = game.machine.meta
    seen_by = [mask for array in meta["arrays"].values() for mask in array["viewers"]]
    seen_by += [mask for zone in meta["zones"].values() for mask in zone[-1]]
    some = any(mask not in (0, *everybody(game.players)) for mask in seen_by)
    return some or any(point.get("secret") for point in meta["points"])


SECRET = [info.name for info in rd.games() if has_secrets(rd.load(info.name))]


def test_games_with_secrets_are_found() -> None:
    assert SECRET == ["first_sealed_auction", "goofspiel", "kuhn_poker", "tzolkin", "yucatan"]


def positions(game: rd.Game) -> list[rd.State]:
    """Positions in which a player decides, from several games."""
    found = []
    for seed in SEEDS:
        rng = random.Random(seed)
        state = game.start(seed=seed)
        for ply in range(max(PLIES) + 1):
            if state.over:
                break
            if ply in PLIES:
                found.append(state)
            state = state.play(rng.choice(state.moves()))
    return found


def played_again(state: rd.State, player: int, seed: int) -> rd.State | None:
    """The same game as a player knows it, with other hidden things; None if that was not found."""
    game = state.game
    steps = elementary_steps(state)
    secret = face_down(game, steps, state.cells)
    rng = random.Random(seed)
    now = game.start()
    for number, step in enumerate(steps):
        wanted = game.sights.of(step.after, player)
        if step.who == -2:
            moves = [move for move, _ in now.outcomes()]
        elif number in secret and step.who != player:
            moves = list(now.moves())
        else:
            moves = [move for move in now.moves() if move.code == step.code]
        fitting = [
            after for after in map(now.play, moves) if game.sights.of(after.cells, player) == wanted
        ]
        if not fitting:
            return None
        now = rng.choice(fitting)
    return now


def alike(state: rd.State) -> list[rd.State]:
    """Positions that look to the deciding player like this one, which is the first of them."""
    assert state.player is not None
    found = [without_seed(state)]
    for seed in RETOLD:
        again = played_again(state, state.player, seed)
        if again is not None:
            found.append(again)
    return found


@pytest.mark.parametrize("name", SECRET)
def test_bots_choose_the_same_where_a_seat_sees_the_same(name: str) -> None:
    game = rd.load(name)
    different = 0
    for state in positions(game):
        pair = alike(state)
        assert state.player is not None
        assert len({repr(game.sights.of(s.cells, state.player)) for s in pair}) == 1
        different += len({s.cells for s in pair}) > 1
        for bot in BOTS.values():
            assert len({str(bot.choose(s)) for s in pair}) == 1
    assert different, "no two positions differed in what is hidden"


@pytest.mark.parametrize("name", SECRET)
def test_a_seat_tells_the_same_where_it_sees_the_same(name: str) -> None:
    """View, decision, moves and their texts do not depend on what is hidden."""
    game = rd.load(name)
    for state in positions(game):
        assert state.player is not None
        told = set()
        for one in alike(state):
            seat = one.seat(state.player)
            moves = tuple(str(move) for move in seat.moves)
            told.add((seat.view.to_json(), repr(seat.decision), moves, seat.log, seat.drawing))
        assert len(told) == 1
