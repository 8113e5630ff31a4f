"""The configurations that `rules verify` checks: every number of players, every shipped option.

Options are different games in one box, so they are combined: all combinations if there are at most
16 of them, otherwise the defaults and each option changed by itself. Rulings decide what a rulebook
leaves open; they keep their defaults. Options that the caller sets are not varied.

Player counts and options are cached by the digest of the rule files, so that unchanged rules are
not parsed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from attrs import frozen

from compiler.cache import compiler_digest
from rules_dsl.language.option_values import OptionValue, setting
from rules_dsl.language.options import OptionInfo, read_setting
from rules_dsl.language.sources import SourceSet, gather
from verify.proof import disk_cache as cache

if TYPE_CHECKING:
    from compiler.runtime.game import Game

# Maximum number of combinations that are all checked.
MOST_COMBINATIONS = 16


@frozen
class Outline:
    """The player counts of a game and its options."""

    players: tuple[int, int]
    options: tuple[OptionInfo, ...]


@frozen
class Configuration:
    """A number of players, and the options that are not left to their defaults."""

    players: int
    options: dict[str, OptionValue]


def outline(name: str, variants: Sequence[str] = ()) -> Outline:
    """The outline of a game with its variants.

    >>> outline("pig").players
    (2, 10)
    """
    return _outline(gather(name, tuple(variants)))


def outline_of(game: Game) -> Outline:
    """The outline of a loaded game."""
    return _outline(game.origin.sources)


def _outline(sources: SourceSet) -> Outline:
    key = cache.digest("outline", compiler_digest(), sources.digest())
    found = _from_data(cache.load(key))
    if found is None:
        found = _read(sources)
        cache.store(key, _to_data(found))
    return found


def configurations(
    game: Outline, players: int | None = None, settings: Iterable[str] = ()
) -> list[Configuration]:
    """The configurations to check; `players` and `settings` such as `edition=2018` are fixed.

    >>> option = OptionInfo("edition", "option", (1999, 2018), 2018, "", ())
    >>> [f.options for f in configurations(Outline((2, 2), (option,)))]
    [{'edition': 2018}, {'edition': 1999}]
    >>> [f.players for f in configurations(Outline((2, 3), (option,)), settings=["1999"])]
    [2, 3]
    """
    known = {info.name: info for info in game.options}
    fixed = {read_setting(known, setting)[0] for setting in settings}
    free = [o for o in game.options if o.kind == "option" and o.name not in fixed]
    low, high = game.players
    counts = range(low, high + 1) if players is None else [players]
    return [Configuration(count, options) for count in counts for options in _combinations(free)]


def _combinations(free: Sequence[OptionInfo]) -> list[dict[str, OptionValue]]:
    """The defaults come first."""
    choices = [(o.default, *(c for c in o.choices if c != o.default)) for o in free]
    names = [o.name for o in free]
    total = 1
    for values in choices:
        total *= len(values)
    if total <= MOST_COMBINATIONS:
        return [dict(zip(names, values, strict=True)) for values in product(*choices)]
    defaults: dict[str, OptionValue] = {o.name: o.default for o in free}
    single = [{**defaults, o.name: c} for o in free for c in o.choices if c != o.default]
    return [defaults, *single]


def configuration_text(game: Game) -> str:
    """A game, its variants, players, options and the rulings that are not as shipped, in short.

    >>> import rules_dsl as rd
    >>> configuration_text(rd.load("pig", players=3))
    'pig 3 players'
    >>> configuration_text(rd.load("rich_start", players=3))
    'tzolkin + rich_start 3 players'
    """
    chosen = ""
    for info in outline_of(game).options:
        value = game.options[info.name]
        if info.kind == "option" or value != info.default:
            chosen += f" {setting(info.name, value)}"
    name = " + ".join([game.name, *game.variants])
    return f"{name} {game.players} player{'' if game.players == 1 else 's'}{chosen}"


# ---- reading and keeping ------------------------------------------------------------------------


def _read(sources: SourceSet) -> Outline:
    from compiler.loading import assembled
    from rules_dsl.language.options import option_infos

    program = assembled(sources)
    return Outline(program.player_range, option_infos(program))


def _to_data(found: Outline) -> object:
    options = [[o.name, o.kind, list(o.choices), o.default] for o in found.options]
    return {"players": list(found.players), "options": options}


def _from_data(data: Any) -> Outline | None:
    try:
        low, high = data["players"]
        options = tuple(
            OptionInfo(name, kind, tuple(choices), default, "", ())
            for name, kind, choices, default in data["options"]
        )
    except (KeyError, TypeError, ValueError):
        return None
    return Outline((low, high), options)
