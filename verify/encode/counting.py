"""Sums over many cells: one unknown for the initial sum, and the sum of the changes.

Counting is hard for solvers. A `count` or `sum` in an invariant is therefore not expanded:
in the state where a step starts it is a single unknown, and afterwards that unknown plus what each
write changed. Its definition is given only to the proofs that need it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import product
from math import prod

import z3
from attrs import define, field, frozen

from compiler import ir
from compiler.transform import bound_names, substitute
from compiler.traverse import children
from verify.analysis.goods import good_total
from verify.encode import terms as v
from verify.encode.expressions import Environment, Evaluator
from verify.encode.terms import Truth, Value
from verify.encode.unknowns import SymbolicState, Total, World, Write

# Shorter sums are written out.
SHORT = 8
# Maximum number of places of a step that a sum distinguishes.
MOST_PLACES = 6


@frozen
class _Place:
    """One index of a cell in a sum: a bound variable plus a number, or something else."""

    variable: str
    offset: int
    fixed: ir.Expr | None = None


@frozen
class _Shape:
    """The access of a sum to an array, the same at every place."""

    places: tuple[_Place, ...]


@define(eq=False)
class Totals:
    """The sums of one step."""

    world: World
    start: SymbolicState
    # The shape of each array in a sum; None if a sum reads it in more than one way.
    _shapes: dict[int, tuple[ir.Aggregate, dict[str, _Shape | None]]] = field(factory=dict)

    def evaluate(self, evaluator: Evaluator, expr: ir.Aggregate, env: Environment) -> Value | None:
        """The value of a sum in the evaluator's state; None to have it written out."""
        if not all(isinstance(r.low, ir.Int) and isinstance(r.high, ir.Int) for r in expr.ranges):
            return None
        arrays = self.world.effects.reads(expr).arrays
        if not arrays:
            return None
        opened = evaluator.state.last_opened(arrays)
        if opened is None:
            return self.since(evaluator, expr, env, evaluator.state.log)
        later = Totals(self.world, opened.state, self._shapes)
        return later.since(evaluator, expr, env, evaluator.state.log[opened.at :])

    def since(
        self, evaluator: Evaluator, expr: ir.Aggregate, env: Environment, log: list[Write]
    ) -> Value | None:
        """The value of a sum after some writes since the start."""
        arrays = self.world.effects.reads(expr).arrays
        touched = [w for w in log if w.array in arrays]
        shapes = self.shapes(expr)
        if any(shapes.get(w.array) is None for w in touched):
            return None
        total = self.before(expr, env)
        if total is None:
            return None
        cells = self.known_cells(expr, env, touched, shapes)
        if cells is not None:
            return v.add(total, self.net(expr, cells, evaluator.state))
        parts: list[Value] = [total]
        for write in touched:
            shape = shapes[write.array]
            assert shape is not None
            parts.append(self.change(expr, env, write, shape))
        return v.add(*parts)

    # ---- net changes ---------------------------------------------------------------------------

    def known_cells(
        self,
        expr: ir.Aggregate,
        env: Environment,
        writes: list[Write],
        shapes: dict[str, _Shape | None],
    ) -> list[Environment] | None:
        """The bindings whose summands were written, if it is known where all writes went.

        Where no summand was written twice there is nothing to gain: none.
        """
        found: dict[tuple[object, ...], Environment] = {}
        twice = False
        plain = Evaluator(self.world, self.start)
        for write in writes:
            shape = shapes[write.array]
            assert shape is not None
            inner, guard, free = self.binding(expr, env, plain, shape, write.index)
            if not isinstance(guard, bool):
                return None
            for chosen in product(*free) if guard else ():
                bound = {**inner, **dict(chosen)}
                place = tuple(bound[r.name] for r in expr.ranges)
                if not all(isinstance(at, int) for at in place):
                    return None  # two unknown places may be the same one
                twice = twice or place in found
                found[place] = bound
        return list(found.values()) if twice else None

    def net(self, expr: ir.Aggregate, cells: list[Environment], state: SymbolicState) -> v.Number:
        """The net change of all writes: moving away and back leaves no trace."""
        before, after = Evaluator(self.world, self.start), Evaluator(self.world, state)
        parts: list[Value] = []
        for env in cells:
            parts += [_summand(expr, env, after), v.neg(_summand(expr, env, before))]
        return v.add(*parts)

    # ---- the unknown ---------------------------------------------------------------------------

    def before(self, expr: ir.Aggregate, env: Environment) -> Value | None:
        """The sum where the step starts."""
        plain = Evaluator(self.world, self.start)
        names = self.world.effects.reads(expr).locals
        memo: tuple[object, ...] = (
            "total",
            id(expr),
            *((n, _key(env.get(n))) for n in sorted(names)),
            *(self.start.arrays[a].version for a in sorted(self.world.effects.reads(expr).arrays)),
        )
        found = self.world.memo.get(memo)
        if found is None:
            terms: list[v.Number] = []
            constant = 0
            for test, value in plain.tested(expr, env):
                part = v.number(v.ite(test, v.number(value), 0))
                if isinstance(part, int):
                    constant += part
                else:
                    terms.append(part)
            result = v.add(self.stand_in(expr, env, terms, constant), constant)
            found = self.world.memo[memo] = (result, (expr, dict(env), self.start))
        return found[0]

    def stand_in(
        self, expr: ir.Aggregate, env: Environment, terms: list[v.Number], constant: int
    ) -> Value:
        """One unknown for the sum of some terms; the same for the same terms."""
        if len(terms) <= SHORT:
            return v.add(*terms)
        ids = sorted(t.get_id() for t in terms if not isinstance(t, int))
        memo: tuple[object, ...] = ("stand-in", *ids)
        found = self.world.memo.get(memo)
        if found is None:
            body = expr.body
            least = min(0, body.lo) if body is not None and expr.kind == "sum" else 0
            most = max(0, body.hi) if body is not None and expr.kind == "sum" else 1
            unknown = self.world.fresh("total", len(terms) * least, len(terms) * most)
            assert isinstance(unknown, z3.ExprRef)
            definition = v.eq(unknown, v.add(*terms))
            total = Total(unknown, definition, expr, dict(env), self.start, constant, least, most)
            self.world.totals[unknown.get_id()] = total
            found = self.world.memo[memo] = (unknown, terms)
        return found[0]

    # ---- places of interest --------------------------------------------------------------------

    def bounds(self, total: Total) -> list[Truth]:
        """A sum is at least what some of its cells give, if none takes away; and it falls short of
        the most that all could give by what some of them fall short."""
        whole = v.add(total.unknown, total.constant)
        summands = prod(_length(range_) for range_ in total.expr.ranges)
        result: list[Truth] = []
        for array, shape in self.shapes(total.expr).items():
            if shape is None or not any(p.fixed is None for p in shape.places):
                continue
            places = list(self.world.places.get(array, {}).values())[:MOST_PLACES]
            given: list[Value] = []
            missing: list[Value] = []
            for at, place in enumerate(places):
                apart = v.and_(
                    v.not_(v.and_(v.eq(x, y) for x, y in zip(place, other, strict=True)))
                    for other in places[:at]
                )
                gives, falls_short = self.at(total, shape, place)
                given.append(v.ite(apart, gives, 0))
                missing.append(v.ite(apart, falls_short, 0))
            if places and total.least >= 0:
                result.append(v.le(v.add(*given), whole))
            if places:
                result.append(v.le(v.add(whole, *missing), summands * total.most))
        return result

    def at(
        self, total: Total, shape: _Shape, place: tuple[Value, ...]
    ) -> tuple[v.Number, v.Number]:
        """The contribution of the cell at a place to a sum, and how far it is below its maximum."""
        plain = Evaluator(self.world, total.start)
        inner, guard, free = self.binding(total.expr, total.env, plain, shape, place)
        parts = [
            _summand(total.expr, {**inner, **dict(chosen)}, plain) for chosen in product(*free)
        ]
        gives = v.add(*parts)
        falls_short = v.sub(len(parts) * total.most, gives)
        return v.number(v.ite(guard, gives, 0)), v.number(v.ite(guard, falls_short, 0))

    # ---- changes -------------------------------------------------------------------------------

    def change(self, expr: ir.Aggregate, env: Environment, write: Write, shape: _Shape) -> v.Number:
        """The change of a sum by one write."""
        plain = Evaluator(self.world, write.before)
        inner, where, free = self.binding(expr, env, plain, shape, write.index)
        guard = v.and_((write.guard, where))
        if guard is False:
            return 0
        # Where the guard holds, the cell that the sum reads is the one that was written.
        key = (
            write.array,
            *(
                v.key(at if place.fixed is None else plain.value(place.fixed, env))
                for place, at in zip(shape.places, write.index, strict=True)
            ),
        )
        then = Evaluator(self.world, write.before, overrides={key: write.old})
        now = Evaluator(self.world, write.after, overrides={key: write.new})
        parts: list[Value] = []
        for chosen in product(*free):
            at_once = {**inner, **dict(chosen)}
            parts.append(v.sub(_summand(expr, at_once, now), _summand(expr, at_once, then)))
        return v.number(v.ite(guard, v.add(*parts), 0))

    def binding(
        self,
        expr: ir.Aggregate,
        env: Environment,
        look: Evaluator,
        shape: _Shape,
        index: tuple[Value, ...],
    ) -> tuple[Environment, Truth, list[list[tuple[str, int]]]]:
        """The bound variables for which a sum reads a cell, when it does, and those left open."""
        inner: dict[str, Value | tuple[Value, ...]] = dict(env)
        guards: list[Truth] = []
        for place, at in zip(shape.places, index, strict=True):
            if place.fixed is not None:
                guards.append(v.eq(look.value(place.fixed, env), at))
            else:
                inner[place.variable] = v.sub(at, place.offset)
        free = []
        for range_ in expr.ranges:
            assert isinstance(range_.low, ir.Int) and isinstance(range_.high, ir.Int)
            low, high = range_.low.value, range_.high.value
            if any(p.variable == range_.name for p in shape.places if p.fixed is None):
                bound = inner[range_.name]
                assert not isinstance(bound, tuple)
                guards.append(v.in_range(bound, low, high))
            else:
                free.append([(range_.name, k) for k in range(low, high + 1)])
        return inner, v.and_(guards), free

    # ---- shapes --------------------------------------------------------------------------------

    def shapes(self, expr: ir.Aggregate) -> dict[str, _Shape | None]:
        """How a sum reads each array."""
        known = self._shapes.get(id(expr))
        if known is None:
            bound = {r.name for r in expr.ranges}
            found: dict[str, _Shape | None] = {}
            for part in (expr.where, expr.body):
                if part is not None:
                    self.look(part, bound, found)
            known = self._shapes[id(expr)] = (expr, found)
        return known[1]

    def look(self, expr: ir.Expr, bound: set[str], found: dict[str, _Shape | None]) -> None:
        for cell in self.cells(expr):
            if isinstance(cell, str):
                found[cell] = None
                continue
            shape = _shape(cell, bound, bound_names(expr))
            if cell.array in found and found[cell.array] != shape:
                found[cell.array] = None
            else:
                found[cell.array] = shape

    def cells(self, expr: ir.Expr) -> Iterator[ir.Cell | str]:
        """The cells that an expression reads, through functions; a name alone is out of sight."""
        module = self.world.module
        if isinstance(expr, ir.Cell):
            yield expr
        if isinstance(expr, ir.Call) and self.world.effects.function(expr.function):
            function = module.functions[expr.function]
            env = {p.name: a for p, a in zip(function.params, expr.args, strict=True)}
            if bound_names(function.body):
                yield from self.world.effects.function(expr.function)
            else:
                yield from self.cells(substitute(function.body, env, module.tables))
        if isinstance(expr, ir.Graph):
            yield from self.world.effects.function(expr.step)
        if isinstance(expr, ir.Field):
            yield from self.world.effects.arrays.field(expr)
        for child in children(expr):
            yield from self.cells(child)


