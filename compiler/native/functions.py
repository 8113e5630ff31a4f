"""Pure functions and gathered values as C functions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import accumulate

from compiler import build as b
from compiler import ir
from compiler.build import LIMIT
from compiler.native.errors import UnsupportedError
from compiler.native.statements import StatementWriter
from compiler.native.writer import c_number, c_type
from compiler.plan.aggregates import AggregateWriter
from compiler.plan.candidates import Candidates, candidates
from compiler.plan.heads import ready_tests
from compiler.plan.scans import scan_tests


class ReturnWriter(AggregateWriter, StatementWriter):
    """Writes code that returns the value of an expression."""

    def give(self, expr: ir.Expr) -> None:
        """Return the value; lets become assignments, choices and loops statements."""
        match expr:
            case ir.Let(name, value, body):
                code = self.code(value)
                self.out.line(f"{self.local.variable(name, value.lo, value.hi)} = {code};")
                self.give(body)
            case ir.If(condition, then, otherwise):
                with self.out.block(f"if ({self.truth(condition)})"):
                    self.give(then)
                self.give(otherwise)
            case ir.Aggregate():
                self.gather(expr)
            case _:
                self.out.line(f"return {self.truth(expr)};")

    TRUE, FALSE = "1", "0"

    def gather(self, expr: ir.Aggregate) -> None:
        """A loop that computes a value."""
        if expr.lo <= -LIMIT or expr.hi >= LIMIT:
            raise UnsupportedError("numbers beyond 10^12")
        super().gather(expr)

    def value_of(self, expr: ir.Expr) -> str:
        return self.truth(expr)

    def declare(self, name: str, value: int, expr: ir.Aggregate) -> None:
        self.out.line(f"{c_type(expr.lo, expr.hi)} {name} = {value};")

    def add(self, amount: str) -> None:
        self.out.line(f"n += {amount};")

    def give_back(self, value: str) -> None:
        self.out.line(f"return {value};")

    def keep_better(self, body: ir.Expr, sign: str) -> None:
        value = self.local.temporary(body.lo, body.hi)
        self.out.line(f"{value} = {self.truth(body)};")
        self.out.line(f"if ({value} {sign} best) best = {value};")

    def loops(
        self,
        expr: ir.Aggregate,
        kind: ir.AggregateKind,
        ranges: list[ir.Range],
        tests: list[ir.Expr],
    ) -> None:
        """Nested loops; a test is hoisted as far as the names it reads allow."""
        ready, tests = ready_tests(tests, {r.name for r in ranges})
        opening = f"if ({self.truth(b.and_(*ready))})" if ready else ""
        with self.out.block(opening):
            if not ranges:
                self.found(expr, kind)
                return
            first, *rest = ranges
            plan, unbound = self.module.plan, {r.name for r in rest}
            few = candidates(plan, first, tests, unbound)
            scan = scan_tests(plan, first, tests, unbound) if few is None else None
            if few is not None:
                with self.listed(first, few):
                    self.loops(expr, kind, rest, few.tests)
            elif scan is not None:
                found, left = scan
                with self.scanning(first, found):
                    self.loops(expr, kind, rest, left)
            else:
                with self.counting(first):
                    self.loops(expr, kind, rest, tests)

    @contextmanager
    def listed(self, range_: ir.Range, few: Candidates) -> Iterator[None]:
        """A loop over the values of a range that can pass a test."""
        starts = [0, *accumulate(len(values) for values in few.lists)]
        name = f"{range_.name}_{len(self.module.tables)}"
        to = self.module.array("V", name, tuple(v for values in few.lists for v in values))
        variable = self.local.variable(range_.name, range_.low.lo, range_.high.hi + 1)
        at = self.local.temporary(0, starts[-1])
        first, end, opening = "0", str(starts[-1]), ""
        if few.given is not None:
            other, low, high = few.given
            given = self.code(ir.Local(other, lo=low, hi=high))
            row = f"{given} - {c_number(low)}"
            ends = self.module.array("V", f"{name}_ends", tuple(starts))
            first, end = f"{ends}[{row}]", f"{ends}[{row} + 1]"
            opening = f"if ({given} >= {c_number(low)} && {given} <= {c_number(high)})"
        with self.out.block(opening), self.out.block(f"for ({at} = {first}; {at} < {end}; {at}++)"):
            self.out.line(f"{variable} = {to}[{at}];")
            yield
