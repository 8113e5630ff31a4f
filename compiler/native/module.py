"""Shared by the parts of the C writer: names, tables, and functions in the order of their use."""

from __future__ import annotations

from compiler import ir
from compiler.lower.free import free
from compiler.native.expressions import ExpressionWriter, Locals
from compiler.native.fields import FieldWriter
from compiler.native.functions import ReturnWriter
from compiler.native.graphs import graph_function
from compiler.native.memo import Memo
from compiler.native.statements import StatementWriter
from compiler.native.watching import Watch
from compiler.native.writer import Writer, c_name, c_number, c_type
from compiler.plan.points import Plan
from compiler.plan.value_reads import ValueReads
from compiler.traverse import children

# The narrowest type for the values of a constant table.
_TABLE_TYPES = (
    ("u8", 0, 2**8 - 1),
    ("i8", -(2**7), 2**7 - 1),
    ("u16", 0, 2**16 - 1),
    ("i16", -(2**15), 2**15 - 1),
    ("i32", -(2**31) + 1, 2**31 - 1),
    ("i64", -(2**63) + 1, 2**63 - 1),
)


class ModuleWriter:
    """Writes the functions of a module; each is written when it is first needed."""

    def __init__(self, module: ir.Module) -> None:
        self.ir = module
        self.plan = Plan(module)
        self.layout = self.plan.layout
        self.simplifier = self.plan.simplifier
        self.tables: dict[str, str] = {}
        self.prototypes: list[str] = []
        self.bodies: list[list[str]] = []
        self.names: dict[tuple[str, str], str] = {}
        self.taken: set[str] = set()
        self.helpers: dict[tuple[object, ...], str] = {}
        # Answers that are kept, as members of the state, and the cells that they were read from.
        self.memos: dict[str, Memo] = {}
        self.reads = ValueReads(module)
        self.watch = Watch(self.layout)
        self.fields = FieldWriter(self)

    # ---- names and tables ------------------------------------------------------------------------

    def unique(self, prefix: str, name: str) -> tuple[str, bool]:
        """The C name of something, and whether it is new."""
        key = prefix, name
        if key in self.names:
            return self.names[key], False
        plain = f"{prefix}_{c_name(name)}"
        while plain in self.taken:
            plain += "_"
        self.taken.add(plain)
        self.names[key] = plain
        return plain, True

    def array(self, prefix: str, name: str, values: tuple[int, ...]) -> str:
        """A constant array."""
        plain, new = self.unique(prefix, name)
        if new:
            low, high = min(values, default=0), max(values, default=0)
            kind = next(k for k, lo, hi in _TABLE_TYPES if lo <= low and high <= hi)
            text = ", ".join(c_number(v) for v in values) or "0"
            self.tables[plain] = f"static const {kind} {plain}[{max(1, len(values))}] = {{{text}}};"
        return plain

    def table(self, name: str) -> str:
        """The array that holds a table's values."""
        return self.array("T", name, self.ir.tables[name].values)

    # ---- functions -------------------------------------------------------------------------------

    def define(self, signature: str, local: Locals, writer: Writer, comment: str = "") -> None:
        """Add a finished function: its locals are declared at its top."""
        self.prototypes.append(f"{signature};")
        head = [f"/* {comment.replace('*/', '* /')} */"] if comment else []
        declared = [f"    {kind} {name} = 0;" for name, kind in local.declared.items()]
        self.bodies.append([*head, f"{signature} {{", *declared, *writer.lines, "}"])

    def parameters(self, params: tuple[ir.Variable, ...], local: Locals) -> str:
        """The parameters of a function or routine."""
        return ", ".join(["S *s", *(local.parameter(p.name, p.lo, p.hi) for p in params)])

    def function(self, name: str) -> str:
        """The C name of a pure function."""
        plain, new = self.unique("f", name)
        if new:
            function = self.ir.functions[name]
            body = self.simplifier.body(name)
            local = Locals()
            params = self.parameters(function.params, local)
            kind = c_type(min(function.lo, body.lo), max(function.hi, body.hi))
            writer = Writer(level=1)
            ReturnWriter(self, local, writer).give(body)
            comment = f"{name}: {function.span.file}:{function.span.line}"
            self.define(f"static {kind} {plain}({params})", local, writer, comment)
        return plain

    def routine(self, name: str) -> str:
        """The C name of a routine."""
        plain, new = self.unique("r", name)
        if new:
            routine = self.ir.routines[name]
            local = Locals()
            params = self.parameters(routine.params, local)
            writer = Writer(level=1)
            StatementWriter(self, local, writer).statements(routine.body)
            comment = f"{name}: {routine.span.file}:{routine.span.line}"
            self.define(f"static void {plain}({params})", local, writer, comment)
        return plain

    def graph_helper(self, expr: ir.Graph) -> str:
        """The C name of a search function."""
        key = f"{expr.kind}_{expr.step}_{expr.first}_{expr.nodes}_{expr.bound}"
        plain, new = self.unique("g", key)
        if new:
            graph_function(self, expr, plain)
        return plain

    def expression_helper(self, expr: ir.Expr, user: ExpressionWriter) -> str:
        """A call of a function for a value that does not fit into one expression."""
        ranges = local_ranges(expr)
        passed, kept = [], {}
        for name in sorted(free(expr)):
            place = user.local.frame.get(name)
            if place is None:
                passed.append(name)
            else:
                kept[name] = place
        moving = any(place.moving for place in kept.values())
        key = (expr, tuple(passed), tuple(kept.items()))
        arguments = ["s", *(["f"] if moving else []), *(user.local.name(n) for n in passed)]
        if key not in self.helpers:
            plain = f"x_{len(self.helpers) + 1}"
            self.helpers[key] = plain
            local = Locals(frame=dict(kept))
            params = ["S *s", *(["u32 f"] if moving else [])]
            params += [local.parameter(n, *ranges[n]) for n in passed]
            writer = Writer(level=1)
            ReturnWriter(self, local, writer).give(expr)
            kind = c_type(expr.lo, expr.hi)
            self.define(f"static {kind} {plain}({', '.join(params)})", local, writer)
        return f"{self.helpers[key]}({', '.join(arguments)})"


def local_ranges(expr: ir.Expr) -> dict[str, tuple[int, int]]:
    """The range of every local that an expression reads, over all places that read it."""
    found: dict[str, tuple[int, int]] = {}
    todo = [expr]
    while todo:
        node = todo.pop()
        if isinstance(node, ir.Local):
            low, high = found.get(node.name, (node.lo, node.hi))
            found[node.name] = min(low, node.lo), max(high, node.hi)
        todo += children(node)
    return found
