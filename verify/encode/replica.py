"""A game run by its formulas: the same rules once more, to compare with the compiled ones.

Here all values are known, and formulas fold to numbers as they are built.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from math import prod
from typing import Any

from attrs import define, field, frozen

from compiler import ir
from verify.encode.choices import head_holds
from verify.encode.counting import Totals
from verify.encode.statements import Locals, SymbolicRun
from verify.encode.terms import Value
from verify.encode.unknowns import World

# Maximum number of moves tried one by one.
MOST_TRIED = 100_000


class TooManyChoicesError(Exception):
    """There are more moves than can be tried one by one."""


@frozen(eq=False)
class ReplicaCall:
    """A call to come back to."""

    procedure: ir.Procedure
    target: int
    locals: Locals


def unset(procedure: ir.Procedure) -> Locals:
    """Secret choices before they are made."""
    return {x.name: (0,) * x.size for x in procedure.variables if x.size > 1}


@define(eq=False)
class Replica:
    """One game; `procedure` and `block` are where it waits, `over` when it is over."""

    world: World
    machine: SymbolicRun = field(init=False)
    procedure: ir.Procedure = field(init=False)
    block: ir.Block = field(init=False)
    locals: Locals = field(factory=dict)
    calls: list[ReplicaCall] = field(factory=list)
    over: bool = False
    covered: set[tuple[str, int]] = field(factory=set)

    def start(self) -> None:
        """From the opening position to where the game first waits."""
        main = self.world.module.procedures[self.world.module.main]
        self.locals, self.calls, self.over = unset(main), [], False
        self.open()
        self.run(main, main.blocks[0].id)

    # ---- moves ---------------------------------------------------------------------------------

    def play(self, way: int, chosen: tuple[int, ...]) -> None:
        """Take a way out of the point where the game waits."""
        terminator = self.block.terminator
        if isinstance(terminator, ir.Chance):
            self.locals[terminator.range.name] = chosen[0]
            target = terminator.target
        else:
            assert isinstance(terminator, ir.Decide)
            self.make(terminator.options[way], chosen)
            return
        self.run(self.procedure, target)

    def make(self, option: ir.Option, chosen: tuple[int, ...]) -> None:
        """Choose an option, and continue."""
        for param, value in zip(option.params, chosen, strict=True):
            self.locals[param.range.name] = value
        self.define(option)
        self.run(self.procedure, option.target)

    def legal(self) -> int:
        """Number of legal moves."""
        terminator = self.block.terminator
        assert isinstance(terminator, ir.Decide)
        return sum(self.offered(terminator, terminator.options))

    def many(self) -> int:
        """Number of moves to try when counting the legal ones."""
        terminator = self.block.terminator
        assert isinstance(terminator, ir.Decide)
        return _count(terminator.options)

    def any_legal(self, options: tuple[ir.Option, ...]) -> bool:
        """True if there is a legal move."""
        if _count(options) > MOST_TRIED:
            raise TooManyChoicesError
        terminator = self.block.terminator
        assert isinstance(terminator, ir.Decide)
        return any(self.offered(terminator, options))

    def offered(self, decide: ir.Decide, options: tuple[ir.Option, ...]) -> Iterator[bool]:
        """For each move of some options whether it is legal."""
        for option in options:
            for values in choices(option):
                holds = self.holds(option, values)
                if holds and decide.finishing(option):
                    holds = self.tried(partial(self.make, option, values))
                yield holds

    # ---- choices made together -----------------------------------------------------------------

    # Whether a trial run has come to the end of the choices it is in.
    trial: bool = False
    finished: bool = False

    def tried(self, go: Callable[[], None]) -> bool:
        """True if there is a way to finish choices made together."""
        before = self.position()
        outer, self.trial, self.finished = self.trial, True, False
        go()
        terminator = self.block.terminator
        found = self.finished or self.over
        if not found:
            found = not isinstance(terminator, ir.Decide) or not terminator.together
        if not found:
            assert isinstance(terminator, ir.Decide)
            found = self.any_legal(terminator.options)
        self.trial, self.finished = outer, False
        self.restore(before)
        return found

    def position(self) -> tuple[object, ...]:
        """The state that a trial run changes."""
        calls = [ReplicaCall(c.procedure, c.target, dict(c.locals)) for c in self.calls]
        here = (self.procedure, self.block, dict(self.locals), calls, set(self.covered))
        return *here, self.board()

    def restore(self, position: tuple[Any, ...]) -> None:
        """Go back to a position."""
        self.procedure, self.block, self.locals, self.calls, covered, board = position
        self.over = False
        self.covered.intersection_update(covered)
        self.set_board(board)

    def board(self) -> Any:
        """The cells, to be set again."""
        return self.machine

    def set_board(self, board: Any) -> None:
        """Set all cells."""
        self.machine = board

    # ---- running -------------------------------------------------------------------------------

    def run(self, procedure: ir.Procedure, number: int) -> None:
        """Carry out blocks until the game waits or is over."""
        while True:
            self.procedure, self.block = procedure, procedure.blocks[number]
            self.covered.add((procedure.name, number))
            values = self.carry_out()
            match self.block.terminator:
                case ir.Jump(target, _, finishes):
                    number = target
                    if finishes and self.trial:
                        self.finished = True
                        return
                case ir.Together(then, otherwise):
                    finishes = self.tried(partial(self.run, procedure, then))
                    number = then if finishes else otherwise
                case ir.Fork(_, then, otherwise):
                    number = then if values[0] else otherwise
                case ir.Enter(name, _, target):
                    self.calls.append(ReplicaCall(procedure, target, self.locals))
                    procedure = self.world.module.procedures[name]
                    self.locals = unset(procedure)
                    for param, value in zip(procedure.params, values, strict=True):
                        self.locals[param.name] = value
                    number = procedure.blocks[0].id
                case ir.Exit():
                    if not self.calls:
                        self.over = True
                        return
                    call = self.calls.pop()
                    self.locals = call.locals
                    procedure, number = call.procedure, call.target
                case ir.End():
                    self.over = True
                    return
                case ir.Decide(_, _, options, _, skip):
                    others = tuple(o for o in options if o.target != skip)
                    if skip is None or self.any_legal(others):
                        return
                    number = skip
                case ir.Chance():
                    return
                case _:
                    raise AssertionError(self.block.terminator)

    # ---- values --------------------------------------------------------------------------------

    def open(self) -> None:
        """The position before set-up; values cached for another game are dropped."""
        self.world.memo.clear()
        self.world.totals.clear()
        state = self.world.first_state
        self.machine = SymbolicRun(self.world, state.copy(), self.locals, Totals(self.world, state))

    def cells(self, array: str) -> tuple[int, ...]:
        """The cells of an array."""
        return tuple(int(x) for x in self.machine.state.arrays[array].values)

    def carry_out(self) -> list[Value]:
        """The statements of the present block; the values that its end asks for."""
        state = self.machine.state.copy()
        state.log.clear()
        self.machine = SymbolicRun(self.world, state, self.locals, Totals(self.world, state.copy()))
        return ending(self.machine, self.block)

    def define(self, option: ir.Option) -> None:
        """The names that an option gives to values."""
        look = self.machine.silent()
        for line in option.head:
            if isinstance(line, ir.Define):
                self.locals[line.name] = look.value(line.value, self.locals)

    def holds(self, option: ir.Option, values: tuple[int, ...]) -> bool:
        """Whether a move is legal."""
        look = self.machine.silent()
        names = dict(self.locals)
        for param, value in zip(option.params, values, strict=True):
            low, high = look.value(param.range.low, names), look.value(param.range.high, names)
            if not low <= value <= high:
                return False
            names[param.range.name] = value
        return bool(head_holds(option.head, look, names, True))


def ending(machine: SymbolicRun, block: ir.Block) -> list[Value]:
    """Carry out a block; the values that its end asks for: a test, or the arguments of a call."""
    machine.run(block.statements)
    look = machine.silent()
    match block.terminator:
        case ir.Fork(condition):
            return [look.truth(condition, machine.locals)]
        case ir.Enter(_, args):
            return [look.value(a, machine.locals) for a in args]
        case ir.Jump() | ir.Together() | ir.Exit() | ir.End() | ir.Decide() | ir.Chance():
            return []
    raise AssertionError(block.terminator)


def _count(options: tuple[ir.Option, ...]) -> int:
    """Number of moves of the options, legal or not."""
    return sum(prod(p.hi - p.lo + 1 for p in option.params) for option in options)


def choices(option: ir.Option) -> product[tuple[int, ...]]:
    """All values of the parameters of an option, legal or not."""
    return product(*(range(p.lo, p.hi + 1) for p in option.params))
