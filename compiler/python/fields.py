"""Questions over relations as Python: sets of places are whole numbers, answers are kept."""

from __future__ import annotations

from math import prod

from compiler import build as b
from compiler import ir
from compiler.lower.free import free
from compiler.plan.relations import Listed, listed
from compiler.python.expressions import ATOM, BITOR, SHIFT, ExpressionWriter, Locals
from compiler.python.functions import ReturnWriter
from compiler.python.masks import MaskWriter, narrowed
from compiler.python.module_base import ModuleBase
from compiler.python.writer import Writer, identifier
from compiler.runtime.fields import MAX_KEPT
from compiler.transform import conjuncts
from compiler.traverse import children

_ASKED = {
    "spread": "spread({steps}, {sources}, {within})",
    "steps": "distances({steps}, {sources}, {within})",
    "legs": "legs({steps}, {sources}, {within}, {stops}, {most})",
    "component": "{steps}.components",
}


class FieldWriter:
    """Writes the functions that answer questions over relations."""

    def __init__(self, module: ModuleBase) -> None:
        self.module = module
        # The names of the functions written so far, by what distinguishes them.
        self.known: dict[tuple[object, ...], str] = {}

    def point(self, expr: ir.Field, writer: ExpressionWriter) -> tuple[str, int]:
        """The answer about one place, and how tightly its code binds."""
        field = self.field(expr, writer)
        relation = self.module.ir.relations[expr.relation]
        at = b.sub(expr.place, b.int_(relation.first))
        if expr.kind == "spread":
            return f"{field} >> {writer.code(at, SHIFT + 1)} & 1", BITOR
        value = f"{field}[{writer.code(at)}]"
        if expr.kind == "component" and relation.first:
            return f"({value} + {relation.first})", ATOM
        return value, ATOM

    def field(self, expr: ir.Field, writer: ExpressionWriter) -> str:
        """The answer about all places: a set, or a list."""
        parts = [*expr.args, *expr.source_args, *expr.stop_args]
        if expr.within is not None and not isinstance(expr.within, ir.Int):
            parts.append(expr.within)
        code = f"{self.function(expr)}({', '.join(['s', *(writer.code(p) for p in parts)])})"
        return writer.local.hoisted.get(code, code)

    # ---- functions -------------------------------------------------------------------------------

    def function(self, expr: ir.Field) -> str:
        """The name of the function that answers a question about all places."""
        fixed = expr.within.value if isinstance(expr.within, ir.Int) else None
        limited = expr.within is not None
        key = (expr.kind, expr.relation, expr.sources, expr.stops, expr.most, fixed, limited)
        if key in self.known:
            return self.known[key]
        name = self.known[key] = f"d_{expr.kind}_{len(self.known) + 1}"
        relation = self.module.ir.relations[expr.relation]
        args = [f"a{k}" for k in range(len(expr.args))]
        source_args = [f"b{k}" for k in range(len(expr.source_args))]
        stop_args = [f"c{k}" for k in range(len(expr.stop_args))]
        params = ["s", *args, *source_args, *stop_args]
        within = str(fixed)
        if limited and fixed is None:
            within = "r"
            params.append(within)
        asked = _ASKED[expr.kind].format(
            steps=f"{self.steps(relation)}({', '.join(['s', *args])})",
            sources=self.chosen(expr.sources, relation, source_args),
            within=within,
            stops=self.chosen(expr.stops, relation, stop_args),
            most=expr.most,
        )
        writer = Writer(span=relation.span)
        with writer.block(f"def {name}({', '.join(params)}):"):
            reads = self.module.plan.reads.field(expr)
            self.remembered(writer, name, reads, params[1:], asked)
        self.module.written[name] = writer
        return name

    def asks_often(self, function: ir.Function) -> bool:
        """Whether a function asks at many places, so that its answers are kept, too."""
        answers = prod(param.hi - param.lo + 1 for param in function.params)
        body = self.module.simplifier.body(function.name)
        return answers <= MAX_KEPT and _asks_in_a_loop(body)

    def chosen(self, function: str, relation: ir.Relation, args: list[str]) -> str:
        """Code for the set of places that satisfy a condition."""
        if not function:
            return "0"
        return f"{self.places(function, relation)}({', '.join(['s', *args])})"

    def remembered(
        self, writer: Writer, name: str, reads: frozenset[str], args: list[str], code: str
    ) -> None:
        """Lines that return an answer, which is computed once for the cells it reads."""
        memory = self.module.constant(f"kept_{name}", "Memory()")
        asked = f"({', '.join([*args, ''])})" if len(args) != 1 else args[0]
        writer.line(f"_parts = {self.read(reads)}")
        writer.line(f"_last = {memory}.last")
        writer.line(f"_here = _last[1] if _last[0] == _parts else {memory}.at(_parts)")
        writer.line(f"_found = _here.get({asked})")
        with writer.block("if _found is None:"):
            writer.line(f"_found = {memory}.keep(_here, {asked}, {code})")
        writer.line("return _found")

    def read(self, reads: frozenset[str]) -> str:
        """Code for the cells that an answer depends on."""
        spans: list[list[int]] = []
        for slot in sorted((self.module.layout.arrays[a] for a in reads), key=lambda t: t.offset):
            if spans and spans[-1][1] == slot.offset:
                spans[-1][1] = slot.end
            else:
                spans.append([slot.offset, slot.end])
        return " + ".join(f"s[{first}:{end}]" for first, end in spans) or "b''"

    def places(self, function: str, relation: ir.Relation) -> str:
        """The name of the function that gives the set of places that satisfy a condition."""
        name = f"w_{identifier(function)}"
        if name in self.module.written:
            return name
        lifted = self.module.ir.functions[function]
        writer = self.module.written[name] = Writer(span=lifted.span)
        local = Locals()
        _, *others = (local.name(p.name) for p in lifted.params)
        body = ReturnWriter(self.module, local, writer)  # type: ignore[arg-type]
        with writer.block(f"def {name}({', '.join(['s', *others])}):"):
            match self.module.simplifier.body(function):
                case ir.Op("eq", (ir.Local(one), other)) if one == lifted.params[
                    0
                ].name and isinstance(other, ir.Local):
                    writer.line(f"return 1 << {body.code(b.sub(other, b.int_(relation.first)))}")
                case test:
                    self.gather(body, lifted.params[0].name, relation, test)
        return name

    def gather(self, body: ReturnWriter, place: str, relation: ir.Relation, test: ir.Expr) -> None:
        """Lines that return the places that satisfy a condition."""
        out = body.out
        tests = conjuncts(test)
        first = relation.first
        mask, done = narrowed(body, place, first, relation.places, tests)
        if mask and done == len(tests):
            out.line(f"return {mask}")
            return
        own = body.local.name(place)
        values = f"listed({mask}, {first})" if mask else f"range({first}, {relation.last + 1})"
        out.line("_found = 0")
        with (
            out.block(f"for {own} in {values}:"),
            out.block(f"if {body.code(b.and_(*tests[done:]))}:"),
        ):
            out.line(f"_found |= 1 << {own}{f' - {first}' if first else ''}")
        out.line("return _found")

    # ---- relations -------------------------------------------------------------------------------

    def steps(self, relation: ir.Relation) -> str:
        """The name of the function that gives the steps of a relation."""
        name = self.module.unique("n", relation.name)
        if name in self.module.written:
            return name
        writer = self.module.written[name] = Writer(span=relation.span)
        params = [identifier(p.name) for p in relation.params]
        inner = f"{name}_now"
        with writer.block(f"def {name}({', '.join(['s', *params])}):"):
            reads = self.module.plan.reads.relation(relation.name)
            code = f"{inner}({', '.join(['s', *params])})"
            self.remembered(writer, name, reads, params, code)
        now = self.module.written[inner] = Writer(span=relation.span)
        with now.block(f"def {inner}({', '.join(['s', *params])}):"):
            now.line(f"_found = Steps({relation.places})")
            for number, way in enumerate(relation.ways, 1):
                self.way(now, relation, way, f"{identifier(relation.name)}_{number}")
            now.line("return _found")
        return name

    def way(self, writer: Writer, relation: ir.Relation, way: ir.Way, name: str) -> None:
        """Lines that add the steps of one line of a relation."""
        plan = self.module.plan
        target = plan.ir.functions[way.target]
        values = target.params[: 1 + len(way.ranges)]
        local = Locals()
        names = [local.name(v.name) for v in values]
        there = "_there"
        for function in (way.where, way.price):
            if function:
                there = local.name(plan.ir.functions[function].params[-1].name)
        body = ReturnWriter(self.module, local, writer)  # type: ignore[arg-type]
        found = listed(plan, relation, way)
        if self.shifted(body, relation, way, found, name):
            return
        outside = writer.level
        if found.steps is not None:
            table = self.module.constant(f"steps_{name}", repr(found.steps))
            writer.line(f"for {', '.join([*names, there])} in {table}:")
            writer.level += 1
        else:
            bounds = [(relation.first, relation.last), *way.ranges]
            for value, (low, high) in zip(names, bounds, strict=True):
                writer.line(f"for {value} in range({low}, {high + 1}):")
                writer.level += 1
            writer.line(f"{there} = {body.code(plan.simplifier.body(way.target))}")
            if target.lo < relation.first:
                writer.line(f"if {there} >= {relation.first}:")
                writer.level += 1
        if found.tests:
            writer.line(f"if {body.code(b.and_(*found.tests))}:")
            writer.level += 1
        ends = [f"{at} - {relation.first}" if relation.first else at for at in (names[0], there)]
        if way.joined:
            writer.line(f"_found.join({', '.join(ends)})")
        else:
            if way.price:
                ends.append(body.code(plan.simplifier.body(way.price)))
            writer.line(f"_found.add({', '.join(ends)})")
        writer.level = outside

    def shifted(
        self, body: ReturnWriter, relation: ir.Relation, way: ir.Way, found: Listed, name: str
    ) -> bool:
        """Write the steps of a line as shifts of sets, if each test is about one of its ends."""
        if found.steps is None or way.price:
            return False
        place = self.module.ir.functions[way.target].params[0].name
        there = self.module.ir.functions[way.where].params[-1].name if way.where else ""
        ends: dict[str, list[str]] = {place: [], there: []}
        for test in found.tests:
            read = free(test) - {p.name for p in relation.params}
            end = next(iter(read), place)
            if not read <= {end} or end not in ends:
                return False
            parts = MaskWriter(body, end, relation.first, relation.places).parts(test)
            if parts is None or any(part.outside for part in parts):
                return False
            ends[end] += [part.code for part in parts]
        shifts: dict[int, int] = {}
        for at, *_, to in found.steps:
            shifts[to - at] = shifts.get(to - at, 0) | 1 << at - relation.first
        table = self.module.constant(f"shifts_{name}", repr(tuple(sorted(shifts.items()))))
        starts, stops = (" & ".join(ends[end]) or "-1" for end in (place, there))
        body.out.line(f"_found.add_all({table}, {starts}, {stops}, {way.joined})")
        return True


def _asks_in_a_loop(expr: ir.Expr, loop: bool = False) -> bool:
    """Whether a question stands in a loop."""
    loop = loop or isinstance(expr, ir.Aggregate)
    if isinstance(expr, ir.Field) and loop:
        return True
    return any(_asks_in_a_loop(child, loop) for child in children(expr))
