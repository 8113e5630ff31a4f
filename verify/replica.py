"""A game run by its formulas: the same rules once more, to compare with the compiled ones.

Either all values are known and formulas fold to numbers as they are built, or a step is built on
unknown cells first and the numbers are put in afterwards, as a solver would see it.
"""

from __future__ import annotations

import z3
from attrs import define, field, frozen

from compiler import ir
from verify.smt import values as v
from verify.smt.statements import Locals, Machine
from verify.smt.totals import Totals
from verify.smt.values import Truth, Value
from verify.smt.world import Cells, State, World
from verify.steps import head_holds


@frozen(eq=False)
class _Call:
    procedure: ir.Procedure
    target: int
    locals: Locals


def unset(procedure: ir.Procedure) -> Locals:
    """Secret choices that nobody has made yet."""
    return {x.name: (0,) * x.size for x in procedure.variables if x.size > 1}


@define(eq=False)
class Replica:
    """One game; `procedure` and `block` are where it waits, `over` when it is over."""

    world: World
    symbolic: bool = False
    machine: Machine = field(init=False)
    procedure: ir.Procedure = field(init=False)
    block: ir.Block = field(init=False)
    calls: list[_Call] = field(factory=list)
    over: bool = False
    covered: set[tuple[str, int]] = field(factory=set)
    _values: list[tuple[z3.ExprRef, z3.ExprRef]] = field(factory=list)
    _totals: list[tuple[z3.ExprRef, z3.ExprRef]] = field(factory=list)

    def start(self) -> None:
        """From the opening position to where the game first waits."""
        main = self.world.module.procedures[self.world.module.main]
        state = self.world.first_state
        self.machine = Machine(self.world, state.copy(), unset(main), Totals(self.world, state))
        self.run(main, main.blocks[0].id)

    # ---- moves ---------------------------------------------------------------------------------

    def play(self, way: int, chosen: tuple[int, ...]) -> None:
        """Take a way out of the point where the game waits."""
        if self.symbolic:
            self.hide()
        terminator = self.block.terminator
        names = self.machine.locals
        if isinstance(terminator, ir.Chance):
            names[terminator.range.name] = self.unknown(terminator.range.name, chosen[0])
            target = terminator.target
        else:
            assert isinstance(terminator, ir.Decide)
            option = terminator.options[way]
            for param, value in zip(option.params, chosen, strict=True):
                names[param.range.name] = self.unknown(param.range.name, value)
            look = self.machine.silent()
            for line in option.head:
                if isinstance(line, ir.Define):
                    names[line.name] = look.value(line.value, names)
            target = option.target
        self.run(self.procedure, target)
        self.reveal()

    def legal(self) -> int:
        """How many moves are legal."""
        terminator = self.block.terminator
        assert isinstance(terminator, ir.Decide)
        look = self.machine.silent()
        found = 0
        for option in terminator.options:
            ranges = tuple(p.range for p in option.params)
            every = ir.Aggregate("some", ranges, None, None, lo=0, hi=1)
            for inner, guard in look.items(every, self.machine.locals):
                found += self.known(head_holds(option.head, look, inner, guard))
        return found

    # ---- running -------------------------------------------------------------------------------

    def run(self, procedure: ir.Procedure, number: int) -> None:
        """Carry out blocks until the game waits or is over."""
        machine = self.machine
        while True:
            self.procedure, self.block = procedure, procedure.blocks[number]
            self.covered.add((procedure.name, number))
            machine.run(self.block.statements)
            match self.block.terminator:
                case ir.Jump(target):
                    number = target
                case ir.Fork(condition, then, otherwise):
                    test = machine.silent().truth(condition, machine.locals)
                    number = then if self.known(test) else otherwise
                case ir.Enter(name, args, target):
                    callee = self.world.module.procedures[name]
                    look = machine.silent()
                    values = [look.value(a, machine.locals) for a in args]
                    self.calls.append(_Call(procedure, target, machine.locals))
                    machine.locals = unset(callee)
                    for param, value in zip(callee.params, values, strict=True):
                        machine.locals[param.name] = value
                    procedure, number = callee, callee.blocks[0].id
                case ir.Exit():
                    if not self.calls:
                        self.over = True
                        return
                    call = self.calls.pop()
                    machine.locals = call.locals
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

    def any_legal(self, options: tuple[ir.Option, ...]) -> bool:
        """Whether some move can be chosen."""
        look = self.machine.silent()
        for option in options:
            ranges = tuple(p.range for p in option.params)
            every = ir.Aggregate("some", ranges, None, None, lo=0, hi=1)
            for inner, guard in look.items(every, self.machine.locals):
                if self.known(head_holds(option.head, look, inner, guard)):
                    return True
        return False

    # ---- unknown cells with known values -------------------------------------------------------

    def unknown(self, name: str, value: int, lo: int = 0, hi: int = 2) -> Value:
        """An unknown that stands for a value."""
        if not self.symbolic:
            return value
        result = self.world.fresh(f"was {name}", lo, hi)
        assert not isinstance(result, int)
        self._values.append((result, v.term(bool(value) if (lo, hi) == (0, 1) else value)))
        return result

    def hide(self) -> None:
        """Put unknowns in the place of all values, remembering what they stand for."""
        self._values, self._totals = [], []
        arrays: dict[str, Cells] = {}
        for name, cells in self.machine.state.arrays.items():
            array = self.world.module.arrays[name]
            hidden = tuple(
                self.unknown(name, int(value), array.lo, max(array.hi, array.lo + 1))
                for value in cells.values
            )
            arrays[name] = Cells(hidden)
        self.rest(State(arrays))

    def reveal(self) -> None:
        """Put the values in again."""
        arrays: dict[str, Cells] = {}
        for name, cells in self.machine.state.arrays.items():
            values = tuple(self.known(value) for value in cells.values)
            arrays[name] = Cells(values) if self.symbolic else Cells(values, cells.version)
        self.rest(State(arrays))
        self.machine.locals = self.revealed(self.machine.locals)
        self.calls = [_Call(c.procedure, c.target, self.revealed(c.locals)) for c in self.calls]
        self.machine.faults.clear()
        if self.symbolic:
            self.world.memo.clear()
            self.world.totals.clear()

    def rest(self, state: State) -> None:
        """The next step starts here."""
        self.machine.state = state.copy()
        self.machine.totals = Totals(self.world, state)

    def revealed(self, names: Locals) -> Locals:
        return {
            name: tuple(self.known(x) for x in value)
            if isinstance(value, tuple)
            else self.known(value)
            for name, value in names.items()
        }

    def known(self, value: Value | Truth) -> int:
        """The number that a value is."""
        if isinstance(value, int):
            return int(value)
        result = z3.simplify(z3.substitute(value, *self.with_totals()))
        if z3.is_true(result):
            return 1
        if z3.is_false(result):
            return 0
        return int(result.as_long())

    def with_totals(self) -> list[tuple[z3.ExprRef, z3.ExprRef]]:
        """What unknowns stand for; sums are worked out from their definitions."""
        for total in list(self.world.totals.values())[len(self._totals) :]:
            assert not isinstance(total.definition, bool)
            right = total.definition.children()[1]
            known = z3.simplify(z3.substitute(right, *self._values))
            self._totals.append((total.unknown, known))
        return self._values + self._totals
