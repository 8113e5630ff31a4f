"""State: variables, pools and zones."""

from __future__ import annotations

from collections.abc import Callable

from rules_dsl.language import syntax as s
from rules_dsl.language.checker import constants
from rules_dsl.language.checker.amounts import MOST_GOODS, UNLIMITED
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.domains import domain
from rules_dsl.language.checker.goods import goods_of
from rules_dsl.language.checker.inference import check, check_bool, infer
from rules_dsl.language.checker.orders import order_maker
from rules_dsl.language.checker.piles import known_places
from rules_dsl.language.checker.typing_rules import fits
from rules_dsl.language.checker.viewers import viewers_in
from rules_dsl.language.checker.written_types import (
    all_dimensions,
    all_indices,
    dimension,
    index_domain,
    resolve_type,
    too_many,
)
from rules_dsl.language.diagnostics import did_you_mean
from rules_dsl.language.printer import expression_text
from rules_dsl.language.symbols import (
    Dimension,
    GoodSymbol,
    LocalSymbol,
    PoolSymbol,
    Symbol,
    VarSymbol,
    ZoneSymbol,
)
from rules_dsl.language.types import (
    BoolType,
    EnumType,
    IntType,
    OptionalType,
    SetType,
    ValueType,
    bounds,
    none_of,
)

MAX_CELLS = 60_000


def _named_dimensions(ctx: Context, scope: Scope, item: s.Zone) -> tuple[Dimension, ...] | None:
    """The indices of a zone; those that have names can be used in what it holds."""
    dimensions: list[Dimension] = []
    for part in item.index:
        if isinstance(part, s.Binder):
            element = domain(ctx, scope, part.domain)
            exact = index_domain(ctx, part.domain, element)
            ctx.declare_local(scope, part.name, element)
        else:
            exact = dimension(ctx, part)
        if exact is None:
            return None
        dimensions.append(exact)
    if 0 < sum(isinstance(i, s.Binder) for i in item.index) < len(dimensions):
        ctx.error("E0327", "either every index has a name or none has", item.span)
        return None
    size = 1
    for d in dimensions:
        size *= d.size
    return None if too_many(ctx, size, "places", item.span) else tuple(dimensions)


def variable_maker(ctx: Context, item: s.StateVar) -> Callable[[], Symbol | None]:
    """The type and first values of a variable."""
    if isinstance(item.type, s.OrderType):
        return order_maker(ctx, item, item.type)

    def make() -> Symbol | None:
        scope = Scope()
        dimensions: list[Dimension] = []
        env_symbols: list[LocalSymbol] = []
        for part in item.index:
            if isinstance(part, s.Binder):
                element = domain(ctx, scope, part.domain)
                exact = index_domain(ctx, part.domain, element)
                env_symbols.append(ctx.declare_local(scope, part.name, element))
            else:
                exact = dimension(ctx, part)
            if exact is None:
                return None
            dimensions.append(exact)
        if env_symbols and len(env_symbols) < len(dimensions):
            ctx.error("E0327", "either every index has a name or none has", item.span)
            return None
        type_ = resolve_type(ctx, item.type)
        if not isinstance(type_, IntType | BoolType | EnumType | OptionalType | SetType):
            return None
        if isinstance(type_, SetType):
            too_many(ctx, type_.inner.size, "elements", item.type.span)
        size = 1
        for d in dimensions:
            size *= d.size
        if isinstance(type_, SetType):
            size *= type_.inner.size
        if too_many(ctx, size, "cells", item.span):
            return None
        viewers = viewers_in(ctx, scope, item, tuple(dimensions), env_symbols)
        if item.clamped and not isinstance(type_, IntType):
            ctx.error("E0416", "only numbers are clamped", item.span)
        initial = _initial(ctx, scope, item, type_, tuple(dimensions), env_symbols)
        return VarSymbol(item, tuple(dimensions), type_, initial, viewers)

    return make


def _initial(
    ctx: Context,
    scope: Scope,
    item: s.StateVar,
    type_: ValueType | SetType,
    dimensions: tuple[Dimension, ...],
    env_symbols: list[LocalSymbol],
) -> tuple[int, ...]:
    size = 1
    for d in dimensions:
        size *= d.size
    if isinstance(type_, SetType):
        return _initial_set(ctx, scope, item, type_, dimensions, env_symbols)
    low, high = bounds(type_)
    default = none_of(type_) if isinstance(type_, OptionalType) else max(low, min(0, high))
    if item.initial is None:
        return (default,) * size
    check(ctx, scope, item.initial, type_)
    values: list[int] = []
    indices = list(all_indices(dimensions)) if env_symbols else [()]
    evaluator = constants.ConstantEvaluator(ctx)
    for index in indices:
        env = dict(zip(env_symbols, index, strict=True)) if env_symbols else {}
        try:
            value = evaluator.value(item.initial, env)
        except constants.NotConstant as error:
            constants.report(ctx, error)
            return (default,) * size
        if not low <= value <= high:
            if not ctx.reporter.has_error_in(item.initial.span):
                ctx.error(
                    "E0309", f"the initial value {value} is outside {type_}", item.initial.span
                )
            value = default
        values.append(value)
    return tuple(values) if env_symbols else (values[0],) * size


