"""Views without the verifier: games that a player cannot tell apart must offer the same."""

from __future__ import annotations

from collections.abc import Hashable
from random import Random

import rules_dsl as rd
from compiler.runtime.moves import Move

# What one player has seen so far, and what that player is offered then.
Told = dict[Hashable, Hashable]


def told_apart(game: rd.Game, games: int, seed: int = 0) -> str:
    """Play at random; two games that looked the same to a player and offered something else.

    What a player has seen is the view at every decision, who was asked, and every move that was not
    chosen in secret by another player. Nothing is said of games that were never met twice.
    """
    luck = Random(seed)
    known: list[Told] = [{} for _ in range(game.players)]
    for _ in range(games):
        state = game.start()
        seen: list[tuple[Hashable, ...]] = [()] * game.players
        while not state.over:
            if state.is_chance:
                outcomes = [move for move, _ in state.outcomes()]
                state = state.play(luck.choice(outcomes))
                continue
            assert state.player is not None
            moves = state.moves()
            for player in range(game.players):
                seen[player] = (
                    *seen[player],
                    repr(state.view(player)),
                    repr(state.revealed(player)),
                )
                asked: Hashable = (state.player, offered(state, moves, player))
                before = known[player].setdefault(seen[player], asked)
                if before != asked:
                    return f"{game.player_names[player]} sees {before} or {asked}"
            move = luck.choice(moves)
            for player in range(game.players):
                mine = player == state.player or not secret(game, move)
                seen[player] = (*seen[player], str(move) if mine else "chosen")
            state = state.play(move)
    return ""


def secret(game: rd.Game, move: Move) -> bool:
    return bool(game.machine.meta["points"][move.point].get("secret"))


def offered(state: rd.State, moves: tuple[Move, ...], player: int) -> Hashable:
    """Where the game waits and, for the player who decides, all moves and reasons."""
    point = state.game.machine.point(state.cells)
    if player != state.player:
        return point
    notation = state.game.notation
    written = [notation.move(state.cells, code) for code in notation.possible(state.cells)]
    reasons = [(str(move), repr(state.explain(move))) for move in written]
    return (point, tuple(map(str, moves)), tuple(reasons))
