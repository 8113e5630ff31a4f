"""Questions over relations: each condition on places becomes a function.

What such a condition reads of the rule around it becomes an argument, so that a question is known
by its name, its arguments and the cells that it reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler import build as b
from compiler import ir
from compiler.lower.free import free
from compiler.transform import replace, size, substitute
from compiler.traverse import children, map_children
from rules_dsl.language import syntax as s
from rules_dsl.language.spans import Span
from rules_dsl.language.symbols import RelationSymbol
from rules_dsl.language.types import IntType, bounds

if TYPE_CHECKING:
    from compiler.lower.expressions import Expressions
    from compiler.lower.names import Lowering

# No name of a rule file starts like these.
PLACE = ".place"
GIVEN = ".given"


def lower_field(own: Expressions, node: s.Field, place: ir.Expr) -> ir.Field:
    """A question, asked about a place."""
    relation = own.facts.refs[node.by.name]
    assert isinstance(relation, RelationSymbol)
    first, last = bounds(relation.places)
    within = None if node.within is None else own.number(node.within)
    sources, source_args = _chosen(own, relation, node.sources)
    stops, stop_args = _chosen(own, relation, node.stops)
    lo, hi, most = 0, 1, 0
    if node.kind == "component":
        lo, hi = first, last
    elif node.kind != "spread":
        type_ = own.facts.types[node]
        assert isinstance(type_, IntType)
        hi = type_.high
        most = hi - 1 if node.kind == "legs" else 0
    return ir.Field(
        node.kind, relation.name, own.arguments(relation.params, node.by.args), place, sources,
        source_args, within, stops, stop_args, most, lo=lo, hi=hi,
    )  # fmt: skip


def _chosen(
    own: Expressions, relation: RelationSymbol, chosen: s.Binders | s.Expr | None
) -> tuple[str, tuple[ir.Expr, ...]]:
    """The places where a question starts or stops: a function and its further arguments."""
    if chosen is None:
        return "", ()
    first, last = bounds(relation.places)
    place = b.local(PLACE, first, last)
    if isinstance(chosen, s.Expr):
        same = b.eq(place, own.to(chosen, relation.places))
        return lift(own.low, relation.name, place, same, chosen.span)
    binder = chosen.binders[0]
    range_, element, member = own.domain(binder.domain, own.facts.locals[binder.name])
    parts = [b.le(range_.low, place), b.le(place, range_.high)]
    if member is not None:
        parts.append(member)
    if chosen.where is not None:
        parts.append(own.value(chosen.where))
    condition = substitute(b.and_(*parts), {element.name: place}, own.low.tables)
    return lift(own.low, relation.name, place, condition, chosen.span)


def lift(
    low: Lowering, relation: str, place: ir.Local, condition: ir.Expr, span: Span
) -> tuple[str, tuple[ir.Expr, ...]]:
    """A condition on a place as the name of a function, and its further arguments."""
    body = _cells_apart(condition, {PLACE}, low.checked.players)
    params = [ir.Variable(PLACE, place.lo, place.hi)]
    args: list[ir.Expr] = []
    for outside in _outside(body, {PLACE}):
        name = f"{GIVEN}{len(args) + 1}"
        body = replace(body, outside, b.local(name, outside.lo, outside.hi))
        params.append(ir.Variable(name, outside.lo, outside.hi))
        args.append(outside)
    for known in low.lifted.values():
        if known.params == tuple(params) and known.body == body:
            return known.name, tuple(args)
    name = f"{relation}.places.{len(low.lifted) + 1}"
    low.lifted[name] = ir.Function(name, tuple(params), 0, 1, body, span)
    return name, tuple(args)


def _inner(node: ir.Expr, bound: set[str]) -> list[tuple[ir.Expr, set[str]]]:
    """The parts of an expression, each with the names that are bound there."""
    match node:
        case ir.Let(name, value, body):
            return [(value, bound), (body, bound | {name})]
        case ir.Aggregate():
            found: list[tuple[ir.Expr, set[str]]] = []
            for range_ in node.ranges:
                found += [(range_.low, bound), (range_.high, bound)]
                bound = bound | {range_.name}
            found += [(part, bound) for part in (node.where, node.body) if part is not None]
            return found
    return [(child, bound) for child in children(node)]


def _outside(expr: ir.Expr, bound: set[str]) -> list[ir.Expr]:
    """The largest parts of a condition that are the same for all places and cannot fault."""
    found: list[ir.Expr] = []

    def look(node: ir.Expr, inside: set[str]) -> None:
        if isinstance(node, ir.Int):
            return
        if not free(node) & inside and _sure(node):
            if node not in found:
                found.append(node)
        else:
            for part, names in _inner(node, inside):
                look(part, names)

    look(expr, bound)
    # A part may be found by itself and within another: the larger one is replaced first.
    return sorted(found, key=size, reverse=True)


def _sure(expr: ir.Expr) -> bool:
    """Whether evaluating an expression cannot fault, judged by its text alone."""
    if isinstance(expr, ir.Narrow | ir.Call | ir.Graph | ir.Field):
        return False
    return all(_sure(child) for child in children(expr))


def _cells_apart(expr: ir.Expr, bound: set[str], players: int) -> ir.Expr:
    """The expression with a secret choice of a player who is known only inside it by cases."""
    if isinstance(expr, ir.LocalCell):
        if not free(expr.index) & bound:
            return expr
        result: ir.Expr = ir.LocalCell(expr.name, b.int_(players - 1), lo=expr.lo, hi=expr.hi)
        for k in range(players - 2, -1, -1):
            own = ir.LocalCell(expr.name, b.int_(k), lo=expr.lo, hi=expr.hi)
            result = b.if_(b.eq(expr.index, b.int_(k)), own, result)
        return result
    names = {name for _, inside in _inner(expr, bound) for name in inside}
    return map_children(expr, lambda child: _cells_apart(child, names, players))
