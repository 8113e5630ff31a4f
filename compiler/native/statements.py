"""IR statements as lines of C."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from compiler import build as b
from compiler import ir
from compiler.layout import Slot
from compiler.native.errors import unknown
from compiler.native.expressions import ExpressionWriter, Locals
from compiler.native.writer import Writer, c_number
from compiler.plan.dispatch import Dispatch, dispatch
from compiler.plan.scans import Scan, scan_tests

if TYPE_CHECKING:
    from compiler.native.module import ModuleWriter


class StatementWriter(ExpressionWriter):
    """Writes the statements of one function."""

    def __init__(self, module: ModuleWriter, local: Locals, writer: Writer) -> None:
        super().__init__(module, local)
        self.out = writer

    def statements(self, statements: tuple[ir.Statement, ...]) -> None:
        """Write statements in order."""
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ir.Statement) -> None:
        simplify = self.module.simplifier.simplify
        match node:
            case ir.SetCell(target, value):
                index = simplify(self.flat(target.array, target.index))
                self.store_cell(target.array, index, self.code(simplify(value)))
            case ir.SetLocal(target, value):
                simple = simplify(value)
                self.set_local(target.name, self.code(simple), simple.lo, simple.hi)
            case ir.SetLocalCell(target, value):
                place = self.local.frame[target.name]
                index = simplify(target.index)
                self.store(place.slot, index, self.code(simplify(value)), place.moving)
            case ir.Transfer():
                self.transfer(node)
            case ir.PlaceCard():
                self.place_card(node)
            case ir.Branch() if (found := dispatch(node)) is not None:
                self.dispatch(found)
            case ir.Branch(condition, then, otherwise):
                self.branch(simplify(condition), then, otherwise)
            case ir.Loop(range_, body):
                low, high = simplify(range_.low), simplify(range_.high)
                with self.counting(ir.Range(range_.name, low, high)):
                    self.statements(body)
            case ir.Do(routine, args):
                arguments = ", ".join(["s", *(self.code(simplify(a)) for a in args)])
                self.out.line(f"{self.module.routine(routine)}({arguments});")
            case ir.Check(condition):
                self.fault_if(self.truth(b.not_(simplify(condition))))
            case ir.Reveal(value, _, _, to):
                # Only the Python code reveals; here the values are only checked.
                for shown in (value, to):
                    if shown is not None:
                        self.out.line(f"(void){self.code(simplify(shown))};")
            case ir.Leave():
                self.out.line("return;")
            case _:
                raise unknown(node)

    def fault_if(self, test: str) -> None:
        """The rules do something impossible if the test holds."""
        self.out.line(f"if ({test}) s->fault = 1;")

    def branch(
        self, test: ir.Expr, then: tuple[ir.Statement, ...], otherwise: tuple[ir.Statement, ...]
    ) -> None:
        if isinstance(test, ir.Int):
            self.statements(then if test.value else otherwise)
            return
        if not then:
            test, then, otherwise = b.not_(test), otherwise, ()
        with self.out.block(f"if ({self.truth(test)})"):
            self.statements(then)
        if otherwise:
            with self.out.block("else"):
                self.statements(otherwise)

    def dispatch(self, node: Dispatch) -> None:
        """A jump table."""
        with self.out.block(f"switch ({self.truth(node.local)})"):
            for value, body in node.cases:
                with self.out.block(f"case {c_number(value)}:"):
                    self.statements(body)
                    self.out.line("break;")
            with self.out.block("default:"):
                self.statements(node.otherwise)

    @contextmanager
    def counting(self, range_: ir.Range) -> Iterator[None]:
        """A loop over a range whose ends are read once."""
        name, start, end = self.ends(range_)
        with self.out.block(f"for ({name} = {start}; {name} <= {end}; {name}++)"):
            yield

    @contextmanager
    def scanning(self, range_: ir.Range, scan: Scan) -> Iterator[None]:
        """A loop over the values of a range whose cell holds what a scan looks for."""
        slot = self.module.layout.arrays[scan.array]
        name, start, end = self.ends(range_)
        with self.out.block(f"for (i32 at = {start}; at <= {end}; at += 64)"):
            self.out.line(f"{name} = at;")
            count = f"min32({end} - at + 1, 64)"
            first = f"{slot.offset} + SPAN({self.code(scan.index)}, {count}, {slot.count})"
            look = "equal_cells" if scan.equal else "other_cells"
            sought = b.sub(scan.value, b.int_(slot.lo if slot.encoding == "offset" else 0))
            bits = f"{look}(s, {first}, {count}, (u8){self.code(sought)})"
            with self.out.block(f"for (u64 bits = {bits}; bits; bits &= bits - 1)"):
                self.out.line(f"{name} = at + __builtin_ctzll(bits);")
                yield

    def ends(self, range_: ir.Range) -> tuple[str, str, str]:
        """The variable of a loop, and code for its first and last value; both are read once."""
        low, high = range_.low, range_.high
        end = self.truth(high)
        start = self.truth(low)
        name = self.local.variable(range_.name, low.lo, high.hi + 1)
        if not isinstance(high, ir.Int):
            last = self.local.temporary(high.lo, high.hi)
            self.out.line(f"{last} = {end};")
            end = last
        return name, start, end

    def each(self, range_: ir.Range, tests: list[ir.Expr], line: str) -> None:
        """A line for each value of a range that passes some tests."""
        scan = scan_tests(self.module.plan, range_, tests, set())
        if scan is None:
            head, left = self.counting(range_), tests
        else:
            head, left = self.scanning(range_, scan[0]), scan[1]
        with head, self.out.block(f"if ({self.truth(b.and_(*left))})" if left else ""):
            self.out.line(line)

    def store(self, slot: Slot, index: ir.Expr, value: str, moving: bool = False) -> None:
        """Write a value into a cell."""
        address = self.address(slot, index, moving)
        self.out.line(f"put{slot.width}(s, {address}, {self.stored(slot, value)});")

    def store_cell(self, array: str, index: ir.Expr, value: str) -> None:
        """Write a value into a cell of an array; kept answers may have been read from it."""
        slot = self.module.layout.arrays[array]
        address, stored = self.address(slot, index), self.stored(slot, value)
        self.out.line(f"{self.module.watch.setter(array)}(s, {address}, {stored});")

    def set_local(self, name: str, value: str, lo: int, hi: int) -> None:
        """Give a local a value, wherever it lives."""
        place = self.local.frame.get(name)
        if place is not None:
            self.store(place.slot, b.int_(0), value, place.moving)
        else:
            self.out.line(f"{self.local.variable(name, lo, hi)} = {value};")

    def transfer(self, node: ir.Transfer) -> None:
        """Goods leave one cell and enter another; too many, or too few, is a fault."""
        simplify = self.module.simplifier.simplify
        amount = simplify(node.amount)
        source_slot = self.module.layout.arrays[node.source.array]
        target_slot = self.module.layout.arrays[node.target.array]
        source = simplify(self.flat(node.source.array, node.source.index))
        target = simplify(self.flat(node.target.array, node.target.index))
        have = self.local.temporary(node.source.lo, node.source.hi)
        moved = self.local.temporary(amount.lo, amount.hi)
        self.out.line(f"{have} = {self.read(source_slot, source)};")
        if simplify(node.source) == amount or node.amount == node.source:
            self.out.line(f"{moved} = {have};")
        else:
            self.out.line(f"{moved} = {self.code(amount)};")
            if node.up_to:
                self.out.line(f"if ({moved} > {have}) {moved} = {have};")
            tests = []
            if amount.lo < 0:
                tests.append(f"{moved} < 0")
            if not node.up_to and amount.hi > 0:
                tests.append(f"{moved} > {have}")
            if tests:
                test = " || ".join(tests)
                self.out.line(f"if ({test}) {{ s->fault = 1; {moved} = 0; }}")
        self.store_cell(node.source.array, source, f"{have} - {moved}")
        filled = f"{self.read(target_slot, target)} + {moved}"
        self.store_cell(node.target.array, target, filled)

    def place_card(self, node: ir.PlaceCard) -> None:
        simplify = self.module.simplifier.simplify
        slot = self.module.layout.arrays[node.target.array]
        index = simplify(self.flat(node.target.array, node.target.index))
        if node.source is not None:
            source = self.code(simplify(node.source))
            self.fault_if(f"{self.read(slot, index)} != {source}")
        self.store_cell(node.target.array, index, self.code(simplify(node.place)))
