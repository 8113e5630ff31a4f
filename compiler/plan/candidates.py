"""Values of a bound variable that pass the tests which are the same in every position."""

from __future__ import annotations

from attrs import frozen

from compiler import ir
from compiler.interpret import IRFault
from compiler.lower.free import free
from compiler.plan.heads import may_fault
from compiler.plan.points import Plan
from compiler.transform import reads_state
from compiler.traverse import children

# A list pays if it leaves out most of many values. Limits: values of the other local that it
# depends on, and steps of closures.
LEAST_VALUES = 8
SHORTER = 2
MAX_GIVEN = 16
MAX_STEPS = 20_000


@frozen
class Candidates:
    """The values of a range, in order, that pass some tests, for each value of a local or alone.

    `given` has that local with its range; `lists` its lists in order, and `tests` what is left.
    """

    given: tuple[str, int, int] | None
    lists: tuple[tuple[int, ...], ...]
    tests: list[ir.Expr]


def candidates(
    plan: Plan, range_: ir.Range, tests: list[ir.Expr], unbound: set[str]
) -> Candidates | None:
    """The values left by the first test that leaves few, if they are known before the game starts.

    The tests before it are made later, so none of them may fault. Where they guard it, the local
    may be outside the range that it has in the test: no value passes then.
    """
    low, high = range_.low, range_.high
    if not isinstance(low, ir.Int) or not isinstance(high, ir.Int):
        return None
    values = range(low.value, high.value + 1)
    if len(values) < LEAST_VALUES:
        return None
    for at, test in enumerate(tests):
        known = not free(test) & unbound and not reads_state(test, plan.ir.functions)
        if known and range_.name in free(test):
            found = _listed(plan, range_.name, values, test)
            if found is not None:
                return Candidates(*found, [*tests[:at], *tests[at + 1 :]])
        if may_fault(plan.simplifier, test):
            return None
    return None


def _listed(
    plan: Plan, name: str, values: range, test: ir.Expr
) -> tuple[tuple[str, int, int] | None, tuple[tuple[int, ...], ...]] | None:
    others = sorted(free(test) - {name})
    given: tuple[str, int, int] | None = None
    if len(others) > 1:
        return None
    for other in others:
        low, high = _range_of(other, test)
        given = (other, low, high)
    outer = range(given[1], given[2] + 1) if given else range(1)
    effort = plan.closures.efforts.of(test) * len(values) * len(outer)
    if len(outer) > MAX_GIVEN or effort > min(MAX_STEPS, plan.effort):
        return None
    plan.effort -= effort
    passes = plan.closures.make(test)
    lists = []
    try:
        for value in outer:
            env = {given[0]: value} if given else {}
            lists.append(tuple(v for v in values if passes({**env, name: v})))
    except IRFault:  # it happens when the game gets there, if ever
        return None
    pairs = sum(map(len, lists))
    if pairs > plan.pairs or pairs * SHORTER > len(values) * len(outer):
        return None
    plan.pairs -= pairs
    return given, tuple(lists)


def _range_of(name: str, expr: ir.Expr) -> tuple[int, int]:
    """The range of a local wherever an expression reads it."""
    found = [_range_of(name, child) for child in children(expr) if name in free(child)]
    if isinstance(expr, ir.Local) and expr.name == name:
        found.append((expr.lo, expr.hi))
    return min(low for low, _ in found), max(high for _, high in found)
