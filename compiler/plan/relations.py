"""Lists of the steps of relations that are known before the game starts."""

from __future__ import annotations

from itertools import product

from attrs import frozen

from compiler import ir
from compiler.closures import Closure
from compiler.interpret import IRFault
from compiler.lower.free import free
from compiler.plan.points import Plan
from compiler.transform import conjuncts, reads_state


@frozen
class Listed:
    """The steps of one line of a relation.

    `steps` has the place, the values of the ranges and the place that the step leads to; without
    it they are computed in play. `tests` must hold in play for the step to exist.
    """

    steps: tuple[tuple[int, ...], ...] | None
    tests: tuple[ir.Expr, ...]


def listed(plan: Plan, relation: ir.Relation, way: ir.Way) -> Listed:
    """The steps of one line of a relation."""
    target = plan.simplifier.body(way.target)
    tests = conjuncts(plan.simplifier.body(way.where)) if way.where else []
    known = _known(plan, relation, way, target)
    if known is None:
        return Listed(None, tuple(tests))
    fixed: list[Closure] = []
    moving: list[ir.Expr] = []
    for test in tests:
        # What follows a test that is made in play may rely on it.
        closure = None if moving else _known(plan, relation, way, test)
        if closure is None:
            moving.append(test)
        else:
            fixed.append(closure)
    inputs = [p.name for p in plan.ir.functions[way.target].params]
    there_name = plan.ir.functions[way.where].params[-1].name if way.where else ""
    steps: list[tuple[int, ...]] = []
    places = range(relation.first, relation.last + 1)
    values = [range(low, high + 1) for low, high in way.ranges]
    try:
        for place in places:
            for chosen in product(*values):
                env = dict(zip(inputs, (place, *chosen), strict=False))
                there = known(env)
                env[there_name] = there
                if there >= relation.first and all(test(env) for test in fixed):
                    steps.append((place, *chosen, there))
    except IRFault:  # the fault happens in play, if at all
        return Listed(None, tuple(tests))
    if len(steps) > plan.pairs:
        return Listed(None, tuple(tests))
    plan.pairs -= len(steps)
    return Listed(tuple(steps), tuple(moving))


def _known(plan: Plan, relation: ir.Relation, way: ir.Way, part: ir.Expr) -> Closure | None:
    """A closure for a part of a line that is the same in every position."""
    if reads_state(part, plan.ir.functions) or free(part) & {p.name for p in relation.params}:
        return None
    times = relation.places
    for low, high in way.ranges:
        times *= high - low + 1
    effort = plan.closures.efforts.of(part) * times
    if effort > plan.effort:
        return None
    plan.effort -= effort
    return plan.closures.make(part)
