"""The commands `rules verify` and `rules diff`."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

import click
from attrs import evolve
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from compiler.loading import load
from rules_dsl.cli import authoring
from rules_dsl.cli.authoring import diff
from rules_dsl.cli.cluster import dask_option, workers_of
from rules_dsl.cli.console import console
from rules_dsl.cli.errors import INTERRUPTED
from rules_dsl.cli.game_argument import choice, game_options, json_option
from rules_dsl.language.files import write_text
from rules_dsl.language.options import split_name
from rules_dsl.language.sources import shipped_games
from verify.proof.obligation import KINDS
from verify.proof.results import Report, Result
from verify.running.configurations import Configuration, configuration_text, configurations, outline
from verify.running.cpu_time import cpu_seconds
from verify.running.reports.junit import junit
from verify.running.reports.page import write_page
from verify.running.reports.terminal import print_report
from verify.running.scheduler import ProgressEvent, run_all
from verify.search.contradictions import against_tests

if TYPE_CHECKING:
    from compiler.runtime.game import Game

__all__ = ["diff", "verify"]


def output_path(_: click.Context, option: click.Parameter, value: str | None) -> Path | None:
    """Refuse at once an output file that could not be written after the work."""
    if value is None:
        return None
    path = Path(value)
    if option.name == "page_file" and path.suffix not in (".md", ".html"):
        raise click.BadParameter(f"'{path}' is neither Markdown (.md) nor HTML (.html).")
    there = next(place for place in (path, *path.parents) if place.exists())
    if there != path and not there.is_dir():
        raise click.BadParameter(f"'{path}' cannot be written: '{there}' is not a folder.")
    if not os.access(there, os.W_OK):
        raise click.BadParameter(f"'{path}' cannot be written: '{there}' is write-protected.")
    return path


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
@dask_option
@click.option(
    "--effort",
    type=click.Choice(["low", "normal", "high"]),
    default="normal",
    show_default=True,
    help="Limit on the work of a proof and of a search.",
)
@click.option(
    "--junit",
    "junit_file",
    type=click.Path(dir_okay=False),
    callback=output_path,
    metavar="FILE",
    help="Write JUnit XML.",
)
@click.option(
    "--report",
    "page_file",
    type=click.Path(dir_okay=False),
    callback=output_path,
    metavar="FILE",
    help="Write a page: Markdown (.md) or HTML (.html).",
)
@click.option("--fresh", is_flag=True, help="Ignore kept proofs and prove everything again.")
@click.option(
    "--cores",
    is_flag=True,
    help="Say which invariants, requirements and facts proofs used (in --json).",
)
@click.option(
    "--recheck", is_flag=True, help="Let a second solver, cvc5, prove again what z3 proved."
)
@click.option(
    "--records",
    "records",
    type=click.Path(file_okay=False),
    callback=output_path,
    metavar="FOLDER",
    help="Save the games that break something, to be replayed.",
)
@click.option(
    "--witnesses",
    is_flag=True,
    help="First find games that show every rule, and write them to `witnesses.jsonl`.",
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
@click.option(
    "--resume",
    type=click.Path(dir_okay=False),
    callback=output_path,
    metavar="FILE",
    help="With --mutate: keep the fate of each mistake in FILE, and resume from there.",
)
@click.option("--suggest", is_flag=True, help="Instead, guess invariants from play and prove them.")
@click.option("--seed", type=int, default=0, metavar="N", help="Seed of tests and samples.")
@json_option
def verify(
    names: tuple[str, ...], players: int | None, options: tuple[str, ...],
    variants: tuple[str, ...], checks: tuple[str, ...], jobs: int, effort: str,
    cluster: str | None, junit_file: Path | None, page_file: Path | None,
    records: Path | None, fresh: bool, cores: bool, recheck: bool, witnesses: bool, tests: int,
    mutate: int | None, resume: Path | None, suggest: bool, seed: int, as_json: bool,
) -> None:  # fmt: skip
    """Prove a GAME sound, or show the game that breaks it; without GAME, the shipped ones.

    Every number of players is checked unless --players names one; so are all combinations of
    options (from 17 on, each option changed by itself) that --option does not set. Rulings are
    checked as they are shipped.
    """
    if resume is not None and (mutate is None or len(names) != 1):
        raise click.UsageError("--resume goes with --mutate and one GAME.")
    if mutate is not None or suggest:
        caught = True
        for name in covered(names):
            game = choice(name, players, options, variants).load()
            mutation = None
            if mutate is not None:
                mutation = authoring.mutate(game, mutate, seed, as_json, jobs, resume)
                caught = caught and not mutation.of("survived")
            if suggest:
                authoring.suggest(game, seed, as_json, mutation)
        raise click.exceptions.Exit(0 if caught else 1)
    if recheck:
        require_second_solver()
    report = Report()
    loaded: dict[str, Game] = {}
    began = cpu_seconds()
    for name, configurations_ in groupby(
        chosen_configurations(names, players, options, variants), itemgetter(0)
    ):
        games = [
            load(name, configuration.players, configuration.options, variants)
            for _, configuration in configurations_
        ]
        if page_file is not None:
            loaded |= {configuration_text(game): game for game in games}
        for game in games if witnesses else ():
            keep_games(game, effort)
        with workers_of(cluster) as executor, progress_bar(quiet=as_json) as show:
            found = run_all(
                games, checks or None, jobs, effort, show, fresh, recheck, cores, executor
            )
        for game, one in zip(games, found, strict=True):
            report.extend(one)
            if tests and not report.interrupted:
                results = tested(game, tests, seed)
                report.contradictions += against_tests(configuration_text(game), one, results)
                report.results += results
        if report.interrupted:
            break
    report.seconds = cpu_seconds() - began
    # Results are printed before files are written: a disk may be full.
    if as_json:
        click.echo(report.to_json())
    else:
        print_report(report, console())
    for file in (junit_file, page_file):
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
    if junit_file is not None:
        write_text(junit_file, junit(report))
    if page_file is not None:
        write_page(page_file, report, loaded)
    for path in save_records(report, records) if records is not None else ():
        if not as_json:
            click.echo(f"saved: {path} (`rules play GAME --from FILE` opens it)")
    raise click.exceptions.Exit(INTERRUPTED if report.interrupted else report.exit_code)


def require_second_solver() -> None:
    """Check that the solver for second opinions is installed."""
    from verify.proof.second_solver import MissingSolverError, solver_version

    try:
        solver_version()
    except MissingSolverError as error:
        raise click.UsageError(str(error)) from None


def covered(names: tuple[str, ...]) -> tuple[str, ...]:
    """The games to verify: those that are named, else the shipped ones."""
    return names or tuple(shipped_games())


def chosen_configurations(
    names: tuple[str, ...],
    players: int | None,
    options: tuple[str, ...],
    variants: tuple[str, ...],
) -> list[tuple[str, Configuration]]:
    """The games to verify, each in all its configurations."""
    found = []
    for name in covered(names):
        base, settings = split_name(name)
        given = choice(name, players, options, variants).settings()
        wanted = [*settings, *(f"{option}={value}" for option, value in given.items())]
        found += [
            (name, evolve(configuration, options={**configuration.options, **given}))
            for configuration in configurations(outline(base, variants), players, wanted)
        ]
    return found


def tested(game: Game, decisions: int, seed: int) -> list[Result]:
    """Test invariants in many decisions at random."""
    from verify.authoring.invariant_tests import test_invariants

    results = test_invariants(game, decisions, seed)
    for result in results:
        result.configuration = configuration_text(game)
    return results


@contextlib.contextmanager
def progress_bar(quiet: bool) -> Iterator[Callable[[ProgressEvent], None] | None]:
    """A progress bar on standard error; lines where that is not a terminal."""
    err = console(stderr=True)
    if quiet:
        yield None
        return
    if not err.is_terminal:
        yield progress_lines()
        return
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total}"),
        TimeElapsedColumn(),
        console=err,
        transient=True,
    )
    with bar:
        task = bar.add_task("", total=None)

        def show(event: ProgressEvent) -> None:
            failed = f", {event.failed} open" if event.failed else ""
            text = f"{event.configuration}: {event.what}{failed}"
            bar.update(task, total=event.total, completed=event.done, description=text)

        yield show


# Number of progress lines for each configuration.
PROGRESS_LINES = 4
# Number of tasks from which on progress is reported.
WORTH_TELLING = 100


def progress_lines() -> Callable[[ProgressEvent], None]:
    """Lines on standard error, a few for each configuration: for logs."""
    told: dict[str, int] = {}

    def show(event: ProgressEvent) -> None:
        part = event.done * PROGRESS_LINES // max(1, event.total)
        if event.total >= WORTH_TELLING and part > told.get(event.configuration, 0):
            told[event.configuration] = part
            failed = f", {event.failed} open" if event.failed else ""
            click.echo(
                f"{event.configuration}: {event.done} of {event.total} done{failed}", err=True
            )

    return show


def keep_games(game: Game, effort: str) -> None:
    """Save witness games, and print where."""
    from verify.search.witness_cover import keep_witnesses

    for witness in keep_witnesses(game, effort):
        what = f"{len(witness.moves)} moves that show {witness.shows}"
        click.echo(f"kept: {configuration_text(game)}: {what}", err=True)


def save_records(report: Report, folder: Path) -> list[Path]:
    """Save the games that break something, one file each; returns the files."""
    saved = []
    folder.mkdir(parents=True, exist_ok=True)
    for result in report.results:
        if result.record:
            words = f"{result.configuration} {result.obligation} {result.subject}"
            name = "".join(c if c.isalnum() else "_" for c in words) + ".json"
            write_text(folder / name, result.record)
            saved.append(folder / name)
    return saved
