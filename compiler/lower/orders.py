"""Orders, loops that go by a number, and who has the most: expressed in existing IR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler import build as b
from compiler import ir
from rules_dsl.language import syntax as s
from rules_dsl.language.symbols import VarSymbol
from rules_dsl.language.types import EnumType, OptionalType, bounds, none_of

if TYPE_CHECKING:
    from compiler.lower.expressions import Expressions
    from compiler.lower.statements import Statements


def order_of(low: Expressions, domain: s.Domain) -> VarSymbol | None:
    """The order that a domain iterates over, if it is one."""
    ref = low.facts.refs.get(domain.low)
    return ref if isinstance(ref, VarSymbol) and ref.is_order else None


def is_whole(low: Expressions, domain: s.Domain) -> bool:
    """Whether a domain leaves out no value of its type."""
    return isinstance(low.facts.refs.get(domain.low), EnumType) or order_of(low, domain) is not None


def permutation(symbol: VarSymbol) -> ir.Invariant:
    """That no two elements of an order have the same place, proved like any other invariant."""
    size = symbol.dimensions[0].size
    one, two = b.local("one", 0, size - 1), b.local("two", 0, size - 1)
    ranges = tuple(ir.Range(x.name, b.int_(0), b.int_(size - 1)) for x in (one, two))
    places = (_place(symbol, one), _place(symbol, two))
    condition = ir.Aggregate("every", ranges, b.lt(one, two), b.not_(b.eq(*places)), lo=0, hi=1)
    name = symbol.own_invariant
    text = f"Each {symbol.dimensions[0]} has a place of its own in `{symbol.name}`"
    return ir.Invariant(name, text, condition, symbol.declaration.type.span)


def _place(symbol: VarSymbol, element: ir.Expr) -> ir.Cell:
    return ir.Cell(symbol.name, (element,), lo=1, hi=symbol.dimensions[0].size)


# ---- moves ---------------------------------------------------------------------------------------


def lower_move(low: Statements, node: s.MoveInOrder) -> list[ir.Statement]:
    """An element goes to its new place; those between move up by one."""
    symbol = low.facts.refs[node.order]
    assert isinstance(symbol, VarSymbol)
    enum = symbol.dimensions[0]
    assert isinstance(enum, EnumType)
    size = enum.size
    span = node.span
    element = low.names.scratch("mover", 0, size - 1)
    before = low.names.scratch("was", 1, size)
    after = low.names.scratch("will", 1, size)
    each = low.names.scratch("other", 0, size - 1)
    statements: list[ir.Statement] = [
        ir.SetLocal(element, low.to(node.element, enum), span=span),
        ir.SetLocal(before, _place(symbol, element), span=span),
    ]
    beside = None if node.beside is None else _place(symbol, low.to(node.beside, enum))
    statements.append(ir.SetLocal(after, _goal(node.place, before, beside, size), span=span))
    here = _place(symbol, each)
    up = b.min_(b.int_(size), b.add(here, b.int_(1)))
    down = b.max_(b.int_(1), b.sub(here, b.int_(1)))
    pulled = b.and_(b.lt(before, here), b.le(here, after))
    pushed = b.and_(b.le(after, here), b.lt(here, before))
    shift: tuple[ir.Statement, ...] = (
        ir.Branch(
            pulled,
            (ir.SetCell(here, down, span=span),),
            (ir.Branch(pushed, (ir.SetCell(here, up, span=span),), (), span=span),),
            span=span,
        ),
    )
    everything = ir.Range(each.name, b.int_(0), b.int_(size - 1))
    statements.append(ir.Loop(everything, shift, span=span))
    statements.append(ir.SetCell(_place(symbol, element), after, span=span))
    return statements


def _goal(place: s.PlaceInOrder, before: ir.Expr, beside: ir.Expr | None, size: int) -> ir.Expr:
    """The place of the element once it has left its own."""
    if beside is None:
        return b.int_(1 if place == "front" else size)
    if place == "behind":
        further = b.min_(b.int_(size), b.add(beside, b.int_(1)))
        return b.if_(b.le(before, beside), beside, further)
    nearer = b.max_(b.int_(1), b.sub(beside, b.int_(1)))
    return b.if_(b.lt(before, beside), nearer, beside)


# ---- loops ---------------------------------------------------------------------------------------


def lower_sorted(
    low: Statements, node: s.For, start: ir.Expr | None
) -> tuple[list[ir.Statement], tuple[ir.Expr, ...]]:
    """The elements of a loop in the order of its rounds, fixed before it begins.

    Those with equal numbers keep their usual order.
    """
    symbol = low.facts.locals[node.binder.name]
    enum = low.facts.types[node.binder.domain]
    assert isinstance(enum, EnumType)
    everyone = range(enum.size)
    statements: list[ir.Statement] = []
    rounds: list[tuple[ir.Expr, ...]] = []
    if node.sorted is not None:
        keys = []
        for index in everyone:
            low.names.known[symbol] = b.int_(index)
            value = low.number(node.sorted.value)
            if node.sorted.downwards:
                value = b.neg(value)
            key = low.names.scratch("key", value.lo, value.hi)
            statements.append(ir.SetLocal(key, value, span=node.span))
            keys.append(key)
        rounds.append(tuple(keys))
    order = order_of(low, node.binder.domain)
    if order is not None:
        rounds.append(tuple(_place(order, b.int_(k)) for k in everyone))
    elif start is not None:
        size = b.int_(enum.size)
        rounds.append(tuple(b.mod(b.sub(b.int_(k), start), size) for k in everyone))
    ranks = []
    for index in everyone:
        ahead = [_precedes(rounds, other, index) for other in everyone if other != index]
        rank = low.names.scratch("rank", 0, enum.size - 1)
        statements.append(ir.SetLocal(rank, _total(ahead), span=node.span))
        ranks.append(rank)
    elements = []
    for place in everyone:
        found: ir.Expr = b.int_(enum.size - 1)
        for index in reversed(everyone[:-1]):
            found = b.if_(b.eq(ranks[index], b.int_(place)), b.int_(index), found)
        element = low.names.scratch("turn", 0, enum.size - 1)
        statements.append(ir.SetLocal(element, found, span=node.span))
        elements.append(element)
    return statements, tuple(elements)


def _precedes(rounds: list[tuple[ir.Expr, ...]], one: int, two: int) -> ir.Expr:
    """Whether one element comes before another: by the first number in which they differ."""
    result: ir.Expr = b.int_(int(one < two))
    for numbers in reversed(rounds):
        less, equal = b.lt(numbers[one], numbers[two]), b.eq(numbers[one], numbers[two])
        result = b.or_(less, b.and_(equal, result))
    return result


def _total(conditions: list[ir.Expr]) -> ir.Expr:
    total: ir.Expr = b.int_(0)
    for condition in conditions:
        total = b.add(total, b.if_(condition, b.int_(1), b.int_(0)))
    return total


# ---- the most ------------------------------------------------------------------------------------


def lower_extreme(low: Expressions, node: s.Quantifier) -> ir.Expr:
    """The element with the most or the fewest: the first one that has the extreme number."""
    assert node.body is not None
    body = node.body
    ranges, where = low.binders(node.binders)
    value = low.number(body)
    kind: ir.AggregateKind = "max" if node.kind == "most" else "min"
    default = value.lo - 1 if kind == "max" else value.hi + 1
    best = ir.Aggregate(
        kind, ranges, where, value, default, lo=min(value.lo, default), hi=max(value.hi, default)
    )
    known = low.names.scratch("best", best.lo, best.hi)
    found = low.first(node, lambda: b.eq(low.number(body), known))
    return ir.Let(known.name, best, found, lo=found.lo, hi=found.hi)


def lower_first_in_order(
    low: Expressions, node: s.Quantifier, order: VarSymbol, where: ir.Expr | None, element: ir.Expr
) -> ir.Expr:
    """The element that satisfies a condition and comes before all others that do."""
    type_ = low.facts.types[node]
    assert isinstance(type_, OptionalType) and isinstance(element, ir.Local)
    lo, hi = bounds(type_)
    size = order.dimensions[0].size
    range_ = ir.Range(element.name, b.int_(0), b.int_(size - 1))
    least = ir.Aggregate(
        "min", (range_,), where, _place(order, element), size + 1, lo=1, hi=size + 1
    )
    foremost = low.names.scratch("foremost", 1, size + 1)
    again = low.names.scratch("at", 0, size - 1)
    search = ir.Aggregate(
        "first",
        (ir.Range(again.name, b.int_(0), b.int_(size - 1)),),
        b.eq(_place(order, again), foremost),
        again,
        none_of(type_),
        lo=lo,
        hi=hi,
    )
    return ir.Let(foremost.name, least, search, lo=lo, hi=hi)
