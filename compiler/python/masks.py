"""Conditions on many places at once: the places that satisfy them as bits of a whole number."""

from __future__ import annotations

from itertools import product
from math import prod

from attrs import define, evolve

from compiler import build as b
from compiler import ir
from compiler.interpret import Interpreter, IRFault
from compiler.lower.free import free, union
from compiler.plan.heads import may_fault
from compiler.python.expressions import ExpressionWriter
from compiler.python.statements import StatementWriter
from compiler.transform import bound_names, conjuncts, reads_state, replace, substitute
from compiler.traverse import children, map_children

# Minimum number of values for which a mask is faster than a loop.
FEWEST = 24
# Maximum number of combinations of values that a condition is written out for.
MOST_ITEMS = 64
# Maximum number of different distances from the value; beyond that, places are tested one by one.
MOST_SHIFTS = 8
# Maximum number of values of an unknown operand for which masks are tabulated.
MOST_TABLES = 64

# The value of the cell that a condition depends on; no name of a rule file starts like this.
CELL = ".cell"


@define
class MaskPart:
    """A condition as code for a set of places.

    Where `outside` has a bit, working the condition out is a fault. It never holds but where
    `possible` has one.
    """

    code: str
    outside: int = 0
    possible: int = -1


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

    def parts(self, condition: ir.Expr) -> list[MaskPart] | None:
        """A condition as sets that are to be joined one after another; none if it is not one."""
        whole = self.opened(condition)
        single = self.by_cell(whole)
        if single is not None:
            return [single]
        found: list[MaskPart] = []
        for test in conjuncts(whole):
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

    def part(self, test: ir.Expr) -> MaskPart | None:
        """One condition as a set."""
        test = self.opened(test)
        module = self.writer.module
        if self.name not in free(test):
            if may_fault(module.simplifier, test):
                return None
            return MaskPart(f"({self.set(self.all)} if {self.writer.code(test)} else 0)")
        if not reads_state(test, module.ir.functions) and free(test) == {self.name}:
            return self.constant(test)
        single = self.by_cell(test)
        if single is not None:
            return single
        match test:
            case ir.Op("and", args):
                return self.both(args)
            case ir.Op("or", args):
                return self.either(args)
            case ir.Op("not", (inner,)):
                part = self.part(inner)
                if part is None:
                    return None
                return MaskPart(f"({part.code} ^ {self.set(self.all)})", part.outside)
            case ir.Field("spread"):
                return self.spread(test)
            case ir.Op(("le" | "lt") as kind, (ir.Field("steps") as field, ir.Int(most))):
                near = _within(field, most if kind == "le" else most - 1)
                return None if near is None else self.part(near)
            case ir.Op(("le" | "lt") as kind, (ir.Int(least), ir.Field("steps") as field)):
                near = _within(field, least - 1 if kind == "le" else least)
                return None if near is None else self.part(b.not_(near))
        return None

    def both(self, args: tuple[ir.Expr, ...]) -> MaskPart | None:
        """Conditions that must all hold; one may fault where those before it never hold."""
        codes: list[str] = []
        possible = -1
        for arg in args:
            part = self.part(arg)
            if part is None or part.outside & possible:
                return None
            codes.append(part.code)
            possible &= part.possible
        return MaskPart(f"({' & '.join(codes)})", possible=possible)

    def either(self, args: tuple[ir.Expr, ...]) -> MaskPart | None:
        """Conditions of which one must hold; none of them may fault."""
        codes: list[str] = []
        possible = 0
        for arg in args:
            part = self.part(arg)
            if part is None or part.outside:
                return None
            codes.append(part.code)
            possible |= part.possible
        return MaskPart(f"({' | '.join(codes)})", possible=possible)

    def constant(self, test: ir.Expr) -> MaskPart | None:
        """A condition that is the same in every position."""
        module = self.writer.module
        if may_fault(module.simplifier, test):
            return None
        interpreter = Interpreter(module.ir)
        mask = 0
        for k in range(self.size):
            mask |= interpreter.value(test, {self.name: self.low + k}) << k
        return MaskPart(self.set(mask), possible=mask)

    def spread(self, field: ir.Field) -> MaskPart | None:
        """The places of a field, if nothing else in it depends on the local."""
        module = self.writer.module
        if may_fault(module.simplifier, evolve(field, place=b.int_(0))):
            return None
        if any(self.name in free(e) for e in children(field) if e is not field.place):
            return None
        relation = module.ir.relations[field.relation]
        numbers = self.numbers(field.place, relation.first, relation.last)
        if numbers is None:
            return None
        places, outside = numbers
        found = module.fields.field(field, self.writer)
        code = self.gathered(found, places, relation.first, relation.places)
        return None if code is None else MaskPart(code, outside)

    def numbers(self, expr: ir.Expr, low: int, high: int) -> tuple[list[int], int] | None:
        """The values of an expression by value of the local, if they are the same everywhere.

        Also gives the values for which it is not in its range or `low`..`high`.
        """
        module = self.writer.module
        if isinstance(expr, ir.Narrow):
            low, high, expr = max(low, expr.lo), min(high, expr.hi), expr.value
        if (
            free(expr) != {self.name}
            or reads_state(expr, module.ir.functions)
            or may_fault(module.simplifier, expr)
        ):
            return None
        interpreter = Interpreter(module.ir)
        found: list[int] = []
        outside = 0
        for k in range(self.size):
            number = interpreter.value(expr, {self.name: self.low + k})
            if not low <= number <= high:
                outside |= 1 << k
                number = found[-1] + 1 if found else low
            found.append(number)
        return found, outside

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
        # In hexadecimal: Python refuses to read and write decimals of more than 4,300 digits.
        return self.writer.module.constant("set", hex(mask)) if mask >> 64 else str(mask)

    def by_cell(self, test: ir.Expr) -> MaskPart | None:
        """A condition that depends on the local through one cell of the state alone."""
        found: list[ir.Cell] = []
        todo = [test]
        while todo:
            node = todo.pop()
            if isinstance(node, ir.Cell) and self.name in free(node):
                if node not in found:
                    found.append(node)
            elif isinstance(node, ir.Let | ir.Aggregate):
                return None
            else:
                todo += children(node)
        if len(found) != 1:
            return None
        cell = found[0]
        inner = replace(test, cell, ir.Local(CELL, lo=cell.lo, hi=cell.hi))
        if self.name in free(inner):
            return None
        table = self.table(cell, inner)
        return None if table is None else self.cells(cell, table)

    def cells(self, cell: ir.Cell, table: str) -> MaskPart | None:
        """The places whose cell a table turns into the digit 1."""
        module = self.writer.module
        slot = module.layout.arrays[cell.array]
        sizes = [d.size for d in module.ir.arrays[cell.array].dimensions]
        *rest, last = cell.index
        numbers = self.numbers(last, 0, sizes[-1] - 1)
        if (
            numbers is None
            or slot.width != 1
            or any(self.name in free(e) or may_fault(module.simplifier, e) for e in rest)
        ):
            return None
        start: ir.Expr = b.int_(0)
        for index, size in zip(rest, sizes, strict=False):
            start = b.add(b.mul(start, b.int_(size)), index)
        start = b.add(b.mul(start, b.int_(sizes[-1])), b.int_(slot.offset))
        end = b.add(start, b.int_(sizes[-1]))
        read = f"cells(s, {self.writer.code(start)}, {self.writer.code(end)}, {table})"
        places, outside = numbers
        code = self.gathered(read, places, 0, sizes[-1])
        return None if code is None else MaskPart(code, outside)

    def table(self, cell: ir.Cell, test: ir.Expr) -> str | None:
        """The stored bytes that satisfy a condition on `CELL`, as a table for `bytes.translate`.

        Everything else that the condition reads is the same for all places and has few values,
        each with its own table.
        """
        module = self.writer.module
        slot = module.layout.arrays[cell.array]
        others: list[ir.Expr] = []

        def plain(node: ir.Expr) -> ir.Expr:
            if CELL not in free(node):
                if isinstance(node, ir.Int):
                    return node
                if node not in others:
                    others.append(node)
                return ir.Local(f"{CELL}.{others.index(node)}", lo=node.lo, hi=node.hi)
            return node if isinstance(node, ir.Local) else map_children(node, plain)

        inner = plain(test)
        known = [range(other.lo, other.hi + 1) for other in others]
        if (
            prod(len(k) for k in known) > MOST_TABLES
            or reads_state(inner, module.ir.functions)
            or any(may_fault(module.simplifier, other) for other in others)
        ):
            return None
        interpreter = Interpreter(module.ir)
        tables = []
        for values in product(*known):
            env = {f"{CELL}.{k}": value for k, value in enumerate(values)}
            line = bytearray(b"0" * 256)
            for value in range(cell.lo, cell.hi + 1):
                try:
                    holds = interpreter.value(inner, {**env, CELL: value})
                except (IRFault, IndexError, ZeroDivisionError):
                    return None
                line[slot.encode(value)[0]] = 48 + bool(holds)
            tables.append(bytes(line))
        name = module.constant("bits", repr(tuple(tables)))
        at: ir.Expr = b.int_(0)
        for other, numbers in zip(others, known, strict=True):
            at = b.add(b.mul(at, b.int_(len(numbers))), b.sub(other, b.int_(other.lo)))
        return f"{name}[{self.writer.code(at)}]"


