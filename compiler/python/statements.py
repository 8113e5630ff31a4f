"""IR statements as lines of Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler import build as b
from compiler import ir
from compiler.layout import Slot
from compiler.plan.dispatch import Dispatch, dispatch
from compiler.python.expressions import COMPARE, ExpressionWriter, Locals
from compiler.python.writer import Writer

if TYPE_CHECKING:
    from compiler.python.module import ModuleWriter


class StatementWriter(ExpressionWriter):
    """Writes the statements of one function."""

    def __init__(self, module: ModuleWriter, local: Locals, writer: Writer) -> None:
        super().__init__(module, local)
        self.out = writer

    def statements(self, statements: tuple[ir.Statement, ...]) -> None:
        """Write statements in order."""
        for statement in statements:
            with self.out.at(statement.span):
                self.statement(statement)

    def statement(self, node: ir.Statement) -> None:
        simplify = self.module.simplifier.simplify
        match node:
            case ir.SetCell(target, value):
                slot = self.module.layout.arrays[target.array]
                index = simplify(self.flat(target.array, target.index))
                self.store(slot, index, simplify(value))
            case ir.SetLocal(target, value):
                self.set_local(target.name, simplify(value))
            case ir.SetLocalCell(target, value):
                place = self.local.places[target.name]
                assert place.slot is not None
                self.store(place.slot, simplify(target.index), simplify(value), place.moving)
            case ir.Transfer():
                self.transfer(node)
            case ir.PlaceCard():
                self.place_card(node)
            case ir.Branch() if (found := dispatch(node)) is not None:
                self.dispatch(found)
            case ir.Branch(condition, then, otherwise):
                test = simplify(condition)
                if isinstance(test, ir.Int):
                    self.statements(then if test.value else otherwise)
                elif not then:
                    with self.out.block(f"if {self.code(b.not_(test))}:"):
                        self.statements(otherwise)
                else:
                    with self.out.block(f"if {self.code(test)}:"):
                        self.statements(then)
                    if otherwise:
                        with self.out.block("else:"):
                            self.statements(otherwise)
            case ir.Loop(range_, body):
                self.loop(range_, body)
            case ir.Do(routine, args):
                arguments = ", ".join(["s", *(self.code(simplify(a)) for a in args)])
                self.out.line(f"{self.module.routine(routine)}({arguments})")
            case ir.Check(condition, reason):
                test = simplify(condition)
                with self.out.block(f"if {self.code(b.not_(test))}:"):
                    self.out.line(f"fault({self.module.check_fault(reason, node.span)}, 0)")
            case ir.Reveal(_, _, ""):
                pass
            case ir.Reveal(value, kind, text, to):
                number = self.module.reveal(text, kind)
                whom = "-1" if to is None else self.code(simplify(to))
                self.out.line(f"shown({number}, {self.code(simplify(value))}, {whom})")
            case ir.Leave():
                self.out.line("return")
            case _:
                raise AssertionError(node)

    def dispatch(self, node: Dispatch) -> None:
        """Find the case of a value by halves: nesting grows with the logarithm of the cases."""
        tested = self.code(node.local, COMPARE + 1)
        if len(node.cases) > 1:
            below, border, above = node.halves()
            with self.out.block(f"if {tested} < {border}:"):
                self.dispatch(below)
            with self.out.block("else:"):
                self.dispatch(above)
            return
        ((value, body),) = node.cases
        with self.out.block(f"if {tested} == {value}:"):
            self.statements(body)
        if node.otherwise:
            with self.out.block("else:"):
                self.statements(node.otherwise)

    def store(self, slot: Slot, index: ir.Expr, value: ir.Expr, moving: bool = False) -> None:
        """Write a value into a cell."""
        address = self.address(slot, index, moving)
        stored = self.stored(value, slot)
        if slot.width == 1:
            self.out.line(f"s[{address}] = {stored}")
            return
        if address.isdigit():
            first = int(address)
            cells = [f"s[{first + k}]" for k in range(slot.width)]
        else:
            at = self.local.temporary()
            self.out.line(f"{at} = {address}")
            cells = [f"s[{at}]"] + [f"s[{at} + {k}]" for k in range(1, slot.width)]
        if isinstance(value, ir.Int):
            for cell, byte in zip(cells, slot.encode(value.value), strict=True):
                self.out.line(f"{cell} = {byte}")
            return
        name = self.local.temporary()
        self.out.line(f"{name} = {stored}")
        for k, cell in enumerate(cells):
            shifted = f"{name} >> {8 * k}" if k else name
            mask = "" if k == slot.width - 1 else " & 255"
            self.out.line(f"{cell} = {shifted}{mask}")

    def set_local(self, name: str, value: ir.Expr) -> None:
        """Give a local a value, wherever it lives."""
        place = self.local.places.get(name)
        if place is not None and place.slot is not None:
            self.store(place.slot, b.int_(0), value, place.moving)
        else:
            self.out.line(f"{self.local.name(name)} = {self.code(value)}")

    def loop(self, range_: ir.Range, body: tuple[ir.Statement, ...]) -> None:
        simplify = self.module.simplifier.simplify
        low, high = simplify(range_.low), simplify(range_.high)
        end = self.code(b.add(high, b.int_(1)))
        bounds = end if low == b.int_(0) else f"{self.code(low)}, {end}"
        with self.out.block(f"for {self.local.name(range_.name)} in range({bounds}):"):
            self.statements(body)

    def transfer(self, node: ir.Transfer) -> None:
        """Goods leave one cell and enter another; too many, or too few, is a fault."""
        simplify = self.module.simplifier.simplify
        amount = simplify(node.amount)
        source_slot = self.module.layout.arrays[node.source.array]
        target_slot = self.module.layout.arrays[node.target.array]
        source = simplify(self.flat(node.source.array, node.source.index))
        target = simplify(self.flat(node.target.array, node.target.index))
        have = self.local.temporary()
        moved = self.local.temporary()
        here = ir.Local(have, lo=node.source.lo, hi=node.source.hi)
        text, _ = self.read(source_slot, source)
        self.out.line(f"{have} = {text}")
        if simplify(node.source) == amount or node.amount == node.source:
            self.out.line(f"{moved} = {have}")
        else:
            self.out.line(f"{moved} = {self.code(amount)}")
            if node.up_to:
                with self.out.block(f"if {moved} > {have}:"):
                    self.out.line(f"{moved} = {have}")
            fault = self.module.move_fault(node)
            tests = []
            if amount.lo < 0:
                tests.append(f"{moved} < 0")
            if not node.up_to and amount.hi > 0:
                tests.append(f"{moved} > {have}")
            if tests:
                with self.out.block(f"if {' or '.join(tests)}:"):
                    self.out.line(f"fault({fault}, {moved})")
        goes = ir.Local(moved, lo=0, hi=node.source.hi)
        self.store(source_slot, source, b.sub(here, goes))
        there = self.local.temporary()
        text, level = self.read(target_slot, target)
        self.out.line(
            f"{there} = {text} + {moved}" if level >= 7 else f"{there} = ({text}) + {moved}"
        )
        # Totals are constant, so a cell as large as the total cannot overflow.
        self.store(target_slot, target, ir.Local(there, lo=node.target.lo, hi=node.target.hi))

    def place_card(self, node: ir.PlaceCard) -> None:
        simplify = self.module.simplifier.simplify
        slot = self.module.layout.arrays[node.target.array]
        index = simplify(self.flat(node.target.array, node.target.index))
        if node.source is not None:
            text, level = self.read(slot, index)
            source = self.code(simplify(node.source), 5)
            here = text if level > 4 else f"({text})"
            with self.out.block(f"if {here} != {source}:"):
                fault = self.module.check_fault("the card is not there", node.span)
                self.out.line(f"fault({fault}, 0)")
        self.store(slot, index, simplify(node.place))