def goods_in_all(
    world: World, state: SymbolicState, goods: Collection[str] | None = None
) -> list[Truth]:
    """The totals of all or of some goods never change."""
    module = world.module
    result = []
    for good in module.goods:
        cells: list[Value] = []
        for array in module.arrays.values():
            if array.kind == "pool" and good in array.goods:
                at, step = array.goods.index(good), len(array.goods)
                cells += state.arrays[array.name].values[at::step]
        if cells and (goods is None or good in goods):
            result.append(v.eq(v.add(*cells), good_total(module, good)))
    return result


def _length(range_: ir.Range) -> int:
    assert isinstance(range_.low, ir.Int) and isinstance(range_.high, ir.Int)
    return max(0, range_.high.value - range_.low.value + 1)


def _summand(expr: ir.Aggregate, env: Environment, look: Evaluator) -> v.Number:
    test: Truth = True if expr.where is None else look.truth(expr.where, env)
    body: Value = 1 if expr.body is None else look.value(expr.body, env)
    return v.number(v.ite(test, v.number(body), 0))


def _key(value: Value | tuple[Value, ...] | None) -> object:
    if value is None:
        return None
    return tuple(v.key(x) for x in value) if isinstance(value, tuple) else v.key(value)


def _shape(cell: ir.Cell, bound: set[str], inner: set[str]) -> _Shape | None:
    """The shape of one cell; None if its index does not name its bound variables."""
    places: list[_Place] = []
    for index in cell.index:
        variable, offset = _linear(index)
        if variable in bound:
            if any(p.variable == variable for p in places):
                return None
            places.append(_Place(variable, offset))
            continue
        names = _locals(index)
        if names & (bound | inner) or any(True for _ in _state(index)):
            return None
        places.append(_Place("", 0, index))
    return _Shape(tuple(places))


def _linear(expr: ir.Expr) -> tuple[str, int]:
    """A local plus a number."""
    match expr:
        case ir.Local(name):
            return name, 0
        case ir.Op("add", (ir.Local(name), ir.Int(number))):
            return name, number
        case ir.Op("sub", (ir.Local(name), ir.Int(number))):
            return name, -number
    return "", 0


def _locals(expr: ir.Expr) -> set[str]:
    found = {expr.name} if isinstance(expr, ir.Local) else set()
    for child in children(expr):
        found |= _locals(child)
    return found


def _state(expr: ir.Expr) -> Iterator[ir.Expr]:
    if isinstance(expr, ir.Cell | ir.Call | ir.Graph | ir.Field | ir.LocalCell):
        yield expr
    for child in children(expr):
        yield from _state(child)
