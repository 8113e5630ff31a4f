"""Pure functions and gathered values as Python functions."""

from __future__ import annotations

from compiler import build as b
from compiler import ir
from compiler.plan.heads import ready_tests
from compiler.python.masks import FEWEST, hoist, narrowed
from compiler.python.statements import StatementWriter
from compiler.transform import conjuncts


class ReturnWriter(StatementWriter):
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

    def gather(self, expr: ir.Aggregate) -> None:
        """A loop that gathers a value."""
        kind = expr.kind
        single = len(expr.ranges) == 1 and isinstance(expr.body, ir.Local)
        if kind == "min" and single and expr.body == _loop_variable(expr):
            kind = "first"  # numbers come in rising order
        if kind in ("count", "sum"):
            self.out.line("n = 0")
        elif kind in ("min", "max"):
            self.out.line(f"best = {expr.default}")
        tests = conjuncts(expr.where)
        if kind == "every":
            assert expr.body is not None
            tests.append(b.not_(expr.body))
        elif kind == "some":
            tests += conjuncts(expr.body)
        self.loops(expr, kind, list(expr.ranges), tests)
        match kind:
            case "count" | "sum":
                self.out.line("return n")
            case "min" | "max":
                self.out.line("return best")
            case "every":
                self.out.line("return True")
            case "some":
                self.out.line("return False")
            case "first":
                self.out.line(f"return {expr.default}")

    def loops(
        self, expr: ir.Aggregate, kind: str, ranges: list[ir.Range], tests: list[ir.Expr]
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
                if size >= FEWEST:
                    mask, done = narrowed(self, first.name, first.low.value, size, own)
                    tests = tests[done:]
                    values = f"listed({mask}, {first.low.value})" if mask else values
            noted = hoist(self, first.name, tests)
            with self.out.block(f"for {self.local.name(first.name)} in {values}:"):
                self.loops(expr, kind, rest, tests)
            for code in noted:
                del self.local.hoisted[code]
        else:
            self.found(expr, kind)
        if ready:
            self.out.level -= 1

    def found(self, expr: ir.Aggregate, kind: str) -> None:
        """What to do with a combination that passed all tests."""
        match kind:
            case "count":
                self.out.line("n += 1")
            case "sum":
                assert expr.body is not None
                self.out.line(f"n += {self.code(expr.body)}")
            case "every":
                self.out.line("return False")
            case "some":
                self.out.line("return True")
            case "first":
                assert expr.body is not None
                self.out.line(f"return {self.code(expr.body)}")
            case _:
                assert expr.body is not None
                sign = "<" if kind == "min" else ">"
                self.out.line(f"v = {self.code(expr.body)}")
                with self.out.block(f"if v {sign} best:"):
                    self.out.line("best = v")


def _loop_variable(expr: ir.Aggregate) -> ir.Expr | None:
    body = expr.body
    return body if isinstance(body, ir.Local) and body.name == expr.ranges[0].name else None
