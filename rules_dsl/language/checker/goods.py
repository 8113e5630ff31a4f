"""Goods: their names and amounts."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.checker import constants
from rules_dsl.language.checker.amounts import MOST_GOODS
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.inference import infer
from rules_dsl.language.checker.naming import add_values, label_of, taken
from rules_dsl.language.checker.written_types import all_dimensions
from rules_dsl.language.symbols import GoodSymbol, PoolSymbol
from rules_dsl.language.types import EnumType


def declare_goods(ctx: Context, declaration: s.Good) -> None:
    """Declare goods; a line without a kind gets a new one."""
    if declaration.kind is not None:
        if taken(ctx, declaration.kind):
            return
        enum_name = declaration.kind.name
    else:
        anonymous = {g.type for g in goods_of(ctx).values() if g.type.name not in ctx.types}
        enum_name = "Good" if not anonymous else f"Good{len(anonymous) + 1}"
    names = tuple(v.name.name for v in declaration.values)
    labels = tuple(
        label_of(ctx.program.labels.get(v.name.name) or v.text, v.name.name)
        for v in declaration.values
    )
    enum = EnumType(enum_name, names, "goods", labels)
    if declaration.kind is not None:
        ctx.types[enum_name] = enum
    for index, value in enumerate(declaration.values):
        known = ctx.values.get(value.name.name, [])
        if any(v.type.kind == "goods" for v in known):
            ctx.error("E0202", f"the good `{value.name}` is declared twice", value.name.span)
            continue
        ctx.globals[f"good {value.name.name}"] = GoodSymbol(
            value.name.name, None, enum, index, declaration
        )
    add_values(ctx, enum, tuple(v.name for v in declaration.values))


def limit_goods(ctx: Context) -> None:
    """The amount of each good: its limit, or without a bank the pools at the start."""
    pools = [i for state in ctx.program.of(s.State) for i in state.items if isinstance(i, s.Pool)]
    for good in goods_of(ctx).values():
        written = good.declaration.values[good.index].limit
        if written is not None:
            infer(ctx, Scope(), written)
            limit = constants.evaluate_or_report(ctx, written)
            if limit is not None and not 0 <= limit <= MOST_GOODS:
                ctx.error("E0309", f"the limit {limit} is outside 0..{MOST_GOODS:,}", written.span)
                limit = 0
            good.limit = limit or 0
        elif not any(p.bank and _may_hold(p, good) for p in pools):
            total = 0
            for pool in pools:
                for holding in pool.holds:
                    if holding.good.name == good.name:
                        infer(ctx, Scope(), holding.amount)
                        amount = constants.evaluate_or_report(ctx, holding.amount) or 0
                        for d in all_dimensions(ctx, pool.index) or ():
                            amount *= d.size
                        total += amount
            good.limit = total if total > 0 else None


def _may_hold(pool: s.Pool, good: GoodSymbol) -> bool:
    names = {ident.name for ident in pool.goods}
    return not names or good.name in names or good.type.name in names


def goods_of(ctx: Context) -> dict[str, GoodSymbol]:
    """All goods by name."""
    return {g.name: g for g in ctx.globals.values() if isinstance(g, GoodSymbol)}


def check_goods(ctx: Context) -> None:
    """Limited goods exist in their printed number, somewhere."""
    pools = [p for p in ctx.globals.values() if isinstance(p, PoolSymbol)]
    for good in goods_of(ctx).values():
        banks = [p for p in pools if p.bank and good in p.goods]
        held = 0
        for pool in pools:
            cells = 1
            for d in pool.dimensions:
                cells *= d.size
            held += pool.holds.get(good.name, 0) * cells
        span = good.declaration.span
        if len(banks) > 1:
            ctx.error("E0423", f"`{good.name}` has two banks", banks[1].declaration.span)
        if good.limit is None and not banks:
            if any(good in p.goods for p in pools):
                ctx.error(
                    "E0424",
                    f"`{good.name}` has neither a limit nor a bank",
                    span,
                    hint="add `limit …`, or a pool with `bank`",
                )
        elif good.limit is not None and held > good.limit:
            ctx.error(
                "E0425", f"pools start with {held} {good.name}; the limit is {good.limit}", span
            )
        elif good.limit is not None and not banks and held != good.limit:
            ctx.error(
                "E0425",
                f"pools start with {held} {good.name}, but there are {good.limit}",
                span,
                hint="a pool with `bank` takes the rest",
            )
