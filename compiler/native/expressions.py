"""IR expressions as C expressions over the bytes of a state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define, field, frozen

from compiler import build as b
from compiler import ir
from compiler.build import LIMIT
from compiler.layout import Slot
from compiler.native.errors import UnsupportedError, unknown
from compiler.native.writer import c_name, c_number, c_type

if TYPE_CHECKING:
    from compiler.native.module import ModuleWriter

_SIGNS = {"add": "+", "sub": "-", "mul": "*", "eq": "==", "ne": "!=", "lt": "<", "le": "<="}


@frozen
class Place:
    """A local that lives in a frame of the state."""

    slot: Slot
    moving: bool


@define
class Locals:
    """The locals in sight while a function is written."""

    frame: dict[str, Place] = field(factory=dict)
    # C variables that the function declares, with their types.
    declared: dict[str, str] = field(factory=dict)
    names: dict[str, str] = field(factory=dict)
    parameters: set[str] = field(factory=set)

    def name(self, local: str) -> str:
        """The C variable of a local."""
        if local not in self.names:
            plain = f"v_{c_name(local)}"
            while plain in self.names.values():
                plain += "_"
            self.names[local] = plain
        return self.names[local]

    def parameter(self, local: str, lo: int, hi: int) -> str:
        """The declaration of a parameter."""
        name = self.name(local)
        self.parameters.add(name)
        return f"{c_type(lo, hi)} {name}"

    def variable(self, local: str, lo: int, hi: int) -> str:
        """The C variable of a local that is about to be set to a value in `lo`..`hi`."""
        name = self.name(local)
        if name not in self.parameters and self.declared.get(name) != "i64":
            self.declared[name] = c_type(lo, hi)
        return name

    def temporary(self, lo: int, hi: int) -> str:
        """A new variable for an intermediate value."""
        name = f"t_{len(self.declared) + 1}"
        self.declared[name] = c_type(lo, hi)
        return name


class ExpressionWriter:
    """Writes the expressions of one function."""

    def __init__(self, module: ModuleWriter, local: Locals) -> None:
        self.module = module
        self.local = local

    def code(self, expr: ir.Expr) -> str:
        """C for an expression; what is not a name, a number or a call is in parentheses."""
        match expr:
            case ir.Int(value):
                return c_number(value)
            case ir.Local(name):
                place = self.local.frame.get(name)
                if place is None:
                    return self.local.name(name)
                return self.read(place.slot, b.int_(0), place.moving)
            case ir.LocalCell(name, index):
                place = self.local.frame[name]
                return self.read(place.slot, index, place.moving)
            case ir.Select(index, items):
                listed = ", ".join(self.code(item) for item in items)
                return f"((const i64[]){{{listed}}})[AT({self.code(index)}, {len(items)})]"
            case ir.Cell(array, index):
                return self.read(self.module.layout.arrays[array], self.flat(array, index))
            case ir.Lookup(table, index):
                return self.lookup(table, index)
            case ir.Op():
                return self.operation(expr)
            case ir.If(condition, then, otherwise):
                return f"({self.code(condition)} ? {self.code(then)} : {self.code(otherwise)})"
            case ir.Narrow(value):
                kind = "64" if c_type(value.lo, value.hi) == "i64" else "32"
                low, high = c_number(expr.lo), c_number(expr.hi)
                return f"narrow{kind}(s, {self.code(value)}, {low}, {high})"
            case ir.Let():
                return self.module.expression_helper(expr, self)
            case ir.Call(function, args):
                arguments = ", ".join(["s", *(self.code(a) for a in args)])
                return f"{self.module.function(function)}({arguments})"
            case ir.Aggregate():
                return self.module.expression_helper(expr, self)
            case ir.Graph():
                return self.graph(expr)
            case ir.Field():
                return self.module.fields.point(expr, self)
        raise unknown(expr)

    def truth(self, expr: ir.Expr) -> str:
        """C for a condition, without parentheses of its own."""
        text = self.code(expr)
        return text[1:-1] if _enclosed(text) else text

    # ---- cells -----------------------------------------------------------------------------------

    def flat(self, array: str, index: tuple[ir.Expr, ...]) -> ir.Expr:
        """The number of a cell in its array."""
        sizes = tuple(d.size for d in self.module.ir.arrays[array].dimensions)
        return b.cell_number(index, sizes)

    def lookup(self, table: str, index: tuple[ir.Expr, ...]) -> str:
        values = self.module.ir.tables[table]
        at = self.code(b.cell_number(index, values.sizes))
        return f"{self.module.table(table)}[AT({at}, {max(1, len(values.values))})]"

    def address(self, slot: Slot, index: ir.Expr, moving: bool = False) -> str:
        """The position of a cell's first byte."""
        if isinstance(index, ir.Int) and 0 <= index.value < slot.count:
            text = str(slot.offset + index.value * slot.width)
        else:
            at = f"AT({self.code(index)}, {slot.count})"
            text = at if slot.width == 1 else f"{at} * {slot.width}"
            text = f"{slot.offset} + {text}" if slot.offset else text
        return f"f + {text}" if moving else text

    def read(self, slot: Slot, index: ir.Expr, moving: bool = False) -> str:
        """The value of a cell."""
        address = self.address(slot, index, moving)
        wide = c_type(slot.lo, slot.hi) == "i64"
        match slot.encoding:
            case "plain":
                raw = f"get{slot.width}(s, {address})"
                return raw if slot.width < 4 else f"({'i64' if wide else 'i32'}){raw}"
            case "offset":
                kind = "i64" if wide else "i32"
                raw = f"get{slot.width}(s, {address})"
                if slot.width >= 4:  # the stored number may not fit where the value does
                    return f"({kind})((i64){raw} + {c_number(slot.lo)})"
                return f"({raw} + {c_number(slot.lo)})"
            case "none":
                return f"none{slot.width}(s, {address})"

    def stored(self, slot: Slot, value: str) -> str:
        """C for the stored number of a value."""
        kind = "64" if c_type(slot.lo, slot.hi) == "i64" else "32"
        kept = f"KEEP{kind}({value}, {c_number(slot.lo)}, {c_number(slot.hi)})"
        if slot.encoding == "offset":
            return f"(i64){kept} - {c_number(slot.lo)}"
        return kept

    # ---- operators -------------------------------------------------------------------------------

    def operation(self, expr: ir.Op) -> str:
        kind, args = expr.kind, expr.args
        _check_size(expr)
        codes = [self.code(a) for a in args]
        wide = any(c_type(e.lo, e.hi) == "i64" for e in (expr, *args))
        match kind:
            case "add" | "sub" | "mul":
                first = f"(i64){codes[0]}" if wide else codes[0]
                return f"({first} {_SIGNS[kind]} {codes[1]})"
            case "eq" | "ne" | "lt" | "le":
                return f"({codes[0]} {_SIGNS[kind]} {codes[1]})"
            case "and":
                return f"({' && '.join(codes)})"
            case "or":
                return f"({' || '.join(codes)})"
            case "not":
                return f"(!{codes[0]})"
            case "neg":
                return f"(-{codes[0]})"
            case "abs" | "min" | "max":
                return f"{kind}{'64' if wide else '32'}({', '.join(codes)})"
            case "div" | "mod":
                if args[0].lo >= 0 and args[1].lo > 0:
                    return f"({codes[0]} {'/' if kind == 'div' else '%'} {codes[1]})"
                width = "64" if wide else "32"
                if args[1].lo > 0:
                    name = {"div": "part", "mod": "rest"}[kind]
                    return f"{name}{width}({', '.join(codes)})"
                return f"{kind}{width}(s, {', '.join(codes)})"
        raise unknown(expr)

    def graph(self, expr: ir.Graph) -> str:
        helper = self.module.graph_helper(expr)
        args = ["s", self.code(b.sub(expr.start, b.int_(expr.first)))]
        if expr.goal is not None:
            args.append(self.code(b.sub(expr.goal, b.int_(expr.first))))
        call = f"{helper}({', '.join(args)})"
        return f"({call} + {expr.first})" if expr.kind == "component" and expr.first else call


def _enclosed(text: str) -> bool:
    """Whether one pair of parentheses is around the whole text."""
    if not text.startswith("("):
        return False
    depth = 0
    for position, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return position == len(text) - 1
    return False


def _check_size(expr: ir.Op) -> None:
    """Beyond `LIMIT` machine numbers may not be wide enough."""
    one, two = expr.args[0], expr.args[-1]
    match expr.kind:
        case "add":
            ends = [one.lo + two.lo, one.hi + two.hi]
        case "sub":
            ends = [one.lo - two.hi, one.hi - two.lo]
        case "mul":
            ends = [x * y for x in (one.lo, one.hi) for y in (two.lo, two.hi)]
        case _:
            return
    if min(ends) < -LIMIT or max(ends) > LIMIT:
        raise UnsupportedError("numbers beyond 10^12")
