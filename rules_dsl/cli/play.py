"""`rules play`: a game at the terminal."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.text import Text

from compiler.runtime.bots import NAMES, bot_by_name
from compiler.runtime.discovery import has_secrets
from rules_dsl.cli.console import console
from rules_dsl.cli.errors import BadInput
from rules_dsl.cli.game_argument import choice, game_options, language_option
from rules_dsl.cli.saved_game import open_saved
from rules_dsl.cli.table.words import Words
from rules_dsl.language.option_values import setting
from rules_dsl.language.options import option_infos
from rules_dsl.language.provenance import provisional

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.state import State

# Maximum number of digits: Python refuses to read very long numbers, and none of them is a seat.
MOST_DIGITS = 10


@click.command("play", short_help="Play a GAME in the terminal.")
@click.argument("game", required=False)
@click.option(
    "--bots",
    type=click.Choice([*NAMES, "none"]),
    default="greedy",
    show_default=True,
    help="Who plays the other seats; none: all players are at this terminal.",
)
@click.option(
    "--seat",
    "--human",
    "seats",
    multiple=True,
    metavar="N|NAME",
    help="Where you sit: a number from 1 or a name; may be repeated; 0: no seat.",
)
@click.option("--from", "source", metavar="FILE", help="Continue a saved game.")
@click.option("--autosave", metavar="FILE", help="Write the game to FILE before every question.")
@click.option("--seed", type=int, metavar="N", help="Decides every roll and draw.")
@language_option
@game_options
def play_command(
    game: str | None,
    bots: str,
    seats: tuple[str, ...],
    source: str | None,
    autosave: str | None,
    seed: int | None,
    language: str,
    players: int | None,
    options: tuple[str, ...],
    variants: tuple[str, ...],
) -> None:
    """Play a GAME in the terminal, against bots or with people at the same screen."""
    from rules_dsl.cli.table.session import Session

    asked = choice(game or "", players, options, variants)
    if source is not None:
        state = open_saved(source, asked, seed)
    elif game is None:
        raise BadInput("which game? `rules list` shows what there is")
    else:
        state = asked.load().start(seed=secrets.randbelow(10**6) if seed is None else seed)
    loaded = state.game
    out = console()
    luck = state.seed if state.seed is not None else 0
    people = _people(loaded, seats, bots)
    machines = {
        p: bot_by_name(bots if bots != "none" else "random", luck + 1 + p)
        for p in range(loaded.players)
        if p not in people
    }
    # Reading the rules takes a moment: it is skipped where only defaults can be in play.
    special = source is not None or bool(options) or "@" in asked.name
    words = Words(loaded, language)
    chosen = _chosen(loaded) if special else []
    _print_welcome(out, words, state, people, bots, chosen, seed is not None)
    Session(out, state, machines, autosave or "", language).run()


def _people(game: Game, seats: tuple[str, ...], bots: str) -> set[int]:
    if not seats:
        return set(range(game.players)) if bots == "none" else {0}
    found = set()
    for seat in seats:
        if seat in game.player_names:
            found.add(game.player_names.index(seat))
        elif seat.isdecimal() and len(seat) < MOST_DIGITS and 0 <= int(seat) <= game.players:
            found.add(int(seat) - 1)
        else:
            names = ", ".join(game.player_names)
            raise BadInput(f"there is no seat `{seat}`: 1 to {game.players}, or {names}")
    return found - {-1}


def _chosen(game: Game) -> list[str]:
    """The options and rulings that differ from the defaults."""
    return [
        setting(info.name, game.options[info.name])
        for info in option_infos(game.origin.program())
        if game.options[info.name] != info.default
    ]


def _print_welcome(
    out: Console,
    words: Words,
    state: State,
    people: set[int],
    bots: str,
    chosen: list[str],
    asked_seed: bool,
) -> None:
    game = state.game
    out.print(Text(" + ".join((game.title, *game.variants)), style="bold"))
    if chosen:
        out.print(Text(f"with {', '.join(chosen)}"))
    seats = [
        f"{words(name)}: {words.own('you' if number in people else bots.replace('none', 'random'))}"
        for number, name in enumerate(game.player_names)
    ]
    # The seed reveals what is hidden: unless the user chose it, it is shown only on request.
    told = state.seed is not None and (asked_seed or not has_secrets(game))
    seeded = f"; {words.own('seed')} {state.seed}" if told else ""
    out.print(Text(f"{', '.join(seats)}{seeded}"))
    if counts := provisional(game.origin.program()):
        out.print(Text(f"{counts}: not known for certain; marked with * in moves", style="dim"))
    if people:
        out.print(Text(words.own("`help` explains what you can type."), style="dim"))
