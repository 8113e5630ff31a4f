"""Agreement: sampled games, move by move, on the compiled rules and on the formulas."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from attrs import define, field, fields, has

from compiler import ir
from compiler.runtime.fault import Fault
from verify.play import Player
from verify.replica import Replica
from verify.smt.world import World, cell_name
from verify.steps import rule_name

if TYPE_CHECKING:
    from compiler.runtime.game import Game

# How many moves are compared, by effort.
SAMPLES: dict[str, int] = {"low": 30, "normal": 100, "high": 10_000}
# Every so many moves the step is built on unknown cells.
SYMBOLIC_EVERY = 10
# Legal moves are compared where there are at most so many to look at.
MOST_MOVES = 300


def has_graph(node: object) -> bool:
    """Whether a part of a module asks for paths."""
    if isinstance(node, ir.Graph):
        return True
    if isinstance(node, dict):
        return any(has_graph(item) for item in node.values())
    if isinstance(node, tuple):
        return any(has_graph(item) for item in node)
    kind: Any = type(node)
    return has(kind) and any(has_graph(getattr(node, f.name)) for f in fields(kind))


@define(eq=False)
class Agreement:
    """A comparison; `differs` says where the two first differ."""

    game: Game
    samples: int
    module: ir.Module = field(init=False)
    player: Player = field(init=False)
    graphs: bool = field(init=False)
    compared: int = 0
    differs: str = ""
    moves: list[str] = field(factory=list)
    covered: set[tuple[str, int]] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        self.module = self.game.ir
        self.player = Player(self.game, self.module)
        # Paths through unknown cells are unknown to the formulas; they are compared on known ones.
        self.graphs = has_graph(self.module)

    def run(self) -> None:
        """Play games at random until enough moves were compared."""
        seed = 0
        while self.compared < self.samples and not self.differs:
            before = self.compared
            self.one(seed)
            seed += 1
            if self.compared == before:
                break

    def one(self, seed: int) -> None:
        """One game."""
        random = Random(seed)
        world = World(self.module)
        replica = Replica(world, covered=self.covered)
        machine = self.game.machine
        self.moves = []
        try:
            cells = machine.new()
        except Fault:
            return
        replica.start()
        if not self.same(replica, cells):
            return
        while not machine.over(cells) and self.compared < self.samples:
            try:
                choices = machine.moves(cells)
            except Fault:
                return
            if not choices:
                return
            decide = isinstance(replica.block.terminator, ir.Decide)
            if decide and len(choices) <= MOST_MOVES and self.compared % SYMBOLIC_EVERY == 0:
                found = replica.legal()
                if found != len(choices):
                    self.differs = f"{len(choices)} legal moves compiled, {found} by the formulas"
                    return
            move = choices[random.randrange(len(choices))]
            way, chosen = self.player.meaning(cells, move)
            self.moves.append(str(self.game.notation.move(cells, move)))
            replica.symbolic = not self.graphs and self.compared % SYMBOLIC_EVERY == 0
            try:
                machine.play(cells, move)
            except Fault:
                return  # found and shown by the proofs
            replica.play(way, chosen)
            self.compared += 1
            if not self.same(replica, cells):
                return

    def same(self, replica: Replica, cells: bytearray) -> bool:
        """Whether both are in the same position, at the same point."""
        machine = self.game.machine
        if machine.over(cells) != replica.over:
            self.differs = "one of the two is over"
            return False
        if not replica.over:
            point = self.player.points[machine.point(cells)]
            assert point is not None
            here = (replica.procedure.name, replica.block.id)
            if (point.procedure.name, point.block.id) != here:
                self.differs = f"they wait in different places ({rule_name(here[0])})"
                return False
        for name, array in self.module.arrays.items():
            one = self.player.cells(cells, name)
            two = tuple(int(x) for x in replica.machine.state.arrays[name].values)
            for k, (a, b) in enumerate(zip(one, two, strict=True)):
                if a != b:
                    cell = cell_name(self.module, array, k)
                    self.differs = f"{cell} is {a} compiled and {b} by the formulas"
                    return False
        return True
