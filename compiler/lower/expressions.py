"""Expressions: from checked syntax to IR."""

from __future__ import annotations

from collections.abc import Callable

from compiler import build as b
from compiler import ir
from compiler.flat_index import flat_index
from compiler.lower.collections import lower_emptiness
from compiler.lower.fields import lower_field
from compiler.lower.orders import is_whole, lower_extreme, lower_first_in_order, order_of
from compiler.lower.piles import lower_end_of_pile
from compiler.lower.places import Places, narrow
from compiler.lower.possible import lower_possible
from compiler.lower.sets import COMPARISONS, lower_comparison, lower_member, lower_within
from compiler.rule_id import member_rule
from rules_dsl.language import syntax as s
from rules_dsl.language.symbols import (
    Builtin,
    ColumnSymbol,
    ConstSymbol,
    EnumValue,
    FunctionSymbol,
    GoodSymbol,
    LocalSymbol,
    MemberFunction,
    OptionSymbol,
    PoolSymbol,
    RelationSymbol,
    VarSymbol,
)
from rules_dsl.language.types import (
    BoolType,
    EnumType,
    IntType,
    NoneType,
    OptionalType,
    PoolType,
    SetType,
    ZoneType,
    bounds,
    none_of,
)


def _both(where: ir.Expr | None, further: Callable[[], ir.Expr] | None) -> ir.Expr | None:
    """The conjunction of two optional conditions; the second one is evaluated after the first."""
    if further is None:
        return where
    return further() if where is None else b.and_(where, further())


