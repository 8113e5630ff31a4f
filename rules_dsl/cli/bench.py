"""`rules bench`: how fast games are played here, and beside OpenSpiel where it has the game."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import random
import time
from collections.abc import Callable
from typing import Any

import click
from attrs import asdict, frozen

from compiler.runtime.backends import BackendError
from compiler.runtime.game import Game
from compiler.runtime.machine import OVER, Machine
from compiler.runtime.randomness import chance_key
from rules_dsl.cli.console import console, plain_table
from rules_dsl.cli.game_argument import choice, json_option

DEFAULT = ("tic_tac_toe", "connect_four", "breakthrough", "hex", "mancala", "tzolkin", "tikal")
# Games that OpenSpiel has under the same name and that begin with a decision.
IN_OPENSPIEL = ("tic_tac_toe", "connect_four", "breakthrough", "hex", "mancala")
ROUNDS = 3
GAMES_AT_ONCE = 50


@frozen
class Speeds:
    """Decisions a CPU second: stepping states, and playing whole games inside."""

    game: str
    players: int
    python_step: float
    python_inside: float
    native_step: float | None = None
    native_cells: float | None = None
    native_inside: float | None = None
    openspiel_step: float | None = None
    openspiel_inside: float | None = None


@click.command("bench", short_help="Measure how fast games are played.")
@click.argument("games", nargs=-1)
@click.option("--seconds", type=click.FloatRange(0.01), default=0.5, show_default=True,
              help="CPU time for each measurement; there are three of each.")  # fmt: skip
@click.option("--players", type=int, metavar="N", help="Number of players.")
@json_option
def bench_command(
    games: tuple[str, ...], seconds: float, players: int | None, as_json: bool
) -> None:
    """Play GAMES at random in every way there is, and show decisions a CPU second.

    "step" is the documented loop over `moves()` and `play(move)`; "cells" the same over the bytes
    of positions, without states and moves for people, as OpenSpiel's loop; "inside" plays whole
    games without coming back to Python. Where OpenSpiel is installed and has the game, it is
    measured in the same run, from Python and inside.
    """
    found = []
    for name in games or DEFAULT:
        game = choice(name, players, (), ()).load()
        if players is None and not games:
            game = game.origin.other_configuration(_most_players(game), game.options)
        found.append(measure(game, seconds))
    if as_json:
        data = {"machine": _machine(), "results": [asdict(speeds) for speeds in found]}
        click.echo(json.dumps(data, indent=1))
        return
    out = console()
    columns = ("thousand a CPU second", "", "Python step", "inside", "native step", "cells",
               "inside", "OpenSpiel step", "inside")  # fmt: skip
    rows = [(s.game, f"{s.players}p", *map(_thousands, _numbers(s))) for s in found]
    out.print(plain_table(*columns, rows=rows, right=range(2, 9)))
    out.print()
    ratios = [(s.game, *_ratios(s)) for s in found]
    compared = ("times", "native inside / Python inside", "native cells / OpenSpiel step",
                "native inside / OpenSpiel inside")  # fmt: skip
    out.print(plain_table(*compared, rows=ratios, right=range(1, 4)))
    out.print()
    out.print(", ".join(f"{key} {value}" for key, value in _machine().items()))


def _most_players(game: Game) -> int:
    return game.origin.program().player_range[1]


def measure(game: Game, seconds: float) -> Speeds:
    """Measure one game; the best of some rounds counts, as others may use the machine."""
    ways: dict[str, Callable[[int], int]] = {
        "python_step": lambda seed: _loop(game, seed),
        "python_inside": lambda seed: game.machine.playout(seed)[1],
    }
    try:
        native = game.backends.choose("native")
    except BackendError:
        pass
    else:
        recipe = game.origin.recipe()
        fast = type(recipe)(recipe.name, recipe.players, recipe.options, recipe.variants, "native")
        loaded = fast.load()
        ways["native_step"] = lambda seed: _loop(loaded, seed)
        ways["native_cells"] = lambda seed: _cells_loop(native, seed)
        ways["native_inside"] = lambda seed: sum(
            native.random_games(None, seed * GAMES_AT_ONCE, GAMES_AT_ONCE).lengths  # type: ignore[attr-defined]
        )
    if game.name in IN_OPENSPIEL:
        ways |= _openspiel(game.name)
    best = dict.fromkeys(ways, 0.0)
    for _ in range(ROUNDS):
        for name, play in ways.items():
            best[name] = max(best[name], _speed(play, seconds))
    return Speeds(game.name, game.players, **best)


def _speed(play: Callable[[int], int], seconds: float) -> float:
    decisions = seed = 0
    began = time.process_time()
    while (passed := time.process_time() - began) < seconds or not seed:
        decisions += play(seed)
        seed += 1
    return decisions / max(passed, 1e-9)


def _loop(game: Game, seed: int) -> int:
    """One game by the documented loop; gives the number of decisions."""
    pick = random.Random(seed).choice
    state = game.start(seed=seed)
    decisions = 0
    while not state.over:
        state = state.play(pick(state.moves()))
        decisions += 1
    return decisions


def _cells_loop(machine: Machine, seed: int) -> int:
    """One game by the low-level loop over the bytes of positions and the numbers of moves."""
    pick = random.Random(seed).choice
    key = chance_key(seed)
    start = machine.new()
    draws = machine.settle(start, key, 0)
    cells, who_at, moves, step = bytes(start), machine.who_at, machine.moves, machine.step
    decisions = 0
    while cells[who_at] != OVER:
        cells, draws = step(cells, pick(moves(cells)), key, draws)
        decisions += 1
    return decisions


def _openspiel(name: str) -> dict[str, Callable[[int], int]]:
    """How OpenSpiel plays a game; nothing if it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return {}
    game = pyspiel.load_game(name)
    mean = sum(_openspiel_loop(game, seed) for seed in range(100)) / 100
    # Python reaches its C++ rollouts through a search of one simulation, which plays them from the
    # start; it does not say how long they were.
    rollouts = pyspiel.RandomRolloutEvaluator(GAMES_AT_ONCE, 1)
    search = pyspiel.MCTSBot(game, rollouts, 1.0, 1, 10, False, 1, False)
    start = game.new_initial_state()

    def play(seed: int) -> int:
        search.step(start)
        return round(mean * GAMES_AT_ONCE)

    return {
        "openspiel_step": lambda seed: _openspiel_loop(game, seed),
        "openspiel_inside": play,
    }


