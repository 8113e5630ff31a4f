"""A cache of whole reports.

The report on a game as it is written is kept under a digest of its rule files, so that nothing has
to be parsed to find it. Rules that were changed in memory have no file; theirs is kept under a
digest of their IR.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.proof import disk_cache as cache
from verify.proof.results import Report
from verify.proof.settings import Settings
from verify.search import witnesses

if TYPE_CHECKING:
    from compiler.runtime.game import Game


def key_of(game: Game, settings: Settings) -> str:
    """Everything that a report depends on."""
    tools = cache.verifier_digest()
    if settings.recheck:
        from verify.proof.second_solver import solver_version

        tools += f" cvc5 {solver_version()}"
    if not game.origin.as_written:
        from compiler.rebuild import with_ghosts

        return cache.digest("report", tools, settings.describe(), with_ghosts(game).ir)
    sources = game.origin.sources
    return cache.digest(
        "report",
        tools,
        settings.describe(),
        sources.digest(),
        sorted(sources.texts),
        witnesses.digest(sources),
        game.players,
        sorted(game.options.items()),
    )


def load(key: str, game: Game) -> Report | None:
    """The report under a key, if it is intact and the games in it can still be replayed."""
    report = Report.from_data(cache.load(key))
    if report is None:
        return None
    from compiler.runtime.saving import DataError, ReplayError

    try:
        for result in report.results:
            if result.record:
                game.replay(result.record)
    except (DataError, ReplayError):
        return None
    return report


def store(key: str, report: Report) -> None:
    """Keep a report, unless another run might find something else."""
    if report.lasting:
        cache.store(key, report.to_data())
