"""The blocks of a procedure that a fork decides about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import define, field

from compiler import ir
from compiler.lower.lasting_locals import successors

# Follows every block that ends the procedure.
_END = -1


@define
class DependentBlocks:
    """For each fork of a procedure: the blocks that may be left out, as the fork decides.

    Some way from the fork leads through such a block, and another, to the end, does not.
    """

    # For each procedure: the next block that every way from a block to the end leads through.
    _certain: dict[str, dict[int, int]] = field(init=False, factory=dict)

    def of(self, procedure: ir.Procedure, fork: int) -> set[int]:
        """The blocks that depend on a fork."""
        blocks = procedure.blocks
        if procedure.name not in self._certain:
            following = {b.id: _following(b.terminator) for b in blocks}
            self._certain[procedure.name] = immediate_post_dominators(following, _END)
        certain = self._certain[procedure.name]
        reached: set[int] = set()
        todo = successors(blocks[fork].terminator)
        while todo:
            at = todo.pop()
            if at not in reached:
                reached.add(at)
                todo += successors(blocks[at].terminator)
        at = certain.get(fork, _END)
        while at != _END:
            reached.discard(at)
            at = certain[at]
        return reached


def _following(end: ir.Terminator) -> list[int]:
    return [_END] if isinstance(end, ir.Exit | ir.End) else successors(end)


def immediate_post_dominators(following: Mapping[int, Iterable[int]], end: int) -> dict[int, int]:
    """For each node from which `end` can be reached: the next that all ways there have in common.

    The algorithm of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", on the
    graph with its edges turned round.

    >>> immediate_post_dominators({0: [1, 2], 1: [3], 2: [3], 3: [9]}, 9)
    {3: 9, 2: 3, 1: 3, 0: 3}
    """
    before: dict[int, list[int]] = {}
    for node, targets in following.items():
        for target in targets:
            before.setdefault(target, []).append(node)
    order = _reverse_postorder(before, end)
    rank = {node: k for k, node in enumerate(order)}
    found = {end: end}

    def common(a: int, b: int) -> int:
        while a != b:
            if rank[a] > rank[b]:
                a = found[a]
            else:
                b = found[b]
        return a

    changed = True
    while changed:
        changed = False
        for node in order[1:]:
            known = [target for target in following[node] if target in found]
            new = known[0]
            for other in known[1:]:
                new = common(new, other)
            if found.get(node) != new:
                found[node] = new
                changed = True
    del found[end]
    return found


def _reverse_postorder(following: Mapping[int, Iterable[int]], start: int) -> list[int]:
    """The nodes that can be reached from `start`, each after one that leads to it."""
    done: list[int] = []
    seen = {start}
    stack = [(start, iter(following.get(start, ())))]
    while stack:
        node, targets = stack[-1]
        for target in targets:
            if target not in seen:
                seen.add(target)
                stack.append((target, iter(following.get(target, ()))))
                break
        else:
            stack.pop()
            done.append(node)
    return done[::-1]
