"""The declarations of a game: enumerations, arrays of the state, zones, goods and labels."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ir
from compiler.lower.names import Lowering, cites, dimension, kind_of
from rules_dsl.language import syntax as s
from rules_dsl.language.checker import home_of
from rules_dsl.language.checker.amounts import UNLIMITED
from rules_dsl.language.checker.context import Context
from rules_dsl.language.program import Program, walk
from rules_dsl.language.symbols import (
    Checked,
    PoolSymbol,
    TableSymbol,
    VarSymbol,
)
from rules_dsl.language.types import EnumType, SetType, bounds
from rules_dsl.language.viewers import everybody


def lower_enums(checked: Checked) -> dict[str, ir.Enum]:
    types = list(checked.enums.values())
    types += [g.type for g in checked.goods.values()]
    types += [o.type for o in checked.options.values() if isinstance(o.type, EnumType)]
    return {t.name: ir.Enum(t.name, t.values, t.labels or t.values, t.kind) for t in types}


def lower_arrays(low: Lowering, ctx: Context) -> dict[str, ir.Array]:
    arrays: dict[str, ir.Array] = {}
    for name, symbol in ctx.globals.items():
        match symbol:
            case VarSymbol():
                arrays[name] = _variable(symbol)
            case PoolSymbol():
                arrays[name] = _pool(low.checked, symbol)
    for table in low.checked.tables.values():
        if table.zones:
            arrays[f"{table.name}.place"] = _places(ctx, table)
    return arrays


def _variable(symbol: VarSymbol) -> ir.Array:
    declaration = symbol.declaration
    dimensions = tuple(dimension(d) for d in symbol.dimensions)
    if isinstance(symbol.type, SetType):
        return ir.Array(
            symbol.name, "set", (*dimensions, dimension(symbol.type.inner)), 0, 1, symbol.initial,
            symbol.viewers, "bool", ghost=declaration.ghost, span=declaration.span,
            cites=cites(declaration.cites),
        )  # fmt: skip
    lo, hi = bounds(symbol.type)
    return ir.Array(
        symbol.name, "variable", dimensions, lo, hi, symbol.initial, symbol.viewers,
        kind_of(symbol.type), declaration.clamped, ghost=declaration.ghost,
        span=declaration.span, cites=cites(declaration.cites),
    )  # fmt: skip


def _pool(checked: Checked, symbol: PoolSymbol) -> ir.Array:
    declaration = symbol.declaration
    goods = tuple(g.name for g in symbol.goods)
    dimensions = (*(dimension(d) for d in symbol.dimensions), ir.Dimension(0, len(goods), "int"))
    amounts = []
    highest = 1
    for good in symbol.goods:
        limit = UNLIMITED if good.limit is None else good.limit
        highest = max(highest, limit)
        amount = symbol.holds.get(good.name, 0)
        if symbol.bank:
            elsewhere = 0
            for pool in checked.pools.values():
                if pool is not symbol:
                    cells = 1
                    for d in pool.dimensions:
                        cells *= d.size
                    elsewhere += pool.holds.get(good.name, 0) * cells
            amount = limit - elsewhere
        amounts.append(amount)
    cells = 1
    for d in symbol.dimensions:
        cells *= d.size
    return ir.Array(
        symbol.name, "pool", dimensions, 0, highest, tuple(amounts) * cells,
        symbol.viewers, "int", goods=goods, bank=symbol.bank, span=declaration.span,
        cites=cites(declaration.cites),
    )  # fmt: skip


def _places(ctx: Context, table: TableSymbol) -> ir.Array:
    where = [0] * table.type.size
    for zone in table.zones:
        for card, place in home_of(ctx, zone).items():
            where[card] = zone.first_place + zone.below + place * zone.levels
    last = max(z.first_place + z.places for z in table.zones) - 1
    return ir.Array(
        f"{table.name}.place", "zone", (dimension(table.type),), 0, last, tuple(where),
        everybody(ctx.players), "int", span=table.declaration.span,
        cites=cites(table.declaration.cites),
    )  # fmt: skip


def lower_zones(checked: Checked) -> dict[str, ir.Zone]:
    return {
        z.name: ir.Zone(
            z.name,
            z.table.name,
            f"{z.table.name}.place",
            tuple(dimension(d) for d in z.dimensions),
            z.first_place,
            z.places,
            z.viewers,
            z.levels,
            z.below,
            z.declaration.span,
        )
        for z in checked.zones.values()
    }


def lower_goods(checked: Checked) -> dict[str, ir.Good]:
    return {
        g.name: ir.Good(
            g.name,
            g.type.name,
            g.limit,
            UNLIMITED if g.limit is None else g.limit,
            g.declaration.span,
            cites(g.declaration.cites),
        )
        for g in checked.goods.values()
    }


def lower_labels(program: Program, checked: Checked) -> dict[str, ir.Label]:
    """Labels for people, in every language given."""
    found: dict[str, s.Text | None] = {}
    for declaration in program.declarations:
        match declaration:
            case s.Enum(name, values, text):
                found[name.name] = text
                found.update({v.name.name: v.text for v in values})
            case s.Good(kind, goods, text):
                if kind is not None:
                    found[kind.name] = text
                found.update({v.name.name: v.text for v in goods})
                if kind is None and len(goods) == 1 and text is not None:
                    found[goods[0].name.name] = text
            case s.Table(name, text):
                found[name.name] = text
                rows = checked.tables[name.name].declaration.rows
                found.update({r.name.name: r.text for r in rows})
            case s.State(items):
                found.update({i.name.name: i.text for i in items})
            case s.Option() | s.Piece() | s.Procedure() | s.Function() | s.Invariant():
                found[declaration.name.name] = declaration.text
    found.update(program.labels)
    # A notation is not a name: it is found by its text.
    found.update((text.value, text) for text in _notations(program) if text.translations)
    return {
        name: ir.Label(text.value, text.translations)
        for name, text in found.items()
        if text is not None
    }


def _notations(program: Program) -> Iterator[s.Text]:
    """The notations of moves and the questions to players."""
    for node in walk(program.declarations):
        match node:
            case (
                s.Action(text=s.Text() as text)
                | s.Choose(prompt=s.Text() as text)
                | s.ChooseValue(notation=s.Text() as text)
                | s.ChooseSubset(notation=s.Text() as text)
                | s.ChooseSecretly(notation=s.Text() as text)
            ):
                yield text
