"""What may be chosen at a decision: the requirements of its options as formulas."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ir
from verify.analysis.effects import Effects
from verify.encode import terms as v
from verify.encode.expressions import Evaluator
from verify.encode.statements import Locals, Machine
from verify.encode.terms import Truth


def legal(options: tuple[ir.Option, ...], machine: Machine) -> list[Truth]:
    """For each choice of each option's parameters: whether it is legal."""
    found: list[Truth] = []
    look = machine.silent()
    for option in options:
        named = set(names(option, look.world.effects))
        ranges = tuple(p.range for p in option.params if p.range.name in named)
        # Of a parameter that nothing depends on it matters only that there is a value for it.
        others = [p.range for p in option.params if p.range.name not in named]
        aggregate = ir.Aggregate("some", ranges, None, None, lo=0, hi=1)
        for inner, guard in look.items(aggregate, machine.locals):
            some = [v.le(look.value(r.low, inner), look.value(r.high, inner)) for r in others]
            part = head_holds(option.head, look, inner, v.and_((guard, *some)))
            if part is True:
                return [True]
            if part is not False:
                found.append(part)
    return found


def names(option: ir.Option, effects: Effects) -> Iterator[str]:
    """The names that the requirements and the ranges of an option mention."""
    for line in option.head:
        yield from effects.reads(
            line.value if isinstance(line, ir.Define) else line.condition
        ).locals
    for param in option.params:
        yield from effects.reads(param.range.low).locals
        yield from effects.reads(param.range.high).locals


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
