"""Why a condition does not hold in a position, as a sentence with the numbers of that position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from compiler import ir
from compiler.interpret import Interpreter, IRFault
from compiler.runtime.events import value_text
from compiler.runtime.values import read_slot
from compiler.traverse import children

if TYPE_CHECKING:
    from compiler.runtime.game import Game

Env = Mapping[str, int]
# So many cells are told where a condition is no comparison of numbers.
MOST_CELLS = 4
CONDITIONS = frozenset(["eq", "ne", "lt", "le", "and", "or", "not"])
# What a side of a comparison must be to the other side.
MUST = {"eq": "", "le": "at most ", "lt": "less than ", "ne": "something else than "}
# The same with the sides exchanged, for a number that stands on the left.
MUST_TURNED = {"eq": "", "le": "at least ", "lt": "more than ", "ne": "something else than "}


class Numbers:
    """Tells the numbers of one position.

    >>> import rules_dsl as rd
    >>> game = rd.load("tzolkin", players=2)
    >>> state = game.position(in_hand={"blue": 4}, lawful=False)
    >>> Numbers(game, state.cells).broken(game.ir.invariants[0].condition)
    'for blue: 4 workers at hand + 0 workers on the gears + 3 workers still in the supply = 7, but must be 6'
    """  # noqa: E501

    def __init__(self, game: Game, cells: bytes) -> None:
        self.game = game
        self.arrays = game.machine.meta["arrays"]

        def read(name: str, index: tuple[int, ...]) -> int:
            array = self.arrays[name]
            flat = 0
            for at, (_, size, _) in zip(index, array["dimensions"], strict=True):
                if not 0 <= at < size:
                    raise IRFault(f"{name} has no element {at}")
                flat = flat * size + at
            return read_slot(array["slot"], cells, flat)

        self.interpreter = Interpreter(game.ir, read)

    def broken(self, condition: ir.Expr) -> str | None:
        """Why a condition does not hold; None if it holds, nothing if no numbers tell it."""
        try:
            if self.interpreter.value(condition, {}):
                return None
            return self.why(condition, {})
        except IRFault as fault:
            return f"it has no value here: {fault}"

    def why(self, expr: ir.Expr, env: Env) -> str:
        """Why a condition does not hold: the first case that fails, and its numbers."""
        value = self.interpreter.value
        match expr:
            case ir.Op("and", args):
                return self.why(next(a for a in args if not value(a, env)), env)
            case ir.Aggregate("every", ranges, where, body) if body is not None:
                for inner in self.interpreter.combinations(ranges, env):
                    if (where is None or value(where, inner)) and not value(body, inner):
                        told = self.why(body, inner)
                        names = self.named([r.name for r in ranges], expr, inner)
                        return f"for {names}: {told}" if told else f"for {names}"
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
        parts = [part for part in _summands(expr) if self.counts(part, env)]
        if len(parts) < 2:
            return self.part(parts[0], env) if parts else str(value)
        return f"{' + '.join(self.part(part, env) for part in parts)} = {value}"

    def counts(self, expr: ir.Expr, env: Env) -> bool:
        """Whether a part of a sum says something: a zero without a name does not."""
        return isinstance(expr, ir.Cell) or self.interpreter.value(expr, env) != 0

    def part(self, expr: ir.Expr, env: Env) -> str:
        """A value with what it counts, where that has a name."""
        value = self.interpreter.value(expr, env)
        match expr:
            case ir.Cell():
                return f"{value} {self.what(expr, env)}"
            case ir.Aggregate("sum", _, _, ir.Cell() as cell):
                return f"{value} {self.game.label(cell.array).replace('_', ' ')} in all"
            case ir.Aggregate("count"):
                return f"{value} counted"
        return str(value)

    def what(self, cell: ir.Cell, env: Env) -> str:
        """What a cell counts: a good where it lies, or the label of a variable."""
        array = self.arrays[cell.array]
        label = self.game.label(cell.array).replace("_", " ")
        label = label[:1].lower() + label[1:]
        if array["goods"]:
            good = array["goods"][self.interpreter.value(cell.index[-1], env)]
            label = f"{self.game.label(good)} in {label}"
        for index, (low, _, kind) in zip(cell.index, array["dimensions"], strict=True):
            if isinstance(index, ir.Int) and kind != "int":
                label += f" of {self.value(kind, low + index.value)}"
        return label

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

    def place(self, name: str, index: list[int]) -> str:
        """A cell as people call it."""
        array = self.arrays[name]
        words = [self.game.label(name).replace("_", " ")]
        for at, (low, _, kind) in zip(index, array["dimensions"], strict=True):
            words.append(self.value(kind, low + at))
        if array["goods"]:
            words[-1] = self.game.label(array["goods"][index[-1]])
        return " ".join(words)

    def shown(self, name: str, value: int) -> str:
        """The value of a cell as people read it."""
        return self.value(self.arrays[name]["value"], value)

    def value(self, kind: str, value: int) -> str:
        """A value of a type as people read it."""
        names = self.game.reader.names
        return value_text(self.game, kind, names.value(kind, value))

    def named(self, names: list[str], expr: ir.Expr, env: Env) -> str:
        """The values of bound names, as what they index."""
        kinds: dict[str, str] = {}
        for cell in _cells(expr):
            dimensions = self.arrays[cell.array]["dimensions"]
            for index, (low, _, kind) in zip(cell.index, dimensions, strict=True):
                if isinstance(index, ir.Local) and low == 0:
                    kinds.setdefault(index.name, kind)
        return ", ".join(
            self.value(kinds[n], env[n]) if kinds.get(n, "int") != "int" else f"{n} = {env[n]}"
            for n in names
        )


def _cells(expr: ir.Expr) -> Iterator[ir.Cell]:
    if isinstance(expr, ir.Cell):
        yield expr
    for child in children(expr):
        yield from _cells(child)


def _summands(expr: ir.Expr) -> list[ir.Expr]:
    """The parts of a sum, however it is nested."""
    if isinstance(expr, ir.Op) and expr.kind == "add":
        return [part for arg in expr.args for part in _summands(arg)]
    return [expr]
