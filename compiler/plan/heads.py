"""The requirements of an option: each is tested as soon as the parameters it reads are known."""

from __future__ import annotations

from compiler import ir
from compiler.lower.free import free
from compiler.transform import Simplifier
from compiler.traverse import children

HeadLine = ir.Require | ir.Define


def may_fault(simplifier: Simplifier, expr: ir.Expr) -> bool:
    """Whether evaluating the expression could leave a range."""
    if isinstance(expr, ir.Narrow):
        return True
    if isinstance(expr, ir.Call) and may_fault(simplifier, simplifier.body(expr.function)):
        return True
    if isinstance(expr, ir.Field):
        asked = simplifier.module.functions_of(expr)
        if any(may_fault(simplifier, simplifier.body(name)) for name in asked):
            return True
    return any(may_fault(simplifier, child) for child in children(expr))


def head_levels(simplifier: Simplifier, option: ir.Option) -> list[list[HeadLine]]:
    """The lines of an option's head by the number of parameters that must be known."""
    depth = {p.range.name: k + 1 for k, p in enumerate(option.params)}
    result: list[list[HeadLine]] = [[] for _ in range(len(option.params) + 1)]
    deepest = 0
    for line in option.head:
        expr = line.value if isinstance(line, ir.Define) else line.condition
        level = max([depth.get(n, 0) for n in free(expr)], default=0)
        if may_fault(simplifier, simplifier.simplify(expr)):
            level = max(level, deepest)  # the requirements before it may guard it
        if isinstance(line, ir.Define):
            depth[line.name] = level
        deepest = max(deepest, level)
        result[level].append(line)
    return result


def ready_tests(tests: list[ir.Expr], unbound: set[str]) -> tuple[list[ir.Expr], list[ir.Expr]]:
    """The first tests that read none of the names that are still to be bound, and the rest.

    A test may rely on the ones before it, so their order is kept.
    """
    for position, test in enumerate(tests):
        if free(test) & unbound:
            return tests[:position], tests[position:]
    return tests, []
