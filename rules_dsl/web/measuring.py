"""Simulations for the page of that name: of one game, or of two side by side."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from attrs import asdict

from compiler.runtime.balance import Sample, compared, measure, share

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.simulation import Simulation

Tell = Callable[[dict[str, Any]], None]


def simulated(tell: Tell, game: Game, games: int, policy: str, seed: int) -> dict[str, Any]:
    """Play many games and count."""
    result = game.simulate(
        games, policy, seed, jobs=1, progress=lambda done: tell({"done": done, "total": games})
    )
    return {
        **json.loads(result.to_json()),
        **_distribution(result),
        "names": list(game.player_names),
        "title": game.title,
        "variants": list(game.variants),
    }


def balance(
    tell: Tell, pair: tuple[Game, Game], games: int, policy: str, seed: int
) -> dict[str, Any]:
    """Two games side by side with intervals, as `rules compare` measures them."""
    found = []
    for number, game in enumerate(pair):
        before = number * games

        def progress(done: int, before: int = before) -> None:
            tell({"done": before + done, "total": 2 * games})

        found.append(measure(game, games, policy, seed, progress))
    sections = []
    for section in compared(*found):
        rows = [{**asdict(row), "differs": row.difference.differs} for row in section.rows]
        sections.append({"title": section.title, "rows": rows})
    return {
        "titles": [one.title for one in found],
        "games": games,
        "policy": policy,
        "sections": sections,
    }


def _distribution(result: Simulation) -> dict[str, Any]:
    """The distributions of scores, lengths and wins, with 95 % intervals."""
    shares = [share(float(won) * result.games, result.games) for won in result.win_share()]
    means = [_mean(counts.items()) for counts in result.scores]
    return {
        "scores": [
            sorted([float(score), count] for score, count in counts.items())
            for counts in result.scores
        ],
        "length_counts": sorted([length, count] for length, count in result.lengths.items()),
        "share_intervals": [[one.low, one.high] for one in shares],
        "score_intervals": means,
    }


def _mean(counts: Iterable[tuple[Any, int]]) -> list[float]:
    """The interval of a mean.

    >>> _mean({1: 10}.items())
    [1.0, 1.0]
    """
    sample = Sample()
    for value, count in counts:
        number = float(value)
        sample.count += count
        sample.total += number * count
        sample.squares += number * number * count
    found = sample.interval()
    return [found.low, found.high]
