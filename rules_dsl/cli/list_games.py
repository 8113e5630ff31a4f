"""`rules list`: the shipped games."""

from __future__ import annotations

import json

import click
from attrs import asdict
from rich.text import Text

from rules_dsl.cli.console import console, heading, plain_table
from rules_dsl.cli.game_argument import json_option, language_option
from rules_dsl.language.option_values import shown
from rules_dsl.language.options import OptionInfo
from rules_dsl.shipped import GameInfo, games


@click.command("list", short_help="List the shipped games.")
@language_option
@json_option
def list_command(language: str, as_json: bool) -> None:
    """List the shipped games with their players, options and variants."""
    found = games()
    if as_json:
        click.echo(json.dumps([asdict(game) for game in found], indent=1, ensure_ascii=False))
        return
    out = console()
    rows = [
        (game.name, game.titles.get(language, game.title), _players(game), _options(game))
        for game in found
    ]
    out.print(plain_table("name", "title", "players", "options", rows=rows))
    for game in found:
        if game.variants:
            out.print()
            out.print(heading(f"variants of {game.name}"))
            out.print(Text(", ".join(game.variants)))


def _players(game: GameInfo) -> str:
    low, high = game.players
    return str(low) if low == high else f"{low}-{high}"


def _options(game: GameInfo) -> Text:
    options = [option for option in game.options if option.kind == "option"]
    rulings = len(game.options) - len(options)
    lines = [_option(option) for option in options]
    if rulings:
        lines.append(f"{rulings} rulings")
    return Text("\n".join(lines))


def _option(option: OptionInfo) -> str:
    return f"{option.name}: {', '.join(shown(choice) for choice in option.choices)}"
