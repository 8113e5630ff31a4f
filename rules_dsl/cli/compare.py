"""`rules compare`: the balance of two rule sets, measured in many games."""

from __future__ import annotations

import json
from pathlib import Path

import click
from attrs import asdict
from rich.text import Text

from compiler.runtime.balance import Balance, BalanceSection, compared, measure
from rules_dsl.cli.balance_page import interval_text, page
from rules_dsl.cli.console import console, heading, plain_table
from rules_dsl.cli.errors import BadInput
from rules_dsl.cli.game_argument import (
    choice,
    game_options,
    jobs_option,
    json_option,
    random_play_options,
)
from rules_dsl.cli.games_progress import games_progress
from rules_dsl.language.files import write_text

# Rows of a section that the terminal shows; the page shows all.
MOST_ROWS = 14


@click.command("compare", short_help="Measure how two games differ in balance.")
@click.argument("one")
@click.argument("two")
@click.option("--games", "count", type=click.IntRange(2), default=200, show_default=True,
              metavar="N", help="Number of games of each.")  # fmt: skip
@random_play_options
@jobs_option
@click.option(
    "--report",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a page with plots (.html).",
)
@game_options
@json_option
def compare_command(
    one: str, two: str, count: int, policy: str, seed: int, jobs: int, file: Path | None,
    players: int | None, options: tuple[str, ...], variants: tuple[str, ...], as_json: bool,
) -> None:  # fmt: skip
    """Play many games of ONE and TWO and compare seats, scores, lengths, sources of points and use
    of actions and cards, with 95 % intervals.

    --option and --variant apply to TWO only. The bots are equally strong in both games.
    """
    if file is not None and file.suffix != ".html":
        raise BadInput(f"'{file}' is not HTML (.html)")
    games = choice(one, players, (), ()).load(), choice(two, players, options, variants).load()
    if games[0].players != games[1].players:
        raise BadInput(
            f"{games[0].players} and {games[1].players} players: choose one number with --players"
        )
    found = []
    for game in games:
        with games_progress(count) as advance:
            found.append(measure(game, count, policy, seed, advance, jobs))
    before, after = found
    sections = compared(before, after)
    if file is not None:
        write_text(file, page(before, after, sections))
    if as_json:
        data = _data([before, after], sections)
        click.echo(json.dumps(data, indent=1, ensure_ascii=False))
    else:
        _print(before, after, sections)


def _data(found: list[Balance], sections: list[BalanceSection]) -> dict[str, object]:
    return {
        "games": [{"name": one.name, "games": one.games, "policy": one.policy} for one in found],
        "sections": [asdict(section) for section in sections],
    }


def _print(one: Balance, two: Balance, sections: list[BalanceSection]) -> None:
    out = console()
    out.print(Text(f"{one.name} → {two.name}", style="bold"))
    out.print(
        Text(
            f"{one.games:,} games of each, {one.policy} bots, 95 % intervals;"
            " * marks a difference beyond chance"
        )
    )
    for section in sections:
        out.print()
        out.print(heading(section.title))
        rows = [
            (
                row.name,
                interval_text(row.one, row.is_share),
                interval_text(row.two, row.is_share),
                interval_text(row.difference, row.is_share),
                "*" if row.difference.differs else "",
            )
            for row in section.rows[:MOST_ROWS]
        ]
        out.print(plain_table("", one.name, two.name, "difference", "", rows=rows, right=(1, 2, 3)))
        if len(section.rows) > MOST_ROWS:
            left = len(section.rows) - MOST_ROWS
            out.print(Text(f"… and {left} more; --report FILE shows all", style="dim"))
