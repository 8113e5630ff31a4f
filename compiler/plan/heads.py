"""The requirements of an option: each is tested as soon as the parameters it reads are known."""

from __future__ import annotations

from compiler import ir
from compiler.lower.free import free
from compiler.transform import Simplifier
from compiler.traverse import children

HeadLine = ir.Require | ir.Define


def may_fault(
    simplifier: Simplifier, expr: ir.Expr, present: frozenset[ir.Expr] = frozenset()
) -> bool:
    """Whether evaluating the expression could leave a range.

    Of `present` it is known that they are not none.
    """
    match expr:
        case ir.Narrow(value) if value not in present or (value.lo, expr.lo) != (-1, 0):
            return True
        case ir.Op("and" | "or" as kind, args):
            for arg in args:
                if may_fault(simplifier, arg, present):
                    return True
                present |= _present(arg, kind == "and")
            return False
        case ir.If(condition, then, otherwise):
            return (
                may_fault(simplifier, condition, present)
                or may_fault(simplifier, then, present | _present(condition, True))
                or may_fault(simplifier, otherwise, present | _present(condition, False))
            )
        case ir.Let(name, value, body):
            return may_fault(simplifier, value, present) or may_fault(
                simplifier, body, _without(present, {name})
            )
        case ir.Aggregate(_, ranges, where, body):
            present = _without(present, {r.name for r in ranges})
            for part in (*(end for r in ranges for end in (r.low, r.high)), where, body):
                if part is not None and may_fault(simplifier, part, present):
                    return True
                if part is not None and part is where:
                    present |= _present(part, True)
            return False
        case ir.Call(function) if may_fault(simplifier, simplifier.body(function)):
            return True
        case ir.Graph(_, step) if may_fault(simplifier, simplifier.body(step)):
            return True
        case ir.Field():
            asked = simplifier.module.functions_of(expr)
            if any(may_fault(simplifier, simplifier.body(name)) for name in asked):
                return True
        case ir.Int() | ir.Local() | ir.LocalCell() | ir.Cell() | ir.Lookup() | ir.Select():
            pass
        case ir.Op() | ir.Narrow() | ir.Call() | ir.Graph():
            pass
        case _:
            raise TypeError(f"unknown expression {expr}")
    return any(may_fault(simplifier, child, present) for child in children(expr))


def _without(present: frozenset[ir.Expr], names: set[str]) -> frozenset[ir.Expr]:
    """The tests without names that now have another meaning."""
    return frozenset(expr for expr in present if not free(expr) & names)


def _present(test: ir.Expr, holds: bool) -> frozenset[ir.Expr]:
    """Values that are not none where a test holds, or where it fails."""
    match test:
        case ir.Op("ne", (value, ir.Int(-1))) if holds:
            return frozenset({value})
        case ir.Op("eq", (value, ir.Int(-1))) if not holds:
            return frozenset({value})
        case ir.Op("not", (inner,)):
            return _present(inner, not holds)
        case ir.Op("and", args) if holds:
            return frozenset().union(*(_present(arg, True) for arg in args))
        case ir.Op("or", args) if not holds:
            return frozenset().union(*(_present(arg, False) for arg in args))
    return frozenset()


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