def hoist(writer: StatementWriter, name: str, exprs: list[ir.Expr]) -> list[str]:
    """Work out before a loop over a local the fields that are the same in all its rounds.

    Returns the notes; the caller removes them after the loop.
    """
    noted: list[str] = []
    simplifier = writer.module.simplifier
    todo = list(exprs)
    while todo:
        expr = todo.pop(0)
        todo += children(expr)
        if not isinstance(expr, ir.Field):
            continue
        if may_fault(simplifier, evolve(expr, place=b.int_(0))):
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
    writer: StatementWriter, name: str, low: int, size: int, tests: list[ir.Expr], among: str = ""
) -> tuple[str, int]:
    """Write the set of values that satisfy the first tests; returns its name and their number.

    The name is empty if there is nothing to gain. With `among`, they are among the values of
    another set.
    """
    masks = MaskWriter(writer, name, low, size)
    out = writer.out
    variable = ""
    known = among
    possible = -1
    for done, test in enumerate(tests):
        parts = masks.parts(test)
        if parts is None:
            return variable, done
        variable = variable or writer.local.temporary()
        for part in parts:
            outside = part.outside & possible
            if outside:
                suspects = f"{known} & {masks.set(outside)}" if known else masks.set(outside)
                with out.block(f"if {suspects}:"):
                    own = writer.local.name(name)
                    with out.block(f"for {own} in listed({suspects}, {low}):"):
                        out.line(writer.code(test))
            out.line(
                f"{variable} = {known} and {known} & {part.code}"
                if known
                else f"{variable} = {part.code}"
            )
            known = variable
            possible &= part.possible & ~part.outside
    return variable, len(tests)


def _within(field: ir.Field, most: int) -> ir.Field | None:
    """The set of places within a number of steps."""
    if not isinstance(field.within, ir.Int) or not 0 <= most <= field.within.value:
        return None
    return evolve(field, kind="spread", within=b.int_(most), lo=0, hi=1)
