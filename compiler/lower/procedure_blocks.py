"""Procedures with decisions in them: cut into blocks at every decision, chance and call."""

from __future__ import annotations

from compiler import build as b
from compiler import ir
from compiler.lower.names import cites
from compiler.lower.orders import is_whole, lower_sorted, order_of
from compiler.lower.secrets import Secrets
from rules_dsl.language import syntax as s
from rules_dsl.language.checker.flow import decides
from rules_dsl.language.spans import Span
from rules_dsl.language.types import EnumType, IntType, bounds


class BlockLowering(Secrets):
    """Lowers one procedure into blocks."""

    # ---- statements ------------------------------------------------------------------------------

    def run(self, block: s.Block) -> None:
        """Lower statements, cutting at decisions."""
        for statement in block:
            if self.current is None:
                return
            if self.controls(statement):
                self.control(statement)
            else:
                self.current.statements += self.statement(statement)

    def controls(self, statement: s.Statement) -> bool:
        """Whether a statement decides something or leaves the procedure."""
        match statement:
            case s.Return() | s.End():
                return True
            case s.If():
                blocks = [body for _, body in statement.branches] + [statement.otherwise]
                if any(self.controls(inner) for body in blocks for inner in body):
                    return True
            case s.For() | s.While():
                if any(self.controls(inner) for inner in statement.body):
                    return True
        return decides(self.facts.refs, statement, self.low.checked.deciding)

    def control(self, node: s.Statement) -> None:
        match node:
            case s.Return():
                self.close(ir.Exit(span=node.span))
            case s.End():
                self.close(ir.End(span=node.span))
            case s.CallStatement(call):
                assert isinstance(call, s.Call)
                name, args = self.callee(call)
                after = self.new()
                self.cut(ir.Enter(name, args, after, span=node.span), after)
            case s.If():
                self.if_control(node.branches, node.otherwise, node.span)
            case s.While():
                self.while_control(node)
            case s.For():
                self.for_control(node)
            case s.Together():
                self.together(node)
            case s.Choose():
                self.choose(node)
            case s.ChooseValue():
                self.choose_value(node)
            case s.ChooseSubset():
                self.choose_subset(node)
            case s.ChooseSecretly() | s.SecretBlock():
                self.choose_secretly(node)
            case s.DrawIn():
                self.draw_in(node)
            case s.DrawFrom():
                self.draw_from(node)
            case _:
                raise AssertionError(node)

    # The choices with which the action begins: it is offered only if they can be finished.
    leading: s.Together | None = None

    def together(self, node: s.Together) -> None:
        """Choices that begin only if they can be finished."""
        span = node.span
        first, after = self.new(), self.new()
        if node is self.leading:
            self.cut(ir.Jump(first, span=span), first)
        else:
            otherwise = self.new()
            self.close(ir.Together(first, otherwise, span=span))
            self.open(otherwise, span)
            self.run(node.otherwise)
            self.close(ir.Jump(after, span=span))
            self.open(first, span)
        self.joined = True
        self.run(node.body)
        self.joined = False
        self.close(ir.Jump(after, finishes=True, span=span))
        self.open(after, span)

    def if_control(
        self, branches: tuple[tuple[s.Expr, s.Block], ...], otherwise: s.Block, span: Span
    ) -> None:
        condition = self.value(branches[0][0])
        rest: tuple[tuple[s.Expr, s.Block], ...] = branches[1:]
        if isinstance(condition, ir.Int):  # decided by an option
            if condition.value:
                self.run(branches[0][1])
            elif rest:
                self.if_control(rest, otherwise, rest[0][0].span)
            else:
                self.run(otherwise)
            return
        then, other, after = self.new(), self.new(), self.new()
        self.cut(ir.Fork(condition, then, other, span=span), then)
        self.run(branches[0][1])
        self.close(ir.Jump(after, span=span))
        self.open(other, span)
        if rest:
            self.if_control(rest, otherwise, rest[0][0].span)
        else:
            self.run(otherwise)
        self.close(ir.Jump(after, span=span))
        self.open(after, span)

    def while_control(self, node: s.While) -> None:
        condition = self.value(node.condition)
        if condition == b.FALSE:
            return
        head, body, after = self.new(), self.new(), self.new()
        self.cut(ir.Jump(head, span=node.span), head)
        assert self.current is not None
        self.current.facts = tuple(self.value(k) for k in node.keeps)
        self.current.measure = tuple(self.number(m) for m in node.measure)
        if node.endless is not None:
            cited = f" [{'; '.join(cites(node.endless.cites))}]" if node.endless.cites else ""
            self.current.endless = node.endless.reason.value + cited
        self.cut(ir.Fork(condition, body, after, span=node.span), body)
        self.run(node.body)
        self.close(ir.Jump(head, back=True, span=node.span))
        self.open(after, node.span)

    def for_control(self, node: s.For) -> None:
        symbol = self.facts.locals[node.binder.name]
        assert self.current is not None
        domain = node.binder.domain
        type_ = self.facts.types[domain]
        assert isinstance(type_, IntType | EnumType)
        start: ir.Expr | None = None
        where: ir.Expr | None = None
        high: ir.Expr
        if domain.high is not None:
            low, high = self.number(domain.low), self.number(domain.high)
        else:
            low, high = (b.int_(x) for x in bounds(type_))
        span = node.span
        if domain.start is not None:
            assert isinstance(type_, EnumType)
            start = self.keep("start", self.to(domain.start, type_), span)
        if not isinstance(high, ir.Int):
            high = self.keep("last", high, span)
        places: tuple[ir.Expr, ...] = ()
        if node.sorted is not None or order_of(self, domain) is not None:
            before, places = lower_sorted(self, node, start)
            self.current.statements += before
        counter = self.names.scratch(f"{symbol.name}_at", low.lo, max(low.lo, high.hi) + 1)
        self.current.statements.append(ir.SetLocal(counter, low, span=span))
        head, body, step, after = self.new(), self.new(), self.new(), self.new()
        self.cut(ir.Jump(head, span=span), head)
        assert self.current is not None
        self.current.measure = (b.sub(b.int_(high.hi + 1), counter),)
        if node.keeps:
            ahead: ir.Expr = counter
            if places:
                ahead = b.select(b.min_(counter, b.int_(len(places) - 1)), places)
            elif start is not None:
                assert isinstance(type_, EnumType)
                ahead = b.mod(b.add(start, counter), b.int_(type_.size))
            self.names.known[symbol] = ahead
            self.current.facts = tuple(self.value(fact) for fact in node.keeps)
        self.cut(ir.Fork(b.le(counter, high), body, after, span=span), body)
        # Inside the loop the counter is known to be in the range.
        inside = b.local(counter.name, counter.lo, max(counter.lo, high.hi))
        assert self.current is not None
        element = self.names.declare_range(symbol, inside.lo, inside.hi)
        if places:
            at = b.select(inside, places)
            self.current.statements.append(ir.SetLocal(element, at, span=span))
        elif start is not None:
            assert isinstance(type_, EnumType)
            turned = b.mod(b.add(start, inside), b.int_(type_.size))
            self.current.statements.append(ir.SetLocal(element, turned, span=span))
        else:
            self.current.statements.append(ir.SetLocal(element, inside, span=span))
            if domain.high is None and not is_whole(self, domain):
                where = self.membership(element, domain.low)
        conditions = [where] if where is not None else []
        if node.where is not None:
            conditions.append(self.value(node.where))
        if conditions:
            chosen = self.new()
            self.cut(ir.Fork(b.and_(*conditions), chosen, step, span=span), chosen)
        self.run(node.body)
        self.close(ir.Jump(step, span=span))
        self.open(step, span)
        assert self.current is not None
        self.current.statements.append(ir.SetLocal(counter, b.add(inside, b.int_(1)), span=span))
        self.close(ir.Jump(head, back=True, span=span))
        self.open(after, span)
