"""`rules simulate`: many games and their results."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from compiler.runtime.backends import BACKENDS
from rules_dsl.cli.cluster import dask_option, workers_of
from rules_dsl.cli.console import console, heading, plain_table
from rules_dsl.cli.game_argument import (
    choice,
    game_options,
    jobs_option,
    json_option,
    random_play_options,
)
from rules_dsl.cli.games_progress import games_progress
from rules_dsl.cli.table.labels import number_text

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.simulation import Simulation


@click.command("simulate", short_help="Play many games and count.")
@click.argument("game")
@click.option("--games", "count", type=click.IntRange(1), default=1000, show_default=True,
              metavar="N", help="Number of games.")  # fmt: skip
@random_play_options
@click.option(
    "--backend",
    type=click.Choice(BACKENDS),
    default="auto",
    show_default=True,
    help="The code that plays: native code needs a C compiler.",
)
@jobs_option
@dask_option
@game_options
@json_option
def simulate_command(
    game: str, count: int, policy: str, seed: int, backend: str, jobs: int, cluster: str | None,
    players: int | None, options: tuple[str, ...], variants: tuple[str, ...], as_json: bool,
) -> None:  # fmt: skip
    """Play many games of a GAME and count: scores, lengths, wins by seat, use of each action."""
    loaded = choice(game, players, options, variants).load()
    began = time.perf_counter()
    with workers_of(cluster) as executor, games_progress(count) as advance:
        result = loaded.simulate(count, policy, seed, backend, jobs, advance, executor)
    seconds = time.perf_counter() - began
    if as_json:
        click.echo(result.to_json())
        return
    _print(console(), loaded, result)
    console(stderr=True).print(
        Text(
            f"{_games(count)} in {seconds:.1f} s, {count / max(seconds, 1e-9):.0f} a second",
            style="dim",
        )
    )


def _games(count: int) -> str:
    return "1 game" if count == 1 else f"{count} games"


def _print(out: Console, game: Game, result: Simulation) -> None:
    variants = "".join(f" + {name}" for name in game.variants)
    out.print(Text(f"{game.title}{variants}", style="bold"))
    last = result.seed + result.games - 1
    seeds = f"seeds {result.seed} to {last}" if result.games > 1 else f"seed {result.seed}"
    out.print(
        Text(f"{_games(result.games)} of {result.players} players, {result.policy} policy, {seeds}")
    )
    out.print()
    out.print(heading("By seat"))
    out.print(_seats(game, result))
    out.print()
    out.print(heading("Length"))
    least, _, median, _, greatest = result.length_spread()
    out.print(
        Text(
            f"decisions a game: least {least}, mean {result.mean_length():.1f},"
            f" median {median}, greatest {greatest}"
        )
    )
    out.print()
    out.print(heading("Moves"))
    out.print(_moves(game, result))


def _seats(game: Game, result: Simulation) -> Table:
    rows = []
    for player, name in enumerate(game.player_names):
        spread = result.score_spread(player)
        rows.append(
            (
                name,
                f"{float(result.win_share()[player]):.1%}",
                f"{float(result.mean_scores()[player]):.2f}",
                *(number_text(value) for value in spread),
            )
        )
    columns = (
        "", "wins", "mean score", "least", "lower quartile", "median", "upper quartile", "greatest",
    )  # fmt: skip
    return plain_table(*columns, rows=rows, right=range(1, 8))


def _moves(game: Game, result: Simulation) -> Table:
    """Number of moves of each kind, unused actions included."""
    used = dict.fromkeys(game.machine.meta["actions"], 0) | dict(result.moves)
    total = max(1, sum(used.values()))
    rows = [
        (name, str(count), f"{count / result.games:.2f}", f"{count / total:.1%}")
        for name, count in sorted(used.items(), key=lambda item: (-item[1], item[0]))
    ]
    return plain_table("", "times", "a game", "share", rows=rows, right=(1, 2, 3))
