"""The arguments that many commands share: a game, its players, options and variants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click
from attrs import frozen

from compiler.loading import load
from rules_dsl.language.options import OptionError, split_name
from rules_dsl.language.sources import gather
from rules_dsl.translation import LANGUAGES

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from rules_dsl.language.option_values import OptionValue
    from rules_dsl.language.program import Program

F = TypeVar("F", bound=Callable[..., Any])


@frozen
class GameChoice:
    """A game as named on the command line.

    >>> GameChoice("tic_tac_toe").load()
    <game tic_tac_toe for 2 players>
    """

    name: str
    players: int | None = None
    options: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()

    def load(self) -> Game:
        """The game, compiled."""
        return load(
            self.name, players=self.players, options=self.settings(), variants=self.variants
        )

    def program(self) -> Program:
        """The declarations of the game."""
        from rules_dsl.language.program import assemble

        return assemble(gather(split_name(self.name)[0], self.variants))

    def configuration(self, program: Program) -> tuple[int, dict[str, OptionValue]]:
        """The number of players and the value of every option."""
        from rules_dsl.language.options import check_players, choose_options

        settings = split_name(self.name)[1]
        return (
            check_players(program, self.players),
            choose_options(program, self.settings(), settings),
        )

    def settings(self) -> dict[str, OptionValue]:
        """The values set by `--option`, each of the option's type."""
        pairs = [option.partition("=") for option in self.options]
        for name, equals, _ in pairs:
            if not equals:
                raise OptionError(f"`--option {name}` has no value; write --option NAME=VALUE")
        return {name.strip(): value.strip() for name, _, value in pairs}


def game_options(command: F) -> F:
    """Add --players, --option and --variant to a command."""
    for decorate in (
        click.option("--variant", "variants", multiple=True, metavar="FILE",
                     help="Apply a variant: a file or the name of a shipped one."),
        click.option("--option", "options", multiple=True, metavar="NAME=VALUE",
                     help="Set an option or decide a ruling."),
        click.option("--players", type=int, metavar="N", help="Number of players."),
    ):  # fmt: skip
        command = decorate(command)
    return command


def json_option(command: F) -> F:
    """Add --json to a command."""
    return click.option("--json", "as_json", is_flag=True, help="Write JSON.")(command)


def language_option(command: F) -> F:
    """Add --lang to a command."""
    return click.option(
        "--lang", "language", type=click.Choice(LANGUAGES), default="en", show_default=True,
        help="The language; words without a label in it stay in English.",
    )(command)  # fmt: skip


def jobs_option(command: F) -> F:
    """Add --jobs to a command."""
    return click.option(
        "--jobs", type=click.IntRange(1), default=1, metavar="N", help="Processes to use."
    )(command)


def random_play_options(command: F) -> F:
    """Add --policy and --seed to a command that plays many games."""
    from compiler.runtime.bots import NAMES

    for decorate in (
        click.option("--seed", type=int, default=0, show_default=True, metavar="N",
                     help="The first game's seed; the others follow."),
        click.option("--policy", type=click.Choice(NAMES), default="random", show_default=True,
                     help="The policy of every seat."),
    ):  # fmt: skip
        command = decorate(command)
    return command


def choice(
    name: str, players: int | None, options: Sequence[str], variants: Sequence[str]
) -> GameChoice:
    """The game that the shared arguments name."""
    return GameChoice(name, players, tuple(options), tuple(variants))
