"""State shared by all formulas of a module: the unknown cells, fresh unknowns, ranges."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import count

import z3
from attrs import define, field, frozen

from compiler import ir
from rules_dsl.language.spans import Span
from verify.analysis.effects import Effects
from verify.analysis.goods import good_total
from verify.encode import terms as v
from verify.encode.terms import Truth, Value

_versions = count(1)
# Worlds are compared with each other, so the names of what was read are never used twice.
_reads = count(1)
_worlds = count(1)
_openings = count(1)


@frozen(eq=False)
class Cells:
    """The values of an array; a new version with every write."""

    values: tuple[Value, ...]
    version: int = field(factory=lambda: next(_versions))


@define(eq=False)
class SymbolicState:
    """A symbolic state: the cells of every array, and the writes that led here."""

    arrays: dict[str, Cells]
    log: list[Write] = field(factory=list)
    # The arrays whose values became unknown on the way: earlier writes do not count for them.
    opened: dict[str, Opened] = field(factory=dict)

    def copy(self) -> SymbolicState:
        """A state that can be changed without changing this one."""
        return SymbolicState(dict(self.arrays), list(self.log), dict(self.opened))

    def last_opened(self, arrays: Iterable[str]) -> Opened | None:
        """The last time that one of some arrays became unknown."""
        found = [self.opened[name] for name in arrays if name in self.opened]
        return max(found, key=lambda opened: opened.number, default=None)

    def meet(self, one: SymbolicState, two: SymbolicState) -> None:
        """Reset the arrays that became unknown on one of two paths that meet in this state."""
        here = Opened(len(self.log), SymbolicState(dict(self.arrays)))
        for name in one.opened.keys() | two.opened.keys():
            before = self.opened.get(name)
            if one.opened.get(name) is not before or two.opened.get(name) is not before:
                self.opened[name] = here


@frozen(eq=False)
class Opened:
    """When an array became unknown: after how many writes, and the state with its new values."""

    at: int
    state: SymbolicState
    # One may follow another without a write between them.
    number: int = field(factory=lambda: next(_openings))


@frozen(eq=False)
class Write:
    """One write of a cell: where, under which condition, and the state before and after it."""

    array: str
    index: tuple[Value, ...]
    guard: Truth
    old: Value
    new: Value
    before: SymbolicState
    after: SymbolicState
    # The stated source of a moved card; that it was there is a separate obligation.
    source: Value | None = None


@frozen(eq=False)
class Total:
    """An unknown for a sum over many cells, with its definition."""

    unknown: z3.ExprRef
    definition: Truth
    expr: ir.Aggregate
    env: Mapping[str, Value | tuple[Value, ...]]
    start: SymbolicState
    # The part of the sum that is known.
    constant: int
    least: int
    most: int


@frozen(eq=False)
class Read:
    """An unknown for the cell at an unknown place, with its definition."""

    unknown: z3.ExprRef
    value: Value
    definition: Truth
    # For each place: when it is the one, and that the unknown is then the cell there.
    cases: tuple[tuple[Truth, Truth, Value], ...]


@define(eq=False)
class World:
    """The unknowns of a module."""

    module: ir.Module
    # Whether cells at unknown places get names. Where two games are compared they do not: what is
    # the same in both is then the same formula.
    naming: bool = True
    # No two worlds have the same: what their rules answer may differ though they read no cell.
    number: int = field(factory=lambda: next(_worlds))
    effects: Effects = field(init=False)
    # The range of an unknown: by the number of its term, with the term to keep it alive.
    limits: dict[int, tuple[z3.ExprRef, Truth]] = field(factory=dict)
    # The unknowns for sums over many cells.
    totals: dict[int, Total] = field(factory=dict)
    # The unknowns for cells at unknown places.
    reads: dict[int, Read] = field(factory=dict)
    # Those of them that may be a cell, by the cell's number.
    readers: dict[int, set[int]] = field(factory=dict)
    # The cells at unknown places that a step reads: they matter for the sums over them.
    places: dict[str, dict[tuple[object, ...], tuple[Value, ...]]] = field(factory=dict)
    # Cached values, with the objects that keep their keys alive.
    memo: dict[tuple[object, ...], tuple[Value, object]] = field(factory=dict)
    # The requirements that a formula comes from, with the formula to keep its number alive.
    requirements: dict[int, tuple[z3.ExprRef, set[Span]]] = field(factory=dict)
    # The invariants and facts that a formula comes from, with the formula to keep it alive.
    sources: dict[int, tuple[z3.ExprRef, set[str]]] = field(factory=dict)
    # Whether a function can fault.
    faulty: dict[str, bool] = field(factory=dict)
    # Whether other solvers also find formulas unsatisfiable.
    confirms: Callable[[list[z3.ExprRef]], bool] = field(default=lambda _: True)
    # The goods that an unknown may count, if it is a cell of a pool.
    counting: dict[int, frozenset[str]] = field(factory=dict)
    # The cells that became unknown on the way, and the versions of their arrays.
    opened: set[int] = field(factory=set)
    _opened_versions: set[int] = field(factory=set)
    _fresh: dict[str, int] = field(factory=dict)
    _ranges: dict[str, tuple[int, int]] = field(factory=dict)
    _unknown: SymbolicState | None = None

    def __attrs_post_init__(self) -> None:
        self.effects = Effects(self.module)

    def unknown(self, name: str, lo: int, hi: int) -> Value:
        """An unknown of a range; the same name is the same unknown."""
        if self._ranges.setdefault(name, (lo, hi)) != (lo, hi):
            raise AssertionError(f"{name} is two unknowns: {self._ranges[name]} and {(lo, hi)}")
        if lo == hi:
            return lo
        if lo == 0 and hi == 1:
            return z3.Bool(name)
        result = z3.Int(name)
        if result.get_id() not in self.limits:
            self.limits[result.get_id()] = (result, v.in_range(result, lo, hi))
        return result

    def fresh(self, name: str, lo: int, hi: int) -> Value:
        """A new unknown."""
        number = self._fresh.get(name, 0)
        self._fresh[name] = number + 1
        return self.unknown(f"{name}!{number}", lo, hi)

    def read(
        self,
        name: str,
        lo: int,
        hi: int,
        whole: Value,
        cases: list[tuple[Truth, Value]],
        sure: bool,
        goods: Iterable[str] = (),
    ) -> Value:
        """An unknown for one of many values; the proofs that need it get its definition.

        Its range is known if it is `sure`; it counts one of some goods.
        """
        name = f"{name} read {next(_reads)}"
        unknown = z3.Bool(name) if (lo, hi) == (0, 1) else z3.Int(name)
        told = tuple((test, v.eq(unknown, value), value) for test, value in cases)
        self.reads[unknown.get_id()] = Read(unknown, whole, v.eq(unknown, whole), told)
        if sure and not z3.is_bool(unknown):
            self.limit(unknown, v.in_range(unknown, lo, hi))
        if goods:
            self.counting[unknown.get_id()] = frozenset(goods)
        for _, _, value in told:
            if isinstance(value, z3.ExprRef):
                self.readers.setdefault(value.get_id(), set()).add(unknown.get_id())
        return unknown

    def loose(self, name: str, lo: int, hi: int) -> Value:
        """A local that only facts mention; its range comes from them."""
        return z3.Bool(f"{name}?") if (lo, hi) == (0, 1) else z3.Int(f"{name}?")

    def required(self, part: Truth, span: Span) -> None:
        """A formula that says that a requirement holds."""
        if not isinstance(part, bool):
            self.requirements.setdefault(part.get_id(), (part, set()))[1].add(span)

    def note_source(self, part: Truth, source: str) -> None:
        """Note the invariant or fact that a formula comes from."""
        if not isinstance(part, bool):
            self.sources.setdefault(part.get_id(), (part, set()))[1].add(source)

    def limit(self, term: z3.ExprRef, condition: Truth) -> None:
        """A fact about a term that always holds."""
        _, known = self.limits.setdefault(term.get_id(), (term, condition))
        if not v.same(known, condition):
            raise AssertionError(f"two things are always true of {term}: {known}, {condition}")

    def learn(self, other: World) -> None:
        """Adopt the ranges of the unknowns of another game, for a comparison with it."""
        for identity, limit in other.limits.items():
            self.limits.setdefault(identity, limit)
        for identity, total in other.totals.items():
            self.totals.setdefault(identity, total)

    @property
    def any_state(self) -> SymbolicState:
        """The state of which only the ranges are known."""
        if self._unknown is None:
            self._unknown = SymbolicState(
                {n: self.any_cells(a) for n, a in self.module.arrays.items()}
            )
        return self._unknown.copy()

    def is_any(self, array: str, cells: Cells) -> bool:
        """Whether these are the cells of the unknown state, of which the ranges are known."""
        return (
            self.any_state.arrays[array].version == cells.version
            or cells.version in self._opened_versions
        )

    def open_cells(self, array: ir.Array) -> Cells:
        """New unknown cells of an array in the middle of a step."""
        number = self._fresh.get(array.name, 0)
        self._fresh[array.name] = number + 1
        cells = self.any_cells(array, f" later {number}")
        self._opened_versions.add(cells.version)
        self.opened.update(x.get_id() for x in cells.values if not isinstance(x, int))
        return cells

    def any_cells(self, array: ir.Array, suffix: str = "") -> Cells:
        """Unknown cells of an array."""
        # Names for people may be the same for two cells, these are not.
        cells = tuple(
            self.unknown(f"{array.name}[{k}]{suffix}", array.lo, hi)
            for k, hi in enumerate(highest(self.module, array))
        )
        if array.kind == "pool":
            for k, cell in enumerate(cells):
                if not isinstance(cell, int):
                    self.counting[cell.get_id()] = frozenset({array.goods[k % len(array.goods)]})
        return Cells(cells)

    @property
    def first_state(self) -> SymbolicState:
        """The state before set-up."""
        return SymbolicState({n: Cells(tuple(a.initial)) for n, a in self.module.arrays.items()})


def highest(module: ir.Module, array: ir.Array) -> list[int]:
    """The highest value of each cell: in a pool it depends on the good."""
    if array.kind != "pool":
        return [array.hi] * array.size
    limits = [good_total(module, good) for good in array.goods]
    return [min(array.hi, limits[k % len(limits)]) for k in range(array.size)]


def cell_name(module: ir.Module, array: ir.Array, flat: int) -> str:
    """The name of a cell in the words of the rules.

    A pool's last index is its good, a set's its element.
    """
    indices: list[int] = []
    for dimension in reversed(array.dimensions):
        indices.append(flat % dimension.size)
        flat //= dimension.size
    indices.reverse()
    shown = [
        value_name(module, d.kind, d.lo + i) for d, i in zip(array.dimensions, indices, strict=True)
    ]
    if array.kind == "pool":
        good = array.goods[indices[-1]]
        place = f"[{', '.join(shown[:-1])}]" if shown[:-1] else ""
        return f"{array.name}{place}.{good}"
    if array.kind == "zone":
        return f"place of {shown[0]}"
    return f"{array.name}[{', '.join(shown)}]" if shown else array.name


def value_name(module: ir.Module, kind: str, value: int) -> str:
    """A value in the words of the rules; an optional kind ends with the number of `none`.

    >>> import rules_dsl as rd
    >>> module = rd.load("tic_tac_toe").ir
    >>> [value_name(module, "Player?-1", value) for value in (-1, 0)]
    ['none', 'cross']
    """
    if kind == "bool":
        return "true" if value else "false"
    enum = module.enums.get(kind.partition("?")[0])
    if enum is None:
        return str(value)
    return enum.values[value] if 0 <= value < len(enum.values) else "none"
