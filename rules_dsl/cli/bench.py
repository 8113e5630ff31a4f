"""`rules bench`: the speed of play, beside that of other libraries in the same run."""

from __future__ import annotations

import json
import math
import os
import platform
import time
from collections.abc import Callable

import click
from attrs import asdict, frozen

from compiler.runtime.backends import BackendError
from compiler.runtime.game import Game
from compiler.runtime.machine import OVER, Machine
from rules_dsl.cli.console import console, plain_table
from rules_dsl.cli.game_argument import choice, json_option
from rules_dsl.cli.other_engines import GAMES_AT_ONCE, chance, other_engines, versions

DEFAULT = ("tic_tac_toe", "connect_four", "breakthrough", "hex", "mancala", "tzolkin", "tikal")
ROUNDS = 3


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
    openspiel_python: float | None = None
    pettingzoo: float | None = None
    catanatron: float | None = None


def _a_number(_: click.Context, __: click.Parameter, value: float) -> float:
    """Refuse NaN, which passes every check of a range."""
    if math.isnan(value):
        raise click.BadParameter("nan is not a number.")
    return value


@click.command("bench", short_help="Measure the speed of play.")
@click.argument("games", nargs=-1)
@click.option(
    "--seconds",
    type=click.FloatRange(0.01, 60),
    callback=_a_number,
    default=0.5,
    show_default=True,
    help="CPU time for each measurement; there are three of each.",
)
@click.option("--players", type=int, metavar="N", help="Number of players.")
@json_option
def bench_command(
    games: tuple[str, ...], seconds: float, players: int | None, as_json: bool
) -> None:
    """Play GAMES at random in every way there is, and show decisions a CPU second.

    "step" is the documented loop over `moves()` and `play(move)`; "cells" the same over the bytes
    of positions, without states and moves for people, as OpenSpiel's loop; "inside" plays whole
    games without coming back to Python. Libraries that are installed and have the game are
    measured in the same run: OpenSpiel from Python and inside, its games in Python, PettingZoo,
    and, beside the large games, Settlers of Catan by catanatron.
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
               "inside")  # fmt: skip
    rows = [(s.game, f"{s.players}p", *map(_thousands, _own(s))) for s in found]
    out.print(plain_table(*columns, rows=rows, right=range(2, 7)))
    out.print()
    rivals = ("others", "OpenSpiel step", "inside", "in Python", "PettingZoo", "catanatron")
    rows = [(s.game, *map(_thousands, _others(s))) for s in found]
    out.print(plain_table(*rivals, rows=rows, right=range(1, 6)))
    out.print()
    rows = [(f"{s.game}: {what}", f"{ratio:.1f}") for s in found for what, ratio in ratios(s)]
    out.print(plain_table("ratio", "times", rows=rows, right=(1,)))
    out.print()
    out.print(", ".join(f"{key} {value}" for key, value in _machine().items()))


def _most_players(game: Game) -> int:
    return game.origin.program().player_range[1]


def measure(game: Game, seconds: float) -> Speeds:
    """Measure one game in every way there is."""
    return Speeds(game.name, game.players, **best_of(ways_to_play(game), seconds, ROUNDS))


def best_of(ways: dict[str, Callable[[int], int]], seconds: float, rounds: int) -> dict[str, float]:
    """Decisions a CPU second of each way to play a game.

    Every round measures all back ends in turn, and the best round of each counts: other load on the
    machine can only slow rounds down, and affects all of them alike.

    >>> sorted(best_of({"short": lambda seed: 1, "long": lambda seed: 9}, 0.001, 2))
    ['long', 'short']
    """
    best = dict.fromkeys(ways, 0.0)
    for _ in range(rounds):
        for name, play in ways.items():
            best[name] = max(best[name], _speed(play, seconds))
    return best


def ways_to_play(game: Game) -> dict[str, Callable[[int], int]]:
    """For each field of `Speeds` that can be measured here: a game by its seed, for its length."""
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
    return ways | other_engines(game.name, game.players)


def _speed(play: Callable[[int], int], seconds: float) -> float:
    decisions = seed = 0
    began = time.process_time()
    while (passed := time.process_time() - began) < seconds or not seed:
        decisions += play(seed)
        seed += 1
    return decisions / max(passed, 1e-9)


def _loop(game: Game, seed: int) -> int:
    """One game by the documented loop; returns the number of decisions."""
    state = game.start(seed=seed)
    decisions = 0
    while not state.over:
        moves = state.moves()
        state = state.play(moves[int(chance() * len(moves))])
        decisions += 1
    return decisions


def _cells_loop(machine: Machine, seed: int) -> int:
    """One game by the low-level loop over the bytes of positions and the numbers of moves."""
    cells, draws, key = machine.opening(seed)
    who_at, step = machine.who_at, machine.step
    decisions = 0
    while cells[who_at] != OVER:
        moves = machine.moves(cells)
        cells, draws = step(cells, moves[int(chance() * len(moves))], key, draws)
        decisions += 1
    return decisions


def _own(speeds: Speeds) -> tuple[float | None, ...]:
    return (
        speeds.python_step,
        speeds.python_inside,
        speeds.native_step,
        speeds.native_cells,
        speeds.native_inside,
    )


def _others(speeds: Speeds) -> tuple[float | None, ...]:
    return (
        speeds.openspiel_step,
        speeds.openspiel_inside,
        speeds.openspiel_python,
        speeds.pettingzoo,
        speeds.catanatron,
    )


def ratios(speeds: Speeds) -> list[tuple[str, float]]:
    """The ratios between measurements that were both made.

    >>> ratios(Speeds("pig", 2, python_step=2.0, python_inside=4.0, native_inside=100.0))
    [('native inside / Python inside', 25.0)]
    """
    s = speeds
    pairs = (
        ("native inside / Python inside", s.native_inside, s.python_inside),
        ("native inside / OpenSpiel inside", s.native_inside, s.openspiel_inside),
        ("native step / OpenSpiel step", s.native_step, s.openspiel_step),
        ("native cells / OpenSpiel step", s.native_cells, s.openspiel_step),
        ("Python step / OpenSpiel in Python", s.python_step, s.openspiel_python),
        ("Python step / PettingZoo", s.python_step, s.pettingzoo),
        ("Python step / catanatron", s.python_step, s.catanatron),
        ("native step / catanatron", s.native_step, s.catanatron),
    )
    return [(text, one / two) for text, one, two in pairs if one and two]


def _thousands(speed: float | None) -> str:
    return "" if speed is None else f"{speed / 1000:,.0f}"


def _machine() -> dict[str, str]:
    """The environment that the numbers depend on."""
    told = {
        "Python": platform.python_version(),
        "system": platform.system(),
        "processor": platform.machine(),
        "cores": str(os.cpu_count()),
    }
    if hasattr(os, "getloadavg"):
        told["load"] = f"{os.getloadavg()[0]:.1f}"
    return told | versions()
