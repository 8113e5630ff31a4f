"""The commands `rules verify` and `rules diff`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from rules_dsl.cli.console import console
from rules_dsl.cli.game_argument import choice, game_options, json_option
from rules_dsl.loading import games, load, split_name
from verify import authoring
from verify.authoring import diff
from verify.obligations import KINDS
from verify.reports.junit import junit
from verify.reports.page import html, markdown
from verify.reports.terminal import print_report
from verify.results import Report
from verify.running import Event, run

if TYPE_CHECKING:
    from compiler.runtime.game import Game

__all__ = ["diff", "verify"]


@click.command()
@click.argument("names", nargs=-1, metavar="[GAME]...")
@game_options
@click.option(
    "--check",
    "checks",
    multiple=True,
    type=click.Choice(KINDS),
    metavar="KIND",
    help=f"Only this obligation ({', '.join(KINDS)}); may be repeated.",
)
@click.option(
    "--jobs", type=click.IntRange(1), default=2, show_default=True, help="Processes to use."
)
@click.option(
    "--effort",
    type=click.Choice(["low", "normal", "high"]),
    default="normal",
    show_default=True,
    help="How much work a proof and a search may take.",
)
@click.option(
    "--junit",
    "junit_file",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write JUnit XML.",
)
@click.option(
    "--report",
    "page_file",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write a page: Markdown (.md) or HTML (.html).",
)
@click.option("--fresh", is_flag=True, help="Prove everything again, also what was proved before.")
@click.option(
    "--recheck", is_flag=True, help="Let a second solver, cvc5, prove again what z3 proved."
)
@click.option(
    "--records",
    "records",
    type=click.Path(file_okay=False),
    metavar="FOLDER",
    help="Save the games that break something, to be replayed.",
)
@click.option(
    "--tests", type=click.IntRange(0), default=0, metavar="N", help="Also test in N decisions."
)
@click.option(
    "--mutate",
    type=click.IntRange(0),
    metavar="N",
    help="Instead, make N mistakes in the rules (0: all) and see what catches them.",
)
@click.option("--suggest", is_flag=True, help="Instead, guess laws from play and prove them.")
@click.option("--seed", type=int, default=0, metavar="N", help="Seed of tests and samples.")
@json_option
def verify(
    names: tuple[str, ...], players: int | None, options: tuple[str, ...],
    variants: tuple[str, ...], checks: tuple[str, ...], jobs: int, effort: str,
    junit_file: str | None, page_file: str | None, records: str | None, fresh: bool,
    recheck: bool, tests: int, mutate: int | None, suggest: bool, seed: int, as_json: bool,
) -> None:  # fmt: skip
    """Prove a GAME sound, or show the game that breaks it; without GAME, all shipped ones.

    Every number of players is checked unless --players names one.
    """
    if mutate is not None or suggest:
        caught = True
        for name in names or tuple(info.name for info in games()):
            game = choice(name, players, options, variants).load()
            if suggest:
                authoring.suggest(game, seed, as_json)
            if mutate is not None:
                caught = authoring.mutate(game, mutate, seed, as_json) and caught
        raise click.exceptions.Exit(0 if caught else 1)
    if recheck:
        require_second_solver()
    report = Report()
    configurations = [
        (name, count)
        for name in names or tuple(info.name for info in games())
        for count in ([players] if players is not None else player_counts(name, variants))
    ]
    for name, count in configurations:
        game = choice(name, count, options, variants).load()
        with progress_of(game, quiet=as_json) as show:
            report.extend(run(game, checks or None, jobs, effort, show, fresh, recheck))
        if tests and not report.interrupted:
            from verify.testing import test_invariants

            report.results += test_invariants(game, tests, seed)
        if report.interrupted:
            break
    if records is not None:
        save_records(report, Path(records))
    if junit_file is not None:
        Path(junit_file).write_text(junit(report), encoding="utf-8")
    if page_file is not None:
        page = html(report) if page_file.endswith(".html") else markdown(report)
        Path(page_file).write_text(page, encoding="utf-8")
    if as_json:
        click.echo(report.to_json())
    else:
        print_report(report, console())
    raise click.exceptions.Exit(report.exit_code)


def require_second_solver() -> None:
    """A second opinion was asked for: there must be a solver that can give it."""
    from verify.recheck import MissingSolverError, solver_version

    try:
        solver_version()
    except MissingSolverError as error:
        raise click.UsageError(str(error)) from None


def player_counts(name: str, variants: tuple[str, ...]) -> list[int]:
    """The numbers of players that a game is for."""
    low, high = load(split_name(name)[0], variants=list(variants)).origin.program().player_range
    return list(range(low, high + 1))


@contextlib.contextmanager
def progress_of(game: Game, quiet: bool) -> Iterator[Callable[[Event], None] | None]:
    """A progress line on standard error, if somebody looks at it."""
    err = console(stderr=True)
    if quiet or not err.is_terminal:
        yield None
        return
    bar = Progress(
        TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed}/{task.total}"),
        TimeElapsedColumn(), console=err, transient=True,
    )  # fmt: skip
    with bar:
        task = bar.add_task(f"{game.name} {game.players}", total=None)

        def show(event: Event) -> None:
            failed = f", {event.failed} open" if event.failed else ""
            text = f"{game.name} {game.players}: {event.what}{failed}"
            bar.update(task, total=event.total, completed=event.done, description=text)

        yield show


def save_records(report: Report, folder: Path) -> None:
    """Save the games that break something, one file each."""
    folder.mkdir(parents=True, exist_ok=True)
    for result in report.results:
        if result.record:
            subject = "".join(c if c.isalnum() else "_" for c in result.subject)
            name = f"{result.game}_{result.players}_{result.obligation}_{subject}.json"
            (folder / name).write_text(result.record, encoding="utf-8")