def _initial_set(
    ctx: Context,
    scope: Scope,
    item: s.StateVar,
    type_: SetType,
    dimensions: tuple[Dimension, ...],
    env_symbols: list[LocalSymbol],
) -> tuple[int, ...]:
    """The contents of a set at the start: 0 or 1 for each element."""
    size = 1
    for d in dimensions:
        size *= d.size
    nothing = (0,) * (size * type_.inner.size)
    if item.initial is None:
        return nothing
    actual = infer(ctx, scope, item.initial, type_)
    if isinstance(actual, IntType | EnumType):
        ctx.error(
            "E0417",
            "a set starts with a list of its elements",
            item.initial.span,
            hint=f"write `[{expression_text(item.initial)}]`",
        )
        return nothing
    if not fits(ctx, actual, type_, item.initial.span):
        return nothing
    low, high = bounds(type_.inner)
    evaluator = constants.ConstantEvaluator(ctx)
    values: list[int] = []
    indices = all_indices(dimensions) if env_symbols else [()]
    for index in indices:
        env = dict(zip(env_symbols, index, strict=True)) if env_symbols else {}
        try:
            there = evaluator.members(item.initial, env)
        except constants.NotConstant as error:
            constants.report(ctx, error)
            return nothing
        for element in sorted(there):
            if not low <= element <= high:
                message = f"{element} is outside {type_.inner}"
                ctx.error("E0309", message, item.initial.span)
        values += (int(k in there) for k in range(low, high + 1))
    return tuple(values) if env_symbols else tuple(values) * size


def pool_maker(ctx: Context, item: s.Pool) -> Callable[[], Symbol | None]:
    """The goods of a pool."""

    def make() -> Symbol | None:
        dimensions = all_dimensions(ctx, item.index)
        if dimensions is None:
            return None
        viewers = viewers_in(ctx, Scope(), item, dimensions, [])
        known = goods_of(ctx)
        if not known:
            ctx.error(
                "E0418",
                f"the pool `{item.name}` has no goods to hold",
                item.span,
                hint="declare goods: `good` and a name",
            )
        chosen: list[GoodSymbol] = []
        for ident in item.goods:
            if ident.name in known:
                chosen.append(known[ident.name])
            elif ident.name in ctx.types and ctx.types[ident.name].kind == "goods":
                chosen += [known[v] for v in ctx.types[ident.name].values]
            else:
                ctx.error(
                    "E0207",
                    f"there is no good `{ident.name}`",
                    ident.span,
                    hint=did_you_mean(ident.name, known),
                )
        goods = tuple(chosen) if item.goods else tuple(known.values())
        holds: dict[str, int] = {}
        for holding in item.holds:
            infer(ctx, Scope(), holding.amount)
            amount = constants.evaluate_or_report(ctx, holding.amount)
            good = next((g for g in goods if g.name == holding.good.name), None)
            if good is None:
                ctx.error(
                    "E0207",
                    f"the pool `{item.name}` does not hold `{holding.good}`",
                    holding.good.span,
                )
            elif amount is not None:
                # A limit of its own is checked with all pools.
                limited = good.declaration.values[good.index].limit is not None
                most = MOST_GOODS if limited else UNLIMITED
                if not 0 <= amount <= most:
                    ctx.error(
                        "E0309",
                        f"{amount} {holding.good} is outside 0..{most:,}",
                        holding.amount.span,
                    )
                holds[holding.good.name] = amount
        if item.bank and dimensions:
            ctx.error("E0419", "a bank is one pool, without indices", item.span)
        return PoolSymbol(item, dimensions, goods, holds, viewers)

    return make


