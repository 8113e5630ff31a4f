"""Expressions: from checked syntax to IR."""

from __future__ import annotations

from collections.abc import Callable

from compiler import build as b
from compiler import ir
from compiler.lower.fields import lower_field
from compiler.lower.names import Lowering, Names, kind_of
from compiler.lower.orders import is_whole, lower_extreme, lower_first_in_order, order_of
from compiler.lower.possible import lower_possible
from compiler.rule_id import member_rule
from rules_dsl.language import syntax as s
from rules_dsl.language.spans import Span
from rules_dsl.language.symbols import (
    Builtin,
    ColumnSymbol,
    ConstSymbol,
    Dimension,
    EnumValue,
    FunctionSymbol,
    GoodSymbol,
    LocalSymbol,
    MemberFunction,
    OptionSymbol,
    PoolSymbol,
    RelationSymbol,
    VarSymbol,
    ZoneSymbol,
)
from rules_dsl.language.types import (
    BoolType,
    EnumType,
    FractionType,
    IntType,
    NoneType,
    OptionalType,
    PoolType,
    SetType,
    Type,
    ValueType,
    ZoneType,
    bounds,
    none_of,
)


def narrow(value: ir.Expr, lo: int, hi: int, what: str, span: Span) -> ir.Expr:
    """The value, with a check unless its range shows that it fits."""
    if lo <= value.lo and value.hi <= hi:
        return value
    return ir.Narrow(value, what, span, lo=lo, hi=hi)


def _both(where: ir.Expr | None, further: Callable[[], ir.Expr] | None) -> ir.Expr | None:
    """Both conditions, as far as they are given; the second one is worked out behind the first."""
    if further is None:
        return where
    return further() if where is None else b.and_(where, further())


