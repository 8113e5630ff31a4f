"""Paths in a graph whose steps are all known."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush

from compiler import ir


def known_graph(
    expr: ir.Graph, start: int, goal: int | None, step: Callable[[int, int], int]
) -> int:
    """The answer to a question about a graph."""
    nodes = range(expr.first, expr.first + expr.nodes)
    match expr.kind:
        case "reaches":
            assert goal is not None
            return int(goal in _reached(start, nodes, lambda a, b: step(a, b) != 0))
        case "component":
            both = _reached(start, nodes, lambda a, b: step(a, b) != 0 or step(b, a) != 0)
            return min(both)
        case "distance":
            assert goal is not None
            return _cheapest(start, goal, nodes, step, expr.bound)
    raise AssertionError(expr.kind)


def _reached(start: int, nodes: range, edge: Callable[[int, int], bool]) -> set[int]:
    found = {start}
    todo = [start]
    while todo:
        at = todo.pop()
        for other in nodes:
            if other not in found and edge(at, other):
                found.add(other)
                todo.append(other)
    return found


def _cheapest(
    start: int, goal: int, nodes: range, step: Callable[[int, int], int], bound: int
) -> int:
    best = {start: 0}
    todo = [(0, start)]
    while todo:
        price, at = heappop(todo)
        if at == goal:
            return price
        if price > best[at]:
            continue
        for other in nodes:
            cost = step(at, other)
            total = price + cost
            if cost and total <= bound and total < best.get(other, bound + 1):
                best[other] = total
                heappush(todo, (total, other))
    return bound + 1
