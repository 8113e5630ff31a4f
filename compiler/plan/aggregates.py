"""The loops of an aggregate, as both code generators write them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import assert_never

from compiler import build as b
from compiler import ir
from compiler.transform import conjuncts


def loop_kind(expr: ir.Aggregate) -> ir.AggregateKind:
    """The kind of an aggregate as a loop; the least value of a rising variable is the first.

    >>> number = ir.Local("n", lo=0, hi=9)
    >>> every = ir.Range("n", b.int_(0), b.int_(9))
    >>> least = ir.Aggregate("min", (every,), None, number, default=-1, lo=-1, hi=9)
    >>> loop_kind(least)
    'first'
    """
    match expr:
        case ir.Aggregate(kind="min", ranges=(only,), body=ir.Local(name)) if name == only.name:
            return "first"
        case _:
            return expr.kind


class AggregateWriter(ABC):
    """Writes a function body that returns the value of an aggregate."""

    TRUE: str
    FALSE: str

    @abstractmethod
    def value_of(self, expr: ir.Expr) -> str:
        """The code of an expression."""

    @abstractmethod
    def declare(self, name: str, value: int, expr: ir.Aggregate) -> None:
        """Introduce the variable that holds the result so far."""

    @abstractmethod
    def add(self, amount: str) -> None:
        """Add to the total `n`."""

    @abstractmethod
    def give_back(self, value: str) -> None:
        """Return a value."""

    @abstractmethod
    def keep_better(self, body: ir.Expr, sign: str) -> None:
        """Replace `best` by the value of the body if it compares so with it."""

    @abstractmethod
    def loops(
        self,
        expr: ir.Aggregate,
        kind: ir.AggregateKind,
        ranges: list[ir.Range],
        tests: list[ir.Expr],
    ) -> None:
        """Nested loops; a test is hoisted as far as the names it reads allow."""

    def gather(self, expr: ir.Aggregate) -> None:
        """A loop that computes a value."""
        kind = loop_kind(expr)
        tests = conjuncts(expr.where)
        match kind:
            case "count" | "sum":
                self.declare("n", 0, expr)
                result = "n"
            case "min" | "max":
                self.declare("best", expr.default, expr)
                result = "best"
            case "every":
                tests.append(b.not_(_body(expr)))
                result = self.TRUE
            case "some":
                tests += conjuncts(expr.body)
                result = self.FALSE
            case "first":
                result = str(expr.default)
            case _:
                assert_never(kind)
        self.loops(expr, kind, list(expr.ranges), tests)
        self.give_back(result)

    def found(self, expr: ir.Aggregate, kind: ir.AggregateKind) -> None:
        """Handle a combination that passed all tests."""
        match kind:
            case "count":
                self.add("1")
            case "sum":
                self.add(self.value_of(_body(expr)))
            case "first":
                self.give_back(self.value_of(_body(expr)))
            case "every":
                self.give_back(self.FALSE)
            case "some":
                self.give_back(self.TRUE)
            case "min":
                self.keep_better(_body(expr), "<")
            case "max":
                self.keep_better(_body(expr), ">")
            case _:
                assert_never(kind)


def _body(expr: ir.Aggregate) -> ir.Expr:
    assert expr.body is not None
    return expr.body