def _openspiel_loop(game: Any, seed: int) -> int:
    pick = random.Random(seed).choice
    state = game.new_initial_state()
    decisions = 0
    while not state.is_terminal():
        state.apply_action(pick(state.legal_actions()))
        decisions += 1
    return decisions


def _numbers(speeds: Speeds) -> tuple[float | None, ...]:
    return tuple(value for key, value in asdict(speeds).items() if "_" in key)


def _ratios(speeds: Speeds) -> tuple[str, ...]:
    pairs = (
        (speeds.native_inside, speeds.python_inside),
        (speeds.native_cells, speeds.openspiel_step),
        (speeds.native_inside, speeds.openspiel_inside),
    )
    return tuple(f"{one / two:.1f}" if one and two else "" for one, two in pairs)


def _thousands(speed: float | None) -> str:
    return "" if speed is None else f"{speed / 1000:,.0f}"


def _machine() -> dict[str, str]:
    """What the numbers depend on."""
    told = {"Python": platform.python_version(), "system": platform.system(),
            "processor": platform.machine(), "cores": str(os.cpu_count())}  # fmt: skip
    if hasattr(os, "getloadavg"):
        told["load"] = f"{os.getloadavg()[0]:.1f}"
    try:
        told["OpenSpiel"] = importlib.metadata.version("open_spiel")
    except importlib.metadata.PackageNotFoundError:
        told["OpenSpiel"] = "not installed"
    return told
