"""Options and rulings: their values, and reading them as people write them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from rules_dsl.language.diagnostics import did_you_mean
from rules_dsl.language.option_values import OptionValue, shown

if TYPE_CHECKING:
    from rules_dsl.language.program import Program


class OptionError(ValueError):
    """An option, ruling or number of players that the game does not have."""


@frozen
class OptionInfo:
    """An option or ruling of a game: values, default, meaning and cites."""

    name: str
    kind: str
    choices: tuple[OptionValue, ...]
    default: OptionValue
    text: str
    cites: tuple[str, ...]


_AT = re.compile(r"^(?P<name>.+?)@(?P<settings>[^@/\\]*)$")


def split_name(name: str) -> tuple[str, list[str]]:
    """A game as written on the command line: its name and its settings.

    >>> split_name("tikal@edition=2018,auction=true")
    ('tikal', ['edition=2018', 'auction=true'])
    """
    match = _AT.match(name)
    if not match:
        return name, []
    return match["name"], [part for part in match["settings"].split(",") if part]


def check_players(program: Program, players: int | None) -> int:
    """The number of players to load for: the asked one, or the fewest the game is for."""
    low, high = program.player_range
    if players is None:
        return low
    # Callers without a type checker may pass anything.
    given: object = players
    if not isinstance(given, int) or isinstance(given, bool) or not low <= given <= high:
        shown = str(low) if low == high else f"{low} to {high}"
        raise OptionError(f"{program.game.name} is for {shown} players, not {players!r}")
    return players


def option_infos(program: Program, language: str = "en") -> tuple[OptionInfo, ...]:
    """The options and rulings of a game, with texts in a language."""
    from rules_dsl.language import syntax as s
    from rules_dsl.language.checker import default_choice, option_choices

    return tuple(
        OptionInfo(
            o.name.name,
            o.kind,
            option_choices(o),
            default_choice(o),
            o.text.said(language) if o.text else "",
            tuple(str(c) for c in o.cites),
        )
        for o in program.of(s.Option)
    )


def choose_options(
    program: Program, options: Mapping[str, OptionValue], settings: Sequence[str] = ()
) -> dict[str, OptionValue]:
    """The value of every option; raises `OptionError` for one that does not exist."""
    known = {info.name: info for info in option_infos(program)}
    chosen = {info.name: info.default for info in known.values()}
    for setting in settings:
        name, value = read_setting(known, setting)
        chosen[name] = value
    for name, given in options.items():
        if name not in known:
            hint = did_you_mean(name, known) or f"it has: {', '.join(known) or 'none'}"
            raise OptionError(f"{program.game.name} has no option `{name}`; {hint}")
        chosen[name] = _value(known[name], given)
    return chosen


def read_setting(known: dict[str, OptionInfo], setting: str) -> tuple[str, OptionValue]:
    """`edition=2018`, or `2018` alone where only one option has that value."""
    name, equals, text = setting.partition("=")
    if equals:
        if name not in known:
            raise OptionError(
                f"there is no option `{name}`; {did_you_mean(name, known)}".rstrip("; ")
            )
        return name, _value(known[name], text)
    owners = [
        (info.name, choice)
        for info in known.values()
        for choice in info.choices
        if str(choice).lower() == setting.lower() and not isinstance(choice, bool)
    ]
    switches = [(i.name, True) for i in known.values() if i.name == setting and True in i.choices]
    found = owners or switches
    if len(found) == 1:
        return found[0]
    if not found:
        raise OptionError(f"no option has the value `{setting}`")
    names = ", ".join(name for name, _ in found)
    raise OptionError(f"`{setting}` is a value of {names}; write NAME={setting}")


def _value(info: OptionInfo, given: OptionValue) -> OptionValue:
    for choice in info.choices:
        if type(choice) is type(given) and choice == given:
            return choice
        if str(choice).lower() == str(given).lower():
            return choice
    choices = ", ".join(map(shown, info.choices))
    raise OptionError(f"`{info.name}` cannot be {given!r}; it is one of: {choices}")
