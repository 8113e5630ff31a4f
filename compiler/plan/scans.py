"""Loops over cells side by side, of which only those that hold a value matter."""

from __future__ import annotations

from attrs import evolve, frozen

from compiler import build as b
from compiler import ir
from compiler.lower.free import free
from compiler.plan.heads import HeadLine, may_fault
from compiler.plan.points import Plan
from compiler.transform import conjuncts, substitute
from compiler.traverse import children

# A bound variable runs over numbers below this.
MOST = 2**30


@frozen
class Scan:
    """The test that one cell for each value of a bound variable holds a value, or another one.

    `index` is the number of the cell in its array; it rises by one with the variable. Nothing in
    a scan can fail, so it may be made for all values at once.
    """

    array: str
    index: ir.Expr
    value: ir.Expr
    equal: bool


def scan_tests(
    plan: Plan, range_: ir.Range, tests: list[ir.Expr], unbound: set[str]
) -> tuple[Scan, list[ir.Expr]] | None:
    """The first of some tests that is a scan, and the tests that are left.

    The tests before it are made later. `unbound` are the variables of inner loops.
    """
    for at, test in enumerate(tests):
        found = None if free(test) & unbound else _scan(plan, range_, test)
        if found is not None:
            return found, [*tests[:at], *tests[at + 1 :]]
        if may_fault(plan.simplifier, test):
            return None
    return None


def scan_lines(
    plan: Plan, range_: ir.Range, lines: list[HeadLine]
) -> tuple[Scan, list[HeadLine]] | None:
    """The first part of a requirement that is a scan, and the lines that are left."""
    simplify = plan.simplifier.simplify
    known: dict[str, ir.Expr] = {}
    for at, line in enumerate(lines):
        expr = simplify(line.value if isinstance(line, ir.Define) else line.condition)
        if isinstance(line, ir.Define):
            if may_fault(plan.simplifier, expr):
                return None
            known[line.name] = substitute(expr, known, plan.ir.tables)
            continue
        tests = conjuncts(expr)
        for part, test in enumerate(tests):
            found = _scan(plan, range_, substitute(test, known, plan.ir.tables))
            if found is not None:
                left = [*tests[:part], *tests[part + 1 :]]
                own = [evolve(line, condition=b.and_(*left))] if left else []
                return found, [*lines[:at], *own, *lines[at + 1 :]]
            if may_fault(plan.simplifier, test):
                return None
    return None


def _scan(plan: Plan, range_: ir.Range, test: ir.Expr) -> Scan | None:
    """A test as a scan over the values of a variable."""
    name = range_.name
    if range_.low.lo < -MOST or range_.high.hi > MOST:
        return None
    cell: ir.Expr
    value: ir.Expr
    match test:
        case ir.Cell(lo=0, hi=1):
            cell, value, equal = test, b.TRUE, True
        case ir.Op("not", (ir.Cell(lo=0, hi=1) as inner,)):
            cell, value, equal = inner, b.TRUE, False
        case ir.Op("lt", (ir.Int(0), ir.Cell(lo=0) as inner)):
            cell, value, equal = inner, b.FALSE, False
        case ir.Op(("eq" | "ne") as kind, (left, right)):
            cell, value = (right, left) if name in free(right) else (left, right)
            equal = kind == "eq"
        case _:
            return None
    if not isinstance(cell, ir.Cell) or name in free(value) or not _cheap(value):
        return None
    slot = plan.layout.arrays[cell.array]
    if slot.width != 1 or value.lo < slot.lo or value.hi > slot.hi:
        return None
    sizes = tuple(d.size for d in plan.ir.arrays[cell.array].dimensions)
    index = plan.simplifier.simplify(b.cell_number(cell.index, sizes))
    if not _rises_by_one(index, name) or not _cheap(index):
        return None
    return Scan(cell.array, index, value, equal)


def _rises_by_one(expr: ir.Expr, name: str) -> bool:
    """Whether a number rises by one with a local."""
    match expr:
        case ir.Local(own):
            return own == name
        case ir.Op("add", (left, right)):
            if name in free(right):
                left, right = right, left
            return _rises_by_one(left, name) and name not in free(right)
        case ir.Op("sub", (left, right)):
            return _rises_by_one(left, name) and name not in free(right)
    return False


def _cheap(expr: ir.Expr) -> bool:
    """Whether a value takes a few operations that cannot fail."""
    match expr:
        case ir.Int() | ir.Local() | ir.LocalCell() | ir.Cell() | ir.Lookup():
            pass
        case ir.Op(kind) if kind not in ("div", "mod"):
            pass
        case _:
            return False
    return all(_cheap(child) for child in children(expr))
