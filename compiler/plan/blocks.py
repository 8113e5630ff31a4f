"""The blocks of a procedure that become functions, and those written in place."""

from __future__ import annotations

from compiler import ir
from compiler.lower.lasting_locals import arrivals

SMALL = 4
MAX_INLINE = 12


class BlockPlan:
    """The functions made of the blocks of one procedure."""

    def __init__(self, procedure: ir.Procedure) -> None:
        self.blocks = {block.id: block for block in procedure.blocks}
        self.arrivals = arrivals(procedure.blocks)
        # Where choices made together are finished, so that a trial run can be seen to arrive.
        self.finished = {
            block.terminator.target
            for block in procedure.blocks
            if isinstance(block.terminator, ir.Jump) and block.terminator.finishes
        }

    def shared(self, number: int) -> bool:
        """Whether a block becomes a function."""
        return self.arrivals[number] > 1

    def in_place(self, number: int, path: tuple[int, ...]) -> bool:
        """Whether a block is written where the blocks of `path` lead to it."""
        block = self.blocks[number]
        if number in self.finished:
            return False
        small = len(block.statements) <= SMALL and len(path) < MAX_INLINE
        return not self.shared(number) or (small and number not in path and self.stops(block))

    def stops(self, block: ir.Block) -> bool:
        """Whether a small block leads straight to a stop, so that writing it twice costs little."""
        match block.terminator:
            case ir.Decide() | ir.Chance() | ir.End():
                return True
            case ir.Fork(_, then, otherwise):
                return all(
                    isinstance(self.blocks[n].terminator, ir.Decide | ir.Chance | ir.End | ir.Exit)
                    and len(self.blocks[n].statements) <= SMALL
                    for n in (then, otherwise)
                )
        return False
