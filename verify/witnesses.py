"""Games that are kept next to the rules because play at random seldom comes as far.

A folder `witnesses` beside the main rule file holds them, each as JSON with the number of players
and the moves, chance included. They prove nothing by themselves: a search plays them on the
compiled rules, as far as their moves are possible there, before it goes looking on its own.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from rules_dsl.sources import SourceSet

FOLDER = "witnesses"


def witnesses(sources: SourceSet, players: int) -> list[tuple[str, ...]]:
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
    return sorted((Path(sources.main).parent / FOLDER).glob("*.json")) if sources.main else []


def _read(path: Path) -> tuple[int, tuple[str, ...]]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        players, moves = data["players"], data["moves"]
        fits = isinstance(players, int) and all(isinstance(m, str) for m in moves)
    except (OSError, ValueError, KeyError, TypeError):
        fits = False
    if not fits:
        from compiler.runtime.saving import DataError

        needed = "`players`, a number, and `moves`, a list of texts"
        raise DataError(f"{path.name}: a witness is JSON with {needed}")
    return players, tuple(moves)
