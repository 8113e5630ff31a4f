"""Whole games by seed: Python and native code come to the same bytes, draws and decisions.

    python -m tests.compiler.seeded_games --games 10000 --minutes 60 mancala tzolkin

plays every configuration of the named games, or of all that ship: every number of players, option
and variant. With a limit of time the configurations share it, and the result of each is printed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

import rules_dsl as rd
from compiler.loading import Recipe
from compiler.native.machine import native_machine
from rules_dsl.language.sources import shipped_games
from tests.compiler.test_native import configurations_of


def configurations(name: str) -> Iterator[tuple[str, Recipe]]:
    """Every configuration of a game with its description."""
    most = 0
    for configuration in configurations_of(name):
        most = max(most, configuration.players)
        options = tuple(configuration.options.items())
        yield f"{name}: {configuration}", Recipe(name, configuration.players, options, ())
    for path in sorted((shipped_games()[name].parent / "variants").glob("*.rules")):
        yield f"{name}: {path.stem}", Recipe(name, most, (), (str(path),))


def same_ends(game: rd.Game, first: int, games: int, seconds: float) -> tuple[int, int]:
    """Play games by seed on both until the time is over; gives their number and that of moves."""
    machine = native_machine(game)
    assert machine is not None
    began, played, moves = time.process_time(), 0, 0
    while played < games and (not played or time.process_time() - began < seconds):
        end = game.machine.playout(first + played)
        assert machine.playout(first + played) == end, f"seed {first + played}"
        played += 1
        moves += end[1] + end[2]
    return played, moves


def main() -> None:
    """Play the games that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60)
    told = parser.parse_args()
    chosen = [one for name in told.names or shipped_games() for one in configurations(name)]
    left, all_games, all_moves = 60 * told.minutes, 0, 0
    for number, (text, recipe) in enumerate(chosen):
        began = time.process_time()
        games, moves = same_ends(
            recipe.load(), told.seed, told.games, left / (len(chosen) - number)
        )
        left -= time.process_time() - began
        all_games, all_moves = all_games + games, all_moves + moves
        print(f"{text}: {games:,} games, {moves:,} moves", flush=True)
    print(f"{len(chosen)} configurations: {all_games:,} games, {all_moves:,} moves, all equal")


if __name__ == "__main__":
    main()
