"""The games that come with the library."""

from __future__ import annotations

from attrs import frozen

from rules_dsl.language.options import OptionInfo, option_infos
from rules_dsl.language.sources import gather, shipped_games, shipped_variants


@frozen
class GameInfo:
    """The entry of `games()` for a shipped game."""

    name: str
    title: str
    players: tuple[int, int]
    options: tuple[OptionInfo, ...]
    variants: tuple[str, ...]


def games() -> tuple[GameInfo, ...]:
    """The games that come with the library: names, titles, player counts, options, variants.

    >>> [g.name for g in games() if g.name.startswith("tic")]
    ['tic_tac_toe']
    """
    return tuple(describe(name) for name in shipped_games())


def describe(name: str) -> GameInfo:
    """The entry of `games()` for one game, by name or file."""
    from rules_dsl.language.program import assemble

    program = assemble(gather(name))
    title = program.game.text.value if program.game.text else program.game.name.name
    return GameInfo(
        program.game.name.name,
        title,
        program.player_range,
        option_infos(program),
        tuple(shipped_variants(program.game.name.name)),
    )
