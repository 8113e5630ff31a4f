"""Whether something can go wrong in a rule, and what is known where it would."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler import ir
from compiler.traverse import children
from verify.encode.terms import Truth
from verify.encode.unknowns import World

if TYPE_CHECKING:
    from verify.encode.expressions import Evaluator


class Guard:
    """What is known while a part is evaluated."""

    def __init__(self, evaluator: Evaluator, condition: Truth) -> None:
        self.evaluator = evaluator
        self.condition = condition

    def __enter__(self) -> None:
        self.evaluator.guards.append(self.condition)

    def __exit__(self, *_: object) -> None:
        self.evaluator.guards.pop()


def may_fault(world: World, function: str) -> bool:
    """Whether something can go wrong in a function, as far as its text shows."""
    if function not in world.faulty:
        world.faulty[function] = may_fault_in(world, world.module.functions[function].body)
    return world.faulty[function]


def may_fault_in(world: World, expr: ir.Expr) -> bool:
    """Whether something can go wrong in an expression, as far as its text shows."""
    if isinstance(expr, ir.Narrow):
        return True
    if isinstance(expr, ir.Call) and may_fault(world, expr.function):
        return True
    if isinstance(expr, ir.Graph) and may_fault(world, expr.step):
        return True
    if isinstance(expr, ir.Field) and any(
        may_fault(world, name) for name in world.module.functions_of(expr)
    ):
        return True
    return any(may_fault_in(world, child) for child in children(expr))
