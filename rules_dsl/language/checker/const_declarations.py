"""Constants: single values, lists and formulas."""

from __future__ import annotations

from collections.abc import Callable

from rules_dsl.language import syntax as s
from rules_dsl.language.checker import constants
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.domains import domain
from rules_dsl.language.checker.inference import check, infer
from rules_dsl.language.checker.typing_rules import join
from rules_dsl.language.checker.written_types import (
    all_dimensions,
    all_indices,
    index_domain,
    too_many,
)
from rules_dsl.language.symbols import ConstSymbol, Dimension, LocalSymbol, Symbol
from rules_dsl.language.types import (
    NONE,
    BoolType,
    EnumType,
    ErrorType,
    IntType,
    NoneType,
    OptionalType,
    Type,
    ValueType,
    none_of,
)


def const_maker(ctx: Context, declaration: s.Const) -> Callable[[], Symbol | None]:
    """The type and values of a constant."""

    def make() -> Symbol | None:
        symbol = ConstSymbol(declaration)
        scope = Scope()
        if any(isinstance(d, s.Binder) for d in declaration.index):
            return _const_formula(ctx, symbol, scope)
        types = tuple(d for d in declaration.index if isinstance(d, s.TypeExpr))
        dimensions = all_dimensions(ctx, types)
        if dimensions is None:
            return symbol
        symbol.dimensions = dimensions
        if not dimensions:
            type_ = infer(ctx, scope, declaration.value)
            value = _const_value(ctx, declaration.value, type_, {})
            if value is not None:
                _finish(ctx, symbol, [value])
            return symbol
        cells = list_cells(ctx, scope, declaration.value, dimensions)
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
    symbol.values = tuple(nothing if _is_none(cell) else cell[1] for cell in cells)
    symbol.state = "done"


def _is_none(cell: Cell) -> bool:
    type_, value = cell
    if isinstance(type_, OptionalType):
        return value == none_of(type_)
    return isinstance(type_, NoneType)


def _const_formula(ctx: Context, symbol: ConstSymbol, scope: Scope) -> ConstSymbol:
    declaration = symbol.declaration
    env_symbols: list[LocalSymbol] = []
    dimensions: list[Dimension] = []
    for part in declaration.index:
        if not isinstance(part, s.Binder):
            ctx.error(
                "E0327",
                "either every index has a name or none has",
                part.span,
                hint="write `k in 0..3`",
            )
            return symbol
        element = domain(ctx, scope, part.domain)
        local = ctx.declare_local(scope, part.name, element)
        exact = index_domain(ctx, part.domain, element)
        if exact is None:
            return symbol
        env_symbols.append(local)
        dimensions.append(exact)
    symbol.dimensions = tuple(dimensions)
    size = 1
    for d in dimensions:
        size *= d.size
    if too_many(ctx, size, "cells", declaration.span):
        return symbol
    type_ = infer(ctx, scope, declaration.value)
    cells: list[Cell] = []
    evaluator = constants.ConstantEvaluator(ctx)
    for index in all_indices(symbol.dimensions):
        env = dict(zip(env_symbols, index, strict=True))
        try:
            value = evaluator.value(declaration.value, env)
        except constants.NotConstant as error:
            constants.report(ctx, error)
            return symbol
        if isinstance(type_, IntType):
            cells.append((IntType(value, value), value))
        elif isinstance(type_, OptionalType) and isinstance(type_.inner, IntType):
            is_none = value == none_of(type_)
            exact = IntType(value, value)
            cells.append((NONE, value) if is_none else (OptionalType(exact), value))
        elif isinstance(type_, BoolType | EnumType | OptionalType):
            cells.append((type_, value))
        else:
            return symbol
    if isinstance(type_, OptionalType) and all(isinstance(t, NoneType) for t, _ in cells):
        cells = [(type_, none_of(type_)) for _ in cells]
    _finish(ctx, symbol, cells)
    return symbol


def list_cells(
    ctx: Context,
    scope: Scope,
    node: s.Expr,
    dimensions: tuple[Dimension, ...],
    target: ValueType | None = None,
) -> list[Cell] | None:
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
            "E0312",
            f"this list has {len(node.items)} values; {size} are needed",
            node.span,
            hint=f"one for each of {dimensions[0]}",
        )
        return None
    cells: list[Cell] = []
    complete = True
    for item in node.items:
        part = list_cells(ctx, scope, item, dimensions[1:], target)
        complete = complete and part is not None
        cells += part or []
    return cells if complete else None
