"""What may be chosen at a decision: the requirements of its options as formulas."""

from __future__ import annotations

from compiler import ir
from verify.smt import values as v
from verify.smt.expressions import Evaluator
from verify.smt.statements import Locals, Machine
from verify.smt.values import Truth


def legal(options: tuple[ir.Option, ...], machine: Machine) -> list[Truth]:
    """For each choice of each option's parameters: whether it is legal."""
    found: list[Truth] = []
    look = machine.silent()
    for option in options:
        ranges = tuple(p.range for p in option.params)
        aggregate = ir.Aggregate("some", ranges, None, None, lo=0, hi=1)
        for inner, guard in look.items(aggregate, machine.locals):
            part = head_holds(option.head, look, inner, guard)
            if part is True:
                return [True]
            if part is not False:
                found.append(part)
    return found


def head_holds(head: ir.Head, look: Evaluator, env: object, guard: Truth) -> Truth:
    """Whether all requirements hold."""
    return v.and_(head_parts(head, look, env, guard))


def head_parts(head: ir.Head, look: Evaluator, env: object, guard: Truth) -> list[Truth]:
    """The requirements one by one; each is looked at only if those before it hold."""
    inner: Locals = dict(env)  # type: ignore[call-overload]
    parts: list[Truth] = [guard]
    before = len(look.guards)
    look.guards.append(guard)
    for line in head:
        if isinstance(line, ir.Define):
            inner[line.name] = look.value(line.value, inner)
            continue
        part = look.truth(line.condition, inner)
        look.world.required(part, line.span)
        parts.append(part)
        if part is False:
            break
        look.guards.append(part)
    del look.guards[before:]
    return parts
