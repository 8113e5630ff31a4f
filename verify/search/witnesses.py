"""Games that are kept next to the rules because play at random seldom comes as far.

A folder `witnesses` beside a rule file holds them, each as JSON with the number of players and the
moves, chance included, and with who made them. They prove nothing by themselves: a search plays
them on the compiled rules, as far as their moves are possible there, before it goes looking on its
own.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from attrs import frozen

from rules_dsl.language.sources import SourceSet

FOLDER = "witnesses"


@frozen
class Wish:
    """A move of a game that is kept, in notation, and who made it, as a machine says it."""

    text: str
    # Nothing if the file does not say.
    by: int | None = None


def witnesses(sources: SourceSet, players: int) -> list[tuple[Wish, ...]]:
    """The moves of each game that is kept for a number of players; raises `DataError`.

    >>> import rules_dsl as rd
    >>> witnesses(rd.load("pig").origin.sources, 2)
    []
    """
    games = [_read(path) for path in _files(sources)]
    return [moves for number, moves in games if number == players]


def digest(sources: SourceSet) -> str:
    """A digest of all games that are kept."""
    sha = hashlib.sha256()
    for path in _files(sources):
        sha.update(path.read_bytes())
    return sha.hexdigest()


def _files(sources: SourceSet) -> list[Path]:
    """The games beside the rule files: those of variants first, whose rules are the nearest."""
    files = [path for path in (sources.main, *sources.variants) if path]
    folders = [Path(path).parent / FOLDER for path in reversed(files)]
    return [path for folder in dict.fromkeys(folders) for path in sorted(folder.glob("*.json"))]


def _read(path: Path) -> tuple[int, tuple[Wish, ...]]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        players, moves = data["players"], data["moves"]
        by = data.get("by", [None] * len(moves))
        fits = isinstance(players, int) and all(isinstance(m, str) for m in moves)
        fits = fits and len(by) == len(moves) and all(b is None or isinstance(b, int) for b in by)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        fits = False
    if not fits:
        from compiler.runtime.saving import DataError

        needed = "`players`, a number, and `moves`, a list of texts"
        raise DataError(f"{path.name}: a witness is JSON with {needed}")
    return players, tuple(Wish(text, who) for text, who in zip(moves, by, strict=True))
