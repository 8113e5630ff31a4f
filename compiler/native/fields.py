"""Questions over relations as C.

An answer is about all places. It is kept, by its arguments, until a cell changes that it
was read from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler import build as b
from compiler import ir
from compiler.native.errors import UnsupportedError
from compiler.native.expressions import ExpressionWriter, Locals
from compiler.native.memo import Memo
from compiler.native.writer import Writer, c_number
from compiler.plan.relations import listed

if TYPE_CHECKING:
    from compiler.native.module import ModuleWriter

# Places and steps of a relation lie in the working memory of a position.
MAX_PLACES = 16_384
MAX_STEPS = 1_000_000
# Number of places up to which a set of them is a few words of bits.
MAX_PLACES_AS_BITS = 256
# Cached answers to one question: a power of two, and a limit in bytes.
MAX_ANSWERS = 64
MAX_ANSWER_BYTES = 65_536


class FieldWriter:
    """Writes the functions that answer questions over relations."""

    def __init__(self, module: ModuleWriter) -> None:
        self.module = module
        self.known: dict[tuple[object, ...], str] = {}
        # How many words a set of the places of a relation has.
        self.words = 1

    def point(self, expr: ir.Field, writer: ExpressionWriter) -> str:
        """The answer about one place."""
        relation = self.module.ir.relations[expr.relation]
        within = [] if expr.within is None else [expr.within]
        parts = [*expr.args, *expr.source_args, *expr.stop_args, *within]
        at = b.sub(expr.place, b.int_(relation.first))
        arguments = ", ".join(["s", *(writer.code(p) for p in (*parts, at))])
        call = f"{self.function(expr)}({arguments})"
        return f"({call} + {relation.first})" if expr.kind == "component" else call

    def function(self, expr: ir.Field) -> str:
        """The name of the function that answers a question."""
        key = (expr.kind, expr.relation, expr.sources, expr.stops, expr.most, expr.within is None)
        if key in self.known:
            return self.known[key]
        name = self.known[key] = f"d_{expr.kind}_{len(self.known) + 1}"
        relation = self.module.ir.relations[expr.relation]
        args = [f"a{k}" for k in range(len(expr.args))]
        sources = [f"b{k}" for k in range(len(expr.source_args))]
        stops = [f"c{k}" for k in range(len(expr.stop_args))]
        within = [] if expr.within is None else ["r"]
        parts = [*args, *sources, *stops, *within]
        writer = Writer(level=1)
        kind, slots = self.room(expr)
        answer = f"return s->{name}[slot][AT(at, {relation.places})];"
        self.recall(writer, name, parts, slots, answer)
        steps = f"n_{self.relation(relation)}"
        writer.line(f"Steps g = {steps}({', '.join(['s', *args])});")
        self.chosen(writer, expr.sources, "source", relation, sources)
        self.chosen(writer, expr.stops, "stop", relation, stops)
        self.answer(writer, expr, relation)
        writer.line(
            f"for (i32 x = 0; x < {relation.places}; x++) s->{name}[slot][x] = ({kind})answer[x];"
        )
        self.keep(writer, name, parts)
        writer.line(answer)
        members = f"{kind} {name}[{slots}][{relation.places}]; {self.key(name, parts, slots)}"
        self.module.memos[name] = Memo(members, slots)
        self.module.watched |= self.module.plan.reads.field(expr)
        params = ", ".join(["S *s", *(f"i64 {p}" for p in parts), "i32 at"])
        comment = f"{expr.kind} over {relation.name}"
        self.module.define(f"static i32 {name}({params})", Locals(), writer, comment)
        return name

    def room(self, expr: ir.Field) -> tuple[str, int]:
        """The type of an answer about one place, and the number of answers kept."""
        places = self.module.ir.relations[expr.relation].places
        asked = [*expr.args, *expr.source_args, *expr.stop_args]
        asked += [] if expr.within is None else [expr.within]
        kind, size = ("u8", 1) if expr.lo >= 0 and expr.hi < 2**8 else ("i32", 4)
        slots = 1
        if asked:
            while slots < MAX_ANSWERS and 2 * slots * size * places <= MAX_ANSWER_BYTES:
                slots *= 2
        return kind, slots

    def answer(self, writer: Writer, expr: ir.Field, relation: ir.Relation) -> None:
        """Lines that work out the answer about every place."""
        places = relation.places
        writer.line(f"i32 answer[{places}];")
        if expr.kind == "component":
            writer.line("connect(&g, answer);")
            return
        within = "FAR - 1" if expr.within is None else "r"
        stop = "stop" if expr.stops else "(const u8 *)0"
        if expr.kind == "legs":
            writer.line(f"i32 best[{places}]; u8 start[{places}];")
            writer.line(
                f"count_legs(&g, source, {stop}, {within}, {expr.most}, answer, best, start);"
            )
            return
        writer.line(f"cheapest(&g, source, {stop}, {within}, answer);")
        far = "answer[x] == FAR"
        value = f"!({far})" if expr.kind == "spread" else f"{far} ? (i32)r + 1 : answer[x]"
        writer.line(f"for (i32 x = 0; x < {places}; x++) answer[x] = {value};")

    def chosen(
        self, writer: Writer, function: str, name: str, relation: ir.Relation, args: list[str]
    ) -> None:
        """Lines that find the places that satisfy a condition."""
        if not function:
            return
        call = ", ".join(["s", f"x + {relation.first}", *args])
        writer.line(f"u8 {name}[{relation.places}];")
        writer.line(
            f"for (i32 x = 0; x < {relation.places}; x++) "
            f"{name}[x] = {self.module.function(function)}({call}) != 0;"
        )

    # ---- answers that are kept -------------------------------------------------------------------

    def key(self, name: str, parts: list[str], slots: int) -> str:
        """The member that holds the arguments of kept answers."""
        return f"i64 {name}_key[{slots}][{max(1, len(parts))}];"

    def recall(self, writer: Writer, name: str, parts: list[str], slots: int, then: str) -> None:
        """Lines that use a kept answer if it was to the same question, read from the same cells."""
        index = "0"
        if slots > 1:
            for part in parts:
                index = part if index == "0" else f"({index}) * 5 + {part}"
            index = f"(u32)({index}) & {slots - 1}"
        writer.line(f"u32 slot = {index};")
        same = [f"s->{name}_key[slot][{k}] == {part}" for k, part in enumerate(parts)]
        writer.line(f"if ({' && '.join([f's->{name}_ok[slot] == s->now', *same])}) {then}")

    def keep(self, writer: Writer, name: str, parts: list[str]) -> None:
        """Lines that keep an answer."""
        for k, part in enumerate(parts):
            writer.line(f"s->{name}_key[slot][{k}] = {part};")
        writer.line(f"s->{name}_ok[slot] = s->now;")

    # ---- relations -------------------------------------------------------------------------------

    def relation(self, relation: ir.Relation) -> str:
        """The name of a relation, whose steps are written when it is first asked for."""
        name, new = self.module.unique("n", relation.name)
        plain = name.removeprefix("n_")
        if not new:
            return plain
        if relation.places > MAX_PLACES:
            raise UnsupportedError(f"a relation of more than {MAX_PLACES:,} places")
        memo = f"e_{plain}"
        local = Locals()
        writer = Writer(level=1)
        params = ["S *s", *(local.parameter(p.name, p.lo, p.hi) for p in relation.params)]
        parts = [local.name(p.name) for p in relation.params]
        room = 0
        dear = int(any(way.price and not way.joined for way in relation.ways))
        as_bits = not dear and relation.places <= MAX_PLACES_AS_BITS
        masks = "0, 0, 0"
        if as_bits:
            self.words = max(self.words, -(-relation.places // 64))
            masks = f"s->{memo}_free, s->{memo}_one, s->{memo}_from"
        writer.line(
            f"Steps g = {{{relation.places}, s->{memo}_head, s->{memo}_to, "
            f"s->{memo}_price, s->{memo}_heap, {dear}, {masks}}};"
        )
        self.recall(writer, memo, parts, 1, "return g;")
        writer.line("i32 n = 0;")
        for number, way in enumerate(relation.ways, 1):
            room += self.way(writer, local, relation, way, f"{plain}_{number}", memo)
        if room > MAX_STEPS:
            raise UnsupportedError(f"a relation of more than {MAX_STEPS:,} steps")
        self.sort(writer, relation, memo)
        if as_bits:
            self.masks(writer, memo)
        self.keep(writer, memo, parts)
        writer.line("return g;")
        size = max(1, room)
        bits = f"[{relation.places} * SET_WORDS]"
        sets = (
            f"u64 {memo}_free{bits}, {memo}_one{bits}, {memo}_from[SET_WORDS]; " if as_bits else ""
        )
        self.module.memos[memo] = Memo(
            f"u16 {memo}_a[{size}], {memo}_b[{size}], {memo}_to[{size}]; "
            f"i32 {memo}_c[{size}], {memo}_price[{size}], {memo}_head[{relation.places + 1}]; "
            f"u64 {memo}_heap[{size + 2 * relation.places}]; {sets}{self.key(memo, parts, 1)}"
        )
        place = f"{relation.name}: {relation.span.file}:{relation.span.line}"
        self.module.define(f"static Steps {name}({', '.join(params)})", local, writer, place)
        return plain

    def sort(self, writer: Writer, relation: ir.Relation, memo: str) -> None:
        """Lines that order the steps by where they start."""
        places = relation.places
        head = f"s->{memo}_head"
        for line in (
            f"for (i32 x = 0; x <= {places}; x++) {head}[x] = 0;",
            f"for (i32 k = 0; k < n; k++) {head}[s->{memo}_a[k] + 1]++;",
            f"for (i32 x = 0; x < {places}; x++) {head}[x + 1] += {head}[x];",
            "for (i32 k = n - 1; k >= 0; k--) {",
            f"    i32 at = --{head}[s->{memo}_a[k] + 1];",
            f"    s->{memo}_to[at] = s->{memo}_b[k];",
            f"    s->{memo}_price[at] = s->{memo}_c[k];",
            "}",
            # Every entry now holds the start of the steps of the place before it: move them down.
            f"for (i32 x = 0; x < {places}; x++) {head}[x] = {head}[x + 1];",
            f"{head}[{places}] = n;",
        ):
            writer.line(line)

    def masks(self, writer: Writer, memo: str) -> None:
        """Lines that note the steps as sets of places."""
        for name in ("free", "one", "from"):
            writer.line(f"fill((u8 *)s->{memo}_{name}, sizeof s->{memo}_{name});")
        writer.line("for (i32 k = 0; k < n; k++) {")
        writer.line(f"    u64 *steps = s->{memo}_c[k] ? s->{memo}_one : s->{memo}_free;")
        writer.line(f"    HOLDS(steps + SET_WORDS * s->{memo}_a[k], s->{memo}_b[k]);")
        writer.line(f"    if (!s->{memo}_c[k]) HOLDS(s->{memo}_from, s->{memo}_a[k]);")
        writer.line("}")

    def way(
        self,
        writer: Writer,
        local: Locals,
        relation: ir.Relation,
        way: ir.Way,
        name: str,
        memo: str,
    ) -> int:
        """Lines that add the steps of one line of a relation; returns their maximum number."""
        plan = self.module.plan
        target = plan.ir.functions[way.target]
        bounds = [(relation.first, relation.last), *way.ranges]
        values = target.params[: len(bounds)]
        names = [
            local.variable(v.name, low, high + 1)
            for v, (low, high) in zip(values, bounds, strict=True)
        ]
        ends = [plan.ir.functions[f].params[-1].name for f in (way.where, way.price) if f]
        for end in ends or [f"{way.target}.there"]:
            there = local.variable(end, target.lo, target.hi)
        body = ExpressionWriter(self.module, local)
        found = listed(plan, relation, way)
        outside = writer.level
        if found.steps is not None:
            room = len(found.steps)
            width = len(names) + 1
            table = self.module.array("L", name, tuple(v for step in found.steps for v in step))
            self.open(writer, f"for (i32 k = 0; k < {room * width}; k += {width})")
            for position, variable in enumerate([*names, there]):
                writer.line(f"{variable} = {table}[k + {position}];")
        else:
            room = 1
            for variable, (low, high) in zip(names, bounds, strict=True):
                room *= high - low + 1
                head = f"{variable} = {c_number(low)}; {variable} <= {c_number(high)}"
                self.open(writer, f"for ({head}; {variable}++)")
            writer.line(f"{there} = {body.truth(plan.simplifier.body(way.target))};")
            first, last = c_number(relation.first), c_number(relation.last)
            self.open(writer, f"if ({there} >= {first} && {there} <= {last})")
        if found.tests:
            self.open(writer, f"if ({body.truth(b.and_(*found.tests))})")
        price = "0" if way.joined else "1"
        if way.price and not way.joined:
            cost = plan.simplifier.body(way.price)
            if cost.lo < 0 or cost.hi > 2**30:
                raise UnsupportedError("steps that cost less than nothing or more than 2^30")
            price = body.truth(cost)
        one, two = (f"(u16)({x} - {c_number(relation.first)})" for x in (names[0], there))
        added = f"s->{memo}_a[n] = {{}}; s->{memo}_b[n] = {{}}; s->{memo}_c[n++] = {price};"
        writer.line(added.format(one, two))
        if way.joined:
            writer.line(added.format(two, one))
        while writer.level > outside:
            writer.level -= 1
            writer.line("}")
        return 2 * room if way.joined else room

    def open(self, writer: Writer, head: str) -> None:
        """Start a block that is closed at the end of the way."""
        writer.line(f"{head} {{")
        writer.level += 1
