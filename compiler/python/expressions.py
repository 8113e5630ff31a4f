"""IR expressions as Python expressions over the bytes of a state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define, field

from compiler import build as b
from compiler import ir
from compiler.layout import Slot
from compiler.python.writer import identifier

if TYPE_CHECKING:
    from compiler.python.module import ModuleWriter

# The precedences of Python that are used here.
LOWEST, OR, AND, NOT, COMPARE, BITOR, SHIFT, ADD, MUL, UNARY, ATOM = range(11)

_BINARY = {
    "add": ("+", ADD),
    "sub": ("-", ADD),
    "mul": ("*", MUL),
    "div": ("//", MUL),
    "mod": ("%", MUL),
}
_COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<="}


@define
class Place:
    """Where a local lives: a Python name, or a slot of the frame."""

    code: str
    slot: Slot | None = None
    moving: bool = False


@define
class Locals:
    """The locals in sight while a function is written."""

    places: dict[str, Place] = field(factory=dict)
    temporaries: int = 0
    # Fields computed before a loop: the names of their answers, by their code.
    hoisted: dict[str, str] = field(factory=dict)

    def name(self, local: str) -> str:
        """The Python name of a local that lives in a Python variable."""
        if local not in self.places:
            self.places[local] = Place(identifier(local))
        return self.places[local].code

    def temporary(self) -> str:
        """A name for an intermediate value."""
        self.temporaries += 1
        return f"_{self.temporaries}"  # no name of a rule starts like this


class ExpressionWriter:
    """Writes the expressions of one function."""

    def __init__(self, module: ModuleWriter, local: Locals) -> None:
        self.module = module
        self.local = local

    def code(self, expr: ir.Expr, level: int = LOWEST) -> str:
        """Python for an expression, in parentheses if it binds less tightly than `level`."""
        text, own = self.write(expr)
        return f"({text})" if own < level else text

    def write(self, expr: ir.Expr) -> tuple[str, int]:
        """Python for an expression, and its binding strength."""
        match expr:
            case ir.Int(value):
                return str(value), ATOM if value >= 0 else UNARY
            case ir.Local(name):
                return self.read_local(name)
            case ir.LocalCell(name, index):
                place = self.local.places[name]
                assert place.slot is not None
                return self.read(place.slot, index, place.moving)
            case ir.Select(index, items):
                listed = ", ".join(self.code(item) for item in items)
                return f"({listed},)[{self.code(index)}]", ATOM
            case ir.Cell(array, index):
                return self.read(self.module.layout.arrays[array], self.flat(array, index))
            case ir.Lookup(table, index):
                sizes = self.module.ir.tables[table].sizes
                return f"{self.module.table(table)}[{self.code(b.cell_number(index, sizes))}]", ATOM
            case ir.Op():
                return self.operation(expr)
            case ir.If(condition, then, otherwise):
                text = (
                    f"{self.code(then, OR)} if {self.code(condition, OR)} "
                    f"else {self.code(otherwise)}"
                )
                return text, LOWEST
            case ir.Narrow():
                return self.narrow(expr)
            case ir.Let():
                # A walrus inside the body's first use would depend on the order of evaluation.
                return self.module.expression_helper(expr, self), ATOM
            case ir.Call(function, args):
                arguments = ", ".join(["s", *(self.code(a) for a in args)])
                return f"{self.module.function(function)}({arguments})", ATOM
            case ir.Aggregate():
                return self.module.expression_helper(expr, self), ATOM
            case ir.Graph():
                return self.graph(expr), ATOM
            case ir.Field():
                return self.module.fields.point(expr, self)
        raise AssertionError(expr)

    # ---- cells -----------------------------------------------------------------------------------

    def flat(self, array: str, index: tuple[ir.Expr, ...]) -> ir.Expr:
        """The number of a cell in its array."""
        sizes = tuple(d.size for d in self.module.ir.arrays[array].dimensions)
        return b.cell_number(index, sizes)

    def read_local(self, name: str) -> tuple[str, int]:
        place = self.local.places.get(name)
        if place is None or place.slot is None:
            return self.local.name(name), ATOM
        return self.read(place.slot, b.int_(0), place.moving)

    def address(self, slot: Slot, index: ir.Expr, moving: bool = False) -> str:
        """The position of a cell's first byte."""
        position = b.add(b.mul(index, b.int_(slot.width)), b.int_(slot.offset))
        text = self.code(position, ADD if moving else LOWEST)
        return f"f + {text}" if moving else text

    def raw(self, slot: Slot, index: ir.Expr, moving: bool = False) -> tuple[str, int]:
        """The stored value of a cell."""
        if slot.width == 1:
            return f"s[{self.address(slot, index, moving)}]", ATOM
        address = self.address(slot, index, moving)
        if isinstance(index, ir.Int) and not moving:
            first = int(address)
            parts = [f"s[{first}]"] + [f"s[{first + k}] << {8 * k}" for k in range(1, slot.width)]
            return " | ".join(parts), BITOR
        name = self.local.temporary()
        parts = [f"s[({name} := {address})]"] + [
            f"s[{name} + {k}] << {8 * k}" for k in range(1, slot.width)
        ]
        return " | ".join(parts), BITOR

    def read(self, slot: Slot, index: ir.Expr, moving: bool = False) -> tuple[str, int]:
        """The value of a cell."""
        text, level = self.raw(slot, index, moving)
        if slot.encoding == "plain":
            return text, level
        if slot.encoding == "offset":
            wrapped = text if level >= ADD else f"({text})"
            sign = "+" if slot.lo > 0 else "-"
            return f"{wrapped} {sign} {abs(slot.lo)}", ADD
        name = self.local.temporary()
        return f"-1 if ({name} := {text}) == {slot.nothing} else {name}", LOWEST

    def raw_of(self, expr: ir.Expr) -> tuple[Slot, str, int] | None:
        """The stored form of an expression that is a single cell in the "none" encoding."""
        slot, index, moving = None, b.int_(0), False
        match expr:
            case ir.Cell(array, cell_index):
                slot = self.module.layout.arrays[array]
                if slot.encoding == "none":
                    text, level = self.raw(slot, self.flat(array, cell_index))
                    return slot, text, level
            case ir.Local(name) if (place := self.local.places.get(name)) is not None:
                slot, moving = place.slot, place.moving
                if slot is not None and slot.encoding == "none":
                    text, level = self.raw(slot, index, moving)
                    return slot, text, level
        return None

    def stored(self, value: ir.Expr, slot: Slot) -> str:
        """Python for the stored number of a value."""
        if slot.encoding == "plain":
            return self.code(value)
        if slot.encoding == "offset":
            return self.code(b.sub(value, b.int_(slot.lo)))
        if isinstance(value, ir.Int):
            return str(slot.nothing if value.value == -1 else value.value)
        if value.lo >= 0:
            return self.code(value)
        same = self.raw_of(value)
        if same is not None and same[0].width == slot.width:
            return same[1]
        return f"{self.code(value, BITOR + 1)} & {slot.nothing}"

    # ---- operators -------------------------------------------------------------------------------

    def operation(self, expr: ir.Op) -> tuple[str, int]:
        kind, args = expr.kind, expr.args
        if kind in _COMPARE:
            return self.comparison(kind, args[0], args[1])
        if kind in _BINARY:
            sign, level = _BINARY[kind]
            return f"{self.code(args[0], level)} {sign} {self.code(args[1], level + 1)}", level
        match kind:
            case "and":
                return " and ".join(self.code(a, NOT) for a in args), AND
            case "or":
                return " or ".join(self.code(a, AND) for a in args), OR
            case "not":
                return f"not {self.code(args[0], NOT)}", NOT
            case "neg":
                return f"-{self.code(args[0], UNARY)}", UNARY
            case "abs":
                return f"abs({self.code(args[0])})", ATOM
        return f"{kind}({', '.join(self.code(a) for a in args)})", ATOM

    def comparison(self, kind: str, left: ir.Expr, right: ir.Expr) -> tuple[str, int]:
        sign = _COMPARE[kind]
        if kind in ("eq", "ne"):
            one, two = self.raw_of(left), self.raw_of(right)
            if one is not None and two is not None and one[0].width == two[0].width:
                return f"{_wrap(one)} {sign} {_wrap(two)}", COMPARE
            for side, other in ((one, right), (two, left)):
                if side is None:
                    continue
                if isinstance(other, ir.Int) and other.value == -1:
                    return f"{_wrap(side)} {sign} {side[0].nothing}", COMPARE
                if other.lo >= 0 and other.hi < side[0].nothing:
                    return f"{_wrap(side)} {sign} {self.code(other, COMPARE + 1)}", COMPARE
        if isinstance(right, ir.Int) and left.lo == 0 and left.hi == 1 and _is_test(left):
            # A condition compared with true or false.
            wanted = (right.value == 1) == (kind == "eq")
            if right.value in (0, 1) and kind in ("eq", "ne"):
                return self.write(left if wanted else b.not_(left))
        return f"{self.code(left, COMPARE + 1)} {sign} {self.code(right, COMPARE + 1)}", COMPARE

    def narrow(self, expr: ir.Narrow) -> tuple[str, int]:
        name = self.local.temporary()
        fault = self.module.fault(expr)
        value = expr.value
        raw = self.raw_of(value)
        if raw is not None and expr.lo <= 0:
            wrong = f"None if {name} == {raw[0].nothing} else {name}"
            text = f"{name} if ({name} := {raw[1]}) <= {expr.hi} else fault({fault}, {wrong})"
            return text, LOWEST
        if value.lo >= expr.lo:
            test = f"({name} := {self.code(value)}) <= {expr.hi}"
        elif value.hi <= expr.hi:
            test = f"({name} := {self.code(value)}) >= {expr.lo}"
        else:
            test = f"{expr.lo} <= ({name} := {self.code(value)}) <= {expr.hi}"
        return f"{name} if {test} else fault({fault}, {name})", LOWEST

    def graph(self, expr: ir.Graph) -> str:
        helper = self.module.graph_helper(expr)
        args = ["s", self.code(b.sub(expr.start, b.int_(expr.first)))]
        if expr.goal is not None:
            args.append(self.code(b.sub(expr.goal, b.int_(expr.first))))
        call = f"{helper}({', '.join(args)})"
        return f"({call} + {expr.first})" if expr.kind == "component" and expr.first else call


def _wrap(side: tuple[Slot, str, int]) -> str:
    return side[1] if side[2] > COMPARE else f"({side[1]})"


def _is_test(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Op) and expr.kind in ("eq", "ne", "lt", "le", "and", "or", "not")
