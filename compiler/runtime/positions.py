"""Positions set up by hand, and what the invariants say of a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from compiler import ir
from compiler.interpret import Interpreter, IRFault
from compiler.ir_text import expression
from compiler.runtime.values import read_slot, write_slot

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.state import State


class Checked(NamedTuple):
    """An invariant in a position: its name, whether it holds, and a text with its values."""

    invariant: str
    holds: bool
    text: str


class PositionError(ValueError):
    """A position that cannot be set up as asked, or that breaks invariants (`.broken`)."""

    def __init__(self, message: str, broken: tuple[Checked, ...] = ()) -> None:
        super().__init__(message)
        self.broken = broken


# ---- setting up ----------------------------------------------------------------------------------


def position(
    game: Game, values: Mapping[str, Any], at: State | None, lawful: bool
) -> State:  # fmt: skip
    """The opening, or another position, with some values changed."""
    from compiler.runtime.state import State

    base = at if at is not None else game.start()
    cells = bytearray(base.cells)
    for name, value in values.items():
        _set(game, cells, name, value)
    state = State(game, bytes(cells), base.seed, base.draws, None)
    broken = tuple(one for one in check(game, state.cells) if not one.holds) if lawful else ()
    if broken:
        told = "; ".join(one.text for one in broken)
        raise PositionError(f"this position breaks {len(broken)} invariants: {told}", broken)
    return state


def _set(game: Game, cells: bytearray, name: str, value: Any) -> None:
    meta = game.machine.meta
    if name in meta["zones"]:
        _place_cards(game, cells, name, value)
    elif name in meta["arrays"] and meta["arrays"][name]["kind"] != "zone":
        array = meta["arrays"][name]
        _write(game, cells, name, array, array["dimensions"], 0, value)
    else:
        known = ", ".join(game.reader.known())
        raise PositionError(f"this game has no `{name}`; it has: {known}")


def _write(
    game: Game, cells: bytearray, name: str, array: Mapping[str, Any], dimensions: Any, base: int,
    value: Any,
) -> None:  # fmt: skip
    names = game.reader.names
    if not dimensions:
        number = _number(game, array["value"], value)
        low, high = array["slot"][3], array["slot"][4]
        if number is None or not low <= number <= high:
            raise PositionError(f"{name} cannot be {value!r}; it is {low}..{high}")
        write_slot(array["slot"], cells, base, number)
        return
    low, size, kind = dimensions[0]
    if array["kind"] == "set" and len(dimensions) == 1:
        wanted = {names.index(kind, element) for element in value}
        for k in range(size):
            write_slot(array["slot"], cells, base * size + k, int(low + k in wanted))
        return
    if not isinstance(value, Mapping):
        raise PositionError(f"{name} needs a dictionary by {kind}, not {value!r}")
    for key, inner in value.items():
        at = array["goods"].index(key) if key in array["goods"] else names.index(kind, key)
        if at is None or not 0 <= at - (0 if key in array["goods"] else low) < size:
            raise PositionError(f"{name} has no {key!r}")
        offset = at if key in array["goods"] else at - low
        _write(game, cells, name, array, dimensions[1:], base * size + offset, inner)


def _number(game: Game, kind: str, value: Any) -> int | None:
    base, _, nothing = kind.partition("?")
    if value is None:
        return int(nothing) if nothing else None
    if base in ("int", "bool"):
        return int(value) if isinstance(value, int) else None
    return game.reader.names.index(base, value)


def _place_cards(game: Game, cells: bytearray, name: str, value: Any) -> None:
    """Put cards into a zone; what lay there before and is not named stays."""
    table, array, dimensions, first, _, _ = game.machine.meta["zones"][name]
    slot = game.machine.meta["arrays"][array]["slot"]

    def place(base: int, left: Any, cards: Any) -> None:
        if left:
            low, size, kind = left[0]
            for key, inner in cards.items():
                at = game.reader.names.index(kind, key)
                if at is None or not low <= at < low + size:
                    raise PositionError(f"{name} has no {key!r}")
                place(base * size + at - low, left[1:], inner)
            return
        for card in cards:
            number = game.reader.names.index(table, card)
            if number is None:
                raise PositionError(f"there is no {table} called {card!r}")
            write_slot(slot, cells, number, first + base)

    place(0, dimensions, value)


# ---- invariants ----------------------------------------------------------------------------------


def check(game: Game, cells: bytes) -> tuple[Checked, ...]:
    """Every invariant of the rules in a position."""
    module = game.ir
    shown = _Explainer(game, cells)
    return tuple(shown.invariant(invariant) for invariant in module.invariants)


class _Explainer:
    """Says why an invariant holds or not, with the numbers of one position."""

    def __init__(self, game: Game, cells: bytes) -> None:
        self.game = game
        arrays = game.machine.meta["arrays"]

        def read(name: str, index: tuple[int, ...]) -> int:
            array = arrays[name]
            flat = 0
            for at, (_, size, _) in zip(index, array["dimensions"], strict=True):
                if not 0 <= at < size:
                    raise IRFault(f"{name} has no element {at}")
                flat = flat * size + at
            return read_slot(array["slot"], cells, flat)

        self.interpreter = Interpreter(game.ir, read)

    def invariant(self, invariant: ir.Invariant) -> Checked:
        title = invariant.text or invariant.name.replace("_", " ")
        try:
            holds = bool(self.interpreter.value(invariant.condition, {}))
            detail = "" if holds else self.why(invariant.condition, {})
        except IRFault as fault:
            holds, detail = False, f"it is not defined here: {fault}"
        return Checked(invariant.name, holds, f"{title}: {detail}" if detail else title)

    def why(self, expr: ir.Expr, env: Mapping[str, int]) -> str:
        """Why a condition does not hold: the first case that fails, and its numbers."""
        match expr:
            case ir.Op("and", args):
                failed = next(a for a in args if not self.interpreter.value(a, env))
                return self.why(failed, env)
            case ir.Aggregate("every", ranges, where, body) if body is not None:
                for inner in self.interpreter.combinations(ranges, env):
                    if where is not None and not self.interpreter.value(where, inner):
                        continue
                    if not self.interpreter.value(body, inner):
                        names = [r.name for r in ranges]
                        told = ", ".join(f"{n} = {self.shown(n, inner[n])}" for n in names)
                        return f"for {told}: {self.why(body, inner)}"
            case ir.Op("eq" | "le" | "lt" | "ne" as kind, (one, two)):
                must = {
                    "eq": "",
                    "le": "at most ",
                    "lt": "less than ",
                    "ne": "something else than ",
                }
                return f"{self.sum(one, env)}, but must be {must[kind]}{self.sum(two, env)}"
        return f"{expression(expr)} does not hold"

    def sum(self, expr: ir.Expr, env: Mapping[str, int]) -> str:
        """A side of a comparison: its value, after the parts of a sum, each with its label."""
        value = self.interpreter.value(expr, env)
        if isinstance(expr, ir.Int):
            return str(value)
        parts = [self.part(part, env) for part in _summands(expr)]
        return f"{' + '.join(parts)} = {value}" if len(parts) > 1 else parts[0]

    def part(self, expr: ir.Expr, env: Mapping[str, int]) -> str:
        """A value with what it counts, where that has a name."""
        value = self.interpreter.value(expr, env)
        if isinstance(expr, ir.Cell):
            return f"{value} ({self.game.label(expr.array)})"
        return str(value)

    def shown(self, name: str, value: int) -> str:
        names = self.game.player_names
        return names[value] if name in ("p", "q", "player") and value < len(names) else str(value)


def _summands(expr: ir.Expr) -> list[ir.Expr]:
    """The parts of a sum, however it is nested."""
    if isinstance(expr, ir.Op) and expr.kind == "add":
        return [part for arg in expr.args for part in _summands(arg)]
    return [expr]
