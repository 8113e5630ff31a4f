"""Resources that choices made together only use up.

If a value only grows while they are made, and is only ever required to be small (or the other way
round), giving it back after every choice makes them no harder. So if they cannot be finished even
then, they cannot be finished: a search that ignores what was used up shows that in few
positions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define, field

from compiler import ir
from compiler.plan.points import Plan
from compiler.plan.together import arrays_read, stretch
from compiler.traverse import children, every_statement

# With fewer cells than this, resources have few values, and distinguishing them pays.
FEWEST_CELLS = 16
UP, DOWN = 1, -1


def renewed(plan: Plan) -> tuple[str, ...]:
    """The arrays that choices made together read and only use up."""
    uses = _Uses(plan)
    for statements, terminator in stretch(plan):
        uses.body(statements)
        uses.terminator(terminator)
    found = uses.only_used_up() & arrays_read(plan)
    arrays = plan.layout.arrays
    return tuple(a for a in arrays if a in found and arrays[a].count >= FEWEST_CELLS)


def renewed_bytes(plan: Plan) -> tuple[tuple[int, int], ...]:
    """Where they begin and end."""
    slots = [plan.layout.arrays[array] for array in renewed(plan)]
    return tuple((slot.offset, slot.end) for slot in slots)


@define
class _Uses:
    """Changes of arrays, and requirements on them, during choices made together."""

    plan: Plan
    changes: dict[str, set[int]] = field(factory=dict)
    # In which direction a change of an array makes a requirement harder to meet.
    harder: dict[str, set[int]] = field(factory=dict)
    # Arrays that decide something else.
    others: set[str] = field(factory=set)
    routines: set[str] = field(factory=set)

    def only_used_up(self) -> set[str]:
        """The arrays whose changes only make requirements harder to meet."""
        return {
            array
            for array, ways in self.changes.items()
            if array not in self.others and len(ways) == 1
            if self.harder.get(array, set()) <= ways
        }

    def decides(self, exprs: Iterable[ir.Expr]) -> None:
        """Expressions whose values decide what happens."""
        for expr in exprs:
            self.others |= self.plan.reads.of(expr)

    def changed(self, cell: ir.Cell, way: int) -> None:
        """A cell grows or shrinks."""
        self.decides(children(cell))
        self.changes.setdefault(cell.array, set()).add(way)

    def body(self, statements: tuple[ir.Statement, ...]) -> None:
        """Statements, and the routines that they call."""
        for statement in every_statement(statements):
            match statement:
                case ir.SetCell(target, value):
                    self.set_cell(target, value)
                case ir.Transfer(_, source, target, amount, up_to):
                    self.changed(source, DOWN)
                    self.changed(target, UP)
                    self.decides([amount])
                    if up_to:
                        self.others.add(source.array)
                case ir.PlaceCard(target):
                    self.others.add(target.array)
                    self.decides(children(statement))
                case ir.Check():
                    # If it fails that is a fault, and a fault after giving back shows nothing.
                    pass
                case ir.SetLocal() | ir.SetLocalCell() | ir.Reveal() | ir.Leave():
                    self.decides(children(statement))
                case ir.Branch() | ir.Loop() | ir.Do():
                    self.decides(children(statement))
                case _:
                    raise TypeError(f"unknown statement {statement}")
            if isinstance(statement, ir.Do) and statement.routine not in self.routines:
                self.routines.add(statement.routine)
                self.body(self.plan.ir.routines[statement.routine].body)

    def set_cell(self, target: ir.Cell, value: ir.Expr) -> None:
        """An assignment; more or less of the same is a change in a direction."""
        plain = value.value if isinstance(value, ir.Narrow) else value
        match plain:
            case ir.Op("add" | "sub" as kind, (had, more)) if had == target and more.lo >= 0:
                self.changed(target, UP if kind == "add" else DOWN)
                self.decides([more])
            case _:
                self.others.add(target.array)
                self.decides([value, *children(target)])

    def terminator(self, node: ir.Terminator) -> None:
        """The end of a block."""
        match node:
            case ir.Jump() | ir.Exit() | ir.End():
                pass
            case ir.Fork(condition):
                self.decides([condition])
            case ir.Decide():
                self.decision(node)
            case ir.Together() | ir.Enter() | ir.Chance():
                # The continuation depends on more than this analysis reads.
                self.others |= set(self.plan.ir.arrays)
            case _:
                raise TypeError(f"unknown terminator {node}")

    def decision(self, node: ir.Decide) -> None:
        """A decision: requirements may get harder to meet, all else must not change."""
        self.decides([node.actor])
        for option in node.options:
            for param in option.params:
                self.decides([param.range.low, param.range.high])
            for line in option.head:
                if isinstance(line, ir.Define):
                    self.decides([line.value])
                elif node.skip is not None or not node.together or option.together:
                    self.decides([line.condition])
                else:
                    for part in _conjuncts(line.condition):
                        self.requirement(part)

    def requirement(self, condition: ir.Expr) -> None:
        """A requirement that a cell is small or large enough, or any other."""
        match condition:
            case ir.Op("lt" | "le", (ir.Cell() as cell, bound)):
                way = UP
            case ir.Op("lt" | "le", (bound, ir.Cell() as cell)):
                way = DOWN
            case _:
                self.decides([condition])
                return
        self.decides([bound, *children(cell)])
        self.harder.setdefault(cell.array, set()).add(way)


def _conjuncts(condition: ir.Expr) -> Iterator[ir.Expr]:
    if isinstance(condition, ir.Op) and condition.kind == "and":
        for part in condition.args:
            yield from _conjuncts(part)
    else:
        yield condition
