"""Which locals an expression, a statement or a block mentions."""

from __future__ import annotations

from compiler import ir


def free(expr: ir.Expr) -> set[str]:
    """The locals that an expression reads and does not bind itself."""
    match expr:
        case ir.Int():
            return set()
        case ir.Local(name):
            return {name}
        case ir.LocalCell(name, index):
            return {name} | free(index)
        case ir.Cell(_, index) | ir.Lookup(_, index):
            return union(index)
        case ir.Op(_, args) | ir.Call(_, args):
            return union(args)
        case ir.If(condition, then, otherwise):
            return union((condition, then, otherwise))
        case ir.Narrow(value):
            return free(value)
        case ir.Let(name, value, body):
            return free(value) | (free(body) - {name})
        case ir.Aggregate(_, ranges, where, body):
            inner = union(tuple(e for e in (where, body) if e is not None))
            for range_ in reversed(ranges):
                inner = (inner - {range_.name}) | free(range_.low) | free(range_.high)
            return inner
        case ir.Graph():
            return free(expr.start) | (free(expr.goal) if expr.goal is not None else set())
    raise AssertionError(expr)


def union(exprs: tuple[ir.Expr, ...]) -> set[str]:
    """The locals that several expressions read."""
    return set().union(*(free(e) for e in exprs)) if exprs else set()


def mentioned(statement: ir.Statement) -> set[str]:
    """The locals that a statement reads or sets."""
    match statement:
        case ir.SetCell(target, value):
            return union((target, value))
        case ir.SetLocal(target, value):
            return {target.name} | free(value)
        case ir.SetLocalCell(target, value):
            return union((target, value))
        case ir.Transfer(_, source, target, amount):
            return union((source, target, amount))
        case ir.PlaceCard(target, source, place):
            return union((target, place)) | (free(source) if source is not None else set())
        case ir.Branch(condition, then, otherwise):
            return free(condition) | _all(then) | _all(otherwise)
        case ir.Loop(range_, body):
            return free(range_.low) | free(range_.high) | (_all(body) - {range_.name})
        case ir.Do(_, args):
            return union(args)
        case ir.Check(condition):
            return free(condition)
    return set()


def _all(statements: tuple[ir.Statement, ...]) -> set[str]:
    return set().union(*(mentioned(s) for s in statements)) if statements else set()


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
