"""A bar on standard error that counts games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from rules_dsl.cli.console import console


@contextmanager
def games_progress(total: int) -> Iterator[Callable[[int], None] | None]:
    """A function that is told the number of games played; None if nobody watches a terminal."""
    err = console(stderr=True)
    if not err.is_terminal:
        yield None
        return
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as progress:
        task = progress.add_task("games", total=total)
        yield lambda done: progress.update(task, completed=done)