class Expressions:
    """Lowers the expressions of one rule."""

    def __init__(self, lowering: Lowering, names: Names) -> None:
        self.low = lowering
        self.names = names
        self.facts = lowering.checked.facts
        # What contracts compare with as it was at the start of the rule.
        self.before: list[ir.Expr] = []

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
            case s.IfExpr():
                type_ = self.value_type(node)
                return b.if_(
                    self.value(node.condition), self.to(node.then, type_),
                    self.to(node.otherwise, type_),
                )  # fmt: skip
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

    # ---- operators -------------------------------------------------------------------------------

    def binary(self, node: s.Binary) -> ir.Expr:
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
            return b.eq(array, self.place(place))
        assert isinstance(type_, SetType)
        while isinstance(place, s.Group):
            place = place.inner
        if isinstance(place, s.Field):
            low, high = bounds(type_.inner)
            return lower_field(self, place, narrow(element, low, high, "the element", place.span))
        symbol, args = self.named(place)
        if isinstance(symbol, LocalSymbol):
            low, high = bounds(type_.inner)
            at = b.sub(narrow(element, low, high, "the element", place.span), b.int_(low))
            return b.select(at, self.elements(symbol, args))
        return self.set_cell(place, element)

    def elements(self, symbol: LocalSymbol, args: tuple[s.Expr, ...]) -> tuple[ir.Expr, ...]:
        """For each element whether it is in a set that was chosen, perhaps by one of several."""
        found = self.names.sets[symbol]
        if not args:
            return found
        player = self.to(args[0], self.low.checked.player_type)
        return tuple(ir.LocalCell(e.name, player, lo=e.lo, hi=e.hi) for e in found)

    def members(self, node: s.Expr) -> tuple[ir.Shown, ...]:
        """A set that was chosen, for people."""
        type_ = self.facts.types[node]
        assert isinstance(type_, SetType)
        symbol, args = self.named(node)
        assert isinstance(symbol, LocalSymbol)
        low, _ = bounds(type_.inner)
        nothing = low - 1
        return tuple(
            ir.Shown(
                b.if_(e, b.int_(low + k), b.int_(nothing)), f"{kind_of(type_.inner)}*{nothing}"
            )
            for k, e in enumerate(self.elements(symbol, args))
        )

    def named(self, place: s.Expr) -> tuple[object, tuple[s.Expr, ...]]:
        """What a place such as `stock[p]` names, and its indices."""
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
        """The number of a zone among the places of its table."""
        zone, args = self.named(node)
        assert isinstance(zone, ZoneSymbol)
        offset: ir.Expr = b.int_(0)
        for index, d in zip(self.indices(args, zone.dimensions), zone.dimensions, strict=True):
            offset = b.add(b.mul(offset, b.int_(d.size)), index)
        return b.add(offset, b.int_(zone.first_place))

    def pool_cell(self, place: s.Expr, good: ir.Expr, lo: int, hi: int) -> ir.Cell:
        """The cell of a good in a pool; `good` is its place in the pool."""
        pool, args = self.named(place)
        assert isinstance(pool, PoolSymbol)
        return ir.Cell(pool.name, (*self.indices(args, pool.dimensions), good), lo=lo, hi=hi)

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
                    ref.name, ref.values, self.indices(node.args, ref.dimensions),
                    tuple(d.size for d in ref.dimensions),
                )  # fmt: skip
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
        """A cell of a constant table; worked out at once if the index is known."""
        if all(isinstance(i, ir.Int) for i in index):
            flat = 0
            for i, size in zip(index, sizes, strict=True):
                assert isinstance(i, ir.Int)
                flat = flat * size + i.value
            return b.int_(values[flat])
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
        """A loop over a domain: its range, the element, and what it must satisfy."""
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

    # ---- fractions -------------------------------------------------------------------------------

    def fraction(self, node: s.Expr, denominator: int) -> ir.Expr:
        """A score times the common denominator."""
        type_ = self.facts.types[node]
        if not isinstance(type_, FractionType):
            return b.mul(self.number(node), b.int_(denominator))
        match node:
            case s.Group(inner):
                return self.fraction(inner, denominator)
            case s.Unary(_, operand):
                return b.neg(self.fraction(operand, denominator))
            case s.IfExpr(condition, then, otherwise):
                return b.if_(
                    self.value(condition), self.fraction(then, denominator),
                    self.fraction(otherwise, denominator),
                )  # fmt: skip
            case s.Binary("/", left, _):
                inner_type = self.facts.types[left]
                before = inner_type.denominator if isinstance(inner_type, FractionType) else 1
                divisor = type_.denominator // before
                return self.fraction(left, denominator // divisor)
            case s.Binary("+", left, right):
                return b.add(self.fraction(left, denominator), self.fraction(right, denominator))
            case s.Binary("-", left, right):
                return b.sub(self.fraction(left, denominator), self.fraction(right, denominator))
            case s.Binary("*", left, right):
                if isinstance(self.facts.types[left], FractionType):
                    return b.mul(self.fraction(left, denominator), self.number(right))
                return b.mul(self.number(left), self.fraction(right, denominator))
        raise AssertionError(node)

    # ---- texts -----------------------------------------------------------------------------------

    def shown(self, node: s.Expr) -> ir.Shown:
        """A value for people."""
        return ir.Shown(self.value(node), kind_of(self.value_type(node)))

    def text(self, text: s.Text | None) -> tuple[ir.TextPart, ...]:
        """A text with its `{…}` parts."""
        if text is None:
            return ()
        found: list[ir.TextPart] = []
        for part in self.facts.templates.get(text, (text.value,)):
            if isinstance(part, str):
                found.append(part)
            elif isinstance(self.facts.types[part], SetType):
                found += self.members(part)
            else:
                found.append(self.shown(part))
        return tuple(found)

    def telling(self, condition: s.Expr) -> tuple[tuple[str, ir.Shown], ...]:
        """The parts of a condition whose values explain why it fails."""
        found: dict[str, ir.Shown] = {}

        def look(node: s.Expr) -> None:
            match node:
                case s.Group(inner):
                    look(inner)
                case s.Unary("not", operand):
                    look(operand)
                case s.Binary(op, left, right) if op in ("and", "or", "implies"):
                    look(left)
                    look(right)
                case s.Binary(op, left, right) if op not in ("in", "not in"):
                    for side in (left, right):
                        note(side)
                case s.Index() | s.Name() | s.Attribute() | s.Call():
                    note(node)

        def note(node: s.Expr) -> None:
            while isinstance(node, s.Group):
                node = node.inner
            type_ = self.facts.types.get(node)
            if not isinstance(type_, IntType | BoolType | EnumType | OptionalType):
                return
            if isinstance(node, s.IntLit | s.BoolLit | s.NoneLit):
                return
            shown = self.shown(node)
            if not isinstance(shown.expr, ir.Int):
                found[self.low.source(node.span)] = shown

        look(condition)
        return tuple(found.items())
