"""Tables of neighbours, for the parts of relations that do not depend on the state."""

from __future__ import annotations

from attrs import frozen

from compiler import ir
from compiler.closures import Closure
from compiler.interpret import IRFault
from compiler.plan.points import Plan
from compiler.transform import conjuncts, reads_state


@frozen
class Neighbours:
    """For each node its possible successors, and the test that remains in play.

    Without `near` every node may follow every other.
    """

    near: tuple[tuple[int, ...], ...] | None
    moving: tuple[ir.Expr, ...]


def neighbours(plan: Plan, expr: ir.Graph) -> Neighbours:
    """The neighbours in the graph that an expression asks about."""
    step = plan.ir.functions[expr.step]
    one, two = step.params[0].name, step.params[1].name
    body = plan.simplifier.body(expr.step)
    parts = conjuncts(body) if step.hi == 1 else [body]
    everything = Neighbours(None, tuple(parts))
    fixed: list[Closure] = []
    moving: list[ir.Expr] = []
    for part in parts:
        known = None if reads_state(part, plan.ir.functions) else _known(plan, expr, part)
        if known is None:
            moving.append(part)
        else:
            fixed.append(known)
    if not fixed:
        return everything
    nodes = range(expr.nodes)
    near: list[set[int]] = [set() for _ in nodes]
    env: dict[str, int] = {}
    try:
        for x in nodes:
            env[one] = x + expr.first
            for y in nodes:
                env[two] = y + expr.first
                if x != y and all(allowed(env) for allowed in fixed):
                    near[x].add(y)
                    if expr.kind == "component":
                        near[y].add(x)
    except IRFault:  # the fault happens in play, if at all
        return everything
    pairs = sum(len(found) for found in near)
    if pairs > plan.pairs:
        return everything
    plan.pairs -= pairs
    return Neighbours(tuple(tuple(sorted(found)) for found in near), tuple(moving))


def _known(plan: Plan, expr: ir.Graph, part: ir.Expr) -> Closure | None:
    """A closure for a part of a relation, unless there are too many pairs to evaluate."""
    effort = plan.closures.efforts.of(part) * expr.nodes**2
    if effort > plan.effort:
        return None
    plan.effort -= effort
    return plan.closures.make(part)
