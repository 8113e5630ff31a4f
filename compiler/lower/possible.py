"""Whether an action is possible: its requirements as a function of the player and its arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler import build as b
from compiler import ir
from compiler.lower.names import LocalNames, Lowering
from compiler.transform import substitute
from rules_dsl.language import syntax as s
from rules_dsl.language.checker.heads import split_action
from rules_dsl.language.symbols import ActionSymbol, LocalSymbol
from rules_dsl.language.types import bounds

if TYPE_CHECKING:
    from compiler.lower.expressions import Expressions


def lower_possible(own: Expressions, node: s.Possible) -> ir.Expr:
    """Some choice of the arguments that are not given meets all requirements."""
    action = own.facts.refs[node]
    assert isinstance(action, ActionSymbol)
    given = {arg.name.name: arg.value for arg in node.fixed}
    ranges: list[ir.Range] = []
    args: list[ir.Expr] = [acting(own, node)]
    for symbol in action.params:
        if symbol.name in given:
            args.append(own.to(given[symbol.name], symbol.type))  # type: ignore[arg-type]
            continue
        lo, hi = bounds(symbol.type)  # type: ignore[arg-type]
        name = own.names.fresh(symbol.name)
        ranges.append(ir.Range(name, b.int_(lo), b.int_(hi)))
        args.append(b.local(name, lo, hi))
    call = ir.Call(_function(own.low, action), tuple(args), lo=0, hi=1)
    if not ranges:
        return call
    return ir.Aggregate("some", tuple(ranges), None, call, lo=0, hi=1)


def acting(own: Expressions, node: s.Possible) -> ir.Expr:
    """The player who would act."""
    if node.by is not None:
        return own.to(node.by, own.low.checked.player_type)
    symbol = own.facts.refs[node.action]
    assert isinstance(symbol, LocalSymbol)
    return own.names.known[symbol]


def _function(low: Lowering, action: ActionSymbol) -> str:
    """The function that says whether an action is possible with all its arguments."""
    name = f"possible.{action.name}"
    if name not in low.lifted:
        params, requirements = requirements_of(low, action)
        span = action.declaration.span
        low.lifted[name] = ir.Function(name, params, 0, 1, b.and_(*requirements), span)
    return name


def requirements_of(
    low: Lowering, action: ActionSymbol
) -> tuple[tuple[ir.Variable, ...], tuple[ir.Expr, ...]]:
    """The requirements of an action, in terms of the player and its parameters alone."""
    from compiler.lower.procedure_blocks import BlockLowering

    course = BlockLowering(low, LocalNames())
    params = course.params((action.actor, *action.params))
    declared = zip(action.declaration.params, action.params, strict=True)
    found = [course.in_domain(p, symbol).condition for p, symbol in declared if p.domain]
    values: dict[str, ir.Expr] = {}
    for line in course.head(split_action(action.declaration.body)[0]):
        if isinstance(line, ir.Define):
            values[line.name] = substitute(line.value, values, low.tables)
        else:
            found.append(substitute(line.condition, values, low.tables))
    return params, tuple(found)
