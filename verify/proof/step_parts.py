"""The parts of a step: its start, its limits, its unknowns and its paths."""

from __future__ import annotations

from typing import Literal

from attrs import define, evolve, frozen

from compiler import ir
from compiler.rule_id import rule_name
from verify.analysis.fact_places import FactPlace
from verify.encode.loop_cuts import KeptByRounds
from verify.encode.statements import Locals, SymbolicRun
from verify.encode.terms import Truth
from verify.proof.claims import ClaimedCall

ENTRY = -1


@frozen
class Start:
    """The start of a step.

    `way` is which way out of `block` is taken; without one the step starts at the block itself, the
    head of a loop; ENTRY is the way into a procedure.
    """

    procedure: str
    block: int
    way: int | None = None

    @property
    def rule(self) -> str:
        """The rule that it starts in."""
        return rule_name(self.procedure)

    @property
    def place(self) -> FactPlace:
        """Where it starts, for facts."""
        if self.way is None:
            return FactPlace("head", self.procedure, self.block)
        if self.way == ENTRY:
            return FactPlace("entry", self.procedure)
        return FactPlace("edge", self.procedure, self.block, self.way)


@frozen
class StepBudget:
    """Limits on continuing a step through decision points."""

    waits: int
    paths: int
    ways: int
    # Whether to continue through choices, too, not only through draws and calls.
    chooses: bool = True


class TooManyPathsError(Exception):
    """A step has more branches than can be explored one by one."""


Role = Literal["opened", "kept", "picked", "cell"]


@frozen
class Unknown:
    """A value of which a step knows only the range.

    A local is known by its procedure and its role: opened where the step starts, kept from before,
    or picked on the way. The role `cell` means a variable of the state that is a single cell.
    """

    procedure: str
    name: str
    lo: int
    hi: int
    role: Role

    @property
    def text(self) -> str:
        """Its name among all unknowns."""
        return f"{self.procedure}.{self.name}?{self.role} {self.lo}..{self.hi}"


@frozen(eq=False)
class OpenCall:
    """A call to come back to."""

    procedure: ir.Procedure
    block: int
    target: int
    locals: Locals
    # The call as it was made, for the claims after it.
    call: ClaimedCall | None = None


@frozen(eq=False)
class Proposed:
    """A conjunct of a fact proposed for a cut loop, and the premises at that point."""

    proposal: KeptByRounds
    goal: Truth
    path: list[Truth]


@define(eq=False)
class Trail:
    """One path of a step."""

    machine: SymbolicRun
    path: list[Truth]
    frames: tuple[OpenCall, ...] = ()
    waits: int = 0
    # Values picked on the way: a second pick at the same point is another unknown.
    picked: frozenset[Unknown] = frozenset()
    # The procedure that is under way, and the number of the route that led here.
    procedure: str = ""
    route: int = 0

    def copy(self) -> Trail:
        """A copy of the path, to take another branch."""
        return evolve(self, machine=self.machine.copy(), path=list(self.path))


@define(eq=False)
class Routes:
    """The routes of a step, by number, and whether the step continues at their decision points.

    The cases of a split step follow the same routes as the whole, so that case by case the same
    paths are proved.
    """

    numbers: dict[tuple[int, str, int], int]
    goes_on: dict[int, bool]

    @staticmethod
    def none() -> Routes:
        """No routes yet."""
        return Routes({}, {})

    def after(self, route: int, procedure: str, block: int) -> int:
        """A route that leads one block further."""
        return self.numbers.setdefault((route, procedure, block), len(self.numbers) + 1)
