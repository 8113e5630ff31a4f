"""Possible faults of rules, and what is known where they would occur."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler import ir
from compiler.traverse import children
from verify.encode.defined_functions import always_defined
from verify.encode.terms import Truth

if TYPE_CHECKING:
    from verify.encode.expressions import Evaluator


class Guard:
    """The conditions known while a part is evaluated."""

    def __init__(self, evaluator: Evaluator, condition: Truth) -> None:
        self.evaluator = evaluator
        self.condition = condition

    def __enter__(self) -> None:
        self.evaluator.guards.append(self.condition)

    def __exit__(self, *_: object) -> None:
        self.evaluator.guards.pop()


def may_fault(look: Evaluator, function: str) -> bool:
    """Whether a function can fault: its text allows it, and no proof excludes it."""
    faulty = look.world.faulty
    if function not in faulty:
        body = look.world.module.functions[function].body
        faulty[function] = may_fault_in(look, body) and not always_defined(look, function)
    return faulty[function]


def may_fault_in(look: Evaluator, expr: ir.Expr) -> bool:
    """Whether an expression can fault, judged by its text alone."""
    if isinstance(expr, ir.Narrow):
        return True
    if isinstance(expr, ir.Call) and may_fault(look, expr.function):
        return True
    if isinstance(expr, ir.Graph) and may_fault(look, expr.step):
        return True
    if isinstance(expr, ir.Field) and any(
        may_fault(look, name) for name in look.world.module.functions_of(expr)
    ):
        return True
    return any(may_fault_in(look, child) for child in children(expr))