def zone_maker(ctx: Context, item: s.Zone, places: dict[str, int]) -> Callable[[], Symbol | None]:
    """The places of a zone; `places` counts those of each table so far."""

    def make() -> Symbol | None:
        scope = Scope()
        dimensions = _named_dimensions(ctx, scope, item)
        enum = ctx.types.get(item.table.name)
        if enum is None or enum not in ctx.tables:
            tables = [t.name for t in ctx.tables]
            hint = did_you_mean(item.table.name, tables)
            if enum is not None and not hint:
                known = ", ".join(f"`{name}`" for name in tables)
                hint = "cards are rows of a table" + (f": {known}" if known else "")
            ctx.error("E0203", f"there is no table `{item.table.name}`", item.table.span, hint=hint)
            return None
        if dimensions is None:
            return None
        indices = [ctx.facts.locals[i.name] for i in item.index if isinstance(i, s.Binder)]
        viewers = viewers_in(ctx, scope, item, dimensions, indices)
        table = ctx.tables[enum]
        below, above = known_places(ctx, item, enum.size)
        first = places.get(enum.name, 0)
        zone = ZoneSymbol(item, dimensions, table, first, viewers, below, above)
        places[enum.name] = zone.first_place + zone.places
        table.zones.append(zone)
        if item.holds is not None and item.holds.name is not None:
            assert item.holds.condition is not None
            ctx.declare_local(scope, item.holds.name, enum)
            check_bool(ctx, scope, item.holds.condition)
        return zone

    return make


def home_of(ctx: Context, zone: ZoneSymbol) -> dict[int, int]:
    """The cards that a zone starts with, each with its place among those of the zone."""
    if zone not in ctx.homes:
        ctx.homes[zone] = _home_of(ctx, zone)
    return ctx.homes[zone]


def _home_of(ctx: Context, zone: ZoneSymbol) -> dict[int, int]:
    holds = zone.declaration.holds
    if holds is None:
        return {}
    everything = range(zone.table.type.size)
    if holds.name is None or holds.condition is None:
        return dict.fromkeys(everything, 0)
    names = [holds.name, *(i.name for i in zone.declaration.index if isinstance(i, s.Binder))]
    locals_ = [ctx.facts.locals[name] for name in names if name in ctx.facts.locals]
    if len(locals_) < len(names):
        return {}
    indices = list(all_indices(zone.dimensions)) if len(names) > 1 else [()]
    evaluator = constants.ConstantEvaluator(ctx)
    starts: dict[int, list[int]] = {}
    try:
        for card in everything:
            for place, index in enumerate(indices):
                env = dict(zip(locals_, (card, *index), strict=True))
                if evaluator.value(holds.condition, env):
                    starts.setdefault(card, []).append(place)
    except constants.NotConstant as error:
        constants.report(ctx, error)
        return dict.fromkeys(everything, 0)
    twice = next((card for card, places in starts.items() if len(places) > 1), None)
    if twice is not None:
        name = zone.table.type.values[twice]
        ctx.error("E0421", f"`{name}` starts in two places of `{zone.name}`", zone.declaration.span)
    return {card: places[0] for card, places in starts.items()}


def check_zones(ctx: Context) -> None:
    """Every card starts in exactly one zone."""
    for table in ctx.tables.values():
        if not table.zones:
            continue
        homes: dict[int, ZoneSymbol] = {}
        for zone in table.zones:
            cards = home_of(ctx, zone)
            named = any(isinstance(i, s.Binder) for i in zone.declaration.index)
            if cards and zone.dimensions and not named:
                ctx.error(
                    "E0420",
                    f"it is not said in which `{zone.name}` cards start",
                    zone.declaration.span,
                    hint="write `zone hand[p in Player] of Card holds c where "
                    "c.owner = p`, or deal them in `setup`",
                )
            for card in sorted(cards):
                if card in homes:
                    ctx.error(
                        "E0421",
                        f"`{table.type.values[card]}` starts in `{homes[card].name}` and in "
                        f"`{zone.name}`",
                        zone.declaration.span,
                    )
                    break
                homes[card] = zone
        for card, name in enumerate(table.type.values):
            if card not in homes:
                ctx.error(
                    "E0422",
                    f"`{name}` starts in no zone",
                    table.zones[0].declaration.span,
                    hint="say `holds all` or `holds c where …` on the zone where cards start",
                )
                break


def check_size(ctx: Context) -> None:
    """A state of too many cells is refused."""
    total = 0
    for symbol in ctx.globals.values():
        match symbol:
            case VarSymbol():
                total += len(symbol.initial)
            case PoolSymbol():
                size = len(symbol.goods)
                for d in symbol.dimensions:
                    size *= d.size
                total += size
    if total > MAX_CELLS:
        ctx.error(
            "E0426",
            f"the state has {total:,} cells; at most {MAX_CELLS:,} are possible",
            ctx.program.game.span,
        )
