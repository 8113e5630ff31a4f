"""`rules check`: all errors of all files, for every number of players and every option."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import define, field

from compiler.runtime.fleet import on_processes
from rules_dsl.cli.errors import BAD_INPUT, FAILED
from rules_dsl.cli.game_argument import jobs_option, json_option
from rules_dsl.language.diagnostics import Diagnostic, Reporter, RuleError
from rules_dsl.language.sources import (
    display_path,
    games_with,
    gather,
    kind_of_file,
    read,
    shipped_games,
)

if TYPE_CHECKING:
    from compiler.examples import ExampleResult
    from rules_dsl.language.program import Program

# A missing or binary file is bad input; all else is a failed check.
UNREADABLE = {"E0113", "E0115", "E0130"}


@define
class Unit:
    """Files checked together: a game with its modules, a variant with its game, or a module."""

    name: str
    kind: str
    # The files asked for that this unit covers.
    files: list[str] = field(factory=list)
    configurations: int = 0
    errors: list[Diagnostic] = field(factory=list)
    # The configuration in which an error was found, if not the first one.
    found_for: dict[Diagnostic, str] = field(factory=dict)
    sources: dict[str, str] = field(factory=dict)
    examples: list[ExampleResult] = field(factory=list)
    # The examples of its game that have another result under a variant.
    changed_examples: list[ExampleResult] = field(factory=list)
    # Comparisons with values that no row has, in any configuration.
    warnings: list[Diagnostic] = field(factory=list)

    @property
    def failed_examples(self) -> list[ExampleResult]:
        """The examples that do not hold."""
        return [example for example in self.examples if not example.ok]

    @property
    def code(self) -> int:
        """The exit code of this unit."""
        if any(error.code in UNREADABLE and not error.span.line for error in self.errors):
            return BAD_INPUT
        return FAILED if self.errors or self.failed_examples else 0


@click.command("check", short_help="Check rule files for every number of players and option.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--examples", is_flag=True, help="Run the examples too.")
@jobs_option
@json_option
def check_command(files: tuple[str, ...], examples: bool, jobs: int, as_json: bool) -> None:
    """Check rule files (or games by name): every number of players, every option and ruling.

    All errors of all files are shown in one run.
    """
    units = []
    for unit in check_files(files, examples, jobs):
        units.append(unit)
        if not as_json:
            _print(unit)
    if as_json:
        click.echo(json.dumps(_as_json(units), indent=1, ensure_ascii=False))
    code = max(unit.code for unit in units)
    if code:
        raise click.exceptions.Exit(code)


def check_files(files: tuple[str, ...], examples: bool = False, jobs: int = 1) -> Iterator[Unit]:
    """Check files, each game once however many of its modules are named."""
    units: dict[str, Unit] = {}
    for name in files:
        for unit in _units_of(name):
            known = units.setdefault(unit.name, unit)
            if name not in known.files:
                known.files.append(name)
    if jobs == 1 or len(units) == 1:
        for unit in units.values():
            yield _check(unit, examples)
        return
    done: dict[str, Unit] = {}
    left = list(units)
    for unit in on_processes(_check, [(unit, examples) for unit in units.values()], jobs):
        done[unit.name] = unit
        while left and left[0] in done:
            yield done[left.pop(0)]


def _units_of(name: str) -> list[Unit]:
    path = Path(name)
    if name in shipped_games():
        path = shipped_games()[name]
    elif not path.suffix and not path.exists():
        return [Unit(name, "game")]
    shown = display_path(path)
    try:
        kind = kind_of_file(read(path))
    except RuleError as error:
        return [Unit(shown, "file", errors=list(error.diagnostics))]
    if kind == "module":
        games = [display_path(game) for game in games_with(path)]
        return [Unit(game, "game") for game in games] or [Unit(shown, "module")]
    return [Unit(shown, kind)]


def _check(unit: Unit, examples: bool) -> Unit:
    if not unit.errors and unit.kind == "module":
        _parse_only(unit)
    elif not unit.errors:
        try:
            _check_rules(unit, examples)
        except RuleError as error:
            _collect(unit, error)
    return unit


def _check_rules(unit: Unit, examples: bool) -> None:
    from rules_dsl.language.checking import diagnose
    from rules_dsl.language.program import assemble

    sources = gather(unit.name)
    unit.sources = sources.texts
    unit.errors += diagnose(sources)
    if unit.errors:
        return
    program = assemble(sources)
    _check_configurations(unit, program)
    if examples and not unit.errors:
        from compiler.examples import run_examples

        results = run_examples(program)
        # A variant may change the results of its game's examples: only its own must hold.
        own = sources.closure(sources.variants[-1] if unit.kind == "variant" else sources.main)
        unit.examples = [result for result in results if result.span.file in own]
        unit.changed_examples = [r for r in results if not r.ok and r.span.file not in own]


def _check_configurations(unit: Unit, program: Program) -> None:
    """Check what `diagnose` does not: options other than the default, that it compiles, and that
    moves can be told apart."""
    from compiler.pipeline import to_ir
    from compiler.rebuild import new_game
    from compiler.same_notation import check_notation
    from rules_dsl.language.checker import check_program
    from rules_dsl.language.configurations import configurations
    from rules_dsl.language.unused_values import still_unused

    warnings: tuple[Diagnostic, ...] | None = None
    for configuration in configurations(program):
        unit.configurations += 1
        try:
            _, ctx = check_program(program, configuration.players, configuration.options)
            warnings = still_unused(warnings, ctx)
            if not configuration.changed:
                module = to_ir(program, configuration.players, configuration.options)
                check_notation(new_game(program, module, dict(configuration.options)))
        except RuleError as error:
            _collect(unit, error, str(configuration))
    if not unit.errors:
        unit.warnings = list(warnings or ())


def _parse_only(unit: Unit) -> None:
    from rules_dsl.language.parser import parse_file

    reporter = Reporter()
    unit.sources = {unit.name: read(Path(unit.name))}
    parse_file(unit.name, unit.sources[unit.name], reporter)
    unit.errors += reporter.diagnostics


def _collect(unit: Unit, error: RuleError, configuration: str = "") -> None:
    """Keep the errors of one configuration that no other one had before."""
    unit.sources = {**error.sources, **unit.sources}
    known = {(d.code, d.span) for d in unit.errors}
    for diagnostic in error.diagnostics:
        if (diagnostic.code, diagnostic.span) not in known:
            unit.errors.append(diagnostic)
            if configuration:
                unit.found_for[diagnostic] = configuration


def _print(unit: Unit) -> None:
    for error in unit.errors:
        click.echo(error.render(unit.sources))
        if error in unit.found_for:
            click.echo(f"   = note: with {unit.found_for[error]}")
        click.echo()
    for warning in unit.warnings:
        click.echo(warning.render(unit.sources))
        click.echo()
    for example in unit.failed_examples:
        click.echo(f"{example.span}: example fails: {example.title}")
        click.echo(f"    {example.message}")
    for example in unit.examples:
        if example.breaks:
            named = ", ".join(f"`{name}`" for name in example.breaks)
            click.echo(f"{example.span}: warning: the position of this example breaks {named}")
            click.echo(f"    {example.title}")
    for example in unit.changed_examples:
        click.echo(f"{example.span}: example of the game has another result: {example.title}")
        click.echo(f"    {example.message}")
    if unit.changed_examples:
        click.echo("if this is meant, write in the house rule:")
        for example in unit.changed_examples:
            click.echo(f'    drop example "{example.title}"')
    click.echo(f"{unit.name}: {_verdict(unit)}")


def _verdict(unit: Unit) -> str:
    if unit.errors:
        return _count(len(unit.errors), "error")
    if unit.kind == "module":
        return "parsed; no game next to it includes it"
    parts = [_count(unit.configurations, "configuration")]
    if unit.examples:
        failed = len(unit.failed_examples)
        parts.append(
            _count(len(unit.examples), "example") + (f", {failed} failed" if failed else "")
        )
    if unit.changed_examples:
        parts.append(f"{_count(len(unit.changed_examples), 'example')} of its game changed")
    return f"{'FAILED' if unit.failed_examples else 'ok'} ({', '.join(parts)})"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _as_json(units: list[Unit]) -> dict[str, Any]:
    return {
        "ok": all(unit.code == 0 for unit in units),
        "units": [
            {
                "name": unit.name,
                "kind": unit.kind,
                "files": unit.files,
                "configurations": unit.configurations,
                "errors": [_error_as_json(unit, error) for error in unit.errors],
                "warnings": [_error_as_json(unit, warning) for warning in unit.warnings],
                "examples": [_example_as_json(e) for e in unit.examples],
                "changed_examples": [_example_as_json(e) for e in unit.changed_examples],
            }
            for unit in units
        ],
    }


def _example_as_json(example: ExampleResult) -> dict[str, Any]:
    return {
        "title": example.title,
        "ok": example.ok,
        "message": example.message,
        "place": str(example.span),
        "breaks": list(example.breaks),
    }


def _error_as_json(unit: Unit, error: Diagnostic) -> dict[str, Any]:
    span = error.span
    return {
        "code": error.code,
        "message": error.message,
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "hint": error.hint,
        "notes": [{"message": note.message, "place": str(note.span)} for note in error.notes],
        "configuration": unit.found_for.get(error, ""),
    }
