"""A position on the screen: the board, then the players' possessions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from attrs import evolve
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from compiler.runtime.terminal import board_in_letters
from rules_dsl.cli.console import heading, plain_table
from rules_dsl.cli.table.items import Item, items_of
from rules_dsl.cli.table.labels import NOTHING, Labels, number_text, place_kind

if TYPE_CHECKING:
    from compiler.runtime.state import State

# Maximum size of a table of values; a larger one is shown as a list of its non-empty values.
MOST_ROWS, MOST_COLUMNS, WIDEST_CELL = 16, 16, 10
# Values of one player that get a line each; above MANY they are grouped by value.
FEW, MANY = 6, 10
LABEL_WIDTH = 38
# Number of things from which on those that no player has are left out.
ROOMY = 16


def print_position(
    out: Console, labels: Labels, state: State, viewer: int | None, everything: bool = False
) -> None:
    """Print a position; of a long one only the non-empty values, unless asked for all."""
    items = items_of(state, viewer)
    lines, told = board_in_letters(state, viewer)
    items = [item for item in items if item.name not in told]
    shared = [item for item in items if not item.by_player]
    if shared or lines:
        out.print(heading(labels.words.own("Board")))
        for line in lines:
            out.print(Padding(Text(line, no_wrap=True), (0, 0, 0, 2)))
        for item in shared:
            _print_shared(out, labels, item)
    own = [item for item in items if item.by_player]
    if len(own) > ROOMY and not everything:
        own = [item for item in own if any(value for _, value in item.leaves())]
    out.print(heading(labels.words.own("Players")))
    _print_players(out, labels, state, own)


def _print_shared(out: Console, labels: Labels, item: Item) -> None:
    title = labels.item(item.name)
    board = as_square_board(item)
    if not item.keys:
        # A number is always worth telling; `no` and `none` are not.
        if not item.empty(item.value) or type(item.value) is int:
            out.print(_line(title, _value(labels, item, item.value)))
    elif board is not None or _is_grid(labels, item):
        _print_grid(out, labels, board or item, title)
    elif any(not item.empty(value) for _, value in item.leaves()):
        out.print(_line(title, _listing(labels, item, (), item.keys)))


def as_square_board(item: Item) -> Item | None:
    """Squares numbered row by row, as a board with files a, b, … and ranks 1, 2, …

    Rules that want speed number the squares; people want to see the board.
    """
    if len(item.keys) != 1 or not item.of.startswith("Player?"):
        return None
    (kind, places) = item.keys[0]
    if kind not in ("int", place_kind(places)):
        return None
    size = math.isqrt(len(item.value))
    if size < 3 or size * size != len(item.value) or 0 not in item.value:
        return None
    rows = {
        str(row + 1): {chr(97 + column): item.value[row * size + column] for column in range(size)}
        for row in range(size)
    }
    return evolve(item, keys=(("rank", size), ("file", size)), value=rows)


def _line(title: str, value: Text) -> Padding:
    return Padding(Text.assemble((f"{title}: ", "dim"), value), (0, 0, 0, 2))


def _value(labels: Labels, item: Item, value: Any) -> Text:
    style = ""
    if item.kind == "variable" and item.of.startswith("Player") and isinstance(value, int):
        style = labels.colour(value)
    return Text(item.text(labels, value), style=style)


# ---- tables of values ----------------------------------------------------------------------------


def _cell(labels: Labels, item: Item, value: Any) -> Text:
    if value is None or value is False:
        return Text(".", style="dim")
    if value is True:
        return Text("x")
    if item.of.startswith("Player") and isinstance(value, int):
        return Text(labels.initial(value), style=labels.colour(value))
    return Text(item.text(labels, value))


def _is_grid(labels: Labels, item: Item) -> bool:
    """Whether a variable is best shown as a table of rows and columns."""
    if len(item.keys) != 2 or item.kind != "variable":
        return False
    if item.of == "bool" and all(item.empty(value) for _, value in item.leaves()):
        return False
    (_, rows), (_, columns) = item.keys
    if rows > MOST_ROWS or columns > MOST_COLUMNS:
        return False
    widest = max(len(_cell(labels, item, value)) for _, value in item.leaves())
    return widest <= WIDEST_CELL and columns * (widest + 2) <= 80


def _print_grid(out: Console, labels: Labels, item: Item, title: str) -> None:
    (row_kind, _), (column_kind, _) = item.keys
    first = next(iter(item.value.values()))
    columns = [labels.value(column_kind, key) for key in first]
    rows = [
        (
            Text(labels.value(row_kind, key), style="dim"),
            *(_cell(labels, item, value) for value in row.values()),
        )
        for key, row in item.value.items()
    ]
    out.print(_line(title, Text("")))
    table = plain_table("", *columns, rows=rows, right=range(1, len(columns) + 1))
    out.print(Padding(table, (0, 0, 0, 4)))


def _listing(
    labels: Labels, item: Item, before: tuple[Any, ...], kinds: tuple[tuple[str, int], ...]
) -> Text:
    """The non-empty values with their keys, or, of many, the keys by value."""
    names = [kind for kind, _ in kinds]
    found = []
    for keys, value in item.leaves():
        if keys[: len(before)] == before and not item.empty(value):
            inner = zip(names, keys[len(before) :], strict=True)
            found.append((" ".join(labels.value(kind, key) for kind, key in inner), value))
    if not found:
        return Text(NOTHING)
    if all(value is True for _, value in found):
        return Text(", ".join(key for key, _ in found))
    if item.kind == "variable" and item.of != "int" and len(found) > MANY:
        return _by_value(labels, item, found)
    if item.kind == "pool" and all(len(value) == 1 for _, value in found):
        # The pool has only one good: the number suffices.
        return Text(", ".join(f"{key}: {next(iter(value.values()))}" for key, value in found))
    parts = [Text(f"{key}: ").append_text(_value(labels, item, value)) for key, value in found]
    return Text("; " if item.kind != "variable" else ", ").join(parts)


def _by_value(labels: Labels, item: Item, found: list[tuple[str, Any]]) -> Text:
    keys: dict[Any, list[str]] = {}
    for key, value in found:
        keys.setdefault(value, []).append(key)
    commonest = max(keys, key=lambda value: len(keys[value]))
    parts = []
    for value, where in keys.items():
        part = _value(labels, item, value)
        if value == commonest and len(where) > MANY:
            part.append(f": the other {len(where)}")
            parts.append(part)
        else:
            parts.insert(0, part.append(f": {' '.join(where)}", style="default"))
    return Text("; ").join(parts)


# ---- what each player has ------------------------------------------------------------------------


def _print_players(out: Console, labels: Labels, state: State, items: list[Item]) -> None:
    players = range(state.game.players)
    columns = []
    for player in players:
        name = labels.seat_text(player)
        initial = labels.initial(player)
        if initial != labels.seat(player):
            name.append(f" ({initial})")
        columns.append(name)
    rows: list[tuple[Text, ...]] = [(Text(), *columns)]
    scores = state.scores()
    if scores:
        rows.append(
            (
                Text(labels.words.own("Score"), style="dim"),
                *(Text(number_text(score)) for score in scores),
            )
        )
    for item in items:
        rows += _player_rows(labels, item, players)
    table = plain_table(*[""] * (len(players) + 1), rows=rows, headed=False)
    # The labels keep their lines; it is the contents that wrap.
    table.columns[0].no_wrap = True
    table.columns[0].max_width = LABEL_WIDTH
    out.print(Padding(table, (0, 0, 0, 2)))


def _player_rows(labels: Labels, item: Item, players: range) -> list[tuple[Text, ...]]:
    title = labels.item(item.name)
    inner = item.keys[1:]
    if not inner:
        values = [item.at(p) for p in players]
        if item.kind != "variable" and all(item.empty(v) for v in values):
            return []
        return [(Text(title, style="dim"), *(_value(labels, item, v) for v in values))]
    if len(inner) == 1 and inner[0][1] <= FEW and item.kind == "variable":
        rows = []
        for key in item.at(0):
            name = f"{title}: {labels.value(inner[0][0], key)}"
            cells = (_value(labels, item, item.at(p, key)) for p in players)
            rows.append((Text(name, style="dim"), *cells))
        return rows
    if all(item.empty(value) for _, value in item.leaves()):
        return []
    return [(Text(title, style="dim"), *(_listing(labels, item, (p,), inner) for p in players))]
