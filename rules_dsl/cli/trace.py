"""`rules trace`: the headings of a rulebook against the rules that cite them."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from rules_dsl.cli.console import console, heading
from rules_dsl.cli.errors import FAILED
from rules_dsl.cli.game_argument import choice, game_options, json_option
from rules_dsl.language.outline import OutlineEntry
from rules_dsl.language.rulebook import RulebookHeading, Trace, trace

# The groups of entries below a heading.
_GROUPS = (
    ("rules", None),
    ("invariants", "invariant"),
    ("examples", "example"),
)
_APART = {"invariant", "example"}


@click.command("trace", short_help="Check that every heading of the rulebook has a rule.")
@click.argument("game")
@click.option("--uncovered", is_flag=True, help="Show only headings that no rule cites.")
@game_options
@json_option
def trace_command(
    game: str,
    uncovered: bool,
    players: int | None,
    options: tuple[str, ...],
    variants: tuple[str, ...],
    as_json: bool,
) -> None:
    """Show for each heading of the rulebook of a GAME what cites it: rules, invariants, examples.

    Fails if a heading has neither a rule nor a reason for having none, or if a rule cites a heading
    that the rulebook does not have.
    """
    asked = choice(game, players, options, variants)
    program = asked.program()
    asked.configuration(program)
    found = trace(program)
    if as_json:
        click.echo(json.dumps(_as_json(found), indent=1, ensure_ascii=False))
    else:
        _print(console(), found, uncovered)
    if not found.ok:
        raise click.exceptions.Exit(FAILED)


def _print(out: Console, found: Trace, uncovered: bool) -> None:
    for title, entries in found.headings:
        if not uncovered or not entries:
            _print_heading(out, title, entries)
    for title, entries in found.unlisted.items():
        out.print(Text(f"{title}: cited, but not a heading of the rulebook", style="red"))
        _print_entries(out, entries)
    cited = sum(bool(entries) for _, entries in found.headings)
    excused = sum(not entries and bool(h.reason) for h, entries in found.headings)
    out.print()
    out.print(
        Text(
            f"{len(found.headings)} headings: {cited} cited, {excused} without a rule for a stated"
            f" reason, {len(found.uncovered)} uncovered"
        )
    )
    if not found.listed:
        out.print(Text("(there is no rulebook.json: these are the headings that the rules cite)"))


def _print_heading(out: Console, title: RulebookHeading, entries: list[OutlineEntry]) -> None:
    out.print(heading(str(title)))
    if entries:
        _print_entries(out, entries)
    elif title.reason:
        out.print(Padding(Text(f"no rule: {title.reason}", style="dim"), (0, 0, 0, 4)))
    else:
        out.print(Padding(Text("UNCOVERED", style="bold red"), (0, 0, 0, 4)))


def _print_entries(out: Console, entries: list[OutlineEntry]) -> None:
    for group, kind in _GROUPS:
        members = [
            entry for entry in entries if (entry.kind == kind if kind else entry.kind not in _APART)
        ]
        if members:
            line = Text(f"{group}: ", style="dim")
            line.append(", ".join(_shown(entry) for entry in members), style="default not dim")
            out.print(Padding(line, (0, 0, 0, 4)))


def _shown(entry: OutlineEntry) -> str:
    if entry.kind == "example":
        return f'"{entry.name}"'
    return (
        entry.name
        if entry.name == entry.kind or entry.kind in _APART
        else (f"{entry.kind} {entry.name}")
    )


def _as_json(found: Trace) -> dict[str, Any]:
    return {
        "ok": found.ok,
        "listed": found.listed,
        "headings": [
            {
                "source": title.source,
                "page": title.page,
                "heading": title.heading,
                "reason": title.reason,
                "cited_by": [_entry_as_json(entry) for entry in entries],
            }
            for title, entries in found.headings
        ],
        "unlisted": [
            {"heading": str(title), "cited_by": [_entry_as_json(entry) for entry in entries]}
            for title, entries in found.unlisted.items()
        ],
    }


def _entry_as_json(entry: OutlineEntry) -> dict[str, str]:
    return {"kind": entry.kind, "name": entry.name, "place": str(entry.span)}
