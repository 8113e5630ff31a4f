"""Conditions on many places at once: the places that satisfy them as bits of a whole number."""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import product
from math import prod

from attrs import define, evolve

from compiler import build as b
from compiler import ir
from compiler.interpret import Interpreter
from compiler.layout import Slot
from compiler.lower.free import free, union
from compiler.plan.heads import may_fault
from compiler.python.expressions import ExpressionWriter
from compiler.python.statements import StatementWriter
from compiler.transform import bound_names, conjuncts, reads_state, substitute
from compiler.traverse import children

# A loop over fewer values than this is as fast.
FEWEST = 16
# A condition about more combinations of values than this is not written out.
MOST_ITEMS = 64
# Places that lie at more different distances from the value are looked at one by one.
MOST_SHIFTS = 8
# A value that a cell is compared with and that is not known has at most so many values.
MOST_TABLES = 64

_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le
}  # fmt: skip


@define
class Part:
    """A condition as code for a set of places.

    Where `outside` has a bit, working the condition out is a fault.
    """

    code: str
    outside: int = 0


@define
class MaskWriter:
    """Writes conditions on the values of one local, from `low` to `low + size - 1`, as sets.

    Bit 0 stands for `low`. Other locals are known where the code stands.
    """

    writer: ExpressionWriter
    name: str
    low: int
    size: int

    @property
    def all(self) -> int:
        return (1 << self.size) - 1

    def parts(self, condition: ir.Expr) -> list[Part] | None:
        """A condition as sets that are to be joined one after another; none if it is not one."""
        found: list[Part] = []
        for test in conjuncts(self.opened(condition)):
            opened = self.opened(test)
            if isinstance(opened, ir.Op) and opened.kind == "and":
                inner = self.parts(opened)
                if inner is None:
                    return None
                found += inner
                continue
            part = self.part(opened)
            if part is None:
                return None
            found.append(part)
        return found

    def opened(self, expr: ir.Expr) -> ir.Expr:
        """A call that reads the local, or a short loop, as what it stands for."""
        module = self.writer.module
        simplifier = module.simplifier
        while self.name in free(expr):
            match expr:
                case ir.Call(name, args):
                    function = module.ir.functions[name]
                    env = {p.name: a for p, a in zip(function.params, args, strict=True)}
                    body = simplifier.body(name)
                    if bound_names(body) & union(args):
                        return expr
                    expr = simplifier.simplify(substitute(body, env, module.ir.tables))
                case ir.Aggregate("every" | "some"):
                    items = self.items(expr)
                    if items is None:
                        return expr
                    expr = items
                case _:
                    return expr
        return expr

    def items(self, expr: ir.Aggregate) -> ir.Expr | None:
        """A loop over few known values as one condition."""
        module = self.writer.module
        known = [
            range(r.low.value, r.high.value + 1)
            for r in expr.ranges
            if isinstance(r.low, ir.Int) and isinstance(r.high, ir.Int)
        ]
        if len(known) < len(expr.ranges) or prod(len(k) for k in known) > MOST_ITEMS:
            return None
        assert expr.body is not None
        found = []
        for values in product(*known):
            env = {r.name: b.int_(v) for r, v in zip(expr.ranges, values, strict=True)}
            where, body = (
                module.simplifier.simplify(substitute(e, env, module.ir.tables))
                for e in (expr.where or b.TRUE, expr.body)
            )
            found.append(
                b.or_(b.not_(where), body) if expr.kind == "every" else b.and_(where, body)
            )
        return b.and_(*found) if expr.kind == "every" else b.or_(*found)

    def part(self, test: ir.Expr) -> Part | None:
        """One condition as a set."""
        test = self.opened(test)
        module = self.writer.module
        if self.name not in free(test):
            if may_fault(module.simplifier, test):
                return None
            return Part(f"({self.set(self.all)} if {self.writer.code(test)} else 0)")
        if not reads_state(test, module.ir.functions) and free(test) == {self.name}:
            return self.constant(test)
        match test:
            case ir.Op("and", args):
                return self.junction(args, " & ")
            case ir.Op("or", args):
                return self.junction(args, " | ")
            case ir.Op("not", (inner,)):
                part = self.part(inner)
                return (
                    None
                    if part is None
                    else Part(f"({part.code} ^ {self.set(self.all)})", part.outside)
                )
            case ir.Field("spread"):
                return self.spread(test)
            case ir.Op(("le" | "lt") as kind, (ir.Field("steps") as field, ir.Int(most))):
                near = _within(field, most if kind == "le" else most - 1)
                return None if near is None else self.part(near)
            case ir.Op(("le" | "lt") as kind, (ir.Int(least), ir.Field("steps") as field)):
                near = _within(field, least - 1 if kind == "le" else least)
                return None if near is None else self.part(b.not_(near))
            case ir.Op(("eq" | "ne" | "lt" | "le") as kind, (ir.Cell() as cell, other)):
                return self.cell(cell, kind, other, cell_first=True)
            case ir.Op(("eq" | "ne" | "lt" | "le") as kind, (other, ir.Cell() as cell)):
                return self.cell(cell, kind, other, cell_first=False)
            case ir.Cell() if (test.lo, test.hi) == (0, 1):
                return self.cell(test, "ne", b.int_(0), cell_first=True)
        return None

    def junction(self, args: tuple[ir.Expr, ...], sign: str) -> Part | None:
        """Sets joined; none of them may fault, as nothing says where one is worked out."""
        found = [self.part(a) for a in args]
        if any(part is None or part.outside for part in found):
            return None
        return Part(f"({sign.join(part.code for part in found if part is not None)})")

    def constant(self, test: ir.Expr) -> Part | None:
        """A condition that is the same in every position."""
        module = self.writer.module
        if may_fault(module.simplifier, test):
            return None
        interpreter = Interpreter(module.ir)
        mask = 0
        for k in range(self.size):
            mask |= interpreter.value(test, {self.name: self.low + k}) << k
        return Part(self.set(mask))

    def spread(self, field: ir.Field) -> Part | None:
        """The places of a field, if nothing else in it depends on the local."""
        module = self.writer.module
        if may_fault(module.simplifier, field):
            return None
        if any(self.name in free(e) for e in children(field) if e is not field.place):
            return None
        relation = module.ir.relations[field.relation]
        places = self.numbers(field.place)
        if places is None:
            return None
        found = module.fields.field(field, self.writer)
        code = self.gathered(found, places, relation.first, relation.places)
        return None if code is None else Part(code)

    def numbers(self, expr: ir.Expr) -> list[int] | None:
        """What an expression is for each value of the local, if that is the same everywhere."""
        module = self.writer.module
        if (
            free(expr) != {self.name}
            or reads_state(expr, module.ir.functions)
            or may_fault(module.simplifier, expr)
        ):
            return None
        interpreter = Interpreter(module.ir)
        return [interpreter.value(expr, {self.name: self.low + k}) for k in range(self.size)]

    def gathered(self, code: str, places: list[int], first: int, count: int) -> str | None:
        """Code for the values whose place, one of `count` from `first`, is in a set."""
        by_shift: dict[int, int] = {}
        for k, place in enumerate(places):
            shift = place - first - k
            by_shift[shift] = by_shift.get(shift, 0) | 1 << k
        if len(by_shift) > MOST_SHIFTS:
            return None
        if by_shift == {0: self.all} and count <= self.size:
            return code
        if len(by_shift) == 1:
            return self.shifted(code, *by_shift.popitem())
        parts = [self.shifted("_set", shift, mask) for shift, mask in by_shift.items()]
        return f"({parts[0].replace('_set', f'(_set := {code})', 1)} | {' | '.join(parts[1:])})"

    def shifted(self, code: str, shift: int, mask: int) -> str:
        """The bits of a set that lie `shift` above some values, as a set of these values."""
        if shift == 0:
            return f"({code} & {self.set(mask)})"
        return f"({code} {'>>' if shift > 0 else '<<'} {abs(shift)} & {self.set(mask)})"

    def set(self, mask: int) -> str:
        """A set that is the same in every position."""
        return self.writer.module.constant("set", str(mask)) if mask >> 64 else str(mask)

    def cell(self, cell: ir.Cell, kind: str, other: ir.Expr, cell_first: bool) -> Part | None:
        """The places whose cell compares with a value that is the same for all of them."""
        module = self.writer.module
        slot = module.layout.arrays[cell.array]
        sizes = [d.size for d in module.ir.arrays[cell.array].dimensions]
        if not sizes or slot.width != 1:
            return None
        *rest, last = cell.index
        low, high = 0, sizes[-1] - 1
        if isinstance(last, ir.Narrow):
            low, high, last = max(low, last.lo), min(high, last.hi), last.value
        outer = (*rest, other)
        if any(self.name in free(e) or may_fault(module.simplifier, e) for e in outer):
            return None
        places = self.numbers(last)
        table = self.table(slot, kind, other, cell_first)
        if places is None or table is None:
            return None
        start: ir.Expr = b.int_(0)
        for index, size in zip(rest, sizes, strict=False):
            start = b.add(b.mul(start, b.int_(size)), index)
        start = b.add(b.mul(start, b.int_(sizes[-1])), b.int_(slot.offset))
        end = b.add(start, b.int_(sizes[-1]))
        read = f"cells(s, {self.writer.code(start)}, {self.writer.code(end)}, {table})"
        outside = 0
        for k, place in enumerate(places):
            if not low <= place <= high:
                outside |= 1 << k
                places[k] = places[k - 1] + 1 if k else k
        code = self.gathered(read, places, 0, sizes[-1])
        return None if code is None else Part(code, outside)

    def table(self, slot: Slot, kind: str, other: ir.Expr, cell_first: bool) -> str | None:
        """Which stored bytes satisfy a comparison, as a table for `bytes.translate`."""
        compare = _COMPARISONS[kind]
        wanted = [other.value] if isinstance(other, ir.Int) else range(other.lo, other.hi + 1)
        if len(wanted) > MOST_TABLES:
            return None
        tables = []
        for value in wanted:
            line = bytearray(256)
            for stored in range(256):
                own = slot.decode(stored)
                line[stored] = 48 + compare(*((own, value) if cell_first else (value, own)))
            tables.append(bytes(line))
        name = self.writer.module.constant("bits", repr(tuple(tables)))
        if isinstance(other, ir.Int):
            return f"{name}[0]"
        return f"{name}[{self.writer.code(b.sub(other, b.int_(other.lo)))}]"


