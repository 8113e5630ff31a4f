"""The locals that an expression, a statement or a block mentions."""

from __future__ import annotations

from collections.abc import Iterable

from compiler import ir
from compiler.traverse import bodies, children


def free(expr: ir.Expr) -> set[str]:
    """The locals that an expression reads and does not bind itself."""
    match expr:
        case ir.Local(name):
            return {name}
        case ir.LocalCell(name, index):
            return {name} | free(index)
        case ir.Let(name, value, body):
            return free(value) | (free(body) - {name})
        case ir.Aggregate(_, ranges, where, body):
            inner = union(tuple(e for e in (where, body) if e is not None))
            for range_ in reversed(ranges):
                inner = (inner - {range_.name}) | free(range_.low) | free(range_.high)
            return inner
    return union(children(expr))


def union(exprs: Iterable[ir.Expr]) -> set[str]:
    """The locals that several expressions read."""
    return set().union(*(free(e) for e in exprs))


def mentioned(statement: ir.Statement) -> set[str]:
    """The locals that a statement reads or sets."""
    found = union(children(statement))
    for body in bodies(statement):
        for inner in body:
            found |= mentioned(inner)
    return found - {statement.range.name} if isinstance(statement, ir.Loop) else found


def free_in_head(option: ir.Option) -> set[str]:
    """The locals that an option's legality reads, apart from its own parameters."""
    bound: set[str] = set()
    found: set[str] = set()
    for param in option.params:
        found |= (free(param.range.low) | free(param.range.high)) - bound
        bound.add(param.range.name)
    for line in option.head:
        if isinstance(line, ir.Define):
            found |= free(line.value) - bound
            bound.add(line.name)
        else:
            shown = [line.condition, *(v.expr for _, v in line.values)]
            shown += [p.expr for p in line.text if isinstance(p, ir.Shown)]
            found |= union(tuple(shown)) - bound
    for part in option.notation:
        if isinstance(part, ir.Shown):
            found |= free(part.expr) - bound
    return found
