"""The reason why a condition fails in a position, as a sentence with its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import TYPE_CHECKING

from compiler import ir
from compiler.flat_index import flat_index, outside
from compiler.interpret import Interpreter, IRFault
from compiler.runtime.events import value_text
from compiler.runtime.nouns import counted, counts_things
from compiler.runtime.values import read_slot
from compiler.traverse import children, locals_in

if TYPE_CHECKING:
    from compiler.runtime.game import Game

Env = Mapping[str, int]
# Maximum number of cells named for a condition that is not a comparison of numbers.
MOST_CELLS = 4
CONDITIONS = frozenset(["eq", "ne", "lt", "le", "and", "or", "not"])
# The demand on one side of a comparison, in terms of the other side.
MUST = {"eq": "", "le": "at most ", "lt": "less than ", "ne": "something else than "}
# The same with the sides exchanged, for a number on the left.
MUST_TURNED = {"eq": "", "le": "at least ", "lt": "more than ", "ne": "something else than "}


class Numbers:
    """Explains conditions by the numbers of one position.

    >>> import rules_dsl as rd
    >>> game = rd.load("tzolkin", players=2)
    >>> state = game.position(in_hand={"blue": 4}, lawful=False)
    >>> invariant = next(i for i in game.ir.invariants if i.name == "worker_of_in_one_place")
    >>> Numbers(game, state.cells).broken(invariant.condition)
    'for blue: 4 workers at hand + 3 workers still in the supply + 0 workers on the gears = 7, but must be 6'
    """  # noqa: E501

    def __init__(self, game: Game, cells: bytes) -> None:
        self.game = game
        self.arrays = game.machine.meta["arrays"]

        def read(name: str, index: tuple[int, ...]) -> int:
            array = self.arrays[name]
            sizes = [size for _, size, _ in array["dimensions"]]
            wrong = outside(index, sizes)
            if wrong is not None:
                raise IRFault(f"{name} has no element {wrong[0]}")
            return read_slot(array["slot"], cells, flat_index(index, sizes))

        self.interpreter = Interpreter(game.ir, read)

    def broken(self, condition: ir.Expr) -> str | None:
        """The reason why a condition fails; None if it holds, empty if no numbers explain it."""
        try:
            if self.interpreter.value(condition, {}):
                return None
            return self.why(condition, {})
        except IRFault as fault:
            return f"it has no value here: {fault}"

    def why(self, expr: ir.Expr, env: Env) -> str:
        """The reason why a condition fails: the first case that fails, and its numbers."""
        value = self.interpreter.value
        match expr:
            case ir.Op("and", args):
                return self.why(next(a for a in args if not value(a, env)), env)
            case ir.Op("or", parts):
                # "If a then b" is one as well: what makes a hold, then why b does not.
                plain = [part for part in parts if not self.demands(part)]
                facts = dict.fromkeys(fact for part in plain for fact in self.cells(part, env))
                failing = [self.why(part, env) for part in parts if self.demands(part)]
                return "; ".join(filter(None, [", ".join(facts), "; or else ".join(failing)]))
            case ir.Aggregate("every", ranges, where, body) if body is not None:
                for inner in self.interpreter.combinations(ranges, env):
                    if (where is None or value(where, inner)) and not value(body, inner):
                        told = self.why(body, inner)
                        place = self.named([r.name for r in ranges], expr, inner)
                        return f"{place}: {told}" if told else place
            case ir.Op("eq" | "le" | "lt" | "ne" as kind, (one, two)) if self.is_number(expr):
                if isinstance(one, ir.Int):
                    return f"{self.sum(two, env)}, but must be {MUST_TURNED[kind]}{one.value}"
                return f"{self.sum(one, env)}, but must be {MUST[kind]}{self.sum(two, env)}"
            case ir.Call(function, args):
                called = self.game.ir.functions[function]
                numbers = [value(a, env) for a in args]
                inside = dict(zip((p.name for p in called.params), numbers, strict=True))
                return self.why(called.body, inside)
        return ", ".join(self.cells(expr, env))

    def demands(self, expr: ir.Expr) -> bool:
        """Whether the explanation of a condition says what a number must be."""
        match expr:
            case ir.Op("and" | "or", args):
                return any(self.demands(arg) for arg in args)
            case ir.Op("eq" | "le" | "lt"):
                return self.is_number(expr)
            case ir.Aggregate("every", _, _, body) if body is not None:
                return self.demands(body)
            case ir.Call(function):
                return self.demands(self.game.ir.functions[function].body)
        return False

    def is_number(self, expr: ir.Op) -> bool:
        """Whether a comparison is one of numbers, not of players, places or conditions."""
        return not any(
            (isinstance(arg, ir.Cell) and self.arrays[arg.array]["value"] != "int")
            or (isinstance(arg, ir.Op) and arg.kind in CONDITIONS)
            or (isinstance(arg, ir.Aggregate) and arg.kind in ("every", "some"))
            for arg in expr.args
        )

    # ---- parts of a sentence -------------------------------------------------------------------

    def sum(self, expr: ir.Expr, env: Env) -> str:
        """A side of a comparison: its value, after the parts of a sum, each with its label."""
        value = self.interpreter.value(expr, env)
        summands = _summands(expr)
        parts = [part for part in summands if self.counts(part, env)] or summands[:1]
        if len(parts) < 2:
            return self.part(parts[0], env)
        return f"{' + '.join(self.part(part, env) for part in parts)} = {value}"

    def counts(self, expr: ir.Expr, env: Env) -> bool:
        """Whether a part of a sum is worth showing: a zero without a name is not."""
        return isinstance(expr, ir.Cell) or self.interpreter.value(expr, env) != 0

    def part(self, expr: ir.Expr, env: Env) -> str:
        """A value with the name of what it counts, if there is one."""
        value = self.interpreter.value(expr, env)
        match expr:
            case ir.Cell() if self.is_counted(expr.array):
                return counted(value, self.what(expr, env))
            case ir.Cell():
                return f"{value} ({self.what(expr, env)})"
            case ir.Aggregate("sum", _, _, ir.Cell() as cell):
                return f"{value} (the sum of {self.game.label(cell.array).replace('_', ' ')})"
            case ir.Aggregate("count", ranges, ir.Op("eq", (ir.Cell(array), place))) if (
                # What is counted here must be in one place, not in one that differs with it.
                {r.name for r in ranges}.isdisjoint(one.name for one in locals_in(place))
                and (zone := self.zone(array, place, env))
            ):
                return f"{value} in {zone}"
            case ir.Aggregate("count"):
                return f"{value} counted"
        return str(value)

    def is_counted(self, name: str) -> bool:
        """Whether a variable holds a number of things that the rules name: no day, no level."""
        labelled = name in self.game.machine.meta["labels"]
        return self.arrays[name]["goods"] or (labelled and counts_things(self.game.label(name)))

    def what(self, cell: ir.Cell, env: Env) -> str:
        """The name of what a cell counts: a good and its place, or the label of a variable."""
        array = self.arrays[cell.array]
        label = self.label(cell.array)
        if array["goods"]:
            good = array["goods"][self.interpreter.value(cell.index[-1], env)]
            label = f"{self.game.label(good)} in {label}"
        for index, (low, _, kind) in zip(cell.index, array["dimensions"], strict=True):
            if isinstance(index, ir.Int) and kind != "int":
                owner = self.value(kind, low + index.value)
                label = f"{label.removesuffix(' of a player')} of {owner}"
        return label

    def label(self, name: str) -> str:
        """The label of a variable, pool or zone inside a sentence."""
        label = self.game.label(name).replace("_", " ")
        return label[:1].lower() + label[1:] if label[1:2].islower() else label

    def goods(self, pool: str, good: str) -> Iterator[str]:
        """The amounts of a good, or of each good of a kind, by owner or place where a pool has
        them."""
        array = self.arrays[pool]
        *dimensions, _ = array["dimensions"]
        kinds = self.game.ir.enums.get(good)
        wanted = [good] if kinds is None else list(kinds.values)
        there = [g for g in wanted if g in array["goods"]]
        for index in product(*(range(size) for _, size, _ in dimensions)):
            places = zip(index, dimensions, strict=True)
            of = [self.value(kind, low + at) for at, (low, _, kind) in places]
            label = self.label(pool)
            if of:
                label = f"{label.removesuffix(' of a player')} of {' '.join(of)}"
            for name in there:
                number = self.interpreter.read(pool, (*index, array["goods"].index(name)))
                told = str(number) if name == good else counted(number, self.game.label(name))
                yield f"{told} in {label}"

    def zone(self, array: str, place: ir.Expr, env: Env) -> str:
        """The zone that a place of cards or tiles belongs to; nothing if it is not in one."""
        if isinstance(place, ir.Int):
            return self.placed(array, place.value)
        name = self.zone_from(array, self.interpreter.value(place, env))
        return "" if name is None else self.label(name)

    def zone_from(self, array: str, place: int) -> str | None:
        """The zone that has a place."""
        for name, (_, of, _, first, places, *_) in self.game.machine.meta["zones"].items():
            if of == array and first <= place < first + places:
                return str(name)
        return None

    def cells(self, expr: ir.Expr, env: Env) -> Iterator[str]:
        """The cells that a condition reads, with their values."""
        told: list[str] = []
        for cell in _cells(expr):
            try:
                index = [self.interpreter.value(i, env) for i in cell.index]
                value = self.interpreter.value(cell, env)
            except (IRFault, KeyError):
                continue  # it stands inside an aggregate
            text = f"{self.place(cell.array, index)} is {self.shown(cell.array, value)}"
            if text not in told and len(told) < MOST_CELLS:
                told.append(text)
                yield text

    def all(self) -> Iterator[tuple[str, str]]:
        """Every card, variable and pool by name, with its place or value."""
        for name, array in self.arrays.items():
            for at in product(*(range(size) for _, size, _ in array["dimensions"])):
                number = self.interpreter.read(name, at)
                zone = self.placed(name, number) if array["kind"] == "zone" else ""
                card = self.value(array["dimensions"][0][2], at[0]) if zone else ""
                yield card or self.place(name, list(at)), zone or self.shown(name, number)

    def placed(self, array: str, place: int) -> str:
        """The zone where a card or tile lies, with its owner."""
        name = self.zone_from(array, place)
        if name is None:
            return ""
        _, _, dimensions, start, _, levels, *_ = self.game.machine.meta["zones"][name]
        owners: list[str] = []
        rest = (place - start) // levels
        for low, size, kind in reversed(dimensions):
            owners.insert(0, self.value(kind, low + rest % size))
            rest //= size
        label = self.label(name)
        return f"{label.removesuffix(' of a player')} of {', '.join(owners)}" if owners else label

    def place(self, name: str, index: list[int]) -> str:
        """A cell as people call it; one that has no name but its numbers, as it is written."""
        array = self.arrays[name]
        if index and all(kind == "int" for _, _, kind in array["dimensions"]):
            places = zip(index, array["dimensions"], strict=True)
            written = ", ".join(str(low + at) for at, (low, _, _) in places)
            return f"{self.game.label(name)}[{written}]"
        words = [
            self.value(kind, low + at)
            for at, (low, _, kind) in zip(index, array["dimensions"], strict=True)
        ]
        if array["goods"]:
            words[-1] = self.game.label(array["goods"][index[-1]])
        return f"{self.label(name)} ({', '.join(words)})" if words else self.label(name)

    def shown(self, name: str, value: int) -> str:
        """The value of a cell as people read it."""
        return self.value(self.arrays[name]["value"], value)

    def value(self, kind: str, value: int) -> str:
        """A value of a type as people read it."""
        names = self.game.reader.names
        return value_text(self.game, kind, names.value(kind, value))

    def named(self, names: list[str], expr: ir.Expr, env: Env) -> str:
        """The values of bound names: named by what they index, numbers with their names."""
        kinds: dict[str, str] = {}
        for cell in _cells(expr):
            dimensions = self.arrays[cell.array]["dimensions"]
            for index, (low, _, kind) in zip(cell.index, dimensions, strict=True):
                if isinstance(index, ir.Local) and low == 0:
                    kinds.setdefault(index.name, kind)
        for array, local, first in _places(expr):
            zone = self.zone_from(array, first)
            if zone is not None:
                (low, _, kind), *more = self.game.machine.meta["zones"][zone][2]
                if low == 0 and not more:
                    kinds.setdefault(local, kind)
        told = [self.value(kinds[n], env[n]) for n in names if kinds.get(n, "int") != "int"]
        numbers = [f"{n} = {env[n]}" for n in names if kinds.get(n, "int") == "int"]
        for_, where = f"for {', '.join(told)}" * bool(told), f"where {' and '.join(numbers)}"
        return " ".join(filter(None, [for_, where * bool(numbers)]))


def _cells(expr: ir.Expr) -> Iterator[ir.Cell]:
    if isinstance(expr, ir.Cell):
        yield expr
    for child in children(expr):
        yield from _cells(child)


def _places(expr: ir.Expr) -> Iterator[tuple[str, str, int]]:
    """Where cards or tiles are looked for: the array of places, the bound name, the first place."""
    if isinstance(expr, ir.Op) and expr.kind == "eq" and isinstance(expr.args[0], ir.Cell):
        array, place = expr.args[0].array, expr.args[1]
        if isinstance(place, ir.Local):
            yield array, place.name, 0
        elif isinstance(place, ir.Op) and place.kind == "add":
            local, first = place.args
            if isinstance(local, ir.Local) and isinstance(first, ir.Int):
                yield array, local.name, first.value
    for child in children(expr):
        yield from _places(child)


def _summands(expr: ir.Expr) -> list[ir.Expr]:
    """The parts of a sum, however it is nested."""
    if isinstance(expr, ir.Op) and expr.kind == "add":
        return [part for arg in expr.args for part in _summands(arg)]
    return [expr]
