"""Keeping games: few and short ones that show everything that a search has seen.

They stand in a file beside the rule file, where the next search follows them before it looks for
others. Games that are there already stay; only what they do not show needs another.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from compiler.rule_id import rule_name
from compiler.runtime.saving import DataError
from verify.analysis.branches import arms_of
from verify.search.guided import approach
from verify.search.policies import GoingOn
from verify.search.random_games import FOLLOWED, LONGEST, Search, Thing
from verify.search.refute import search_for_all
from verify.search.witnesses import FILE, Wish, Witness, read_witnesses, write_witnesses

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from rules_dsl.language.sources import SourceSet

Line = tuple[int, ...]

# Number of ways in which a game is played on to its end, where it may show more.
ENDINGS_PER_GAME = 5


def keep_witnesses(game: Game, effort: str) -> list[Witness]:
    """Look for what happens in a game and keep the games that show it; raises `DataError`."""
    sources = game.origin.sources
    path = file_beside(sources)
    search = search_for_all(game, effort)
    with search.watched():
        search.follow(FOLLOWED)
    known = shown(search)
    search.run()
    if not search.content and not search.complete:
        approach(search, game)
    lines = {line: None for thing, line in shown(search).items() if thing not in known}
    games = [played_on(search, line, seed) for line in lines for seed in range(ENDINGS_PER_GAME)]
    chosen = cover(dict(games), known)
    about = {name: arm.rule for name, arm in arms_of(game.ir).items()}
    variant = Path(sources.variants[-1]).stem if sources.variants else ""
    new = [
        Witness(game.players, wishes(game, line), subject(thing, about), variant)
        for thing, line in chosen
    ]
    try:
        if new:
            write_witnesses(path, [*(read_witnesses(path) if path.exists() else ()), *new])
    except OSError as error:
        raise cannot_keep(path, error.strerror or str(error)) from None
    return new


def subject(thing: Thing, about: Mapping[str, str]) -> str:
    """The rule that something seen in play belongs to."""
    rule = about.get(thing, thing) if isinstance(thing, str) else rule_name(thing[0])
    return rule.removeprefix("begin ")


def file_beside(sources: SourceSet) -> Path:
    """Where the games of a rule file are kept; raises `DataError` if nothing can be put there."""
    path = Path([sources.main, *sources.variants][-1]).parent / FILE
    if path.exists() and not path.is_file():
        raise cannot_keep(path, "that is not a file")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise cannot_keep(path, "nothing may be written there")
    return path


def cannot_keep(path: Path, reason: str) -> DataError:
    """Why games cannot be kept."""
    return DataError(f"cannot keep games in {path}: {reason}")


def shown(search: Search) -> dict[Thing, Line]:
    """The aims that a search has seen, each with the game up to there."""
    wanted: set[Thing] = {*(search.aims or ()), *search.rules}
    seen: list[tuple[Thing, Line]] = [*search.reached.items(), *search.carried.items()]
    return {thing: line for thing, line in seen if thing in wanted}


def played_on(search: Search, line: Line, seed: int) -> tuple[Line, dict[Thing, int]]:
    """A game, played to an end: what it shows, each with the number of moves up to there."""
    again = Search(search.player, aims=search.aims, rules=search.rules, left=LONGEST)
    with again.watched():
        played = again.playout(GoingOn(deque(line), again.policy(seed)))
    return played, {thing: len(part) for thing, part in shown(again).items()}


def cover(
    games: Mapping[Line, Mapping[Thing, int]], known: Collection[Thing]
) -> list[tuple[Thing, Line]]:
    """Few games that show together what all of them do: each with the last new thing in it.

    >>> cover({(1, 2): {"a": 1, "b": 2}, (3,): {"a": 1}, (1, 4, 5): {"a": 1, "c": 2}}, ["b"])
    [('c', (1, 4))]
    """
    left = {thing for things in games.values() for thing in things if thing not in known}
    chosen = []
    while left:
        line = max(games, key=lambda g: (len(left & games[g].keys()), -len(g), g))
        new = left & games[line].keys()
        last = max(new, key=lambda thing: (games[line][thing], str(thing)))
        chosen.append((last, line[: games[line][last]]))
        left -= new
    return chosen


def wishes(game: Game, line: Line) -> tuple[Wish, ...]:
    """A game as it is kept: every move in notation, and who made it."""
    cells = game.machine.new()
    found = []
    for code in line:
        found.append(Wish(str(game.notation.move(cells, code)), game.machine.player(cells)))
        game.machine.play(cells, code)
    return tuple(found)
