"""A game run by the formulas that proofs are about: each block of the rules on unknown cells.

The formulas of a block are built once and then evaluated in every position that comes by.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import z3
from attrs import define, field, fields, frozen, has

from compiler import ir
from verify.agreement.formula_fields import FormulatedField
from verify.agreement.formula_functions import Function, Parts, asked, written
from verify.encode import terms as v
from verify.encode.choices import head_parts
from verify.encode.counting import Totals
from verify.encode.expressions import Evaluator
from verify.encode.fields import AskedField
from verify.encode.graphs import known_graph
from verify.encode.replica import Replica, ending
from verify.encode.statements import Locals, SymbolicRun
from verify.encode.terms import Truth, Value
from verify.encode.unknowns import Cells

# A local of which nothing more is known.
ANY = 1 << 40
# The key of formulas: their subject, and the names known there.
Key = tuple[object, ...]


@frozen(eq=False)
class _Formulas:
    """Formulas over the cells and locals of a position, as a function of their values."""

    terms: list[Value]
    function: Function
    unknowns: list[z3.ExprRef]
    # The sources of the values: a cell of an array, or a local with its place in it (or none).
    cells: list[tuple[str, int]]
    locals: list[tuple[str, int | None]]


@define(eq=False)
class _Graph:
    """The steps of a graph as formulas, for each pair of nodes that may be one."""

    expr: ir.Graph
    # Where the values of unknowns are found.
    places: dict[int, int]
    pairs: list[tuple[int, int]] = field(factory=list)
    function: Function | None = None
    # The steps for the last values, with their results.
    values: object = None
    steps: dict[int, dict[int, int]] = field(factory=dict)
    reached: dict[int, set[int]] = field(factory=dict)


@define(eq=False)
class Formulated(Replica):
    """Plays by formulas; `doubts` says where the solver evaluates one differently."""

    values: dict[str, list[int]] = field(factory=dict)
    doubts: str = ""
    # Whether the solver is asked about the next formulas.
    asking: bool = False
    # The questions about graphs in the rules.
    asked_of: list[ir.Graph] = field(init=False)
    _known: dict[Key, _Formulas] = field(factory=dict)
    _graphs: dict[str, _Graph] = field(factory=dict)
    _fields: dict[str, FormulatedField] = field(factory=dict)
    _parts: Parts = field(factory=dict)
    _ranges: dict[str, dict[str, tuple[int, int]]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.asked_of = list(graphs_of(self.world.module))

    # ---- positions -----------------------------------------------------------------------------

    def open(self) -> None:
        self.values = {n: list(a.initial) for n, a in self.world.module.arrays.items()}

    def board(self) -> Any:
        return {name: list(cells) for name, cells in self.values.items()}

    def set_board(self, board: Any) -> None:
        self.values = board

    def cells(self, array: str) -> tuple[int, ...]:
        return tuple(self.values[array])

    def carry_out(self) -> list[Value]:
        block = self.block
        if not block.statements and not isinstance(block.terminator, ir.Fork | ir.Enter):
            return []
        formulas = self.formulas(("block", self.procedure.name, block.id))
        if formulas is None:
            formulas = self.build_block()
        found = self.evaluated(formulas)
        for (array, k), value in zip(formulas.cells, found, strict=False):
            self.values[array][k] = int(value)
        at = len(formulas.cells)
        for (name, place), value in zip(formulas.locals, found[at:], strict=False):
            self.keep(name, place, int(value))
        return [int(value) for value in found[at + len(formulas.locals) :]]

    def keep(self, name: str, k: int | None, value: int) -> None:
        """A local, or one of its cells, has a value."""
        if k is None:
            self.locals[name] = value
            return
        known = self.locals.get(name)
        cells = list(known) if isinstance(known, tuple) else [0] * self.world.module.players
        cells[k] = value
        self.locals[name] = tuple(cells)

    def define(self, option: ir.Option) -> None:
        names = [line.name for line in option.head if isinstance(line, ir.Define)]
        if not names:
            return
        formulas = self.formulas(("names", id(option)))
        if formulas is None:
            machine, inputs = self.unknown()
            look = machine.silent()
            for line in option.head:
                if isinstance(line, ir.Define):
                    machine.locals[line.name] = look.value(line.value, machine.locals)
            terms = [machine.locals[name] for name in names]
            formulas = self.build(("names", id(option)), terms, inputs)
        for name, value in zip(names, self.evaluated(formulas), strict=True):
            self.locals[name] = int(value)

    def holds(self, option: ir.Option, values: tuple[int, ...]) -> bool:
        before = dict(self.locals)
        for param, value in zip(option.params, values, strict=True):
            self.locals[param.range.name] = value
        formulas = self.formulas(("legal", id(option)))
        if formulas is None:
            formulas = self.build_head(option)
        (result,) = self.evaluated(formulas)
        self.locals = before
        return bool(result)

    # ---- building ------------------------------------------------------------------------------

    def formulas(self, key: Key) -> _Formulas | None:
        """Formulas that were built before for the names that are known here."""
        return self._known.get((*key, *sorted(self.locals)))

    def unknown(self) -> tuple[SymbolicRun, list[z3.ExprRef]]:
        """A machine in an unknown position, and its unknowns in the order of their values."""
        state = self.world.any_state
        names: Locals = {}
        for name, value in sorted(self.locals.items()):
            lo, hi = self.range_of(name)
            if isinstance(value, tuple):
                names[name] = tuple(
                    self.world.unknown(f"{name}?{k} {lo}..{hi}", lo, hi) for k in range(len(value))
                )
            else:
                names[name] = self.world.unknown(f"{name}?{lo}..{hi}", lo, hi)
        inputs = [cell for cells in state.arrays.values() for cell in cells.values]
        for value in names.values():
            inputs += value if isinstance(value, tuple) else [value]
        return SymbolicRun(self.world, state, names, Totals(self.world, state.copy())), inputs

    def range_of(self, name: str) -> tuple[int, int]:
        """The range of a local by its procedure."""
        procedure = self.procedure
        if procedure.name not in self._ranges:
            found = {x.name: (x.lo, x.hi) for x in (*procedure.params, *procedure.variables)}
            for block in procedure.blocks:
                match block.terminator:
                    case ir.Decide(_, _, options):
                        for param in (p for o in options for p in o.params):
                            lo, hi = found.get(param.range.name, (param.lo, param.hi))
                            found[param.range.name] = (min(lo, param.lo), max(hi, param.hi))
                    case ir.Chance(_, range_):
                        lo, hi = range_.low.lo, range_.high.hi
                        old = found.get(range_.name, (lo, hi))
                        found[range_.name] = (min(lo, old[0]), max(hi, old[1]))
            self._ranges[procedure.name] = found
        lo, hi = self._ranges[procedure.name].get(name, (-ANY, ANY))
        # An unknown needs at least two values.
        return lo, max(hi, lo + 1)

    def build_block(self) -> _Formulas:
        """The formulas of the present block: its changes, and the values that its end needs."""
        machine, inputs = self.unknown()
        before = dict(machine.state.arrays)
        names = dict(machine.locals)
        asked_for = ending(machine, self.block)
        cells: list[tuple[str, int]] = []
        terms: list[Value] = []
        for array, now in machine.state.arrays.items():
            for k, (old, new) in enumerate(zip(before[array].values, now.values, strict=True)):
                if not v.same(old, new):
                    cells.append((array, k))
                    terms.append(new)
        kept: list[tuple[str, int | None]] = []
        for name, value in machine.locals.items():
            old = names.get(name)
            if isinstance(value, tuple):
                places = old if isinstance(old, tuple) else (None,) * len(value)
                for k, (a, b) in enumerate(zip(places, value, strict=True)):
                    if a is None or not v.same(a, b):
                        kept.append((name, k))
                        terms.append(b)
            elif old is None or isinstance(old, tuple) or not v.same(old, value):
                kept.append((name, None))
                terms.append(value)
        key = ("block", self.procedure.name, self.block.id)
        return self.build(key, [*terms, *asked_for], inputs, cells, kept)

    def build_head(self, option: ir.Option) -> _Formulas:
        """Whether a move is legal; its parameters are among the locals."""
        machine, inputs = self.unknown()
        look = machine.silent()
        guards: list[Truth] = []
        for param in option.params:
            low = look.value(param.range.low, machine.locals)
            high = look.value(param.range.high, machine.locals)
            value = machine.locals[param.range.name]
            assert not isinstance(value, tuple)
            guards += [v.le(low, value), v.le(value, high)]
        parts = head_parts(option.head, look, machine.locals, v.and_(guards))
        return self.build(("legal", id(option)), [v.and_(parts)], inputs)

    def build(
        self,
        key: Key,
        terms: list[Value],
        inputs: list[z3.ExprRef],
        cells: Sequence[tuple[str, int]] = (),
        kept: Sequence[tuple[str, int | None]] = (),
    ) -> _Formulas:
        places = {x.get_id(): at for at, x in enumerate(inputs) if not isinstance(x, int)}
        self.note_graphs(places)
        function = written(terms, places, self.definitions(), self.path, self._parts)
        formulas = _Formulas(terms, function, inputs, list(cells), list(kept))
        self._known[*key, *sorted(self.locals)] = formulas
        return formulas

    def note_graphs(self, places: dict[int, int]) -> None:
        """Questions about graphs met while formulas were built."""
        for key, (graph, about) in self.world.memo.items():
            if key[0] == "field" and str(key[1]) not in self._fields:
                assert isinstance(about, AskedField)
                self._fields[str(key[1])] = FormulatedField(self, about, places)
            if key[0] == "graph" and str(key[1]) not in self._graphs:
                assert isinstance(graph, ir.Graph)
                self._graphs[str(key[1])] = _Graph(graph, places)

    def definitions(self) -> dict[int, z3.ExprRef]:
        """The definitions of unknowns that are not cells; each after those that it is made of."""
        found = {
            identity: v.term(
                v.truth(read.value) if z3.is_bool(read.unknown) else v.number(read.value)
            )
            for identity, read in self.world.reads.items()
        }
        for identity, total in self.world.totals.items():
            if not isinstance(total.definition, bool):
                found[identity] = total.definition.arg(1)
        return found

    # ---- evaluating ----------------------------------------------------------------------------

    def evaluated(self, formulas: _Formulas) -> tuple[int, ...]:
        """The values of formulas in the present position."""
        values: list[int] = []
        for cells in self.values.values():
            values += cells
        for name in sorted(self.locals):
            local = self.locals[name]
            if isinstance(local, tuple):
                values += local
            else:
                values.append(local)
        found = formulas.function(values)
        if self.asking:
            self.doubt(formulas, values, found)
        return found

    def doubt(self, formulas: _Formulas, values: list[int], found: tuple[int, ...]) -> None:
        """Ask the solver for the values of the same formulas."""
        pairs = [
            (x, v.term(bool(value) if z3.is_bool(x) else value))
            for x, value in zip(formulas.unknowns, values, strict=True)
            if not isinstance(x, int)
        ]
        for identity, definition in self.definitions().items():
            known = self.world.reads.get(identity) or self.world.totals[identity]
            pairs.append((known.unknown, z3.simplify(z3.substitute(definition, *pairs))))
        for term, value in zip(formulas.terms, found, strict=True):
            answer = asked(term, pairs)
            if answer is not None and answer != int(value):
                self.doubts = f"{value} evaluated and {answer} by the solver"

    # ---- graphs --------------------------------------------------------------------------------

    def path(self, name: str, values: Sequence[int], start: int, *goal: int) -> int:
        """The answer to a question about a graph, whose steps are formulas like all others."""
        if name in self._fields:
            return self._fields[name].answer(values, (start, *goal))
        graph = self._graphs[name]
        if graph.function is None:
            self.build_steps(name, graph)
        assert graph.function is not None
        if graph.values is not values:
            graph.values, graph.reached = values, {}
            graph.steps = {}
            for (a, b), price in zip(graph.pairs, graph.function(values), strict=True):
                if price:
                    graph.steps.setdefault(a, {})[b] = int(price)
        if graph.expr.kind != "reaches":
            return known_graph(
                graph.expr,
                start,
                goal[0] if goal else None,
                lambda a, b: graph.steps.get(a, {}).get(b, 0),
            )
        if start not in graph.reached:
            graph.reached[start] = _reached(start, graph.steps)
        return int(goal[0] in graph.reached[start])

    def build_steps(self, name: str, graph: _Graph) -> None:
        """The steps between all pairs of nodes in the state that a question is about."""
        function = self.world.module.functions[graph.expr.step]
        one, two = function.params
        arrays = sorted(self.world.effects.function(graph.expr.step))
        state = self.world.any_state
        cells: list[Cells] = self.world.memo["graph", name][1]  # type: ignore[assignment]
        state.arrays.update(zip(arrays, cells, strict=True))
        look = Evaluator(self.world, state)
        nodes = range(graph.expr.first, graph.expr.first + graph.expr.nodes)
        terms: list[Value] = []
        for a in nodes:
            for b in nodes:
                price = look.value(function.body, {one.name: a, two.name: b})
                if not (isinstance(price, int) and price == 0):
                    graph.pairs.append((a, b))
                    terms.append(price)
        graph.function = written(terms, graph.places, self.definitions(), self.path, self._parts)


def _reached(start: int, steps: dict[int, dict[int, int]]) -> set[int]:
    found = {start}
    todo = [start]
    while todo:
        for other in steps.get(todo.pop(), ()):
            if other not in found:
                found.add(other)
                todo.append(other)
    return found


def graphs_of(node: object) -> Iterator[ir.Graph]:
    """The questions about graphs in a part of a module."""
    if isinstance(node, ir.Graph):
        yield node
    if isinstance(node, dict):
        node = tuple(node.values())
    if isinstance(node, tuple):
        for item in node:
            yield from graphs_of(item)
    kind: Any = type(node)
    if has(kind):
        for part in fields(kind):
            yield from graphs_of(getattr(node, part.name))
