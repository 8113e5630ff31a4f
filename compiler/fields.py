"""Fields over a relation, plainly: lists of steps, and what can be reached along them.

The back ends must agree with this.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from heapq import heappop, heappush
from itertools import product

from attrs import frozen

from compiler import ir

# From each place: where a step leads, and its price.
Steps = Mapping[int, list[tuple[int, int]]]
# The value of a function of the module.
Call = Callable[[str, tuple[int, ...]], int]


@frozen
class Values:
    """The values of the parts of a question."""

    args: tuple[int, ...]
    place: int
    source_args: tuple[int, ...]
    within: int | None
    stop_args: tuple[int, ...]


def values_of(expr: ir.Field, value: Callable[[ir.Expr], int]) -> Values:
    """The parts of a question, evaluated."""
    return Values(
        tuple(value(a) for a in expr.args),
        value(expr.place),
        tuple(value(a) for a in expr.source_args),
        None if expr.within is None else value(expr.within),
        tuple(value(a) for a in expr.stop_args),
    )


def steps_of(relation: ir.Relation, args: tuple[int, ...], call: Call) -> Steps:
    """All steps of a relation in one position."""
    places = range(relation.first, relation.last + 1)
    found: dict[int, list[tuple[int, int]]] = {place: [] for place in places}
    for way in relation.ways:
        values = [range(low, high + 1) for low, high in way.ranges]
        for place in places:
            for chosen in product(*values):
                inputs = (place, *chosen, *args)
                there = call(way.target, inputs)
                if not relation.first <= there <= relation.last:
                    continue
                if way.where and not call(way.where, (*inputs, there)):
                    continue
                if way.joined:
                    found[place].append((there, 0))
                    found[there].append((place, 0))
                else:
                    price = call(way.price, (*inputs, there)) if way.price else 1
                    found[place].append((there, price))
    return found


def distances(steps: Steps, sources: Iterable[int], stops: Collection[int] = ()) -> dict[int, int]:
    """The price of the cheapest path to each place that can be reached.

    A path ends where it enters a stop; a source may be one and is left.

    >>> distances({0: [(1, 1)], 1: [(2, 1)], 2: []}, [0])
    {0: 0, 1: 1, 2: 2}
    >>> distances({0: [(1, 1)], 1: [(2, 1)], 2: []}, [0], stops=[1])
    {0: 0, 1: 1}
    """
    starts = set(sources)
    best = dict.fromkeys(sorted(starts), 0)
    todo = [(0, place) for place in best]
    while todo:
        price, place = heappop(todo)
        if price > best[place] or (place in stops and place not in starts):
            continue
        for there, cost in steps[place]:
            total = price + cost
            if there not in best or total < best[there]:
                best[there] = total
                heappush(todo, (total, there))
    return best


def legs(
    steps: Steps, sources: Iterable[int], within: int, stops: Collection[int]
) -> dict[int, int]:
    """The least number of legs that lead to each place that can be reached.

    >>> line = {0: [(1, 1)], 1: [(2, 1)], 2: [(3, 1)], 3: []}
    >>> legs(line, [0], 2, stops=[1])
    {0: 0, 1: 1, 2: 2, 3: 2}
    """
    best = dict.fromkeys(sorted(set(sources)), 0)
    starts = set(best)
    number = 0
    while starts:
        number += 1
        reached = distances(steps, starts, stops)
        new = {p for p, price in reached.items() if price <= within and p not in best}
        best.update(dict.fromkeys(sorted(new), number))
        starts = {place for place in new if place in stops}
    return best


def component(steps: Steps, place: int) -> int:
    """The least place connected with one, steps taken both ways."""
    both: dict[int, set[int]] = {at: set() for at in steps}
    for at, found in steps.items():
        for there, _ in found:
            both[at].add(there)
            both[there].add(at)
    members = {place}
    todo = [place]
    while todo:
        new = both[todo.pop()] - members
        members |= new
        todo += new
    return min(members)


def answer(expr: ir.Field, relation: ir.Relation, values: Values, call: Call) -> int:
    """The answer to a question whose parts have these values."""
    steps = steps_of(relation, values.args, call)
    if expr.kind == "component":
        return component(steps, values.place)
    sources = [x for x in steps if call(expr.sources, (x, *values.source_args))]
    if expr.kind == "legs":
        stops = {x for x in steps if call(expr.stops, (x, *values.stop_args))}
        assert values.within is not None
        found = legs(steps, sources, values.within, stops).get(values.place, expr.most + 1)
        return min(found, expr.most + 1)
    price = distances(steps, sources).get(values.place)
    if expr.kind == "spread":
        return int(price is not None and (values.within is None or price <= values.within))
    assert values.within is not None
    return values.within + 1 if price is None else min(price, values.within + 1)
