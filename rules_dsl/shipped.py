"""The games that come with the library."""

from __future__ import annotations

import json
from typing import Any

from attrs import asdict, frozen

from rules_dsl.language.options import OptionInfo, option_infos
from rules_dsl.language.sources import SourceSet, gather, shipped_games, shipped_variants


@frozen
class GameInfo:
    """The entry of `games()` for a shipped game."""

    name: str
    title: str
    # The title in other languages.
    titles: dict[str, str]
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
    from compiler.cache import key_of
    from rules_dsl.language.user_cache import CacheSection

    sources = gather(name)
    section, key = CacheSection("about", "about 2"), key_of("about", sources.digest())
    kept = section.load(key)
    told = _read_off(sources) if kept is None else json.loads(kept)
    if kept is None:
        section.store(key, json.dumps(told).encode())
    low, high = told["players"]
    options = tuple(
        OptionInfo(**{**option, **{part: tuple(option[part]) for part in ("choices", "cites")}})
        for option in told["options"]
    )
    variants = tuple(shipped_variants(told["name"]))
    return GameInfo(told["name"], told["title"], told["titles"], (low, high), options, variants)


def _read_off(sources: SourceSet) -> dict[str, Any]:
    """The facts about a game in its rules, all of which are parsed."""
    from rules_dsl.language.program import assemble

    program = assemble(sources)
    name = program.game.name.name
    return {
        "name": name,
        "title": program.game.text.value if program.game.text else name,
        "titles": dict(program.game.text.translations) if program.game.text else {},
        "players": program.player_range,
        "options": [asdict(option) for option in option_infos(program)],
    }
