"""Two games in every configuration that was left open: other numbers of players, other options.

A difference between two editions may show only with an option that was not set, or only with
four players. Rulings are left as they are: they answer questions about one rulebook.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from rules_dsl.language.option_values import setting
from rules_dsl.language.options import read_setting, split_name
from verify.running.configurations import Outline, configurations, outline

if TYPE_CHECKING:
    from rules_dsl.cli.game_argument import GameChoice


@frozen
class SharedConfiguration:
    """A configuration that both games have; the name says how it differs from the usual one."""

    one: GameChoice
    two: GameChoice
    name: str


def shared_configurations(one: GameChoice, two: GameChoice) -> Iterator[SharedConfiguration]:
    """All configurations of two games over the settings that were not given; the usual one first.

    >>> from rules_dsl.cli.game_argument import GameChoice
    >>> asked = GameChoice("tikal@1999", 2), GameChoice("tikal@2018", 2)
    >>> [configuration.name for configuration in shared_configurations(*asked)]
    ['', 'auction=true']
    """
    outlines = [outline(split_name(game.name)[0], game.variants) for game in (one, two)]
    named = _named(one, outlines[0]) | _named(two, outlines[1])
    theirs = {(o.name, o.choices) for o in outlines[1].options}
    shared = tuple(
        option
        for option in outlines[0].options
        if option.name not in named and (option.name, option.choices) in theirs
    )
    low = max(o.players[0] for o in outlines)
    high = min(o.players[1] for o in outlines)
    # Games that no number of players can play together are compared as they are.
    first = outlines[0].players[0]
    counts = (low, high) if low <= high else (first, first)
    usual = None
    for configuration in configurations(Outline(counts, shared), one.players):
        usual = usual or configuration
        options = tuple(
            setting(name, value)
            for name, value in configuration.options.items()
            if value != usual.options[name]
        )
        players = (
            () if configuration.players == usual.players else (f"{configuration.players} players",)
        )
        yield SharedConfiguration(
            evolve(one, players=configuration.players, options=(*one.options, *options)),
            evolve(two, players=configuration.players, options=(*two.options, *options)),
            ", ".join((*players, *options)),
        )


def _named(game: GameChoice, known: Outline) -> set[str]:
    """The options that were asked for, by name or by a value."""
    options = {option.name: option for option in known.options}
    settings = split_name(game.name)[1]
    return {*game.settings(), *(read_setting(options, setting)[0] for setting in settings)}
