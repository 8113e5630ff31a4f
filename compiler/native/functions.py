"""Pure functions and gathered values as C functions."""

from __future__ import annotations

from compiler import build as b
from compiler import ir
from compiler.build import LIMIT
from compiler.native.errors import UnsupportedError
from compiler.native.statements import StatementWriter
from compiler.native.writer import c_type
from compiler.plan.heads import ready_tests
from compiler.transform import conjuncts


class ReturnWriter(StatementWriter):
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

    def gather(self, expr: ir.Aggregate) -> None:
        """A loop that gathers a value."""
        kind = expr.kind
        if expr.lo <= -LIMIT or expr.hi >= LIMIT:
            raise UnsupportedError("numbers beyond 10^12")
        if kind == "min" and expr.body == loop_variable(expr):
            kind = "first"  # numbers come in rising order
        if kind in ("count", "sum"):
            self.out.line(f"{c_type(expr.lo, expr.hi)} n = 0;")
        elif kind in ("min", "max"):
            self.out.line(f"{c_type(expr.lo, expr.hi)} best = {expr.default};")
        tests = conjuncts(expr.where)
        if kind == "every":
            assert expr.body is not None
            tests.append(b.not_(expr.body))
        elif kind == "some":
            tests += conjuncts(expr.body)
        self.loops(expr, kind, list(expr.ranges), tests)
        match kind:
            case "count" | "sum":
                self.out.line("return n;")
            case "min" | "max":
                self.out.line("return best;")
            case "every":
                self.out.line("return 1;")
            case "some":
                self.out.line("return 0;")
            case "first":
                self.out.line(f"return {expr.default};")

    def loops(
        self, expr: ir.Aggregate, kind: str, ranges: list[ir.Range], tests: list[ir.Expr]
    ) -> None:
        """Nested loops; a test is hoisted as far as the names it reads allow."""
        ready, tests = ready_tests(tests, {r.name for r in ranges})
        opening = f"if ({self.truth(b.and_(*ready))})" if ready else ""
        with self.out.block(opening):
            if ranges:
                with self.counting(ranges[0]):
                    self.loops(expr, kind, ranges[1:], tests)
            else:
                self.found(expr, kind)

    def found(self, expr: ir.Aggregate, kind: str) -> None:
        """What to do with a combination that passed all tests."""
        match kind:
            case "count":
                self.out.line("n += 1;")
            case "sum":
                assert expr.body is not None
                self.out.line(f"n += {self.truth(expr.body)};")
            case "every":
                self.out.line("return 0;")
            case "some":
                self.out.line("return 1;")
            case "first":
                assert expr.body is not None
                self.out.line(f"return {self.truth(expr.body)};")
            case _:
                assert expr.body is not None
                sign = "<" if kind == "min" else ">"
                value = self.local.temporary(expr.body.lo, expr.body.hi)
                self.out.line(f"{value} = {self.truth(expr.body)};")
                self.out.line(f"if ({value} {sign} best) best = {value};")


def loop_variable(expr: ir.Aggregate) -> ir.Expr | None:
    """The body of an aggregate that is just its only variable."""
    body = expr.body
    single = len(expr.ranges) == 1 and isinstance(body, ir.Local)
    return body if single and body == expr.body and _names(body, expr.ranges[0]) else None


def _names(body: ir.Expr | None, range_: ir.Range) -> bool:
    return isinstance(body, ir.Local) and body.name == range_.name
