"""Statements without decisions: from checked syntax to structured IR."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from compiler import build as b
from compiler import ir
from compiler.lower.collections import lower_fill, lower_move_of_everything
from compiler.lower.expressions import Expressions
from compiler.lower.names import LocalNames, Lowering, cites, kind_of
from compiler.lower.orders import is_whole, lower_move, lower_sorted, order_of
from compiler.lower.pieces import lower_move_of_piece, piece_of
from compiler.lower.piles import lower_move_with_piles, lower_shuffle, piles_left
from compiler.lower.places import narrow
from compiler.lower.possible import acting
from compiler.lower.sets import (
    lower_assigned_set,
    lower_local_change,
    lower_local_set,
    lower_set_inside,
)
from compiler.lower.texts import lower_absence, lower_revealed, lower_text, telling_parts
from compiler.rule_id import member_rule
from rules_dsl.language import syntax as s
from rules_dsl.language.checker.heads import returns, split_action
from rules_dsl.language.spans import Span
from rules_dsl.language.symbols import (
    ActionSymbol,
    LocalSymbol,
    MemberProcedure,
    ProcedureSymbol,
    VarSymbol,
)
from rules_dsl.language.types import (
    EnumType,
    IntType,
    OptionalType,
    PoolType,
    SetType,
    ValueType,
    ZoneType,
    bounds,
)


class Statements(Expressions):
    """Lowers the statements of one rule."""

    def __init__(self, lowering: Lowering, names: LocalNames) -> None:
        super().__init__(lowering, names)

    def block(self, block: s.Block) -> tuple[ir.Statement, ...]:
        """Several statements."""
        result: list[ir.Statement] = []
        for statement in block:
            result += self.statement(statement)
        return tuple(result)

    def statement(self, node: s.Statement) -> list[ir.Statement]:
        """One statement of the rule file may become several of the IR."""
        span = node.span
        match node:
            case s.Let(name, value) | s.Var(name, _, value) if self.is_set(name):
                return [*lower_local_set(self, name, value)]
            case s.Let(name, value):
                return [self.let(name, value)]
            case s.Assign() if isinstance(self.facts.types[node.target], SetType):
                return lower_assigned_set(self, node)
            case s.Var(name, _, value):
                symbol = self.facts.locals[name]
                target = self.names.declare(symbol)
                return [ir.SetLocal(target, self.to(value, symbol.type), span=span)]  # type: ignore[arg-type]
            case s.Assign():
                return [self.assign(node)]
            case s.CallStatement(call):
                assert isinstance(call, s.Call)
                name_, args = self.callee(call)
                return [ir.Do(name_, args, span=span)]
            case s.SetChange(_, _, target_) if self.local_set(target_) is not None:
                return lower_local_change(self, node)
            case s.SetFill(_, target_) if self.local_set(target_) is not None:
                return lower_local_change(self, node)
            case s.SetChange(adding, element, target_):
                cell = self.set_cell(target_, self.plain(element))
                return [ir.SetCell(cell, b.int_(int(adding)), span=span)]
            case s.SetFill():
                return lower_fill(self, node)
            case s.MoveGoods(how="everything"):
                return lower_move_of_everything(self, node)
            case s.MoveGoods():
                return self.move_goods(node)
            case s.MoveCard():
                if piece_of(self, node) is not None:
                    return lower_move_of_piece(self, node)
                if node.end is not None or piles_left(self, node):
                    return lower_move_with_piles(self, node)
                return [self.move_card(node)]
            case s.Shuffle():
                return lower_shuffle(self, node)
            case s.MoveInOrder():
                return lower_move(self, node)
            case s.Assert(condition, reason):
                text = reason.value if reason else self.low.source(condition.span)
                return [ir.Check(self.value(condition), text, span=span)]
            case s.Reveal(value, to):
                whom = None if to is None else self.to(to, self.low.checked.player_type)
                shown = lower_revealed(self, value)
                return [ir.Reveal(e.expr, e.kind, text, whom, span=span) for text, e in shown]
            case s.Return():
                return [ir.Leave(span=span)]
            case s.If():
                return self.if_statement(node.branches, node.otherwise, span)
            case s.For():
                return self.for_statement(node)
        raise AssertionError(node)

    def is_set(self, name: s.Ident) -> bool:
        """Whether a local name stands for a set."""
        return isinstance(self.facts.locals[name].type, SetType)

    def let(self, name: s.Ident, value: s.Expr) -> ir.Statement:
        lowered = self.value(value)
        target = self.names.declare_range(self.facts.locals[name], lowered.lo, lowered.hi)
        return ir.SetLocal(target, lowered, span=name.span)

    def if_statement(
        self, branches: tuple[tuple[s.Expr, s.Block], ...], otherwise: s.Block, span: Span
    ) -> list[ir.Statement]:
        condition = self.value(branches[0][0])
        then = self.block(branches[0][1])
        if len(branches) > 1:
            rest = tuple(self.if_statement(branches[1:], otherwise, branches[1][0].span))
        else:
            rest = self.block(otherwise)
        if isinstance(condition, ir.Int):
            return list(then if condition.value else rest)
        return [ir.Branch(condition, then, rest, span=span)]

    def for_statement(self, node: s.For) -> list[ir.Statement]:
        symbol = self.facts.locals[node.binder.name]
        before: list[ir.Statement] = []
        start = node.binder.domain.start
        if node.sorted is not None or order_of(self, node.binder.domain) is not None:
            before, range_, inner = self.sorted_loop(node)
            where = None
        elif start is not None:
            enum = self.facts.types[node.binder.domain]
            assert isinstance(enum, EnumType)
            begin = self.names.scratch("start", 0, enum.size - 1)
            step = self.names.scratch("step", 0, enum.size - 1)
            before.append(ir.SetLocal(begin, self.to(start, enum), span=node.span))
            element = self.names.declare(symbol)
            turned = b.mod(b.add(begin, step), b.int_(enum.size))
            range_ = ir.Range(step.name, b.int_(0), b.int_(enum.size - 1))
            inner = [ir.SetLocal(element, turned, span=node.span)]
            where = None
        else:
            range_, _, where = self.domain(node.binder.domain, symbol)
            inner = []
        conditions = [where] if where is not None else []
        if node.where is not None:
            conditions.append(self.value(node.where))
        body = self.block(node.body)
        if conditions:
            inner.append(ir.Branch(b.and_(*conditions), body, (), span=node.span))
        else:
            inner += body
        return [*before, ir.Loop(range_, tuple(inner), span=node.span)]

    def sorted_loop(self, node: s.For) -> tuple[list[ir.Statement], ir.Range, list[ir.Statement]]:
        """The statements before a loop in an order, its range, and the start of each round."""
        start = node.binder.domain.start
        enum = self.facts.types[node.binder.domain]
        assert isinstance(enum, EnumType)
        begin = None if start is None else self.to(start, enum)
        before, elements = lower_sorted(self, node, begin)
        step = self.names.scratch("step", 0, enum.size - 1)
        element = self.names.declare(self.facts.locals[node.binder.name])
        chosen = ir.SetLocal(element, b.select(step, elements), span=node.span)
        return before, ir.Range(step.name, b.int_(0), b.int_(enum.size - 1)), [chosen]

    # ---- changes ---------------------------------------------------------------------------------

    def assign(self, node: s.Assign) -> ir.Statement:
        target_node = node.target
        while isinstance(target_node, s.Group):
            target_node = target_node.inner
        target_type = self.facts.types[node.target]
        target = self.value(target_node)
        if node.op == "=":
            value = self.assigned(node.value, target_type)  # type: ignore[arg-type]
        else:
            change = self.number(node.value)
            value = b.add(target, change) if node.op == "+=" else b.sub(target, change)
        base = target_node.base if isinstance(target_node, s.Index) else target_node
        ref = self.facts.refs[base]
        if isinstance(ref, VarSymbol) and ref.declaration.clamped:
            value = b.max_(b.int_(target.lo), b.min_(b.int_(target.hi), value))
        else:
            value = narrow(
                value, target.lo, target.hi, self.low.source(node.target.span), node.span
            )
        if isinstance(target, ir.Local):
            return ir.SetLocal(target, value, span=node.span)
        assert isinstance(target, ir.Cell)
        return ir.SetCell(target, value, span=node.span)

    def assigned(self, node: s.Expr, target: ValueType) -> ir.Expr:
        """A value before it is checked against the range of its target (which may clamp it)."""
        if isinstance(target, IntType) and isinstance(self.facts.types[node], IntType):
            return self.value(node)
        return self.to(node, target)

    def move_goods(self, node: s.MoveGoods) -> list[ir.Statement]:
        source = self.facts.types[node.source]
        target = self.facts.types[node.target]
        assert isinstance(source, PoolType) and isinstance(target, PoolType)
        assert node.good is not None
        ref = self.facts.refs.get(node.good)
        type_ = self.facts.types[node.good]
        kind = type_.inner if isinstance(type_, OptionalType) else type_
        assert isinstance(kind, EnumType)
        value_name = getattr(ref, "name", "")
        names = [value_name] if value_name in kind.values else list(kind.values)
        at = self.good_at(source.pool, node.good)
        one = self.good_cell(node.source, source.pool, at, names)
        two = self.good_cell(node.target, target.pool, self.good_at(target.pool, node.good), names)
        amount: ir.Expr = one if node.amount is None else self.number(node.amount)
        name = names[0] if len(names) == 1 else kind.name
        limited = [n for n in names if self.low.checked.goods[n].limit is not None]
        if not source.pool.bank or len(limited) == len(names):
            return [ir.Transfer(name, one, two, amount, node.how == "up to", span=node.span)]
        # Of a good without limit a bank gives the whole amount: running dry is a fault.
        if not limited:
            return [ir.Transfer(name, one, two, amount, span=node.span)]
        order = [good.name for good in source.pool.goods]
        given = [b.eq(at, b.int_(order.index(n))) for n in limited]
        full = ir.Check(
            b.or_(*given, b.le(amount, one)), f"there is not so much {name}", span=node.span
        )
        return [full, ir.Transfer(name, one, two, amount, node.how == "up to", span=node.span)]

    def move_card(self, node: s.MoveCard) -> ir.Statement:
        zone_type = self.facts.types[node.target]
        assert isinstance(zone_type, ZoneType)
        card = self.to(node.card, zone_type.zone.table.type)
        cell = self.card_cell(zone_type.zone, card)
        source = None if node.source is None else self.place(node.source)
        return ir.PlaceCard(cell, source, self.place(node.target), span=node.span)

    def callee(self, call: s.Call) -> tuple[str, tuple[ir.Expr, ...]]:
        """The rule that a call statement calls, and its arguments."""
        ref = self.facts.refs[call.function]
        if isinstance(ref, ProcedureSymbol):
            return ref.name, self.arguments(ref.params, call.args)
        assert isinstance(ref, MemberProcedure) and isinstance(call.function, s.Attribute)
        table = self.facts.types[call.function.base]
        if isinstance(table, OptionalType):
            table = table.inner
        assert isinstance(table, EnumType)
        row = self.to(call.function.base, table)
        return member_rule(table.name, ref.name), (row, *self.arguments(ref.params, call.args))

    def head(self, head: s.Block) -> list[ir.Require | ir.Define]:
        """The requirements of an action, with the names defined among them."""
        result: list[ir.Require | ir.Define] = []
        for line in head:
            match line:
                case s.Let(name, value) if self.is_set(name):
                    result += [
                        ir.Define(bit.target.name, bit.value)
                        for bit in lower_local_set(self, name, value)
                    ]
                case s.Let(name, value):
                    lowered = self.value(value)
                    symbol = self.facts.locals[name]
                    target = self.names.declare_range(symbol, lowered.lo, lowered.hi)
                    result.append(ir.Define(target.name, lowered))
                case s.Require():
                    result += self.forwarded(line) or [self.requirement(line)]
        return result

    def forwarded(self, line: s.Require) -> list[ir.Require | ir.Define]:
        """The requirements of an action that must be possible, each with its own reason.

        Nothing if there is a reason for all of them, or if arguments are left open.
        """
        node = line.condition
        while isinstance(node, s.Group):
            node = node.inner
        if not isinstance(node, s.Possible) or line.reason is not None or line.exceptions:
            return []
        action = self.facts.refs[node]
        assert isinstance(action, ActionSymbol)
        given = {arg.name.name: arg.value for arg in node.fixed}
        if any(symbol.name not in given for symbol in action.params):
            return []
        result: list[ir.Require | ir.Define] = []
        who = acting(self, node)
        values = [self.to(given[p.name], p.type) for p in action.params]  # type: ignore[arg-type]
        self.names.known[action.actor] = who
        for symbol, value in zip(action.params, values, strict=True):
            local = self.names.declare_range(symbol, value.lo, value.hi)
            result.append(ir.Define(local.name, value))
        declared = zip(action.declaration.params, action.params, strict=True)
        result += [self.in_domain(p, symbol) for p, symbol in declared if p.domain is not None]
        return result + self.head(split_action(action.declaration.body)[0])

    def in_domain(self, param: s.Param, symbol: LocalSymbol) -> ir.Require:
        """A fixed argument must lie in the domain of its parameter."""
        assert param.domain is not None
        element = self.names.known[symbol]
        text = lower_absence(self, ir.Shown(element, kind_of(symbol.type)), param.domain)
        if param.domain.high is not None:
            low, high = self.number(param.domain.low), self.number(param.domain.high)
            condition = b.and_(b.le(low, element), b.le(element, high))
        elif is_whole(self, param.domain):
            condition = b.TRUE
        else:
            condition = self.membership(element, param.domain.low)
        return ir.Require(condition, text, (), (), param.span)

    def requirement(self, line: s.Require) -> ir.Require:
        condition = b.or_(self.value(line.condition), *(self.value(e) for _, e in line.exceptions))
        text = lower_text(self, line.reason) or (f"needs {self.low.source(line.condition.span)}",)
        return ir.Require(
            condition,
            text,
            telling_parts(self, line.condition),
            cites(line.cites),
            line.span,
            tuple(label for label, _ in line.exceptions),
        )

    def params(self, symbols: tuple[LocalSymbol, ...]) -> tuple[ir.Variable, ...]:
        """Declare the parameters of a rule."""
        result = []
        for symbol in symbols:
            local = self.names.declare(symbol)
            result.append(self.names.variables[local.name])
        return tuple(result)

    def function_body(self, body: s.Block) -> ir.Expr:
        """`let`, `if`, `return`, and what changes a variable, as one expression."""
        first, rest = body[0], body[1:]
        match first:
            case s.Let(name, value) if self.is_set(name):
                return lower_set_inside(self, name, value, partial(self.function_body, rest))
            case s.Let(name, value):
                lowered = self.value(value)
                target = self.names.declare_range(self.facts.locals[name], lowered.lo, lowered.hi)
                inner = self.function_body(rest)
                return ir.Let(target.name, lowered, inner, lo=inner.lo, hi=inner.hi)
            case s.Return(value) if value is not None:
                return self.returned(value)
            case s.Var(name, _, value):
                symbol = self.facts.locals[name]
                self.running = symbol
                return self.renewed(self.to(value, symbol.type), self.function_body, rest)  # type: ignore[arg-type]
            case s.If(branches, otherwise) if returns(first) or self.running is None:
                before = dict(self.names.known)
                result = self.function_body(otherwise + rest)
                for condition, block in reversed(branches):
                    self.names.known = dict(before)
                    result = b.if_(self.value(condition), self.function_body(block + rest), result)
                return result
            case s.Assign() | s.For() | s.If():
                return self.renewed(self.after(first), self.function_body, rest)
        raise AssertionError(first)

    # The variable of the function that is being lowered.
    running: LocalSymbol | None = None

    def renewed(
        self, value: ir.Expr, following: Callable[[s.Block], ir.Expr], rest: s.Block
    ) -> ir.Expr:
        """The statements after a new value of the function's variable."""
        assert self.running is not None
        target = self.names.declare(self.running)
        inner = following(rest)
        return ir.Let(target.name, value, inner, lo=inner.lo, hi=inner.hi)

    def accumulated(self, block: s.Block) -> ir.Expr:
        """The value of the variable after some statements."""
        assert self.running is not None
        if not block:
            return self.names.known[self.running]
        first, rest = block[0], block[1:]
        if isinstance(first, s.Let):
            if self.is_set(first.name):
                further = partial(self.accumulated, rest)
                return lower_set_inside(self, first.name, first.value, further)
            value = self.value(first.value)
            symbol = self.facts.locals[first.name]
            target = self.names.declare_range(symbol, value.lo, value.hi)
            inner = self.accumulated(rest)
            return ir.Let(target.name, value, inner, lo=inner.lo, hi=inner.hi)
        return self.renewed(self.after(first), self.accumulated, rest)

    def after(self, statement: s.Statement) -> ir.Expr:
        """The value of the variable after one statement; unchanged where it is not reached."""
        assert self.running is not None
        before = dict(self.names.known)
        match statement:
            case s.Assign():
                assigned = self.assign(statement)
                assert isinstance(assigned, ir.SetLocal)
                return assigned.value
            case s.If(branches, otherwise):
                result = self.accumulated(otherwise)
                for condition, block in reversed(branches):
                    self.names.known = dict(before)
                    test = self.value(condition)
                    result = b.if_(test, self.accumulated(block), result)
            case s.For():
                result = self.rounds(statement)
            case _:
                raise AssertionError(statement)
        self.names.known = before
        return result

    def rounds(self, node: s.For) -> ir.Expr:
        """The value of the variable after a loop: one round inside the other."""
        assert self.running is not None
        symbol = self.facts.locals[node.binder.name]
        domain = node.binder.domain
        type_ = self.facts.types[domain]
        assert isinstance(type_, IntType | EnumType)
        done: list[tuple[str, ir.Expr]] = []
        for element in range(bounds(type_)[0], bounds(type_)[1] + 1):
            before = self.names.known[self.running]
            self.names.known[symbol] = b.int_(element)
            conditions = self.met(domain, element)
            if node.where is not None:
                conditions.append(self.value(node.where))
            value = self.accumulated(node.body)
            if conditions:
                value = b.if_(b.and_(*conditions), value, before)
            done.append((self.names.declare(self.running).name, value))
        result: ir.Expr = self.names.known[self.running]
        for name, value in reversed(done):
            result = ir.Let(name, value, result, lo=result.lo, hi=result.hi)
        return result

    def met(self, domain: s.Domain, element: int) -> list[ir.Expr]:
        """When a loop meets a value of the type that it iterates over."""
        if domain.high is not None:
            low, high = self.number(domain.low), self.number(domain.high)
            return [b.le(low, b.int_(element)), b.le(b.int_(element), high)]
        return [] if is_whole(self, domain) else [self.membership(b.int_(element), domain.low)]

    result_type: ValueType | None = None

    def returned(self, value: s.Expr) -> ir.Expr:
        """A returned value, checked against the function's type."""
        assert self.result_type is not None
        return self.to(value, self.result_type)
