"""Rows that are written once and stand for several: copies, and rows for each seat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar, cast

from attrs import evolve, fields

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.context import Context

# Maximum number of copies of one row, more than any game has; a typing error must not fill memory.
MAX_COPIES = 200


def all_rows(ctx: Context, table: s.Table) -> tuple[s.Row, ...]:
    """The rows of a table for the number of players.

    `row sp01 "Spear" copies 2` stands for `sp01_1 "Spear (1)"` and `sp01_2 "Spear (2)"`, and
    `row levy "Levy" for each p in Player: p` for `levy_red "Levy (red)": red` and so on.
    """
    seats = (seat for row in table.rows for seat in _seats(ctx, row))
    return tuple(copy for seat in seats for copy in _copies(ctx, seat))


def _seats(ctx: Context, row: s.Row) -> Iterator[s.Row]:
    if row.seat is None:
        yield row
        return
    if row.seat.domain.name != "Player":
        ctx.error(
            "E0438",
            f"rows are repeated for each Player, not for each {row.seat.domain}",
            row.seat.domain.span,
            hint=f"`for each {row.seat.name} in Player`",
        )
        return
    players = ctx.player_type
    labels = players.labels or players.values
    for name, label in zip(players.values, labels, strict=True):
        cells = _rebuilt(row.cells, {row.seat.name.name: name})
        yield evolve(_called(row, name, label), seat=None, cells=cells)


def _copies(ctx: Context, row: s.Row) -> Iterator[s.Row]:
    if row.copies is None:
        yield row
        return
    count = row.copies.count
    if not 1 <= count <= MAX_COPIES:
        ctx.error(
            "E0439",
            f"{count} copies of `{row.name}` are not possible",
            row.copies.span,
            hint=f"between 1 and {MAX_COPIES}",
        )
        return
    for number in range(1, count + 1):
        yield evolve(_called(row, str(number), str(number)), copies=None)


def _called(row: s.Row, name: str, label: str) -> s.Row:
    """A copy of a row by a longer name, with new nodes, since types are noted by node."""
    text = row.text
    if text is not None:
        longer = tuple((language, f"{words} ({label})") for language, words in text.translations)
        text = evolve(text, value=f"{text.value} ({label})", translations=longer)
    return evolve(
        row,
        name=evolve(row.name, name=f"{row.name}_{name}"),
        text=text,
        cells=_rebuilt(row.cells, {}),
        bodies=_rebuilt(row.bodies, {}),
    )


Part = TypeVar("Part")


def _rebuilt(part: Part, names: dict[str, str]) -> Part:
    """The same nodes once more, some names of them replaced."""
    if isinstance(part, tuple):
        return cast(Part, tuple(_rebuilt(item, names) for item in part))
    if not isinstance(part, s.Node):
        return part
    if isinstance(part, s.Name) and part.name in names:
        return cast(Part, evolve(part, name=names[part.name]))
    parts = {f.name: getattr(part, f.name) for f in fields(type(part))}
    return cast(Part, evolve(part, **{n: _rebuilt(p, names) for n, p in parts.items()}))
