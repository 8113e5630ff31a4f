"""`rules new`: a small game to start from, and the skeleton of a house rule."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from attrs import evolve

from rules_dsl.cli.errors import BadInput
from rules_dsl.cli.game_argument import GameChoice
from rules_dsl.cli.new_game import GAME
from rules_dsl.language import syntax as s
from rules_dsl.language.cells import cells_by_column, says_more
from rules_dsl.language.files import create_text
from rules_dsl.language.option_values import shown
from rules_dsl.language.options import option_infos
from rules_dsl.language.printer import declaration_text, expression_text
from rules_dsl.language.provenance import least_sure, of_const
from rules_dsl.language.sources import all_shipped_variants, display_path, find, shipped_games

if TYPE_CHECKING:
    from rules_dsl.language.program import Program

F = TypeVar("F", bound=Callable[..., Any])
_NAME = re.compile(r"^[a-z][a-z0-9_]*$")


@click.group("new", short_help="Start a game or a variant of one.")
def new_group() -> None:
    """Start something new: a game of your own, or a variant of a game."""


_to_file = click.option(
    "-o", "--output", metavar="FILE", help="The file to write (default: NAME.rules)."
)


def _of_game(meaning: str) -> Callable[[F], F]:
    """The option that names the game to start from."""
    text = f"The game {meaning}: a name or a file."
    return click.option("--of", "game", required=True, metavar="GAME", help=text)


@new_group.command("game")
@click.argument("name")
@_to_file
def game_command(name: str, output: str | None) -> None:
    """Write NAME.rules, a small game that checks, plays and proves, to be changed from there."""
    _free_name(name)
    path = Path(output) if output else Path(f"{name}.rules")
    _write(path, GAME.format(name=name, title=_title(name)))
    click.echo(f"and `rules verify {path}` proves that it cannot get stuck and always ends")


@new_group.command("variant")
@click.argument("name")
@_of_game("(or variant) to vary")
@_to_file
def variant_command(name: str, game: str, output: str | None) -> None:
    """Write NAME.rules, a commented house rule for a GAME that changes nothing yet."""
    path, of, program = _place(name, game, output)
    _write(path, skeleton(name, of, program))


@new_group.command("data")
@click.argument("name")
@_of_game("whose provisional values are to be filled in")
@_to_file
def data_command(name: str, game: str, output: str | None) -> None:
    """Write NAME.rules with every provisional value of a GAME, to be filled in."""
    path, of, program = _place(name, game, output)
    _write(path, data(name, of, program))


def _free_name(name: str) -> None:
    if not _NAME.match(name):
        raise BadInput(f"`{name}` is not a name: use a-z, 0-9 and _, starting with a letter")
    if name in shipped_games() or name in all_shipped_variants():
        raise BadInput(f"there is already something called `{name}`")


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _place(name: str, game: str, output: str | None) -> tuple[Path, str, Program]:
    """The file of a new variant, the name of its game, and the game's rules."""
    _free_name(name)
    base = find(game)
    program = GameChoice(game).program()
    shipped = base in (*shipped_games().values(), *all_shipped_variants().values())
    of = program.variants[-1].name.name if program.variants else program.game.name.name
    if not shipped and base.stem != of:
        raise BadInput(f"{display_path(base)} must be called {of}.rules to be varied")
    # A variant of one's own game is found next to it.
    path = Path(output) if output else (Path() if shipped else base.parent) / f"{name}.rules"
    return path, of, program


def _write(path: Path, text: str) -> None:
    try:
        create_text(path, text)
    except FileExistsError:
        raise BadInput(f"{path} is already there; it was left as it is") from None
    click.echo(f"wrote {path}")
    click.echo(f"next: edit it, then `rules check {path}` and `rules play {path}`")


def data(name: str, of: str, program: Program) -> str:
    """The text of a variant that gives every provisional value as it is, marked as provisional.

    Type a printed value over the provisional one, and `printed` for `provisional`.
    """
    changes: list[s.VariantItem] = [
        s.SetConst(const, span=const.span)
        for const in program.of(s.Const)
        if of_const(const) == "provisional"
    ]
    for table in program.of(s.Table):
        for row in table.rows:
            if least_sure(table, row) == "provisional":
                marked = evolve(
                    row, provenance="provisional", bodies=(), cells=_by_name(table, row)
                )
                changes.append(s.ReplaceRow(table.name, marked, span=row.span))
    if not changes:
        raise BadInput(f"nothing in {of} is provisional")
    at = program.game.span
    title = s.Text(_title(name), span=at)
    own, base = s.Ident(name, span=at), s.Ident(of, span=at)
    variant = s.Variant(own, base, title, (), tuple(changes), span=at)
    head = "# Write what is printed, and `printed` for `provisional` where you have done so.\n\n"
    text = head + declaration_text(variant) + "\n"
    for table in program.of(s.Table):
        first = f"    replace provisional row {table.name}."
        text = text.replace(first, _columns(table, program) + first, 1)
    return text


