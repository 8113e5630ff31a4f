"""Compiled games as the verifier plays them: cells, invariants and moves by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import define, evolve, field, frozen

from compiler import ir
from compiler.flat_index import flat_index
from compiler.interpret import Interpreter
from compiler.rule_id import decision_name, rule_name
from compiler.runtime.fault import Endless, Fault
from compiler.runtime.values import read_slot
from verify.search.invariant_check import PositionChecks, rules_by_place

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.state import State


@frozen
class Broken:
    """A failure in a game that was played."""

    obligation: str
    subject: str
    message: str
    # Where in the rules, "file:line" or nothing.
    place: str = ""


@frozen
class Point:
    """Where a game waits."""

    procedure: ir.Procedure
    block: ir.Block


def waiting_points(module: ir.Module) -> list[Point | None]:
    """The points where a game waits, by the numbers that the back ends give them."""
    points = [
        Point(procedure, block)
        for procedure in module.procedures.values()
        for block in procedure.blocks
        if isinstance(block.terminator, ir.Decide | ir.Chance)
    ]
    return [None, *points]


@define(eq=False)
class Player:
    """Plays a compiled game and checks every position."""

    game: Game
    module: ir.Module
    # The rules as they are written, if those that are played have marks in them.
    written: ir.Module | None = None
    points: list[Point | None] = field(init=False)
    # The invariants as compiled tests, and the rules by where they stand; made when asked for.
    _checks: PositionChecks | None = None
    _places: dict[tuple[str, int], str] = field(factory=dict)
    # The meaning of moves, by point and number; cached.
    _meanings: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.points = waiting_points(self.module)

    # ---- positions -----------------------------------------------------------------------------

    def cells(self, position: bytes | bytearray, array: str) -> tuple[int, ...]:
        """The cells of an array in a position."""
        slot = self.game.machine.meta["arrays"][array]["slot"]
        size = self.module.arrays[array].size
        return tuple(read_slot(slot, position, k) for k in range(size))

    def interpreter(self, position: bytes | bytearray) -> Interpreter:
        """Expressions in a position."""
        arrays = self.module.arrays

        def read(name: str, index: tuple[int, ...]) -> int:
            flat = flat_index(index, (d.size for d in arrays[name].dimensions))
            return read_slot(self.game.machine.meta["arrays"][name]["slot"], position, flat)

        return Interpreter(self.module, read)

    @property
    def checks(self) -> PositionChecks:
        """The invariants as compiled tests."""
        if self._checks is None:
            self._checks = PositionChecks.of(self.game)
        return self._checks

    def invariant_holds(self, invariant: ir.Invariant, position: bytes | bytearray) -> bool:
        """Whether an invariant holds in a position; one that has no value there does not."""
        return self.checks.holds(invariant.name, position)

    def fault(self, fault: Fault) -> Broken:
        """A fault that the compiled rules raised, with the rule that it belongs to."""
        broken = fault_of(fault)
        file, _, line = broken.place.rpartition(":")
        if not broken.place:
            return broken
        if not self._places:
            self._places = rules_by_place(self.written or self.module)
        return evolve(broken, subject=self._places.get((file, int(line)), self.module.main))

    def unscored(self, position: bytes | bytearray) -> Broken | None:
        """The fault in the scores of a position, if there is one."""
        code = self.game.machine.code
        try:
            for player in range(self.game.players):
                code["score"](position, player)
                for _, tie in code["TIES"]:
                    tie(position, player)
        except Fault as fault:
            return evolve(fault_of(fault), obligation="scoring", subject="scores")
        return None

    def broken(self, position: bytes | bytearray, checks: list[ir.Invariant]) -> Broken | None:
        """The fault of a position in which the game waits or is over, if there is one."""
        return self.look(position, checks)[0]

    def look(
        self, position: bytes | bytearray, checks: list[ir.Invariant]
    ) -> tuple[Broken | None, list[int]]:
        """The fault of a position, if there is one, and the moves that are possible there."""
        broken = None
        for invariant in checks:
            if not self.invariant_holds(invariant, position):
                broken = Broken("invariant", invariant.name, invariant.text or invariant.name)
                break
        machine = self.game.machine
        if machine.over(position):
            return broken or self.unscored(position), []
        try:
            moves = machine.moves(position)
        except Fault as fault:
            return broken or self.fault(fault), []
        if not moves:
            broken = broken or self.stuck(position)
        return broken, moves

    def stuck(self, position: bytes | bytearray) -> Broken:
        """No player can go on."""
        point = self.points[self.game.machine.point(position)]
        assert point is not None
        terminator = point.block.terminator
        rule = rule_name(point.procedure.name)
        place = f"{terminator.span.file}:{terminator.span.line}"
        if isinstance(terminator, ir.Decide):
            subject = decision_name(point.procedure.name, terminator.label)
            return Broken("progress", subject, "nothing can be chosen", place)
        return Broken("safety", rule, "there is nothing to draw from", place)

    # ---- moves ---------------------------------------------------------------------------------

    def meaning(self, position: bytes | bytearray, move: int) -> tuple[int, tuple[int, ...]]:
        """The option of a move, and the values that it chooses."""
        number = self.game.machine.point(position)
        meaning = self._meanings.get((number, move))
        if meaning is None:
            notation = self.game.notation
            point = notation.points[number]
            meaning = (0, (move,)) if "verb" in point else notation.decode(point, move)
            self._meanings[number, move] = meaning
        return meaning

    def replay(self, moves: list[int]) -> Iterator[State]:
        """The positions of a game, from the opening."""
        state = self.game.start()
        yield state
        for code in moves:
            state = state.play(self.game.notation.move(state.cells, code))
            yield state


def fault_of(fault: Fault) -> Broken:
    """A fault that the compiled rules raised."""
    place, _, message = str(fault).partition(": ")
    if ":" not in place:
        place, message = "", str(fault)
    return Broken("termination" if isinstance(fault, Endless) else "safety", "", message, place)
