"""The invariants of a game as fast functions over the bytes of a state.

Invariants are compiled by the same writer as the rules, so that thousands of states a second can be
checked; goods, cards and ranges are checked on the bytes themselves, independently of the code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import attrs
from attrs import define, field, frozen

from compiler import ir
from compiler.python.emit import IMPORTS
from compiler.python.expressions import Locals
from compiler.python.functions import ReturnWriter
from compiler.python.module import ModuleWriter
from compiler.python.writer import Writer
from compiler.rule_id import rule_name
from compiler.runtime.fault import Fault
from compiler.runtime.game import Game
from compiler.runtime.values import read_slot
from rules_dsl.language.spans import Span

Cells = bytes | bytearray
Test = Callable[[Cells], Any]


@frozen
class Breach:
    """An invariant that a state breaks: obligation and subject as in a report, and a message."""

    obligation: str
    subject: str
    text: str
    cites: tuple[str, ...] = ()


@frozen
class _Stretch:
    """Cells of one array that lie next to each other: where, and what they may hold."""

    name: str
    offset: int
    width: int
    count: int
    most: int


@define(eq=False)
class PositionChecks:
    """Everything that must hold in a state of one game."""

    module: ir.Module
    invariants: tuple[tuple[ir.Invariant, Test], ...] = field(init=False)
    # The tests by the names of their invariants.
    _tests: dict[str, Test] = field(init=False)
    # For each decision point: the rule that contains it.
    rules: tuple[str, ...] = field(init=False)
    _places: dict[tuple[str, int], str] = field(factory=dict, init=False)
    _meta: dict[str, Any] = field(init=False)
    _stretches: tuple[_Stretch, ...] = field(init=False)
    # For each good: the cells that hold it, as arrays and places in them, and how many there are.
    _goods: tuple[tuple[str, tuple[tuple[Any, int], ...], int], ...] = field(init=False)

    @staticmethod
    def of(game: Game) -> PositionChecks:
        """The invariants of a game."""
        checks = PositionChecks(game.ir)
        checks._meta = game.machine.meta
        checks._stretches = tuple(checks._ranges())
        checks._goods = tuple(checks._totals())
        return checks

    def __attrs_post_init__(self) -> None:
        tests = compile_conditions(self.module, [i.condition for i in self.module.invariants])
        self.invariants = tuple(zip(self.module.invariants, tests, strict=True))
        self._tests = {invariant.name: test for invariant, test in self.invariants}
        waiting = [
            rule_name(procedure.name)
            for procedure in self.module.procedures.values()
            for block in procedure.blocks
            if isinstance(block.terminator, ir.Decide | ir.Chance)
        ]
        self.rules = ("", *waiting)

    def holds(self, name: str, cells: Cells) -> bool:
        """Whether an invariant holds in a state; one that has no value there does not."""
        try:
            return bool(self._tests[name](cells))
        except Fault:
            return False

    def rule_at(self, file: str, line: int) -> str:
        """The rule that a line belongs to."""
        if not self._places:
            self._places = rules_by_place(self.module)
        return self._places.get((file, line), self.module.main)

    def _ranges(self) -> Iterator[_Stretch]:
        for name, array in self.module.arrays.items():
            offset, width, encoding, low, high = self._meta["arrays"][name]["slot"]
            # One byte that wraps round holds `none` as its greatest value: the reader undoes that.
            most = high - low if encoding == "offset" else high
            if encoding != "none" and most < 256**width - 1:
                yield _Stretch(name, offset, width, array.size, most)

    def _totals(self) -> Iterator[tuple[str, tuple[tuple[Any, int], ...], int]]:
        for good in self.module.goods.values():
            cells = []
            total = 0
            for name, array in self.module.arrays.items():
                if array.kind == "pool" and good.name in array.goods:
                    at = array.goods.index(good.name)
                    slot = self._meta["arrays"][name]["slot"]
                    for k in range(at, array.size, len(array.goods)):
                        cells.append((slot, k))
                        total += array.initial[k]
            yield good.name, tuple(cells), total

    def broken(self, cells: Cells) -> Breach | None:
        """The first invariant that a state breaks, if any."""
        for stretch in self._stretches:
            piece = cells[stretch.offset : stretch.offset + stretch.count * stretch.width]
            if stretch.width > 1:
                piece_values = [
                    int.from_bytes(piece[k : k + stretch.width], "little")
                    for k in range(0, len(piece), stretch.width)
                ]
                worst = max(piece_values)
            else:
                worst = max(piece)
            if worst > stretch.most:
                return Breach("safety", stretch.name, f"{stretch.name} leaves its range")
        for name, places, total in self._goods:
            found = sum(read_slot(slot, cells, k) for slot, k in places)
            if found != total:
                return Breach("conservation", name, f"there are {found} {name}, not {total}")
        for invariant, test in self.invariants:
            try:
                holds = test(cells)
            except Fault as fault:
                return Breach("invariant", invariant.name, str(fault), invariant.cites)
            if not holds:
                text = invariant.text or f"{invariant.name} does not hold"
                return Breach("invariant", invariant.name, text, invariant.cites)
        return None


def rules_by_place(module: ir.Module) -> dict[tuple[str, int], str]:
    """The rule that each line of the rule files belongs to."""
    places: dict[tuple[str, int], str] = {}
    # What a question about a relation became is blamed on the rule that asks it.
    asked = {n: f for n, f in module.functions.items() if n.partition(".")[0] in module.relations}
    own = {n: f for n, f in module.functions.items() if n not in asked}
    for rules in (own, module.routines, module.procedures, asked):
        for name, rule in rules.items():
            said = name.partition(".")[0] if rules is asked else rule_name(name)
            for span in spans(rule):
                places.setdefault((span.file, span.line), said)
    return places


def spans(node: Any) -> Iterator[Span]:
    """The places of everything in a piece of the IR."""
    if isinstance(node, tuple):
        for item in node:
            yield from spans(item)
    elif attrs.has(type(node)):
        for part in attrs.fields(type(node)):
            value = getattr(node, part.name)
            if isinstance(value, Span):
                yield value
            else:
                yield from spans(value)


def compile_conditions(module: ir.Module, conditions: list[ir.Expr]) -> list[Test]:
    """Functions that evaluate expressions over the cells of a module's states."""
    writer = ModuleWriter(module)
    for number, condition in enumerate(conditions):
        out = Writer()
        writer.written[f"check_{number}"] = out
        with out.block(f"def check_{number}(s):"):
            ReturnWriter(writer, Locals(), out).give(writer.simplifier.simplify(condition))
    lines = list(IMPORTS)
    for body in list(writer.written.values()):
        lines += [text for text, _ in body.lines]
    lines[len(IMPORTS) : len(IMPORTS)] = [
        *(f"{name} = {value}" for name, value in writer.constants.items()),
        f"FAULTS = {tuple(writer.faults)!r}",
        "def fault(number, value):",
        "    raise_fault(FAULTS[number], value)",
    ]
    namespace: dict[str, Any] = {"__name__": f"rules.{module.name}.invariants"}
    exec(compile("\n".join(lines), f"<invariants of {module.name}>", "exec"), namespace)
    return [namespace[f"check_{number}"] for number in range(len(conditions))]
