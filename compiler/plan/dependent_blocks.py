"""The blocks of a procedure that a fork decides about."""

from __future__ import annotations

from compiler import ir
from compiler.lower.lasting_locals import successors


def depending_on(blocks: tuple[ir.Block, ...], fork: int) -> set[int]:
    """The blocks that some way from a block leads through and another, to the end, does not."""

    def reached(without: int | None) -> set[int]:
        found: set[int] = set()
        todo = successors(blocks[fork].terminator)
        while todo:
            at = todo.pop()
            if at != without and at not in found:
                found.add(at)
                todo += successors(blocks[at].terminator)
        return found

    ends = {block.id for block in blocks if isinstance(block.terminator, ir.Exit | ir.End)}
    everywhere = reached(None)
    return {at for at in everywhere if reached(at) & ends or not everywhere & ends}
