"""Reads of cells and tables at indices that may be unknown."""

from __future__ import annotations

import z3
from attrs import define

from compiler import ir
from verify.encode import terms as v
from verify.encode.terms import Truth, Value
from verify.encode.unknowns import Cells, SymbolicState, World

# Above this many candidate cells, a read gets a separate unknown.
MANY_CELLS = 6
# The same for values of a table.
MANY_VALUES = 60


@define(eq=False)
class CellReader:
    """Reads the cells of one state, by cases of what is unknown in an index."""

    world: World
    state: SymbolicState

    def written(self, array: str, index: tuple[Value, ...]) -> Value | None:
        """The last value written at the place that is read; None if that is unknown."""
        if all(isinstance(i, int) for i in index):
            return None
        wanted = [v.key(i) for i in index]
        opened = self.state.opened.get(array)
        for write in reversed(self.state.log[opened.at :] if opened else self.state.log):
            if write.array != array:
                continue
            at = [v.key(i) for i in write.index]
            if at == wanted:
                return write.new if write.guard is True else None
            if not any(_differ(x, y) for x, y in zip(write.index, index, strict=True)):
                return None
        return None

    def read(
        self, array: ir.Array, cells: Cells, exprs: tuple[ir.Expr, ...], index: tuple[Value, ...]
    ) -> Value:
        """The cell at an index that may be unknown."""
        if all(isinstance(i, int) for i in index):
            return self.pick(cells.values, tuple(d.size for d in array.dimensions), exprs, index)
        places = self.world.places.setdefault(array.name, {})
        places.setdefault(tuple(v.key(i) for i in index), index)
        memo = ("cell", cells.version, *(v.key(i) for i in index))
        known = self.world.memo.get(memo)
        if known is None:
            sizes = tuple(d.size for d in array.dimensions)
            result = self.pick(cells.values, sizes, exprs, index)
            cases = self.candidates(cells.values, sizes, exprs, index)
            many = self.world.naming and len(cases) > MANY_CELLS
            if many and isinstance(result, z3.ExprRef):
                # What a step writes is in its range only if that is proved. Goods are not made: a
                # pool never holds less than nothing nor more than there are.
                sure = array.kind == "pool" or self.world.is_any(array.name, cells)
                result = self.world.read(
                    array.name, array.lo, array.hi, result, cases, sure, array.goods
                )
            known = self.world.memo[memo] = (result, (cells, index))
        return known[0]

    def lookup(
        self, table: ir.Table, exprs: tuple[ir.Expr, ...], index: tuple[Value, ...]
    ) -> Value:
        """A cell of a constant table."""
        if all(isinstance(i, int) for i in index):
            return self.pick(table.values, table.sizes, exprs, index)
        ends = tuple(map(_ends, index, exprs, table.sizes))
        memo = ("table", table.name, ends, *(v.key(i) for i in index))
        known = self.world.memo.get(memo)
        if known is None:
            result = self.pick(table.values, table.sizes, exprs, index)
            cases = self.candidates(table.values, table.sizes, exprs, index)
            many = self.world.naming and len(cases) > MANY_VALUES
            if many and isinstance(result, z3.ExprRef):
                lo, hi = min(table.values), max(table.values)
                result = self.world.read(table.name, lo, hi, result, [], sure=True)
            known = self.world.memo[memo] = (result, index)
        return known[0]

    def is_at(self, index: Value, k: int) -> Truth:
        """True if an index is a number; cached, since the same questions recur."""
        memo = ("at", v.key(index), k)
        known = self.world.memo.get(memo)
        if known is None:
            known = self.world.memo[memo] = (v.eq(index, k), index)
        return known[0]

    def pick(
        self,
        cells: tuple[Value, ...],
        sizes: tuple[int, ...],
        exprs: tuple[ir.Expr, ...],
        index: tuple[Value, ...],
    ) -> Value:
        """One of several values, by cases of what is unknown in the index."""

        def look(depth: int, flat: int) -> Value:
            if depth == len(sizes):
                return cells[flat]
            at, size = index[depth], sizes[depth]
            low, high = max(0, exprs[depth].lo), min(size - 1, exprs[depth].hi)
            if low > high:
                low, high = 0, size - 1
            if isinstance(at, int):
                # Outside there is a fault that is reported; the value is then the same one,
                # whether the place is known or not.
                return look(depth + 1, flat * size + (int(at) if low <= at <= high else high))
            result = look(depth + 1, flat * size + high)
            for k in range(high - 1, low - 1, -1):
                result = v.ite(self.is_at(at, k), look(depth + 1, flat * size + k), result)
            return result

        return look(0, 0)

    def candidates(
        self,
        cells: tuple[Value, ...],
        sizes: tuple[int, ...],
        exprs: tuple[ir.Expr, ...],
        index: tuple[Value, ...],
    ) -> list[tuple[Truth, Value]]:
        """The cells that an index may mean, each with its condition."""
        found: list[tuple[list[Truth], int]] = [([], 0)]
        for at, size, expr in zip(index, sizes, exprs, strict=True):
            if isinstance(at, int):
                places = [int(at)] if 0 <= at < size else []
            else:
                places = list(range(max(0, expr.lo), min(size - 1, expr.hi) + 1))
            found = [
                ([*tests, self.is_at(at, k)], flat * size + k)
                for tests, flat in found
                for k in places
            ]
        return [(v.and_(tests), cells[flat]) for tests, flat in found]


def _ends(at: Value, expr: ir.Expr, size: int) -> tuple[int, int]:
    """The places that an index may mean; just one if the index is known.

    So the same cell of a table has one name, however it is asked for.
    """
    if isinstance(at, int) and max(0, expr.lo) <= at <= min(size - 1, expr.hi):
        return at, at
    return expr.lo, expr.hi


def _differ(one: Value, two: Value) -> bool:
    """Whether two places are known to be different."""
    return isinstance(one, int) and isinstance(two, int) and one != two
