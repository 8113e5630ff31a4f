"""Agreement: sampled games, move by move, on the compiled rules and on the formulas."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from random import Random
from typing import TYPE_CHECKING

from attrs import define, evolve, field

from compiler import ir
from compiler.rule_id import rule_name
from compiler.runtime.fault import Fault
from compiler.traverse import bodies
from verify.agreement.formula_game import Formulated, graphs_of
from verify.encode.replica import Replica, TooManyChoicesError
from verify.encode.unknowns import World, cell_name
from verify.proof.step_opening import LARGE
from verify.search.player import Broken, Player
from verify.search.random_games import BrokenGame

if TYPE_CHECKING:
    from compiler.runtime.game import Game

# Number of moves compared, by effort.
SAMPLES: dict[str, int] = {"low": 30, "normal": 100, "high": 10_000}
# Number of moves between two comparisons of the legal moves.
LEGAL_EVERY = 10
# Maximum number of combinations of parameters tried in such a comparison.
MOST_TRIED = 2_000
# Number of moves between two checks that the solver evaluates the formulas the same way.
ASKED_EVERY = 500
MANY = 1_000
# Number of rounds of loops whose formulas are written out for few moves.
MOST_ROUNDS = 100
# Number of rounds that are compared at most, with FEWEST moves at least.
ROUNDS_COMPARED = 50_000
FEWEST = 10


@define(eq=False)
class Agreement:
    """A comparison; `differs` says where the two first differ."""

    game: Game
    samples: int
    module: ir.Module = field(init=False)
    player: Player = field(init=False)
    replica: Replica = field(init=False)
    compared: int = 0
    differs: str = ""
    moves: list[str] = field(factory=list)
    covered: set[tuple[str, int]] = field(factory=set)
    # Differences found in the games that were played.
    met: list[BrokenGame] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.module = self.game.ir
        self.player = Player(self.game, self.module)
        world = World(self.module)
        # Writing out the formulas of many cells, of all steps of a graph, or of all rounds of a
        # long loop, pays for many moves; for few, known cells do.
        rounds = most_rounds(self.module)
        if self.samples < MANY:
            self.samples = min(self.samples, max(FEWEST, ROUNDS_COMPARED // max(1, rounds)))
        if self.samples < MANY and (
            self.module.cells > LARGE
            or any(True for _ in graphs_of(self.module))
            or rounds > MOST_ROUNDS
        ):
            self.replica = Replica(world, covered=self.covered)
        else:
            self.replica = Formulated(world, covered=self.covered)

    def run(self) -> None:
        """Play games at random until enough moves were compared."""
        seed = 0
        while self.compared < self.samples and not self.differs:
            before = self.compared
            with suppress(TooManyChoicesError):  # compared up to there
                self.one(seed)
            seed += 1
            if self.compared == before:
                break

    def one(self, seed: int) -> None:
        """One game."""
        random = Random(seed)
        replica = self.replica
        machine = self.game.machine
        self.moves = []
        line: list[int] = []
        try:
            cells = machine.new()
        except Fault as fault:
            self.meet(self.player.fault(fault), [], fails=True)
            return
        replica.start()
        if not self.same(replica, cells):
            return
        while not machine.over(cells) and self.compared < self.samples:
            broken, choices = self.player.look(cells, list(self.module.invariants))
            if broken is not None:
                self.meet(broken, line)
            if not choices:
                return
            decide = isinstance(replica.block.terminator, ir.Decide)
            if decide and self.compared % LEGAL_EVERY == 0 and replica.many() <= MOST_TRIED:
                found = replica.legal()
                if found != len(choices):
                    self.differs = f"{len(choices)} legal moves compiled, {found} by the formulas"
                    return
            move = choices[random.randrange(len(choices))]
            way, chosen = self.player.meaning(cells, move)
            try:
                self.moves.append(str(self.game.notation.move(cells, move)))
            except Fault as fault:
                text = evolve(self.player.fault(fault), obligation="scoring")
                self.meet(text, line)
                return
            if isinstance(replica, Formulated):
                replica.asking = self.compared % ASKED_EVERY == 0
            line.append(move)
            try:
                machine.play(cells, move)
            except Fault as fault:
                self.meet(self.player.fault(fault), line, fails=True)
                return
            replica.play(way, chosen)
            self.compared += 1
            if not self.same(replica, cells):
                return
        if machine.over(cells):
            broken, _ = self.player.look(cells, list(self.module.invariants))
            if broken is not None:
                self.meet(broken, line)

    def meet(self, broken: Broken, line: list[int], fails: bool = False) -> None:
        """Note a fault; the proofs say whether it may happen."""
        self.met.append(BrokenGame(broken, tuple(line), fails))

    def same(self, replica: Replica, cells: bytearray) -> bool:
        """True if both are in the same position, at the same point."""
        machine = self.game.machine
        if isinstance(replica, Formulated) and replica.doubts:
            self.differs = replica.doubts
            return False
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
            two = replica.cells(name)
            if one == two:
                continue
            for k, (a, b) in enumerate(zip(one, two, strict=True)):
                if a != b:
                    cell = cell_name(self.module, array, k)
                    self.differs = f"{cell} is {a} compiled and {b} by the formulas"
                    return False
        return True


def most_rounds(module: ir.Module) -> int:
    """The largest number of rounds of loops that the statements of a block carry out.

    >>> import rules_dsl as rd
    >>> most_rounds(rd.load("mancala").ir)
    14
    """

    @cache
    def of_routine(name: str) -> int:
        return rounds(module.routines[name].body)

    def rounds(body: tuple[ir.Statement, ...]) -> int:
        total = 0
        for statement in body:
            inside = sum(rounds(part) for part in bodies(statement))
            match statement:
                case ir.Loop(range_):
                    total += max(0, range_.high.hi - range_.low.lo + 1) * max(1, inside)
                case ir.Do(routine):
                    total += of_routine(routine)
                case _:
                    total += inside
        return total

    return max(
        rounds(block.statements)
        for procedure in module.procedures.values()
        for block in procedure.blocks
    )
