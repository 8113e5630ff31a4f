"""How many decisions a game can have at most, from the measures of its loops."""

from __future__ import annotations

from compiler import ir
from compiler.lower.liveness import successors

# Larger bounds say nothing; they are reported as this.
VAST = 10**15


def decisions(module: ir.Module) -> int:
    """An upper bound on the number of decisions, if every measure decreases as it says."""
    return _Bound(module).of(module.main)


class _Bound:
    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self.memo: dict[str, int] = {}
        self.open: list[str] = []

    def of(self, name: str) -> int:
        """Of one call of a procedure."""
        if name in self.memo:
            return self.memo[name]
        procedure = self.module.procedures[name]
        if name in self.open:
            return 0  # counted by the depth of the recursion below
        self.open.append(name)
        inner = self.walk(procedure)
        self.open.pop()
        if procedure.recursive and procedure.decreases:
            # Each level may call as often as it has calls; the depth is what the measure allows.
            depth = _spread(procedure.decreases)
            calls = sum(isinstance(b.terminator, ir.Enter) for b in procedure.blocks)
            inner = min(VAST, inner * max(1, calls) ** min(depth, 60))
        if not self.open or not procedure.recursive:
            self.memo[name] = inner
        return inner

    def walk(self, procedure: ir.Procedure) -> int:
        """The most decisions on a way through: loops count as often as their measure allows."""
        heads = [b.id for b in procedure.blocks if b.measure]
        bodies = {head: _body(procedure, head) for head in heads}
        total = 0
        for block in procedure.blocks:
            weight = self.weight(block)
            if not weight:
                continue
            for head, body in bodies.items():
                if block.id in body:
                    weight = min(VAST, weight * _spread(procedure.blocks[head].measure))
            total = min(VAST, total + weight)
        return total

    def weight(self, block: ir.Block) -> int:
        match block.terminator:
            case ir.Decide():
                return 1
            case ir.Enter(procedure):
                return self.of(procedure)
        return 0


def _spread(measure: tuple[ir.Expr, ...]) -> int:
    """How many values a measure can go through."""
    result = 1
    for part in measure:
        result = min(VAST, result * (part.hi - part.lo + 1))
    return result


def _body(procedure: ir.Procedure, head: int) -> set[int]:
    """The blocks of a loop: those that lead back to its head."""
    before: dict[int, set[int]] = {}
    for block in procedure.blocks:
        for target in successors(block.terminator):
            before.setdefault(target, set()).add(block.id)
    ends = {
        b.id
        for b in procedure.blocks
        if isinstance(b.terminator, ir.Jump) and b.terminator.back and b.terminator.target == head
    }
    body = {head}
    todo = list(ends)
    while todo:
        at = todo.pop()
        if at not in body:
            body.add(at)
            todo += before.get(at, ())
    return body
