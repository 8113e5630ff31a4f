"""Invariants at the places where a step writes.

An invariant about every space of a board is known space by space. Where a step changes a space
chosen by a player, a proof would have to try all of them; so the invariant is also instantiated at
the chosen space itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from compiler import ir
from verify.encode import terms as v
from verify.encode.expressions import Evaluator
from verify.encode.hypotheses import INVARIANT
from verify.encode.statements import Locals
from verify.encode.terms import Truth, Value

# Ranges of at most this many values are enumerated.
FEW = 4

Places = Mapping[tuple[int, int], list[Value]]


def instances(invariants: tuple[ir.Invariant, ...], look: Evaluator, places: Places) -> list[Truth]:
    """Some invariants, instantiated at unknown places; `places` has them by their range."""
    result: list[Truth] = []
    for invariant in invariants:
        said = [part for part in _said(invariant.condition, {}, places, look) if part is not True]
        for part in said:
            look.world.note_source(part, INVARIANT + invariant.name)
        result += said
    return result


def _said(expr: ir.Expr, env: Locals, places: Places, look: Evaluator) -> Iterator[Truth]:
    match expr:
        case ir.Op("and", args):
            for arg in args:
                yield from _said(arg, env, places, look)
        case ir.Aggregate("every", ranges, test, body) if body is not None:
            for chosen in product(*(_values(r, places) for r in ranges)):
                if all(isinstance(value, int) for value in chosen):
                    continue
                inner = env | dict(zip((r.name for r in ranges), chosen, strict=True))
                guard = True if test is None else look.truth(test, inner)
                for part in look.conjuncts(body, inner):
                    yield v.implies(guard, part)


def _values(range_: ir.Range, places: Places) -> list[Value]:
    if not isinstance(range_.low, ir.Int) or not isinstance(range_.high, ir.Int):
        return []
    low, high = range_.low.value, range_.high.value
    if high - low < FEW:
        return list(range(low, high + 1))
    return places.get((low, high), [])