def _by_name(table: s.Table, row: s.Row) -> tuple[s.Cell, ...]:
    """The cells of a row with the names of their columns, without placeholders."""
    written = cells_by_column(table, row)
    named = []
    for column in table.columns:
        cell = written.get(column.name.name)
        keeps_a_place = cell in row.cells and len(written) > 1
        if cell is not None and (says_more(column, cell) or not keeps_a_place):
            name = s.Name(column.name.name, span=cell.span)
            named.append(evolve(cell, value=s.Binary("=", name, cell.value, span=cell.span)))
    return tuple(named)


def _columns(table: s.Table, program: Program) -> str:
    """A comment that lists the possible values in the rows of a table."""
    kinds = {e.name.name: e for e in program.of(s.Enum)}
    listed, told = [], []
    for column in table.columns:
        match column.type:
            case s.RangeType(low, high):
                listed.append(f"{column.name}\u00a0{expression_text(low)}..{expression_text(high)}")
            case s.NamedType(kind) if kind in kinds:
                listed.append(str(column.name))
                values = ", ".join(_in_words(value) for value in kinds[kind].values)
                told.append(f"{column.name}: {values}")
            case _:
                listed.append(str(column.name))
    title = table.name.name if table.text is None else f"{table.name} ({table.text.value})"
    said = [f"{title}: {', '.join(listed)}", *told]
    lines = [
        line
        for text in said
        for line in textwrap.wrap(
            text,
            100,
            initial_indent="    # ",
            subsequent_indent="    #     ",
            break_on_hyphens=False,
        )
    ]
    return "\n" + "\n".join(lines).replace("\u00a0", " ") + "\n"


def _in_words(value: s.EnumValue) -> str:
    """A value as it is written, with its label."""
    plain = value.text is None or value.text.value == value.name.name
    return value.name.name if plain or value.text is None else f"{value.name} ({value.text.value})"


def skeleton(name: str, of: str, program: Program) -> str:
    """The text of a variant that changes nothing, with the game's own names in its comments."""
    title = _title(name)
    lines = [
        f'variant {name} of {of} "{title}"',
        "    # Take the # away from what you want, and change it. Each change is made once;",
        "    # a name that the game does not have is an error, so nothing is lost in silence.",
    ]
    consts = [c for c in program.of(s.Const) if not c.index and isinstance(c.value, s.IntLit)]
    if consts:
        # One line that changes nothing, so that the comments around it keep their place.
        lines += ["", "    # A number, as it is:", f"    {_const_line(consts[0])}"]
    for why, text in _suggestions(program, consts[1:5]):
        lines.append("")
        lines += [f"    # {line}" for line in textwrap.wrap(why, 90)]
        lines += [f"    # {line}" for line in text.split("\n") if line]
    return "\n".join(lines) + "\n"


def _suggestions(program: Program, consts: list[s.Const]) -> list[tuple[str, str]]:
    """Possible changes: a description, and the lines that make the change."""
    found = []
    if consts:
        found.append(("More numbers:", "\n".join(_const_line(const) for const in consts)))
    for info in option_infos(program)[:3]:
        other = next((c for c in info.choices if c != info.default), info.default)
        found.append((info.text, f"{info.kind} {info.name} = {shown(other)}"))
    found += _starts(program)
    action = next(
        (a for a in program.of(s.Action) if any(isinstance(x, s.Require) for x in a.body)), None
    )
    if action is not None:
        found.append(("More or less to ask for before an action:", _amendment(action)))
    invariant = next(program.of(s.Invariant), None)
    if invariant is not None:
        found.append(("An invariant that no longer holds:", f"drop invariant {invariant.name}"))
    return [*found, (_MORE, "")]


_MORE = (
    "More: `replace` and `add` take whole actions, procedures, functions, tables and state. "
    "`rules show` lists what the game has, the page on the language (Variants) how to change it."
)


def _starts(program: Program) -> list[tuple[str, str]]:
    """Changes of the start: a number of the state, a cell of a table, set-up."""
    found = []
    items = [item for state in program.of(s.State) for item in state.items]
    first = next(
        (x for x in items if isinstance(x, s.StateVar) and isinstance(x.initial, s.IntLit)), None
    )
    if first is not None and first.initial is not None:
        start = f"state {first.name} = {expression_text(first.initial)}"
        found.append(("What the game starts with:", start))
    for table in program.of(s.Table):
        for row in table.rows:
            cells = zip(table.columns, row.values, strict=False)
            for column, value in cells:
                if isinstance(value, s.IntLit):
                    cell = f"row {table.name}.{row.name}.{column.name} = {value.value}"
                    return [*found, ("One value of a card or a tile:", cell)]
    return found


def _const_line(const: s.Const) -> str:
    return f"const {const.name} = {expression_text(const.value)}"


def _amendment(action: s.Action) -> str:
    requires = [line for line in action.body if isinstance(line, s.Require) and line.reason]
    lines = [f"amend action {action.name}"]
    if requires and requires[0].reason is not None:
        lines.append(f'    drop require "{requires[0].reason.value}"')
    lines.append('    require true "say here what is missing"')
    return "\n".join(lines)
