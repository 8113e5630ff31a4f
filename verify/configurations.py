"""Two games in every form that was left open: other numbers of players, other options.

What differs between two editions may show only with an option that nobody asked for, or only with
four players. Rulings are left as they are: they answer questions about one rulebook.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from rules_dsl.loading import option_infos, split_name

if TYPE_CHECKING:
    from rules_dsl.cli.game_argument import GameChoice
    from rules_dsl.loading import OptionInfo
    from rules_dsl.program import Program


@frozen
class Form:
    """A form in which both games can be played, and what is special about it."""

    one: GameChoice
    two: GameChoice
    name: str


def forms(one: GameChoice, two: GameChoice) -> Iterator[Form]:
    """All forms of two games that leave open what nobody asked for; first the usual one.

    >>> from rules_dsl.cli.game_argument import GameChoice
    >>> [form.name for form in forms(GameChoice("tikal@1999", 2), GameChoice("tikal@2018", 2))]
    ['', 'auction=true']
    """
    first, second = one.program(), two.program()
    theirs = {info.name: info for info in option_infos(second)}
    named = _named(one, first) | _named(two, second)
    open_options = [
        info for info in option_infos(first)
        if info.kind == "option" and info.name not in named and theirs.get(info.name) == info
    ]  # fmt: skip
    ways = [
        [info.default, *(choice for choice in info.choices if choice != info.default)]
        for info in open_options
    ]
    for players in _counts(one, two, first, second):
        for values in product(*ways):
            chosen = [
                (info.name, str(value).lower())
                for info, value in zip(open_options, values, strict=True)
                if value != info.default
            ]
            options = tuple(f"{name}={value}" for name, value in chosen)
            words = list(options)
            if players != _counts(one, two, first, second)[0]:
                words.insert(0, f"{players} players")
            yield Form(
                evolve(one, players=players, options=(*one.options, *options)),
                evolve(two, players=players, options=(*two.options, *options)),
                ", ".join(words),
            )


def _counts(one: GameChoice, two: GameChoice, first: Program, second: Program) -> list[int]:
    """The numbers of players to look at."""
    if one.players is not None:
        return [one.players]
    low = max(first.player_range[0], second.player_range[0])
    high = min(first.player_range[1], second.player_range[1])
    # If they share none, each is taken as it is; that is a difference by itself.
    return list(range(low, high + 1)) or [first.player_range[0]]


def _named(choice: GameChoice, program: Program) -> set[str]:
    """The options that were asked for, by name or by a value."""
    found = set(choice.settings())
    for setting in split_name(choice.name)[1]:
        name, equals, _ = setting.partition("=")
        found |= {
            info.name for info in option_infos(program)
            if info.name == name or (not equals and setting.lower() in _words(info))
        }  # fmt: skip
    return found


def _words(info: OptionInfo) -> set[str]:
    return {str(choice).lower() for choice in info.choices}
