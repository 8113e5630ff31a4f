"""Pure functions and gathered values as Python functions."""

from __future__ import annotations

from compiler import build as b
from compiler import ir
from compiler.plan.aggregates import AggregateWriter
from compiler.plan.candidates import Candidates, candidates
from compiler.plan.heads import ready_tests
from compiler.python.masks import FEWEST, hoist, narrowed
from compiler.python.statements import StatementWriter


class ReturnWriter(AggregateWriter, StatementWriter):
    """Writes code that returns the value of an expression."""

    def give(self, expr: ir.Expr) -> None:
        """Return the value; lets become assignments, choices and loops statements."""
        match expr:
            case ir.Let(name, value, body):
                self.out.line(f"{self.local.name(name)} = {self.code(value)}")
                self.give(body)
            case ir.If(condition, then, otherwise):
                with self.out.block(f"if {self.code(condition)}:"):
                    self.give(then)
                self.give(otherwise)
            case ir.Aggregate():
                self.gather(expr)
            case _:
                self.out.line(f"return {self.code(expr)}")

    TRUE, FALSE = "True", "False"

    def value_of(self, expr: ir.Expr) -> str:
        return self.code(expr)

    def declare(self, name: str, value: int, expr: ir.Aggregate) -> None:
        self.out.line(f"{name} = {value}")

    def add(self, amount: str) -> None:
        self.out.line(f"n += {amount}")

    def give_back(self, value: str) -> None:
        self.out.line(f"return {value}")

    def keep_better(self, body: ir.Expr, sign: str) -> None:
        self.out.line(f"v = {self.code(body)}")
        with self.out.block(f"if v {sign} best:"):
            self.out.line("best = v")

    def loops(
        self,
        expr: ir.Aggregate,
        kind: ir.AggregateKind,
        ranges: list[ir.Range],
        tests: list[ir.Expr],
    ) -> None:
        """Nested loops; a test is hoisted as far as the names it reads allow."""
        ready, tests = ready_tests(tests, {r.name for r in ranges})
        if ready:
            self.out.line(f"if {self.code(b.and_(*ready))}:")
            self.out.level += 1
        if ranges:
            first, rest = ranges[0], ranges[1:]
            end = self.code(b.add(first.high, b.int_(1)))
            low = "" if first.low == b.int_(0) else f"{self.code(first.low)}, "
            values = f"range({low}{end})"
            if isinstance(first.low, ir.Int) and isinstance(first.high, ir.Int):
                own, _ = ready_tests(tests, {r.name for r in rest})
                size = first.high.value - first.low.value + 1
                few = candidates(self.module.plan, first, own, set())
                if few is not None and size < FEWEST:
                    tests = [*few.tests, *tests[len(own) :]]
                    values = self.listed(few)
                elif size >= FEWEST:
                    mask, done = narrowed(self, first.name, first.low.value, size, own)
                    tests = tests[done:]
                    values = f"listed({mask}, {first.low.value})" if mask else values
            noted = hoist(self, first.name, [*tests, *([expr.body] if expr.body else [])])
            with self.out.block(f"for {self.local.name(first.name)} in {values}:"):
                self.loops(expr, kind, rest, tests)
            for code in noted:
                del self.local.hoisted[code]
        else:
            self.found(expr, kind)
        if ready:
            self.out.level -= 1

    def listed(self, few: Candidates) -> str:
        """Code for the values that can pass a test."""
        if few.given is None:
            return repr(few.lists[0])
        other, low, high = few.given
        # An earlier test may let the other local be outside its range here: no value passes then.
        lists = self.module.constant("few", repr(dict(enumerate(few.lists, low))))
        return f"{lists}.get({self.code(ir.Local(other, lo=low, hi=high))}, ())"
