"""`rules play`: a game at the terminal."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.text import Text

from compiler.runtime.policies import POLICIES
from compiler.runtime.policies import Player as Bot
from rules_dsl.cli.console import console
from rules_dsl.cli.errors import BadInput
from rules_dsl.cli.game_argument import choice, game_options
from rules_dsl.cli.table.record_file import read_record
from rules_dsl.diagnostics import RuleError
from rules_dsl.loading import split_name

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.saving import Record


@click.command("play", short_help="Play a GAME in the terminal.")
@click.argument("game", required=False)
@click.option("--bots", type=click.Choice([*POLICIES, "none"]), default="greedy", show_default=True,
              help="Who plays the other seats; none: everybody is at this terminal.")  # fmt: skip
@click.option("--seat", "--human", "seats", multiple=True, metavar="N|NAME",
              help="Where you sit: a number from 1 or a name; again for more people; 0: nobody."
              )  # fmt: skip
@click.option("--from", "source", metavar="FILE", help="Go on with a saved game.")
@click.option("--seed", type=int, metavar="N", help="Decides every roll and draw.")
@game_options
def play_command(
    game: str | None, bots: str, seats: tuple[str, ...], source: str | None, seed: int | None,
    players: int | None, options: tuple[str, ...], variants: tuple[str, ...],
) -> None:  # fmt: skip
    """Play a GAME in the terminal, against bots or with people at the same screen."""
    from rules_dsl.cli.table.session import Session

    record = read_record(source) if source is not None else None
    if record is not None:
        loaded = _game_of(record, game, variants)
        state = loaded.replay(record)
    elif game is None:
        raise BadInput("which game? `rules list` shows what there is")
    else:
        loaded = choice(game, players, options, variants).load()
        state = loaded.start(seed=secrets.randbelow(10**6) if seed is None else seed)
    out = console()
    luck = state.seed if state.seed is not None else 0
    people = _people(loaded, seats, bots)
    machines = {
        p: Bot(loaded, bots if bots != "none" else "random", luck + 1 + p)
        for p in range(loaded.players)
        if p not in people
    }
    _print_welcome(out, loaded, state.seed, people, bots)
    Session(out, state, machines).run()


def _game_of(record: Record, game: str | None, variants: tuple[str, ...]) -> Game:
    """The game of a record, as it was played; a file must be named, shipped names are known.

    A file that is itself a variant already holds the variants that the record names.
    """
    known = () if game is not None and Path(split_name(game)[0]).is_file() else record.variants
    wanted = choice(
        game or record.game,
        record.players,
        [f"{name}={value}" for name, value in record.options.items()],
        variants or known,
    )
    try:
        return wanted.load()
    except RuleError as error:
        unknown = any(d.code == "E0130" for d in error.diagnostics)
        if game is not None or variants or not unknown:
            raise
        played = " with ".join((record.game, *record.variants))
        raise BadInput(
            f"the saved game is one of {played}, which is not shipped: name its file, as in "
            "`rules play FILE.rules --from …`"
        ) from None


def _people(game: Game, seats: tuple[str, ...], bots: str) -> set[int]:
    if not seats:
        return set(range(game.players)) if bots == "none" else {0}
    found = set()
    for seat in seats:
        if seat in game.player_names:
            found.add(game.player_names.index(seat))
        elif seat.isdecimal() and 0 <= int(seat) <= game.players:
            found.add(int(seat) - 1)
        else:
            names = ", ".join(game.player_names)
            raise BadInput(f"there is no seat `{seat}`: 1 to {game.players}, or {names}")
    return found - {-1}


def _print_welcome(
    out: Console, game: Game, seed: int | None, people: set[int], bots: str
) -> None:  # fmt: skip
    out.print(Text(game.title, style="bold"))
    seats = [
        f"{name}: {'you' if number in people else bots if bots != 'none' else 'random'}"
        for number, name in enumerate(game.player_names)
    ]
    seeded = "" if seed is None else f"; seed {seed}"
    out.print(Text(f"{', '.join(seats)}{seeded}"))
    if people:
        out.print(Text("`help` explains what you can type.", style="dim"))
