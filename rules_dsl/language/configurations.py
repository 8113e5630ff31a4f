"""The configurations of a game that are checked: players and options."""

from __future__ import annotations

from attrs import frozen

from rules_dsl.language.option_values import OptionValue, shown
from rules_dsl.language.options import choose_options, option_infos
from rules_dsl.language.program import Program


@frozen
class Configuration:
    """A number of players, the value of every option, and which of them are not the default."""

    players: int
    options: dict[str, OptionValue]
    changed: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = [f"{self.players} player{'' if self.players == 1 else 's'}"]
        parts += [f"{name} = {shown(self.options[name])}" for name in self.changed]
        return ", ".join(parts)


def configurations(program: Program) -> list[Configuration]:
    """Every number of players, and every option changed by itself.

    Options are changed for every number of players; a variant, whose game has been checked like
    that, is content with the largest.

    >>> from rules_dsl.language.program import assemble
    >>> from rules_dsl.language.sources import gather
    >>> [str(c) for c in configurations(assemble(gather("tic_tac_toe")))]
    ['2 players']
    """
    defaults = choose_options(program, {})
    low, high = program.player_range
    found: list[Configuration] = []
    for players in range(low, high + 1):
        found.append(Configuration(players, defaults))
        if program.variants and players < high:
            continue
        for info in option_infos(program):
            found += [
                Configuration(players, {**defaults, info.name: choice}, (info.name,))
                for choice in info.choices
                if choice != defaults[info.name]
            ]
    return found
