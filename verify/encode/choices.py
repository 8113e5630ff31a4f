"""The legal choices at a decision: the requirements of its options as formulas."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import comb, prod

from compiler import ir
from compiler.runtime.subsets import ALWAYS_LISTED, MAX_SUBSETS
from verify.analysis.effects import Effects
from verify.encode import terms as v
from verify.encode.expressions import Evaluator
from verify.encode.statements import Locals, SymbolicRun
from verify.encode.terms import Truth

# Above this many choices, only those with every value at its minimum or maximum are encoded.
MOST_CHOICES = 4_096


def legal(options: tuple[ir.Option, ...], machine: SymbolicRun) -> list[Truth]:
    """For combinations of each option's parameters: whether they are legal.

    These are all choices unless they are very many: that one of them is legal shows that something
    is legal, but that none of them is does not show that nothing is.
    """
    found: list[Truth] = []
    look = machine.silent()
    for option in options:
        named = set(names(option, look.world.effects))
        ranges = tuple(p.range for p in option.params if p.range.name in named)
        # A parameter that nothing depends on needs no more than one value.
        others = [p.range for p in option.params if p.range.name not in named]
        tried = _tried(ranges, look, machine.locals)
        if option.subset is not None:
            tried = _sets(option, look, machine.locals)
            others = []
        for inner, guard in tried:
            some = [v.le(look.value(r.low, inner), look.value(r.high, inner)) for r in others]
            part = head_holds(option.head, look, inner, v.and_((guard, *some)))
            if part is True:
                return [True]
            if part is not False:
                found.append(part)
    return found


def exactly_listed(option: ir.Option) -> bool:
    """Whether `legal` covers all choices of an option."""
    if option.subset is not None or option.together:
        return False
    ranges = [param.range for param in option.params]
    return prod(max(0, r.high.hi - r.low.lo + 1) for r in ranges) <= MOST_CHOICES


def _tried(
    ranges: tuple[ir.Range, ...], look: Evaluator, env: Locals
) -> Iterator[tuple[Locals, Truth]]:
    """Values for the parameters, and whether they are in their ranges."""
    if prod(max(0, r.high.hi - r.low.lo + 1) for r in ranges) <= MOST_CHOICES:
        aggregate = ir.Aggregate("some", ranges, None, None, lo=0, hi=1)
        for inner, guard in look.items(aggregate, env):
            yield dict(inner), guard
        return
    for ends in product((False, True), repeat=len(ranges)):
        values: Locals = dict(env)
        guards: list[Truth] = []
        for range_, last in zip(ranges, ends, strict=True):
            low, high = look.value(range_.low, values), look.value(range_.high, values)
            guards.append(v.le(low, high))
            values[range_.name] = high if last else low
        yield values, v.and_(guards)


def _sets(option: ir.Option, look: Evaluator, env: Locals) -> Iterator[tuple[Locals, Truth]]:
    """The first n of the elements, for every n; the requirements say how many."""
    there = [look.truth(p.range.high, env) for p in option.params]
    before: list[v.Number] = []
    count: v.Number = 0
    for one in there:
        before.append(count)
        count = v.add(count, v.number(one))
    for size in range(len(there) + 1):
        values: Locals = dict(env)
        for param, one, earlier in zip(option.params, there, before, strict=True):
            values[param.range.name] = v.number(v.and_((one, v.lt(earlier, size))))
        yield values, v.le(size, count)


def too_many_sets(option: ir.Option, machine: SymbolicRun) -> Truth:
    """Whether there may be more sets to choose from than are ever listed."""
    subset = option.subset
    if subset is None:
        return False
    largest = min(len(option.params), subset.most.hi)
    if sum(comb(len(option.params), size) for size in range(largest + 1)) <= MAX_SUBSETS:
        return False
    look = machine.silent()
    there = (v.number(look.truth(p.range.high, machine.locals)) for p in option.params)
    return v.lt(ALWAYS_LISTED, v.add(*there))


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
    """The requirements one by one; each is evaluated only if those before it hold."""
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
