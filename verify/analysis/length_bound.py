"""An upper bound on the decisions of a game, from the measures of its loops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from compiler import ir
from compiler.lower.lasting_locals import successors

# Larger bounds are meaningless; they are reported as this.
VAST = 10**15


# Number of decisions or draws of a call (under no name), and of entries into procedures that are
# still open.
Counts = dict[str, int]
COUNTED = ""


def decisions(module: ir.Module) -> int | None:
    """An upper bound on the number of decisions, if every measure decreases as it says.

    None if the rules say of a loop that it may go round for ever.
    """
    return _most_of(module, ir.Decide)


def draws(module: ir.Module) -> int | None:
    """An upper bound on the number of draws, on the same terms."""
    return _most_of(module, ir.Chance)


def _most_of(module: ir.Module, counted: type[ir.Decide] | type[ir.Chance]) -> int | None:
    if any(endless_loops(module)):
        return None
    return _Bound(module, counted).of(module.main).get(COUNTED, 0)


def endless_loops(module: ir.Module) -> Iterator[tuple[ir.Procedure, ir.Block]]:
    """The loops `without end`: the procedure and the head of each."""
    for procedure in module.procedures.values():
        for block in procedure.blocks:
            if block.endless:
                yield procedure, block


class _Bound:
    def __init__(self, module: ir.Module, counted: type[ir.Decide] | type[ir.Chance]) -> None:
        self.module = module
        self.counted = counted
        self.memo: dict[str, Counts] = {}
        self.open: list[str] = []

    def of(self, name: str) -> Counts:
        """The bound of one call of a procedure."""
        if name in self.memo:
            return self.memo[name]
        if name in self.open:
            return {name: 1}
        procedure = self.module.procedures[name]
        self.open.append(name)
        counts = self.walk(procedure)
        self.open.pop()
        again = counts.pop(name, 0)
        if again:
            calls = _calls(again, spread(procedure.decreases) if procedure.decreases else VAST)
            counts = {key: min(VAST, count * calls) for key, count in counts.items()}
        if counts.keys() <= {COUNTED}:
            self.memo[name] = counts  # it leads back to nothing that is open
        return counts

    def walk(self, procedure: ir.Procedure) -> Counts:
        """The bound of the longest way through a procedure.

        Loops count as often as their measure allows; the last round is followed by what follows
        the loop.
        """
        heads = [b.id for b in procedure.blocks if b.measure]
        bodies = {head: _body(procedure, head) for head in heads}
        most: dict[int, Counts] = {}
        # Depth first: the successors of a block before the block.
        stack = [procedure.blocks[0].id]
        while stack:
            at = stack[-1]
            block = procedure.blocks[at]
            behind = list(_behind(procedure, block, bodies))
            missing = [target for target in behind if target not in most]
            if missing:
                stack += missing
                continue
            stack.pop()
            rounds = 1
            for head, body in bodies.items():
                if at in body:
                    rounds = min(VAST, rounds * spread(procedure.blocks[head].measure))
            here = {key: min(VAST, n * rounds) for key, n in self.weight(block).items()}
            most[at] = _sum(here, _most(most[target] for target in behind))
        return most[procedure.blocks[0].id]

    def weight(self, block: ir.Block) -> Counts:
        """The decisions that one block adds."""
        match block.terminator:
            case ir.Enter(procedure=procedure):
                return self.of(procedure)
            case ir.Decide() | ir.Chance() as waits:
                return {COUNTED: 1} if isinstance(waits, self.counted) else {}
            case ir.Jump() | ir.Fork() | ir.Together() | ir.Exit() | ir.End():
                return {}
        raise AssertionError(block.terminator)


def _sum(one: Counts, two: Counts) -> Counts:
    return {key: min(VAST, one.get(key, 0) + two.get(key, 0)) for key in one.keys() | two.keys()}


def _most(counts: Iterable[Counts]) -> Counts:
    result: Counts = {}
    for one in counts:
        result = {
            key: max(result.get(key, 0), one.get(key, 0)) for key in result.keys() | one.keys()
        }
    return result


def _behind(procedure: ir.Procedure, block: ir.Block, bodies: dict[int, set[int]]) -> Iterator[int]:
    """Where a block leads; the end of a round leads out of the loop."""
    terminator = block.terminator
    if isinstance(terminator, ir.Jump) and terminator.back:
        body = bodies[terminator.target]
        for inside in body:
            yield from (t for t in successors(procedure.blocks[inside].terminator) if t not in body)
    else:
        yield from successors(terminator)


def _calls(again: int, depth: int) -> int:
    """Most calls of a recursion, from the calls per body and the longest chain.

    >>> _calls(1, 10), _calls(2, 3)
    (10, 7)
    """
    if again == 1:
        return depth
    total, level = 0, 1
    for _ in range(depth):
        total += level
        level *= again
        if total >= VAST:
            return VAST
    return total


def spread(measure: tuple[ir.Expr, ...]) -> int:
    """Number of values that a measure can have.

    >>> spread((ir.Int(0, lo=0, hi=9), ir.Int(0, lo=1, hi=2)))
    20
    """
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
