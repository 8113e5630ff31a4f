"""Values of checked types, and the cells where they lie: variables, sets, zones and pools."""

from __future__ import annotations

from abc import ABC, abstractmethod

from compiler import build as b
from compiler import ir
from compiler.lower.names import LocalNames, Lowering
from rules_dsl.language import syntax as s
from rules_dsl.language.checker.amounts import amount_limit
from rules_dsl.language.spans import Span
from rules_dsl.language.symbols import (
    Dimension,
    EnumValue,
    LocalSymbol,
    PoolSymbol,
    VarSymbol,
    ZoneSymbol,
)
from rules_dsl.language.types import (
    BoolType,
    EnumType,
    IntType,
    NoneType,
    OptionalType,
    SetType,
    Type,
    ValueType,
    bounds,
    none_of,
)


def narrow(value: ir.Expr, lo: int, hi: int, what: str, span: Span) -> ir.Expr:
    """The value, with a check unless its range shows that it fits."""
    if lo <= value.lo and value.hi <= hi:
        return value
    return ir.Narrow(value, what, span, lo=lo, hi=hi)


class Places(ABC):
    """Lowers values and places; expressions build on it."""

    def __init__(self, lowering: Lowering, names: LocalNames) -> None:
        self.low = lowering
        self.names = names
        self.facts = lowering.checked.facts
        # Values at the start of the rule that contracts compare with.
        self.before: list[ir.Expr] = []

    @abstractmethod
    def value(self, node: s.Expr) -> ir.Expr:
        """The IR of an expression."""

    # ---- values ------------------------------------------------------------------------------

    def value_type(self, node: s.Expr) -> ValueType:
        """The type of an expression that has a single value."""
        type_ = self.facts.types[node]
        assert isinstance(type_, IntType | BoolType | EnumType | OptionalType), (node, type_)
        return type_

    def number(self, node: s.Expr) -> ir.Expr:
        """A number; an optional one must not be none."""
        type_ = self.facts.types[node]
        return self.to(
            node, type_.inner if isinstance(type_, OptionalType) else self.value_type(node)
        )

    def plain(self, node: s.Expr) -> ir.Expr:
        """A value that must not be none."""
        return self.number(node)

    def to(self, node: s.Expr, target: ValueType) -> ir.Expr:
        """The value as one of another type: `none` renumbered, ranges checked."""
        actual = self.facts.types[node]
        if isinstance(actual, NoneType):
            assert isinstance(target, OptionalType)
            return b.int_(none_of(target))
        value = self.value(node)
        return self.convert(value, actual, target, node)

    def convert(self, value: ir.Expr, actual: Type, target: ValueType, node: s.Expr) -> ir.Expr:
        """A value of one type as a value of another."""
        lo, hi = bounds(target)
        if isinstance(actual, OptionalType) and isinstance(target, OptionalType):
            before, after = none_of(actual), none_of(target)
            if before != after:
                value = b.if_(b.eq(value, b.int_(before)), b.int_(after), value)
        return narrow(value, lo, hi, self.low.source(node.span), node.span)

    # ---- places ------------------------------------------------------------------------------

    def cell(self, variable: VarSymbol, index: tuple[ir.Expr, ...]) -> ir.Cell:
        """A cell of a state variable; a set has one more index, its element."""
        if isinstance(variable.type, SetType):
            return ir.Cell(variable.name, index, lo=0, hi=1)
        lo, hi = bounds(variable.type)
        return ir.Cell(variable.name, index, lo=lo, hi=hi)

    def indices(
        self, args: tuple[s.Expr, ...], dimensions: tuple[Dimension, ...]
    ) -> tuple[ir.Expr, ...]:
        """Indices, counted from 0."""
        return tuple(self.offset(a, d) for a, d in zip(args, dimensions, strict=True))

    def offset(self, arg: s.Expr, dimension: Dimension) -> ir.Expr:
        value = self.to(arg, dimension)
        return b.sub(value, b.int_(dimension.low)) if isinstance(dimension, IntType) else value

    def elements(self, symbol: LocalSymbol, args: tuple[s.Expr, ...]) -> tuple[ir.Expr, ...]:
        """For each element whether it is in a set that was chosen, perhaps by one of several."""
        found = self.names.sets[symbol]
        if not args:
            return found
        player = self.to(args[0], self.low.checked.player_type)
        return tuple(ir.LocalCell(e.name, player, lo=e.lo, hi=e.hi) for e in found)

    def local_set(self, place: s.Expr) -> LocalSymbol | None:
        """The local name of a set, if the place has one."""
        symbol, _ = self.named(place)
        return symbol if isinstance(symbol, LocalSymbol) else None

    def named(self, place: s.Expr) -> tuple[object, tuple[s.Expr, ...]]:
        """The symbol that a place such as `stock[p]` names, and its indices."""
        while isinstance(place, s.Group):
            place = place.inner
        if isinstance(place, s.Index):
            return self.facts.refs[place.base], place.args
        return self.facts.refs[place], ()

    def set_cell(self, place: s.Expr, element: ir.Expr) -> ir.Cell:
        """The cell that says whether an element is in a set."""
        variable, args = self.named(place)
        assert isinstance(variable, VarSymbol) and isinstance(variable.type, SetType)
        inner = variable.type.inner
        low, high = bounds(inner)
        at = b.sub(narrow(element, low, high, "the element", place.span), b.int_(low))
        return self.cell(variable, (*self.indices(args, variable.dimensions), at))

    def card_cell(self, zone: ZoneSymbol, card: ir.Expr) -> ir.Cell:
        """The cell that says where a card is."""
        places = max(z.first_place + z.places for z in zone.table.zones)
        return ir.Cell(f"{zone.table.name}.place", (card,), lo=0, hi=places - 1)

    def place(self, node: s.Expr) -> ir.Expr:
        """The number of a zone among the places of its table; of a pile, of its shuffled cards."""
        zone, args = self.named(node)
        assert isinstance(zone, ZoneSymbol)
        offset: ir.Expr = b.int_(0)
        for index, d in zip(self.indices(args, zone.dimensions), zone.dimensions, strict=True):
            offset = b.add(b.mul(offset, b.int_(d.size)), index)
        return b.add(b.mul(offset, b.int_(zone.levels)), b.int_(zone.first_place + zone.below))

    def lies_in(self, zone: ZoneSymbol, place: ir.Expr, bag: ir.Expr) -> ir.Expr:
        """Whether a place belongs to a zone, or to the pile with a place for shuffled cards."""
        if zone.levels == 1:
            return b.eq(place, bag)
        lowest, highest = b.sub(bag, b.int_(zone.below)), b.add(bag, b.int_(zone.above))
        return b.and_(b.le(lowest, place), b.le(place, highest))

    def pool_cell(self, place: s.Expr, good: ir.Expr, lo: int, hi: int) -> ir.Cell:
        """The cell of a good in a pool; `good` is its place in the pool."""
        pool, args = self.named(place)
        assert isinstance(pool, PoolSymbol)
        return ir.Cell(pool.name, (*self.indices(args, pool.dimensions), good), lo=lo, hi=hi)

    def good_cell(self, place: s.Expr, pool: PoolSymbol, at: ir.Expr, names: list[str]) -> ir.Cell:
        """The cell of one of some goods in a pool."""
        highest = max(amount_limit(self.low.checked.goods[n]) for n in names)
        return self.pool_cell(place, at, 0, highest)

    def good_at(self, pool: PoolSymbol, node: s.Expr) -> ir.Expr:
        """The place in a pool of the good that an expression names."""
        ref = self.facts.refs.get(node)
        if isinstance(ref, EnumValue):
            return b.int_([g.name for g in pool.goods].index(ref.name))
        type_ = self.facts.types[node]
        kind = type_.inner if isinstance(type_, OptionalType) else type_
        assert isinstance(kind, EnumType)
        value = self.plain(node)
        order = [g.name for g in pool.goods]
        first = order.index(kind.values[0])
        if order[first : first + kind.size] == list(kind.values):
            return b.add(value, b.int_(first))
        positions = [order.index(v) for v in kind.values]
        return ir.Lookup(
            self.low.good_table(pool, kind), (value,), lo=min(positions), hi=max(positions)
        )