def hoist(writer: StatementWriter, name: str, exprs: list[ir.Expr]) -> list[str]:
    """Work out before a loop over a local the fields that are the same in all its rounds.

    Gives what was noted; the caller takes it back behind the loop.
    """
    noted: list[str] = []
    simplifier = writer.module.simplifier
    todo = list(exprs)
    while todo:
        expr = todo.pop(0)
        todo += children(expr)
        if not isinstance(expr, ir.Field) or may_fault(simplifier, expr):
            continue
        known = writer.local.places.keys()
        read = union(e for e in children(expr) if e is not expr.place)
        code = writer.module.fields.field(expr, writer)
        if name in read or not read <= known or code in writer.local.hoisted:
            continue
        variable = writer.local.temporary()
        writer.out.line(f"{variable} = {code}")
        writer.local.hoisted[code] = variable
        noted.append(code)
    return noted


def narrowed(
    writer: StatementWriter, name: str, low: int, size: int, tests: list[ir.Expr]
) -> tuple[str, int]:
    """Write the set of values that satisfy the first tests; gives its name and how many they are.

    The name is empty if there is nothing to gain.
    """
    masks = MaskWriter(writer, name, low, size)
    out = writer.out
    variable = ""
    for done, test in enumerate(tests):
        written = len(out.lines)
        parts = masks.parts(test)
        if parts is None:
            return variable, done
        fresh = variable or writer.local.temporary()
        looked_at = 0
        for part in parts:
            if part.outside & ~looked_at:
                looked_at |= part.outside
                suspects = masks.set(part.outside)
                if variable:
                    suspects = f"{variable} & {suspects}"
                with out.block(f"if {suspects}:"):
                    own = writer.local.name(name)
                    with out.block(f"for {own} in listed({suspects}, {low}):"):
                        out.line(writer.code(test))
            if variable:
                out.line(f"{variable} = {variable} and {variable} & {part.code}")
            else:
                out.line(f"{fresh} = {part.code}")
                variable = fresh
        assert len(out.lines) > written
    return variable, len(tests)


def _within(field: ir.Field, most: int) -> ir.Field | None:
    """Being at most so many steps away as a set of places."""
    if not isinstance(field.within, ir.Int) or not 0 <= most <= field.within.value:
        return None
    return evolve(field, kind="spread", within=b.int_(most), lo=0, hi=1)
