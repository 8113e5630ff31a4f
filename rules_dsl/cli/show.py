"""`rules show`: the rules of a game by section, with options, rulings and cites."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from rules_dsl.cli.action_text import action_lines, notation
from rules_dsl.cli.console import console, heading, plain_table
from rules_dsl.cli.errors import BadInput
from rules_dsl.cli.game_argument import choice, game_options, json_option, language_option
from rules_dsl.language import syntax as s
from rules_dsl.language.diagnostics import did_you_mean
from rules_dsl.language.option_values import shown
from rules_dsl.language.options import OptionInfo, option_infos
from rules_dsl.language.outline import KINDS, OutlineEntry, cites_text, outline
from rules_dsl.language.printer import declaration_text
from rules_dsl.language.provenance import counted, summary
from rules_dsl.language.sources import shipped_variants

if TYPE_CHECKING:
    from rules_dsl.language.program import Program


@click.command("show", short_help="Show the rules of a GAME by section, with cites.")
@click.argument("game")
@click.argument("names", nargs=-1, metavar="[NAME...]")
@click.option("--full", is_flag=True, help="Every declaration as written in the rules.")
@language_option
@game_options
@json_option
def show_command(
    game: str,
    names: tuple[str, ...],
    full: bool,
    language: str,
    players: int | None,
    options: tuple[str, ...],
    variants: tuple[str, ...],
    as_json: bool,
) -> None:
    """Show the rules of a GAME: options, rulings, components, actions, invariants, cites.

    With NAMEs, show those declarations in full.
    """
    asked = choice(game, players, options, variants)
    program = asked.program()
    count, chosen = asked.configuration(program)
    entries = outline(program, language)
    if names:
        entries = _named(entries, names)
    if as_json:
        data = _as_json(program, entries, language)
        click.echo(json.dumps(data, indent=1, ensure_ascii=False))
        return
    out = console()
    if names:
        _print_sources(out, entries)
        return
    _print_head(out, program, count if players is not None else None, language)
    _print_options(out, program, chosen, language)
    _print_provisional(out, entries)
    if full:
        _print_sources(out, entries)
    else:
        for kind, title, show in _SECTIONS:
            found = [entry for entry in entries if entry.kind == kind]
            if found:
                out.print()
                out.print(heading(title))
                show(out, found)


def _named(entries: list[OutlineEntry], names: tuple[str, ...]) -> list[OutlineEntry]:
    found = []
    for name in names:
        matching = [entry for entry in entries if name in (entry.name, *entry.name.split(", "))]
        if not matching:
            hint = did_you_mean(name, [entry.name for entry in entries])
            raise BadInput(f"nothing is called `{name}`{f'; {hint}' if hint else ''}")
        found += matching
    return found


def _print_head(out: Console, program: Program, players: int | None, language: str) -> None:
    game = program.game
    out.print(Text(f"{_title(program, language)} ({game.name})", style="bold"))
    if game.text:
        for other, text in game.text.translations:
            if other != language:
                out.print(Text(f"{other}: {text}", style="dim"))
    low, high = program.player_range
    seats = ", ".join(name.name for line in game.players for name in line.names)
    span = str(low) if low == high else f"{low}-{high}"
    asked = f", shown for {players}" if players else ""
    out.print(Text(f"players: {span}{asked}{f' ({seats})' if seats else ''}"))
    for source in game.sources:
        out.print(Text(f"source {source.name}: {source.title.value}"))
    for variant in program.variants:
        text = f": {variant.text.said(language)}" if variant.text else ""
        out.print(Text(f"variant {variant.name}{text} {cites_text(variant.cites)}".rstrip()))
    known = shipped_variants(game.name.name)
    if known:
        out.print(Text(f"shipped variants: {', '.join(known)}"))


def _title(program: Program, language: str) -> str:
    game = program.game
    return game.text.said(language) if game.text else game.name.name


def _print_options(out: Console, program: Program, chosen: dict[str, Any], language: str) -> None:
    infos = option_infos(program, language)
    for kind, title in (("option", "Options"), ("ruling", "Rulings")):
        found = [info for info in infos if info.kind == kind]
        if found:
            out.print()
            out.print(heading(title))
            for info in found:
                _print_option(out, info, chosen[info.name])


def _print_option(out: Console, info: OptionInfo, value: Any) -> None:
    line = Text(f"{info.name}: ", style="bold")
    for number, option in enumerate(info.choices):
        mark = shown(option) + (" (default)" if option == info.default else "")
        style = "green" if option == value else "default"
        line.append(f"{', ' if number else ''}{mark}", style=f"not bold {style}")
    if value != info.default:
        line.append(f", now {shown(value)}", style="not bold green")
    out.print(line)
    cites = f" [{'; '.join(info.cites)}]" if info.cites else ""
    out.print(_indented(f"{info.text}{cites}"))


def _print_provisional(out: Console, entries: list[OutlineEntry]) -> None:
    found = [entry for entry in entries if entry.provisional]
    if found:
        out.print()
        out.print(heading("Provisional: not from the source, to be replaced when it is known"))
        nodes = [entry.node for entry in entries]
        tables = [node for node in nodes if isinstance(node, s.Table)]
        out.print(Text(summary(tables, [node for node in nodes if isinstance(node, s.Const)])))
        for entry in found:
            text = f": {entry.text}" if entry.text else ""
            cites = cites_text(entry.cites)
            out.print(Text(f"{entry.kind} {entry.name}{_how_much(entry)}{text} {cites}".rstrip()))


def _how_much(entry: OutlineEntry) -> str:
    """Number of provisional rows of a table."""
    if not isinstance(entry.node, s.Table):
        return ""
    rows = counted(entry.node)
    return f" ({rows['provisional']} of {rows.total()} rows)"


def _print_sources(out: Console, entries: list[OutlineEntry]) -> None:
    for entry in entries:
        out.print()
        out.print(Text(f"# {entry.span.file}:{entry.span.line}", style="dim"))
        out.print(Text(_source(entry), no_wrap=True, overflow="ignore"), soft_wrap=True)


def _source(entry: OutlineEntry) -> str:
    if isinstance(entry.node, s.Declaration):
        return declaration_text(entry.node)
    assert isinstance(entry.node, s.StateVar | s.Pool | s.Zone)
    return declaration_text(s.State((entry.node,), span=entry.span))


def _indented(text: str) -> Padding:
    return Padding(Text(text.rstrip()), (0, 0, 0, 4))


# ---- sections ------------------------------------------------------------------------------------


def _print_one_liners(out: Console, entries: list[OutlineEntry]) -> None:
    for entry in entries:
        text = _source(entry)
        if entry.kind == "state":
            text = textwrap.dedent(text.partition("\n")[2])
        out.print(Text(text), soft_wrap=True)


def _print_tables(out: Console, entries: list[OutlineEntry]) -> None:
    for entry in entries:
        assert isinstance(entry.node, s.Table)
        text = f": {entry.text}" if entry.text else ""
        columns = ", ".join(column.name.name for column in entry.node.columns)
        mark = "provisional " if entry.provisional else ""
        rows = len(entry.node.rows)
        out.print(Text(f"{mark}{entry.name}{text}, {rows} rows {cites_text(entry.cites)}".rstrip()))
        if columns:
            out.print(Padding(Text(f"columns {columns}", style="dim"), (0, 0, 0, 4)))


def _print_actions(out: Console, entries: list[OutlineEntry]) -> None:
    for entry in entries:
        assert isinstance(entry.node, s.Action)
        first, *rest = action_lines(entry.node)
        out.print(Text(first))
        for line in rest:
            out.print(Padding(Text(line, style="dim"), (0, 0, 0, 4)))


def _print_named(out: Console, entries: list[OutlineEntry]) -> None:
    rows = [
        (Text(notation(entry)), Text(f"{entry.text} {cites_text(entry.cites)}".strip()))
        for entry in entries
    ]
    out.print(plain_table("", "", rows=rows, headed=False))


def _print_examples(out: Console, entries: list[OutlineEntry]) -> None:
    for entry in entries:
        out.print(Text(f"{entry.name} {cites_text(entry.cites)}".rstrip()))


_SECTIONS: tuple[tuple[str, str, Callable[[Console, list[OutlineEntry]], None]], ...] = (
    ("good", "Goods", _print_one_liners),
    ("enum", "Kinds", _print_one_liners),
    ("table", "Components", _print_tables),
    ("constant", "Numbers", _print_one_liners),
    ("state", "State", _print_one_liners),
    ("piece", "Pieces", _print_named),
    ("relation", "Relations", _print_named),
    ("setup", "Set-up", _print_one_liners),
    ("play", "Course of the game", _print_one_liners),
    ("procedure", "Procedures", _print_named),
    ("action", "Actions", _print_actions),
    ("function", "Functions", _print_named),
    ("scoring", "Scoring", _print_one_liners),
    ("invariant", "Invariants", _print_named),
    ("waiver", "Waivers", _print_named),
    ("example", "Examples", _print_examples),
)


def _as_json(program: Program, entries: list[OutlineEntry], language: str) -> dict[str, Any]:
    game = program.game
    return {
        "name": game.name.name,
        "title": _title(program, language),
        "players": list(program.player_range),
        "sources": {source.name.name: source.title.value for source in game.sources},
        "variants": [variant.name.name for variant in program.variants],
        "options": [
            {
                "name": info.name,
                "kind": info.kind,
                "choices": list(info.choices),
                "default": info.default,
                "text": info.text,
                "cites": list(info.cites),
            }
            for info in option_infos(program, language)
        ],
        "rules": [
            {
                "kind": entry.kind,
                "name": entry.name,
                "text": entry.text,
                "cites": [str(cite) for cite in entry.cites],
                "provisional": entry.provisional,
                "place": str(entry.span),
                "source": _source(entry),
            }
            for entry in sorted(entries, key=lambda entry: KINDS.index(entry.kind))
        ],
    }