class Expressions(Places):
    """Lowers the expressions of one rule."""

    # ---- values ----------------------------------------------------------------------------------

    def value(self, node: s.Expr) -> ir.Expr:
        """The IR of an expression."""
        match node:
            case s.Group(inner):
                return self.value(inner)
            case s.IntLit(number):
                return b.int_(number)
            case s.BoolLit(truth):
                return b.int_(int(truth))
            case s.NoneLit():
                type_ = self.facts.types[node]
                return b.int_(none_of(type_) if isinstance(type_, OptionalType) else -1)
            case s.Name():
                return self.name(node)
            case s.Unary("-", operand):
                return b.neg(self.number(operand))
            case s.Unary(_, operand):
                return b.not_(self.value(operand))
            case s.Binary():
                return self.binary(node)
            case s.Emptiness(place, negated):
                empty = lower_emptiness(self, place)
                return b.not_(empty) if negated else empty
            case s.EndOfPile():
                return lower_end_of_pile(self, node)
            case s.IfExpr():
                type_ = self.value_type(node)
                return b.if_(
                    self.value(node.condition),
                    self.to(node.then, type_),
                    self.to(node.otherwise, type_),
                )
            case s.Index():
                return self.index(node)
            case s.Attribute():
                return self.attribute(node)
            case s.Call():
                return self.call(node)
            case s.Quantifier():
                return self.quantifier(node)
            case s.Possible():
                return lower_possible(self, node)
            case s.Field():
                assert node.place is not None
                relation = self.facts.refs[node.by.name]
                assert isinstance(relation, RelationSymbol)
                return lower_field(self, node, self.to(node.place, relation.places))
        raise AssertionError(node)

    def name(self, node: s.Name) -> ir.Expr:
        match self.facts.refs[node]:
            case LocalSymbol() as local:
                return self.names.known[local]
            case EnumValue() as value:
                return b.int_(value.index)
            case OptionSymbol() as option:
                return b.int_(option.value)
            case ConstSymbol() as const:
                return b.int_(const.values[0])
            case VarSymbol() as variable:
                return self.cell(variable, ())
            case Builtin("players"):
                return b.int_(self.low.checked.players)
        raise AssertionError(node)

    # ---- operators -------------------------------------------------------------------------------

    def binary(self, node: s.Binary) -> ir.Expr:
        sides = (self.facts.types[node.left], self.facts.types[node.right])
        if node.op in COMPARISONS and any(isinstance(side, SetType) for side in sides):
            return lower_comparison(self, node)
        match node.op:
            case "and":
                return b.and_(self.value(node.left), self.value(node.right))
            case "or":
                return b.or_(self.value(node.left), self.value(node.right))
            case "implies":
                return b.or_(b.not_(self.value(node.left)), self.value(node.right))
            case "in":
                return self.membership(self.plain(node.left), node.right)
            case "not in":
                return b.not_(self.membership(self.plain(node.left), node.right))
            case "=":
                return self.equal(node.left, node.right)
            case "!=":
                return b.not_(self.equal(node.left, node.right))
        left, right = self.plain(node.left), self.plain(node.right)
        match node.op:
            case "+":
                return b.add(left, right)
            case "-":
                return b.sub(left, right)
            case "*":
                return b.mul(left, right)
            case "div" | "mod":
                if right.lo <= 0 <= right.hi:
                    what = f"the divisor {self.low.source(node.right.span)}"
                    right = (
                        narrow(right, 1, max(1, right.hi), what, node.right.span)
                        if right.lo >= 0 or right.hi > 0
                        else narrow(right, right.lo, -1, what, node.right.span)
                    )
                return b.div(left, right) if node.op == "div" else b.mod(left, right)
            case "min":
                return b.min_(left, right)
            case "max":
                return b.max_(left, right)
            case "<":
                return b.lt(left, right)
            case "<=":
                return b.le(left, right)
            case ">":
                return b.lt(right, left)
            case ">=":
                return b.le(right, left)
        raise AssertionError(node.op)

    def equal(self, left: s.Expr, right: s.Expr) -> ir.Expr:
        one, two = self.facts.types[left], self.facts.types[right]
        if isinstance(one, NoneType):
            left, right, one, two = right, left, two, one
        if isinstance(one, NoneType):
            return b.TRUE
        if isinstance(two, NoneType):
            assert isinstance(one, OptionalType)
            return b.eq(self.value(left), b.int_(none_of(one)))
        if isinstance(one, OptionalType) and isinstance(two, OptionalType):
            return b.eq(self.value(left), self.convert_none(right, two, one))
        return b.eq(self.value(left), self.value(right))

    def convert_none(self, node: s.Expr, actual: OptionalType, target: OptionalType) -> ir.Expr:
        value = self.value(node)
        before, after = none_of(actual), none_of(target)
        if before == after:
            return value
        return b.if_(b.eq(value, b.int_(before)), b.int_(after), value)

    # ---- places ----------------------------------------------------------------------------------

    def membership(self, element: ir.Expr, place: s.Expr) -> ir.Expr:
        """Whether a card is in a zone, an element in a set."""
        type_ = self.facts.types[place]
        if isinstance(type_, ZoneType):
            array = self.card_cell(type_.zone, element)
            return self.lies_in(type_.zone, array, self.place(place))
        assert isinstance(type_, SetType)
        return lower_member(self, element, place, type_)

    def members(self, node: s.Expr, among: s.Expr) -> list[ir.Expr]:
        """For each element that one set may hold, whether it is in another."""
        type_ = self.facts.types[among]
        assert isinstance(type_, SetType)
        low, high = bounds(type_.inner)
        return [lower_within(self, b.int_(k), node) for k in range(low, high + 1)]

    # ---- indices, attributes, calls --------------------------------------------------------------

    def index(self, node: s.Index) -> ir.Expr:
        ref = self.facts.refs.get(node.base)
        match ref:
            case LocalSymbol():
                local = self.names.known[ref]
                assert isinstance(local, ir.Local)
                index = self.to(node.args[0], self.low.checked.player_type)
                return ir.LocalCell(local.name, index, lo=local.lo, hi=local.hi)
            case VarSymbol():
                return self.cell(ref, self.indices(node.args, ref.dimensions))
            case ConstSymbol():
                return self.lookup(
                    ref.name,
                    ref.values,
                    self.indices(node.args, ref.dimensions),
                    tuple(d.size for d in ref.dimensions),
                )
            case ColumnSymbol():
                assert isinstance(node.base, s.Attribute)
                return self.column(ref, node.base, node.args)
            case PoolSymbol() if not ref.dimensions:
                return self.amount(node.base, ref, node.args[0], node)
        place = self.facts.types[node.base]
        assert isinstance(place, PoolType)
        return self.amount(node.base, place.pool, node.args[0], node)

    def amount(self, place: s.Expr, pool: PoolSymbol, good: s.Expr, node: s.Expr) -> ir.Expr:
        type_ = self.facts.types[node]
        assert isinstance(type_, IntType)
        return self.pool_cell(place, self.good_at(pool, good), type_.low, type_.high)

    def lookup(
        self, name: str, values: tuple[int, ...], index: tuple[ir.Expr, ...], sizes: tuple[int, ...]
    ) -> ir.Expr:
        """A cell of a constant table; evaluated at once if the index is known."""
        known = [i.value for i in index if isinstance(i, ir.Int)]
        if len(known) == len(index):
            return b.int_(values[flat_index(known, sizes)])
        if name not in self.low.tables:
            self.low.tables[name] = ir.Table(name, sizes, values)
        return ir.Lookup(name, index, lo=min(values), hi=max(values))

    def column(self, column: ColumnSymbol, node: s.Attribute, args: tuple[s.Expr, ...]) -> ir.Expr:
        table = self.facts.types[node.base]
        if isinstance(table, OptionalType):
            table = table.inner
        assert isinstance(table, EnumType)
        row = self.to(node.base, table)
        index = (row, *self.indices(args, column.dimensions))
        sizes = (table.size, *(d.size for d in column.dimensions))
        return self.lookup(f"{table.name}.{node.name.name}", column.values, index, sizes)

    def attribute(self, node: s.Attribute) -> ir.Expr:
        match self.facts.refs[node]:
            case EnumValue() as value:
                return b.int_(value.index)
            case GoodSymbol() as good:
                place = self.facts.types[node.base]
                assert isinstance(place, PoolType)
                type_ = self.facts.types[node]
                assert isinstance(type_, IntType)
                position = place.pool.goods.index(good)
                return self.pool_cell(node.base, b.int_(position), type_.low, type_.high)
            case ColumnSymbol() as column:
                return self.column(column, node, ())
        raise AssertionError(node)

    def arguments(
        self, params: tuple[LocalSymbol, ...], args: tuple[s.Expr, ...]
    ) -> tuple[ir.Expr, ...]:
        """Arguments as values of the parameters' types."""
        result = []
        for param, arg in zip(params, args, strict=True):
            assert isinstance(param.type, IntType | BoolType | EnumType | OptionalType)
            result.append(self.to(arg, param.type))
        return tuple(result)

    def call(self, node: s.Call) -> ir.Expr:
        ref = self.facts.refs[node.function]
        match ref:
            case FunctionSymbol():
                lo, hi = bounds(ref.result)
                args = self.arguments(ref.params, node.args)
                return ir.Call(ref.name, args, lo=lo, hi=hi)
            case MemberFunction():
                assert isinstance(node.function, s.Attribute)
                table = self.facts.types[node.function.base]
                if isinstance(table, OptionalType):
                    table = table.inner
                assert isinstance(table, EnumType)
                row = self.to(node.function.base, table)
                lo, hi = bounds(ref.result)
                args = (row, *self.arguments(ref.params, node.args))
                return ir.Call(member_rule(table.name, ref.name), args, lo=lo, hi=hi)
            case Builtin("abs"):
                return b.abs_(self.number(node.args[0]))
            case Builtin("before"):
                then = self.number(node.args[0])
                if then not in self.before:
                    self.before.append(then)
                return b.local(ir.before_name(self.before.index(then)), then.lo, then.hi)
            case Builtin("ord"):
                return self.plain(node.args[0])
            case Builtin("next"):
                enum = self.facts.types[node.args[0]]
                if isinstance(enum, OptionalType):
                    enum = enum.inner
                assert isinstance(enum, EnumType)
                step = self.number(node.args[1]) if len(node.args) == 2 else b.int_(1)
                return b.mod(b.add(self.to(node.args[0], enum), step), b.int_(enum.size))
            case Builtin(name):
                return self.graph(name, node)
        raise AssertionError(node)

    def graph(self, name: str, node: s.Call) -> ir.Expr:
        assert node.by is not None
        step = self.facts.refs[node.by]
        assert isinstance(step, FunctionSymbol)
        node_type = step.params[0].type
        assert isinstance(node_type, EnumType | IntType)
        first, last = bounds(node_type)
        start = self.to(node.args[0], node_type)
        goal = self.to(node.args[1], node_type) if len(node.args) == 2 else None
        type_ = self.facts.types[node]
        bound = 0
        if name == "distance":
            assert isinstance(type_, IntType)
            bound = type_.high - 1
            lo, hi = 0, type_.high
        elif name == "reaches":
            lo, hi = 0, 1
        else:
            lo, hi = first, last
        kind: ir.GraphKind = (
            "reaches" if name == "reaches" else "distance" if name == "distance" else "component"
        )
        return ir.Graph(kind, step.name, first, last - first + 1, start, goal, bound, lo=lo, hi=hi)

    # ---- domains ---------------------------------------------------------------------------------

    def domain(
        self, node: s.Domain, symbol: LocalSymbol
    ) -> tuple[ir.Range, ir.Local, ir.Expr | None]:
        """A loop over a domain: its range, the element, and its condition."""
        type_ = self.facts.types[node]
        assert isinstance(type_, IntType | EnumType)
        if node.high is not None:
            low, high = self.number(node.low), self.number(node.high)
            element = self.names.declare_range(symbol, low.lo, max(low.lo, high.hi))
            return ir.Range(element.name, low, high), element, None
        lo, hi = bounds(type_)
        element = self.names.declare_range(symbol, lo, hi)
        where: ir.Expr | None = None
        if not is_whole(self, node):
            where = self.membership(element, node.low)
        return ir.Range(element.name, b.int_(lo), b.int_(hi)), element, where

    def binders(self, binders: s.Binders) -> tuple[tuple[ir.Range, ...], ir.Expr | None]:
        """Loops over several domains and the condition on their elements."""
        ranges = []
        conditions = []
        for binder in binders.binders:
            symbol = self.facts.locals[binder.name]
            range_, _, where = self.domain(binder.domain, symbol)
            ranges.append(range_)
            if where is not None:
                conditions.append(where)
        if binders.where is not None:
            conditions.append(self.value(binders.where))
        condition = b.and_(*conditions) if conditions else None
        return tuple(ranges), condition

    def quantifier(self, node: s.Quantifier) -> ir.Expr:
        if node.kind == "first":
            return self.first(node)
        if node.kind == "most" or node.kind == "fewest":
            return lower_extreme(self, node)
        ranges, where = self.binders(node.binders)
        body = None if node.body is None else self.value(node.body)
        if isinstance(body, ir.Int) and node.kind in ("every", "some") and where is None:
            return body
        if where == b.FALSE:
            empty = {"every": 1, "some": 0, "count": 0, "sum": 0}
            if node.kind in empty:
                return b.int_(empty[node.kind])
        if where == b.TRUE:
            where = None
        if node.kind in ("every", "some"):
            return ir.Aggregate(node.kind, ranges, where, body, lo=0, hi=1)
        type_ = self.facts.types[node]
        assert isinstance(type_, IntType)
        default = {"min": type_.high, "max": type_.low}.get(node.kind, 0)
        return ir.Aggregate(node.kind, ranges, where, body, default, lo=type_.low, hi=type_.high)

    def first(self, node: s.Quantifier, further: Callable[[], ir.Expr] | None = None) -> ir.Expr:
        """The first element; with `from` the search starts there and goes round.

        `further` gives one more condition on the element.
        """
        binder = node.binders.binders[0]
        symbol = self.facts.locals[binder.name]
        type_ = self.facts.types[node]
        assert isinstance(type_, OptionalType)
        lo, hi = bounds(type_)
        start = binder.domain.start
        if start is None:
            ranges, where = self.binders(node.binders)
            body: ir.Expr = self.names.known[symbol]
            where = _both(where, further)
            order = order_of(self, binder.domain)
            if order is not None:
                return lower_first_in_order(self, node, order, where, body)
            return ir.Aggregate("first", ranges, where, body, none_of(type_), lo=lo, hi=hi)
        enum = self.facts.types[binder.domain]
        assert isinstance(enum, EnumType)
        begin_at = self.to(start, enum)
        begin = self.names.scratch("start", 0, enum.size - 1)
        step = self.names.scratch("step", 0, enum.size - 1)
        element = b.mod(b.add(begin, step), b.int_(enum.size))
        self.names.known[symbol] = element
        where = None if node.binders.where is None else self.value(node.binders.where)
        where = _both(where, further)
        range_ = ir.Range(step.name, b.int_(0), b.int_(enum.size - 1))
        search = ir.Aggregate("first", (range_,), where, element, none_of(type_), lo=lo, hi=hi)
        return ir.Let(begin.name, begin_at, search, lo=lo, hi=hi)
