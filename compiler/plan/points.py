"""The decision points and blocks of a module by number, and the layout that follows."""

from __future__ import annotations

from attrs import define

from compiler import ir
from compiler.closures import Closures
from compiler.layout import lay_out
from compiler.reads import ArrayReads
from compiler.transform import Simplifier

# The value of `who` when no player decides.
OVER, CHANCE = 254, 255
# A frame pointer has two bytes.
MAX_BYTES = 65_535

# For all relations of a game together: in steps of closures, and in pairs of neighbours that are
# written out. They bound the time that a rule file can take; the rest is computed in play.
MAX_EFFORT = 1_500_000
MAX_PAIRS = 40_000


@define
class Waiting:
    """A point where the game waits for a player or for chance."""

    number: int
    procedure: ir.Procedure
    block: ir.Block


class Plan:
    """The part of the code of one module that all back ends share."""

    def __init__(self, module: ir.Module) -> None:
        self.ir = module
        self.waiting: list[Waiting] = []
        self.points: dict[tuple[str, int], Waiting] = {}
        self.block_numbers: dict[tuple[str, int], int] = {}
        for procedure in module.procedures.values():
            for block in procedure.blocks:
                self.block_numbers[procedure.name, block.id] = len(self.block_numbers)
                if isinstance(block.terminator, ir.Decide | ir.Chance):
                    point = Waiting(len(self.waiting) + 1, procedure, block)
                    self.waiting.append(point)
                    self.points[procedure.name, block.id] = point
        self.layout = lay_out(module, len(self.waiting), len(self.block_numbers))
        self.simplifier = Simplifier(module)
        self.reads = ArrayReads(module)
        self.closures = Closures(module.functions, module.tables)
        # The remaining budget for computing relations in advance.
        self.effort = MAX_EFFORT
        self.pairs = MAX_PAIRS

    @property
    def entry(self) -> int:
        """The number of the block with which the game starts."""
        main = self.ir.procedures[self.ir.main]
        return self.block_numbers[main.name, main.blocks[0].id]

    def initial(self) -> bytes:
        """The bytes of a state before the first block runs."""
        cells = bytearray(self.layout.size)
        for name, array in self.ir.arrays.items():
            slot = self.layout.arrays[name]
            cells[slot.offset : slot.end] = b"".join(slot.encode(v) for v in array.initial)
        return bytes(cells)
