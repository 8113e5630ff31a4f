"""What the declarations of a program mean; each is worked out when it is first needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import TypeVar

from rules_dsl import syntax as s
from rules_dsl.checker import constants
from rules_dsl.checker.context import Context, Scope
from rules_dsl.checker.expressions import (
    UNLIMITED,
    check,
    check_bool,
    counted,
    domain,
    infer,
)
from rules_dsl.checker.typing_rules import MAX_DOMAIN, fits, join
from rules_dsl.diagnostics import Note, did_you_mean
from rules_dsl.spans import Span
from rules_dsl.symbols import (
    ActionSymbol,
    ColumnSymbol,
    ConstSymbol,
    Dimension,
    EnumValue,
    FunctionSymbol,
    GoodSymbol,
    LocalSymbol,
    MemberFunction,
    MemberProcedure,
    OptionSymbol,
    OptionValue,
    PoolSymbol,
    ProcedureSymbol,
    Symbol,
    TableSymbol,
    VarSymbol,
    ZoneSymbol,
)
from rules_dsl.types import (
    BOOL,
    ERROR,
    BoolType,
    EnumType,
    ErrorType,
    IntType,
    NoneType,
    OptionalType,
    SetType,
    Type,
    ValueType,
    bounds,
    none_of,
)

MAX_CELLS = 60_000
RESERVED = {
    "if", "then", "else", "every", "some", "not", "and", "or", "in", "true", "false", "none", "by",
    "players", "next", "ord", "abs", "reaches", "distance", "component", "count", "sum", "min",
    "max", "first", "div", "mod", "bool", "Player", "end", "return", "choose", "let", "var", "move",
    "for", "while", "draw", "roll", "require", "assert", "add", "remove", "where", "from", "to",
    "pass", "stop",
}  # fmt: skip


def declare(ctx: Context) -> None:
    """Take up every name of the program."""
    _players(ctx)
    for declaration in ctx.program.of(s.Option):
        _option(ctx, declaration)
    for enum in ctx.program.of(s.Enum):
        _enum(ctx, enum)
    for good in ctx.program.of(s.Good):
        _good_names(ctx, good)
    for table in ctx.program.of(s.Table):
        _table_names(ctx, table)
    for const in ctx.program.of(s.Const):
        _later(ctx, const.name, _const_maker(ctx, const))
    places: dict[str, int] = {}
    for state in ctx.program.of(s.State):
        for item in state.items:
            match item:
                case s.StateVar():
                    _later(ctx, item.name, _variable_maker(ctx, item))
                case s.Pool():
                    _later(ctx, item.name, _pool_maker(ctx, item))
                case s.Zone():
                    _later(ctx, item.name, _zone_maker(ctx, item, places))
    for function in ctx.program.of(s.Function):
        _later(ctx, function.name, _function_maker(ctx, function))
    for action in ctx.program.of(s.Action):
        _later(ctx, action.name, _action_maker(ctx, action))
    for procedure in ctx.program.of(s.Procedure):
        _later(ctx, procedure.name, _procedure_maker(ctx, procedure))
    _good_limits(ctx)
    _check_value_names(ctx)
    for table in ctx.program.of(s.Table):
        if table.name.name in ctx.types:
            _table_members(ctx, ctx.tables[ctx.types[table.name.name]])
    for name in list(ctx.pending):
        ctx.lookup(name)
    _check_zones(ctx)
    _check_goods(ctx)
    _check_size(ctx)


# ---- names ---------------------------------------------------------------------------------------


def _taken(ctx: Context, ident: s.Ident) -> bool:
    """Report a name that is declared twice or not to be used."""
    name = ident.name
    if name in RESERVED:
        ctx.faulty.add(name)
        ctx.error("E0208", f"`{name}` is a word of the language", ident.span,
                  hint="use another name")  # fmt: skip
        return True
    if name in ctx.spans:
        ctx.error(
            "E0202", f"`{name}` is declared twice", ident.span,
            notes=[Note("declared here first", ctx.spans[name])],
        )  # fmt: skip
        return True
    ctx.spans[name] = ident.span
    return False


def _later(ctx: Context, ident: s.Ident, maker: Callable[[], Symbol | None]) -> None:
    if not _taken(ctx, ident):
        ctx.pending[ident.name] = maker


def _add_values(ctx: Context, enum: EnumType, idents: tuple[s.Ident, ...]) -> None:
    seen: dict[str, Span] = {}
    for index, ident in enumerate(idents):
        if ident.name in seen:
            ctx.error(
                "E0202", f"`{ident.name}` is declared twice", ident.span,
                notes=[Note("declared here first", seen[ident.name])],
            )  # fmt: skip
            continue
        if ident.name in RESERVED:
            ctx.error("E0208", f"`{ident.name}` is a word of the language", ident.span,
                      hint="use another name")  # fmt: skip
        seen[ident.name] = ident.span
        ctx.values.setdefault(ident.name, []).append(EnumValue(enum, index))
        ctx.spans.setdefault(f"value {ident.name}", ident.span)


def _check_value_names(ctx: Context) -> None:
    """A value must not be called like something else, or nobody could tell which is meant."""
    for name in ctx.values:
        if name in ctx.spans and f"value {name}" in ctx.spans:
            ctx.error(
                "E0202", f"`{name}` is also the name of a value", ctx.spans[name],
                notes=[Note("the value", ctx.spans[f"value {name}"])],
            )  # fmt: skip


def _label(text: s.Text | None, name: str) -> str:
    return text.value if text is not None else name


# ---- players, options, enums ---------------------------------------------------------------------


def _players(ctx: Context) -> None:
    high = ctx.program.player_range[1]
    line = ctx.program.game.players[0] if ctx.program.game.players else None
    names = tuple(i.name for i in line.names) if line and line.names else ()
    if names and len(names) < high:
        ctx.error(
            "E0410", f"{len(names)} seats are named, but up to {high} play",
            line.span if line else ctx.program.game.span,
        )  # fmt: skip
    names += tuple(f"p{k + 1}" for k in range(len(names), high))
    ctx.all_player_names = names
    labels = tuple(
        ctx.program.labels[n].value if n in ctx.program.labels else n for n in names[: ctx.players]
    )
    enum = EnumType("Player", names[: ctx.players], "player", labels)
    ctx.types["Player"] = enum
    ctx.spans["Player"] = ctx.program.game.span
    for index, name in enumerate(enum.values):
        ctx.values.setdefault(name, []).append(EnumValue(enum, index))
        span = line.span if line and line.names else ctx.program.game.span
        ctx.spans.setdefault(f"value {name}", span)


def option_choices(declaration: s.Option) -> tuple[OptionValue, ...]:
    """The values that an option or ruling may take.

    `bool` stands for false and true.
    """
    values = tuple(c.value for c in declaration.choices)
    if values == ("bool",):
        return (False, True)
    return values


def default_choice(declaration: s.Option) -> OptionValue:
    """The value an option has when nobody chooses one."""
    value = declaration.default.value
    if option_choices(declaration) == (False, True):
        return {"true": True, "false": False}.get(str(value), str(value))
    return value


def _option(ctx: Context, declaration: s.Option) -> None:
    if _taken(ctx, declaration.name):
        return
    choices = option_choices(declaration)
    name = declaration.name.name
    default = default_choice(declaration)
    if len(set(choices)) < len(choices):
        ctx.error("E0202", f"a value of `{name}` is listed twice", declaration.span)
        return
    if len(choices) < 2:
        ctx.error(
            "E0411", f"`{name}` leaves no choice: it has one value", declaration.span,
            hint="list the alternatives, or make it a `const`",
        )  # fmt: skip
        return
    if default not in choices:
        ctx.error(
            "E0412", f"the default `{declaration.default.value}` is none of the values of `{name}`",
            declaration.default.span,
            hint=did_you_mean(str(declaration.default.value), [str(c) for c in choices]),
        )  # fmt: skip
        return
    value = ctx.chosen.get(name, default)
    if choices == (False, True):
        ctx.globals[name] = OptionSymbol(declaration, BOOL, int(value), choices)
    elif all(isinstance(c, int) for c in choices):
        numbers = [int(c) for c in choices]
        ctx.globals[name] = OptionSymbol(
            declaration, IntType(min(numbers), max(numbers)), int(value), choices
        )
    elif any(isinstance(c, int) for c in choices):
        ctx.error("E0413", f"the values of `{name}` mix numbers and names", declaration.span)
    else:
        enum = EnumType(name, tuple(str(c) for c in choices), "choice")
        for index, choice in enumerate(enum.values):
            ctx.values.setdefault(choice, []).append(EnumValue(enum, index))
        ctx.globals[name] = OptionSymbol(declaration, enum, enum.values.index(str(value)), choices)


def _enum(ctx: Context, declaration: s.Enum) -> None:
    if _taken(ctx, declaration.name):
        return
    values = tuple(v.name.name for v in declaration.values)
    labels = tuple(
        _label(v.text or ctx.program.labels.get(v.name.name), v.name.name)
        for v in declaration.values
    )
    enum = EnumType(declaration.name.name, values, "enum", labels)
    ctx.types[enum.name] = enum
    _add_values(ctx, enum, tuple(v.name for v in declaration.values))


def _good_names(ctx: Context, declaration: s.Good) -> None:
    if declaration.kind is not None:
        if _taken(ctx, declaration.kind):
            return
        enum_name = declaration.kind.name
    else:
        anonymous = {g.type for g in goods_of(ctx).values() if g.type.name not in ctx.types}
        enum_name = "Good" if not anonymous else f"Good{len(anonymous) + 1}"
    names = tuple(v.name.name for v in declaration.values)
    labels = tuple(
        _label(v.text or ctx.program.labels.get(v.name.name), v.name.name)
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
    _add_values(ctx, enum, tuple(v.name for v in declaration.values))


def _good_limits(ctx: Context) -> None:
    """How many there are of each good: its limit, or without a bank what the pools start with."""
    pools = [i for state in ctx.program.of(s.State) for i in state.items if isinstance(i, s.Pool)]
    for good in goods_of(ctx).values():
        written = good.declaration.values[good.index].limit
        if written is not None:
            infer(ctx, Scope(), written)
            limit = constants.evaluate_or_report(ctx, written)
            if limit is not None and not 0 <= limit <= UNLIMITED:
                ctx.error("E0309", f"the limit {limit} is outside 0..{UNLIMITED}", written.span)
                limit = 0
            good.limit = limit or 0
        elif not any(p.bank and _may_hold(p, good) for p in pools):
            total = 0
            for pool in pools:
                for holding in pool.holds:
                    if holding.good.name == good.name:
                        infer(ctx, Scope(), holding.amount)
                        amount = constants.evaluate_or_report(ctx, holding.amount) or 0
                        for d in _dimensions(ctx, pool.index) or ():
                            amount *= d.size
                        total += amount
            good.limit = total if total > 0 else None


def _may_hold(pool: s.Pool, good: GoodSymbol) -> bool:
    names = {ident.name for ident in pool.goods}
    return not names or good.name in names or good.type.name in names


def goods_of(ctx: Context) -> dict[str, GoodSymbol]:
    """All goods by name."""
    return {g.name: g for g in ctx.globals.values() if isinstance(g, GoodSymbol)}


# ---- types ---------------------------------------------------------------------------------------


def resolve_type(ctx: Context, node: s.TypeExpr) -> Type:
    """The type that a type expression means."""
    match node:
        case s.NamedType("bool"):
            return BOOL
        case s.NamedType(name):
            if name in ctx.types:
                return ctx.types[name]
            hint = did_you_mean(name, [*ctx.types, "bool"])
            if name in ("int", "integer", "number", "nat"):
                hint = "numbers have a range: `0..10`"
            ctx.error("E0203", f"there is no type `{name}`", node.span, hint=hint)
            return ERROR
        case s.OptionalType(inner):
            base = resolve_type(ctx, inner)
            if isinstance(base, IntType | BoolType | EnumType):
                return OptionalType(base)
            if not isinstance(base, ErrorType):
                ctx.error("E0316", f"`{base}` cannot be optional", node.span)
            return ERROR
        case s.SetType(inner):
            base = resolve_type(ctx, inner)
            if isinstance(base, IntType | EnumType):
                return SetType(base)
            if not isinstance(base, ErrorType):
                ctx.error("E0316", f"there are no sets of {base}", node.span)
            return ERROR
        case s.RangeType(low, high):
            values = []
            for side in (low, high):
                infer(ctx, Scope(), side)
                value = constants.evaluate_or_report(ctx, side)
                if value is None:
                    return ERROR
                values.append(value)
            if values[1] < values[0]:
                ctx.error("E0310", f"{values[0]}..{values[1]} has no numbers", node.span)
                return ERROR
            return IntType(values[0], values[1])
    raise AssertionError(node)


def value_type(ctx: Context, node: s.TypeExpr) -> ValueType | None:
    """A type for a single value; sets are for state variables only."""
    type_ = resolve_type(ctx, node)
    if isinstance(type_, SetType):
        ctx.error("E0316", "sets exist as state variables only", node.span)
        return None
    return type_ if isinstance(type_, IntType | BoolType | EnumType | OptionalType) else None


def dimension(ctx: Context, node: s.TypeExpr) -> Dimension | None:
    """A type for an index."""
    type_ = resolve_type(ctx, node)
    if isinstance(type_, IntType | EnumType):
        return type_
    if not isinstance(type_, ErrorType):
        ctx.error("E0304", f"`{type_}` cannot be an index", node.span)
    return None


def _dimensions(ctx: Context, nodes: tuple[s.TypeExpr, ...]) -> tuple[Dimension, ...] | None:
    found = [dimension(ctx, n) for n in nodes]
    if any(f is None for f in found):
        return None
    result = tuple(f for f in found if f is not None)
    size = 1
    for d in result:
        size *= d.size
    return None if nodes and _too_many(ctx, size, "cells", nodes[0].span) else result


def _too_many(ctx: Context, size: int, what: str, span: Span) -> bool:
    """Report a number of things that is beyond what is gone through one by one."""
    if size <= MAX_DOMAIN:
        return False
    ctx.error("E0317", f"{size:,} {what} are too many", span, hint=f"at most {MAX_DOMAIN:,}")
    return True


def _indices(dimensions: tuple[Dimension, ...]) -> Iterator[tuple[int, ...]]:
    ranges = [
        range(d.low, d.high + 1) if isinstance(d, IntType) else range(d.size) for d in dimensions
    ]
    return product(*ranges)


# ---- consts --------------------------------------------------------------------------------------


def _const_maker(ctx: Context, declaration: s.Const) -> Callable[[], Symbol | None]:
    def make() -> Symbol | None:
        symbol = ConstSymbol(declaration)
        scope = Scope()
        if any(isinstance(d, s.Binder) for d in declaration.index):
            return _const_formula(ctx, symbol, scope)
        types = tuple(d for d in declaration.index if isinstance(d, s.TypeExpr))
        dimensions = _dimensions(ctx, types)
        if dimensions is None:
            return symbol
        symbol.dimensions = dimensions
        if not dimensions:
            type_ = infer(ctx, scope, declaration.value)
            value = _const_value(ctx, declaration.value, type_, {})
            if value is not None:
                _finish(ctx, symbol, [value])
            return symbol
        cells = _list_cells(ctx, scope, declaration.value, dimensions)
        if cells is not None:
            _finish(ctx, symbol, cells)
        return symbol

    return make


# A cell of a constant; `none` gets its number when the type of all cells is known.
Cell = tuple[ValueType | NoneType, int]


def _const_value(
    ctx: Context, node: s.Expr, type_: Type, env: constants.Environment
) -> Cell | None:
    if isinstance(type_, ErrorType):
        return None
    value = constants.evaluate_or_report(ctx, node, env)
    if value is None:
        return None
    if isinstance(type_, IntType):
        return IntType(value, value), value
    if isinstance(type_, BoolType | EnumType | OptionalType | NoneType):
        return type_, value
    ctx.error("E0311", f"a constant cannot be {type_}", node.span)
    return None


def _finish(ctx: Context, symbol: ConstSymbol, cells: list[Cell]) -> None:
    """Give a constant the type that holds all its cells."""
    type_: Type = cells[0][0]
    for cell_type, _ in cells[1:]:
        if type_ != cell_type:
            type_ = join(ctx, type_, cell_type, symbol.declaration.value.span)
    if isinstance(type_, NoneType):
        ctx.error("E0315", "`none` alone has no type", symbol.declaration.value.span)
        return
    if isinstance(type_, ErrorType):
        return
    assert isinstance(type_, IntType | BoolType | EnumType | OptionalType)
    symbol.type = type_
    nothing = none_of(type_) if isinstance(type_, OptionalType) else 0
    symbol.values = tuple(nothing if isinstance(t, NoneType) else v for t, v in cells)
    symbol.state = "done"


def _const_formula(ctx: Context, symbol: ConstSymbol, scope: Scope) -> ConstSymbol:
    declaration = symbol.declaration
    env_symbols: list[LocalSymbol] = []
    dimensions: list[Dimension] = []
    for part in declaration.index:
        if not isinstance(part, s.Binder):
            ctx.error(
                "E0327", "either every index has a name or none has", part.span,
                hint="write `k in 0..3`",
            )  # fmt: skip
            return symbol
        element = domain(ctx, scope, part.domain)
        local = ctx.declare_local(scope, part.name, element)
        exact = _static_domain(ctx, part.domain, element)
        if exact is None:
            return symbol
        env_symbols.append(local)
        dimensions.append(exact)
    symbol.dimensions = tuple(dimensions)
    size = 1
    for d in dimensions:
        size *= d.size
    if _too_many(ctx, size, "cells", declaration.span):
        return symbol
    type_ = infer(ctx, scope, declaration.value)
    cells: list[Cell] = []
    evaluator = constants.Evaluator(ctx)
    for index in _indices(symbol.dimensions):
        env = dict(zip(env_symbols, index, strict=True))
        try:
            value = evaluator.value(declaration.value, env)
        except constants.NotConstant as error:
            constants.report(ctx, error)
            return symbol
        if isinstance(type_, IntType):
            cells.append((IntType(value, value), value))
        elif isinstance(type_, BoolType | EnumType | OptionalType):
            cells.append((type_, value))
        else:
            return symbol
    _finish(ctx, symbol, cells)
    return symbol


def _static_domain(ctx: Context, node: s.Domain, element: Type) -> Dimension | None:
    if isinstance(element, EnumType) and isinstance(ctx.facts.refs.get(node.low), EnumType):
        return element
    if isinstance(element, IntType) and node.high is not None:
        low = constants.evaluate_or_report(ctx, node.low)
        high = constants.evaluate_or_report(ctx, node.high)
        if low is None or high is None:
            return None
        if high < low:
            ctx.error("E0310", f"{low}..{high} has no numbers", node.span)
            return None
        return IntType(low, high)
    if not isinstance(element, ErrorType):
        ctx.error("E0304", "an index runs over a type or a range", node.span)
    return None


def _list_cells(
    ctx: Context, scope: Scope, node: s.Expr, dimensions: tuple[Dimension, ...],
    target: ValueType | None = None,
) -> list[Cell] | None:  # fmt: skip
    """The cells of nested lists; a single value where a list is due is an error."""
    if not dimensions:
        if target is not None:
            type_: Type = check(ctx, scope, node, target)
        else:
            type_ = infer(ctx, scope, node)
        cell = _const_value(ctx, node, type_, {})
        return None if cell is None else [cell]
    size = dimensions[0].size
    if not isinstance(node, s.ListLit):
        ctx.error("E0312", f"a list of {size} values is needed here", node.span)
        return None
    if len(node.items) != size:
        ctx.error(
            "E0312", f"this list has {len(node.items)} values; {size} are needed", node.span,
            hint=f"one for each of {dimensions[0]}",
        )  # fmt: skip
        return None
    cells: list[Cell] = []
    complete = True
    for item in node.items:
        part = _list_cells(ctx, scope, item, dimensions[1:], target)
        complete = complete and part is not None
        cells += part or []
    return cells if complete else None


_Body = TypeVar("_Body", s.RowFunction, s.RowProcedure)


# ---- tables --------------------------------------------------------------------------------------


def _table_names(ctx: Context, declaration: s.Table) -> None:
    if _taken(ctx, declaration.name):
        return
    if not declaration.rows:
        ctx.error("E0414", f"the table `{declaration.name}` has no rows", declaration.span)
    values = tuple(r.name.name for r in declaration.rows)
    labels = tuple(
        _label(r.text or ctx.program.labels.get(r.name.name), r.name.name) for r in declaration.rows
    )
    enum = EnumType(declaration.name.name, values, "table", labels)
    ctx.types[enum.name] = enum
    ctx.tables[enum] = TableSymbol(declaration, enum)
    _add_values(ctx, enum, tuple(r.name for r in declaration.rows))


def _table_members(ctx: Context, table: TableSymbol) -> None:
    declaration = table.declaration
    seen: dict[str, Span] = {}

    def new(ident: s.Ident) -> bool:
        if ident.name in seen:
            ctx.error(
                "E0202", f"`{ident.name}` is declared twice", ident.span,
                notes=[Note("declared here first", seen[ident.name])],
            )  # fmt: skip
            return False
        seen[ident.name] = ident.span
        return True

    for column in declaration.columns:
        type_ = value_type(ctx, column.type)
        dimensions = _dimensions(ctx, column.index)
        if new(column.name) and type_ is not None and dimensions is not None:
            table.columns[column.name.name] = ColumnSymbol(column, dimensions, type_)
    columns = declaration.columns
    cells: dict[str, list[int]] = {c.name.name: [] for c in columns}
    required = sum(1 for c in columns if c.default is None)
    for row in declaration.rows:
        named, positional = _named_cells(ctx, row, columns)
        if named is None:
            continue
        given = len(positional)
        missing = [
            c.name.name for c in columns[given:] if c.default is None and c.name.name not in named
        ]
        if given > len(columns) or missing:
            shown = str(required) if required == len(columns) else f"{required} to {len(columns)}"
            has = counted(len(row.values), "value")
            ctx.error(
                "E0302", f"the row `{row.name}` has {has}, not {shown}", row.span,
                hint="columns: " + ", ".join(c.name.name for c in columns),
            )  # fmt: skip
            continue
        for position, column in enumerate(columns):
            symbol = table.columns.get(column.name.name)
            value = positional[position] if position < given else named.get(column.name.name)
            if symbol is None:
                continue
            if value is None:
                assert column.default is not None
                part = _column_default(ctx, column.default, symbol)
            else:
                part = _column_cells(ctx, value, symbol)
            cells[column.name.name] += part
    for name, values in cells.items():
        if name in table.columns:
            table.columns[name].values = tuple(values)
    for function in declaration.functions:
        result = value_type(ctx, function.type)
        if not new(function.name) or result is None:
            continue
        bodies = _bodies(ctx, declaration, function.name.name, s.RowFunction)
        table.functions[function.name.name] = MemberFunction(
            function.name.name, _params(ctx, function.params), result, function,
            {index: body.value for index, body in bodies.items()},
        )  # fmt: skip
    for procedure in declaration.procedures:
        if not new(procedure.name):
            continue
        found = _bodies(ctx, declaration, procedure.name.name, s.RowProcedure)
        table.procedures[procedure.name.name] = MemberProcedure(
            procedure.name.name, _params(ctx, procedure.params), procedure,
            {index: body.body for index, body in found.items()},
        )  # fmt: skip
    for row in declaration.rows:
        for body in row.bodies:
            known = table.functions if isinstance(body, s.RowFunction) else table.procedures
            if body.name.name not in known:
                kind = "function" if isinstance(body, s.RowFunction) else "procedure"
                ctx.error(
                    "E0206", f"the table `{table.name}` has no {kind} `{body.name}`",
                    body.name.span, hint=did_you_mean(body.name.name, known),
                )  # fmt: skip


def _named_cells(
    ctx: Context, row: s.Row, columns: tuple[s.Column, ...]
) -> tuple[dict[str, s.Expr] | None, tuple[s.Expr, ...]]:
    """The cells of a row given by name (`points = 3`, behind the others) and by position."""
    names = {c.name.name for c in columns}
    named: dict[str, s.Expr] = {}
    positional: list[s.Expr] = []
    for value in row.values:
        match value:
            case s.Binary("=", s.Name(name), cell) if name in names:
                if name in named or name in [c.name.name for c in columns[: len(positional)]]:
                    ctx.error("E0202", f"the column `{name}` is given twice", value.span)
                named[name] = cell
            case _:
                if named:
                    ctx.error("E0302", "cells with a name come behind those without", value.span)
                    return None, ()
                positional.append(value)
    return named, tuple(positional)


def _column_default(ctx: Context, value: s.Expr, symbol: ColumnSymbol) -> list[int]:
    """A default; one value fills an indexed column."""
    if isinstance(value, s.ListLit) or not symbol.dimensions:
        return _column_cells(ctx, value, symbol)
    single = ColumnSymbol(symbol.declaration, (), symbol.type)
    size = 1
    for d in symbol.dimensions:
        size *= d.size
    return _column_cells(ctx, value, single) * size


def _column_cells(ctx: Context, value: s.Expr, symbol: ColumnSymbol) -> list[int]:
    cells = _list_cells(ctx, Scope(), value, symbol.dimensions, symbol.type)
    if cells is None:
        size = 1
        for d in symbol.dimensions:
            size *= d.size
        return [0] * size
    low, high = bounds(symbol.type)
    for _, cell in cells:
        if not low <= cell <= high:
            fits(ctx, IntType(cell, cell), symbol.type, value.span)
            break
    return [cell for _, cell in cells]


def _bodies(ctx: Context, table: s.Table, name: str, kind: type[_Body]) -> dict[int, _Body]:
    found: dict[int, _Body] = {}
    for index, row in enumerate(table.rows):
        for body in row.bodies:
            if body.name.name == name and isinstance(body, kind):
                if index in found:
                    ctx.error("E0202", f"`{name}` is given twice", body.name.span)
                found[index] = body
    return found


# ---- state ---------------------------------------------------------------------------------------


def _owner_check(
    ctx: Context, item: s.StateVar | s.Pool | s.Zone, dimensions: tuple[Dimension, ...]
) -> None:
    if item.visibility == "owner" and (not dimensions or dimensions[0] is not ctx.player_type):
        ctx.error(
            "E0415", f"`{item.name}` has no owner", item.span,
            hint="the first index must be Player",
        )  # fmt: skip


def _variable_maker(ctx: Context, item: s.StateVar) -> Callable[[], Symbol | None]:
    def make() -> Symbol | None:
        scope = Scope()
        dimensions: list[Dimension] = []
        env_symbols: list[LocalSymbol] = []
        for part in item.index:
            if isinstance(part, s.Binder):
                element = domain(ctx, scope, part.domain)
                exact = _static_domain(ctx, part.domain, element)
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
            _too_many(ctx, type_.inner.size, "elements", item.type.span)
        else:
            low, high = bounds(type_)
            _too_many(ctx, high - low + 1, "values", item.type.span)
        size = 1
        for d in dimensions:
            size *= d.size
        if _too_many(ctx, size, "cells", item.span):
            return None
        _owner_check(ctx, item, tuple(dimensions))
        if item.clamped and not isinstance(type_, IntType):
            ctx.error("E0416", "only numbers are clamped", item.span)
        initial = _initial(ctx, scope, item, type_, tuple(dimensions), env_symbols)
        return VarSymbol(item, tuple(dimensions), type_, initial)

    return make


def _initial(
    ctx: Context, scope: Scope, item: s.StateVar, type_: ValueType | SetType,
    dimensions: tuple[Dimension, ...], env_symbols: list[LocalSymbol],
) -> tuple[int, ...]:  # fmt: skip
    size = 1
    for d in dimensions:
        size *= d.size
    if isinstance(type_, SetType):
        if item.initial is not None:
            ctx.error("E0417", "a set starts empty", item.initial.span, hint="fill it in `setup`")
        return (0,) * (size * type_.inner.size)
    low, high = bounds(type_)
    default = none_of(type_) if isinstance(type_, OptionalType) else max(low, min(0, high))
    if item.initial is None:
        return (default,) * size
    check(ctx, scope, item.initial, type_)
    values: list[int] = []
    indices = list(_indices(dimensions)) if env_symbols else [()]
    for index in indices:
        env = dict(zip(env_symbols, index, strict=True)) if env_symbols else {}
        value = constants.evaluate_or_report(ctx, item.initial, env)
        if value is None:
            return (default,) * size
        if not low <= value <= high:
            if not ctx.reporter.has_error_in(item.initial.span):
                ctx.error(
                    "E0309", f"the initial value {value} is outside {type_}", item.initial.span
                )
            value = default
        values.append(value)
    return tuple(values) if env_symbols else (values[0],) * size


def _pool_maker(ctx: Context, item: s.Pool) -> Callable[[], Symbol | None]:
    def make() -> Symbol | None:
        dimensions = _dimensions(ctx, item.index)
        if dimensions is None:
            return None
        _owner_check(ctx, item, dimensions)
        known = goods_of(ctx)
        if not known:
            ctx.error("E0418", f"the pool `{item.name}` has no goods to hold", item.span,
                      hint="declare goods: `good maize`")  # fmt: skip
        chosen: list[GoodSymbol] = []
        for ident in item.goods:
            if ident.name in known:
                chosen.append(known[ident.name])
            elif ident.name in ctx.types and ctx.types[ident.name].kind == "goods":
                chosen += [known[v] for v in ctx.types[ident.name].values]
            else:
                ctx.error(
                    "E0207", f"there is no good `{ident.name}`", ident.span,
                    hint=did_you_mean(ident.name, known),
                )  # fmt: skip
        goods = tuple(chosen) if item.goods else tuple(known.values())
        holds: dict[str, int] = {}
        for holding in item.holds:
            infer(ctx, Scope(), holding.amount)
            amount = constants.evaluate_or_report(ctx, holding.amount)
            if holding.good.name not in {g.name for g in goods}:
                ctx.error(
                    "E0207", f"the pool `{item.name}` does not hold `{holding.good}`",
                    holding.good.span,
                )  # fmt: skip
            elif amount is not None:
                if not 0 <= amount <= UNLIMITED:  # a limit of its own is checked with all pools
                    ctx.error(
                        "E0309", f"{amount} {holding.good} is outside 0..{UNLIMITED}",
                        holding.amount.span,
                    )  # fmt: skip
                holds[holding.good.name] = amount
        if item.bank and dimensions:
            ctx.error("E0419", "a bank is one pool, without indices", item.span)
        return PoolSymbol(item, dimensions, goods, holds)

    return make


def _zone_maker(ctx: Context, item: s.Zone, places: dict[str, int]) -> Callable[[], Symbol | None]:
    def make() -> Symbol | None:
        dimensions = _dimensions(ctx, item.index)
        enum = ctx.types.get(item.table.name)
        if enum is None or enum not in ctx.tables:
            ctx.error(
                "E0203", f"there is no table `{item.table.name}`", item.table.span,
                hint=did_you_mean(item.table.name, [t.name for t in ctx.tables]),
            )  # fmt: skip
            return None
        if dimensions is None:
            return None
        _owner_check(ctx, item, dimensions)
        table = ctx.tables[enum]
        zone = ZoneSymbol(item, dimensions, table, places.get(enum.name, 0))
        places[enum.name] = zone.first_place + zone.places
        table.zones.append(zone)
        if item.holds is not None and item.holds.name is not None:
            assert item.holds.condition is not None
            scope = Scope()
            ctx.declare_local(scope, item.holds.name, enum)
            check_bool(ctx, scope, item.holds.condition)
        return zone

    return make


def home_of(ctx: Context, zone: ZoneSymbol) -> set[int]:
    """The cards that a zone starts with."""
    holds = zone.declaration.holds
    if holds is None:
        return set()
    everything = set(range(zone.table.type.size))
    if holds.name is None or holds.condition is None:
        return everything
    local = ctx.facts.locals.get(holds.name)
    if local is None:
        return set()
    found = set()
    for card in everything:
        value = constants.evaluate_or_report(ctx, holds.condition, {local: card})
        if value is None:
            return everything
        if value:
            found.add(card)
    return found


def _check_zones(ctx: Context) -> None:
    """Every card starts in exactly one zone."""
    for table in ctx.tables.values():
        if not table.zones:
            continue
        homes: dict[int, ZoneSymbol] = {}
        for zone in table.zones:
            cards = home_of(ctx, zone)
            if cards and zone.dimensions:
                ctx.error(
                    "E0420", "cards start in a zone without indices", zone.declaration.span,
                    hint="deal them in `setup`",
                )  # fmt: skip
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
                    "E0422", f"`{name}` starts in no zone", table.zones[0].declaration.span,
                    hint="say `holds all` or `holds c where …` on the zone where cards start",
                )  # fmt: skip
                break


def _check_goods(ctx: Context) -> None:
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
                    "E0424", f"`{good.name}` has neither a limit nor a bank", span,
                    hint="add `limit …`, or a pool with `bank`",
                )  # fmt: skip
        elif good.limit is not None and held > good.limit:
            ctx.error("E0425", f"pools start with {held} {good.name}; the limit is {good.limit}",
                      span)  # fmt: skip
        elif good.limit is not None and not banks and held != good.limit:
            ctx.error(
                "E0425",
                f"pools start with {held} {good.name}, but there are {good.limit}",
                span,
                hint="a pool with `bank` takes the rest",
            )


def _check_size(ctx: Context) -> None:
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
            "E0426", f"the state has {total:,} cells; at most {MAX_CELLS:,} are possible",
            ctx.program.game.span,
        )  # fmt: skip


# ---- functions, actions, procedures --------------------------------------------------------------


def _params(
    ctx: Context, params: tuple[s.Param, ...], actor: LocalSymbol | None = None
) -> tuple[LocalSymbol, ...]:
    scope = Scope()
    found = []
    for param in params:
        type_: Type | None = None
        if param.type is not None:
            type_ = value_type(ctx, param.type)
        elif actor is None:
            ctx.error("E0427", "only the parameters of actions are chosen from a domain",
                      param.span, hint="write `name: Type`")  # fmt: skip
        else:
            assert param.domain is not None
            inner = scope.inner()
            inner.names[actor.name] = actor
            type_ = domain(ctx, inner, param.domain)
        found.append(ctx.declare_local(scope, param.name, type_ if type_ is not None else ERROR))
    return tuple(found)


def _function_maker(ctx: Context, declaration: s.Function) -> Callable[[], Symbol | None]:
    def make() -> Symbol | None:
        params = _params(ctx, declaration.params)
        result = value_type(ctx, declaration.type)
        return None if result is None else FunctionSymbol(declaration, params, result)

    return make


def _action_maker(ctx: Context, declaration: s.Action) -> Callable[[], Symbol | None]:
    def make() -> Symbol | None:
        actor = LocalSymbol(declaration.actor.name, ctx.player_type)
        ctx.facts.locals[declaration.actor] = actor
        params = _params(ctx, declaration.params, actor)
        size = 1
        for param in params:
            match param.type:
                case IntType() | EnumType():
                    size *= param.type.size
                case BoolType():
                    size *= 2
                case OptionalType():
                    size *= bounds(param.type)[1] - bounds(param.type)[0] + 1
        if size > MAX_DOMAIN * 4:
            ctx.error(
                "E0317", f"`{declaration.name}` could be {size:,} different moves",
                declaration.span, hint="split it into several decisions",
            )  # fmt: skip
        return ActionSymbol(declaration, params, actor)

    return make


def _procedure_maker(ctx: Context, declaration: s.Procedure) -> Callable[[], Symbol | None]:
    def make() -> Symbol | None:
        return ProcedureSymbol(declaration, _params(ctx, declaration.params))

    return make
