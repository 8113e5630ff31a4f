"""Relations: each line becomes functions of a place."""

from __future__ import annotations

from compiler import ir
from compiler.lower.names import LocalNames, Lowering, cites
from compiler.lower.statements import Statements
from rules_dsl.language import syntax as s
from rules_dsl.language.symbols import RelationSymbol
from rules_dsl.language.types import EnumType, IntType, OptionalType, bounds


def lower_relation(low: Lowering, symbol: RelationSymbol) -> ir.Relation:
    """The IR of a relation; its functions go to those of the module."""
    declaration = symbol.declaration
    first, last = bounds(symbol.places)
    ways = tuple(
        _way(low, symbol, way, f"{symbol.name}.{number}")
        for number, way in enumerate(declaration.ways, 1)
    )
    params = Statements(low, LocalNames()).params(symbol.params)
    prices = [low.lifted[w.price].hi if w.price else 0 if w.joined else 1 for w in ways]
    return ir.Relation(
        symbol.name,
        first,
        last - first + 1,
        params,
        ways,
        max(prices),
        declaration.span,
        cites(declaration.cites),
    )


def _way(low: Lowering, symbol: RelationSymbol, way: s.Way, name: str) -> ir.Way:
    names = LocalNames()
    lowerer = Statements(low, names)
    facts = low.checked.facts

    def variable(local: ir.Local) -> ir.Variable:
        return ir.Variable(local.name, local.lo, local.hi)

    place = names.declare(facts.locals[symbol.declaration.place.name])
    found = [variable(place)]
    ranges: list[tuple[int, int]] = []
    for binder in way.binders:
        exact = facts.types[binder.domain]
        assert isinstance(exact, IntType | EnumType)
        ranges.append(bounds(exact))
        found.append(variable(names.declare_range(facts.locals[binder.name], *ranges[-1])))
    inputs = (*found, *lowerer.params(symbol.params))

    def function(what: str, params: tuple[ir.Variable, ...], body: ir.Expr) -> str:
        full = f"{name}.{what}"
        low.lifted[full] = ir.Function(
            full, params, body.lo, body.hi, body, way.span, cites(way.cites)
        )
        return full

    type_ = facts.types[way.target]
    wanted = OptionalType(symbol.places) if isinstance(type_, OptionalType) else symbol.places
    target = function("to", inputs, lowerer.to(way.target, wanted))
    first, last = bounds(symbol.places)
    if way.called is not None:
        there = names.declare_range(facts.locals[way.called], first, last)
    else:
        there = names.scratch("there", first, last)
    tested = (*inputs, variable(there))
    where = "" if way.where is None else function("where", tested, lowerer.value(way.where))
    price = "" if way.costs is None else function("costs", tested, lowerer.number(way.costs))
    return ir.Way(tuple(ranges), target, where, price, way.joined)
