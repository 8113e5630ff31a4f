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
from compiler.native.statements import StatementWriter
from compiler.native.writer import Writer, c_number
from compiler.plan.relations import Listed, listed
from compiler.plan.value_reads import ValuesRead
from compiler.transform import conjuncts

if TYPE_CHECKING:
    from compiler.native.module import ModuleWriter

# Places and steps of a relation lie in the working memory of a position.
MAX_PLACES = 16_384
MAX_STEPS = 1_000_000
# Number of places up to which a set of them is a few words of bits.
MAX_PLACES_AS_BITS = 512
# Steps that are the same everywhere, as on a grid, are few differences between numbers of places.
MAX_SHIFTS = 16
SETS = ("free", "one", "area", "free_from", "one_from")
# Cached answers to one question: a power of two, and a limit in bytes.
MAX_ANSWERS = 64
MAX_ANSWER_BYTES = 65_536


# A line of a relation, its steps, and the name of their table.
NumberedWay = tuple[ir.Way, Listed, str]


class FieldWriter:
    """Writes the functions that answer questions over relations."""

    def __init__(self, module: ModuleWriter) -> None:
        self.module = module
        self.known: dict[tuple[object, ...], str] = {}
        # Number of words of a set of places of a relation.
        self.words = 1
        # Whether any relation has such sets.
        self.sets = False

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
        kind, slots, count = self.room(expr)
        answer = f"s->{name}[slot][AT(at, {relation.places})]"
        if expr.kind == "spread" and self.as_sets(relation):
            answer = f"HAS(s->{name}[slot], AT(at, {relation.places}))"
        now = self.now(self.module.reads.field(expr))
        self.recall(writer, name, now, parts, slots, f"return {answer};")
        steps = f"n_{self.relation(relation)}"
        writer.line(f"Steps g = {steps}({', '.join(['s', *args])});")
        local = Locals()
        for function, chosen, given in (
            (expr.sources, "source", sources),
            (expr.stops, "stop", stops),
        ):
            if function:
                self.chosen(local, writer, function, chosen, relation, given)
        self.answer(writer, expr, relation, name, kind)
        self.keep(writer, name, now, parts)
        writer.line(f"return {answer};")
        members = f"{kind} {name}[{slots}][{count}]; {self.key(name, parts, slots)}"
        self.module.memos[name] = Memo(members, slots)
        params = ", ".join(["S *s", *(f"i64 {p}" for p in parts), "i32 at"])
        comment = f"{expr.kind} over {relation.name}"
        self.module.define(f"static i32 {name}({params})", local, writer, comment)
        return name

    def as_sets(self, relation: ir.Relation) -> bool:
        """Whether sets of the places of a relation are bits."""
        dear = any(way.price and not way.joined for way in relation.ways)
        return not dear and relation.places <= MAX_PLACES_AS_BITS

    def room(self, expr: ir.Field) -> tuple[str, int, int]:
        """The type of a part of an answer, the number of answers kept, and of the parts of each."""
        relation = self.module.ir.relations[expr.relation]
        asked = [*expr.args, *expr.source_args, *expr.stop_args]
        asked += [] if expr.within is None else [expr.within]
        kind, size, count = "i32", 4, relation.places
        if expr.kind == "spread" and self.as_sets(relation):
            kind, size, count = "u64", 8, -(-relation.places // 64)
        elif expr.lo >= 0 and expr.hi < 2**8:
            kind, size = "u8", 1
        slots = 1
        if asked:
            while slots < MAX_ANSWERS and 2 * slots * size * count <= MAX_ANSWER_BYTES:
                slots *= 2
        return kind, slots, count

    def answer(
        self, writer: Writer, expr: ir.Field, relation: ir.Relation, name: str, kind: str
    ) -> None:
        """Lines that work out the answer about every place."""
        places = relation.places
        within = "FAR - 1" if expr.within is None else "r"
        sets = self.as_sets(relation)
        stop = "stop" if expr.stops else "0"
        value = "answer[x]"
        if expr.kind == "spread" and sets:
            writer.line("u64 answer[SET_WORDS];")
            writer.line(f"spread_over(&g, source, {stop}, {within}, answer);")
            words = -(-places // 64)
            writer.line(f"for (i32 k = 0; k < {words}; k++) s->{name}[slot][k] = answer[k];")
            return
        writer.line(f"i32 answer[{places}];")
        if expr.kind == "component":
            writer.line("connect(&g, answer);")
        elif expr.kind == "legs" and sets:
            writer.line(f"legs_over(&g, source, {stop}, {within}, {expr.most}, answer);")
        elif expr.kind == "legs":
            writer.line(f"i32 best[{places}]; u8 start[{places}];")
            writer.line(
                f"count_legs(&g, source, {stop}, {within}, {expr.most}, answer, best, start);"
            )
        else:
            find = "steps_over" if sets else "cheapest"
            writer.line(f"{find}(&g, source, {stop}, {within}, answer);")
            far = "answer[x] == FAR"
            value = f"!({far})" if expr.kind == "spread" else f"{far} ? (i32)r + 1 : answer[x]"
        writer.line(f"for (i32 x = 0; x < {places}; x++) s->{name}[slot][x] = ({kind})({value});")

    def chosen(
        self,
        local: Locals,
        writer: Writer,
        function: str,
        name: str,
        relation: ir.Relation,
        args: list[str],
    ) -> None:
        """Lines that find the places that satisfy a condition."""
        sets = self.as_sets(relation)
        kind, count = ("u64", "SET_WORDS") if sets else ("u8", str(relation.places))
        place, *given = self.module.ir.functions[function].params
        local.names = {p.name: arg for p, arg in zip(given, args, strict=True)}
        body = self.module.simplifier.body(function)
        x = f"{local.name(place.name)} - {c_number(relation.first)}"
        writer.line(f"{kind} {name}[{count}] = {{0}};")
        StatementWriter(self.module, local, writer).each(
            ir.Range(place.name, b.int_(relation.first), b.int_(relation.last)),
            conjuncts(body),
            f"HOLDS({name}, {x});" if sets else f"{name}[{x}] = 1;",
        )

    # ---- answers that are kept -------------------------------------------------------------------

    def key(self, name: str, parts: list[str], slots: int) -> str:
        """The member that holds the arguments of kept answers."""
        return f"i64 {name}_key[{slots}][{max(1, len(parts))}];"

    def now(self, read: ValuesRead) -> str:
        """The number of the present values of cells."""
        return f"s->now.group[{self.module.watch.group(read)}]"

    def recall(
        self, writer: Writer, name: str, now: str, parts: list[str], slots: int, then: str
    ) -> None:
        """Lines that use a kept answer if it was to the same question, read from the same cells."""
        index = "0"
        if slots > 1:
            for part in parts:
                index = part if index == "0" else f"({index}) * 5 + {part}"
            index = f"(u32)({index}) & {slots - 1}"
        writer.line(f"u32 slot = {index};")
        same = [f"s->{name}_key[slot][{k}] == {part}" for k, part in enumerate(parts)]
        writer.line(f"if ({' && '.join([f's->{name}_ok[slot] == {now}', *same])}) {then}")

    def keep(self, writer: Writer, name: str, now: str, parts: list[str]) -> None:
        """Lines that keep an answer."""
        for k, part in enumerate(parts):
            writer.line(f"s->{name}_key[slot][{k}] = {part};")
        writer.line(f"s->{name}_ok[slot] = {now};")

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
        sets = self.as_sets(relation)
        ways = [
            (way, listed(self.module.plan, relation, way), f"{plain}_{number}")
            for number, way in enumerate(relation.ways, 1)
        ]
        shifts = self.shifts(relation, ways) if sets else {}
        # Steps that are shifts come first.
        ways.sort(key=lambda each: not (shifts and _same_everywhere(each[0], each[1])))
        dear = int(any(way.price and not way.joined for way in relation.ways))
        masks = "0, 0, 0, 0, 0, 0, 0"
        if sets:
            self.sets = True
            self.words = max(self.words, -(-relation.places // 64))
            fixed = self.shift_table(plain, shifts)
            masks = ", ".join(f"s->{memo}_{member}" for member in SETS)
            masks += f", {fixed}, {len(shifts)}"
        writer.line(
            f"Steps g = {{{relation.places}, s->{memo}_head, s->{memo}_to, "
            f"s->{memo}_price, s->{memo}_heap, {dear}, {masks}}};"
        )
        now = self.now(self.module.reads.relation(relation.name))
        self.recall(writer, memo, now, parts, 1, "return g;")
        writer.line("i32 n = 0;")
        rest = False
        for way, found, number in ways:
            if not rest and not (shifts and _same_everywhere(way, found)):
                rest = True
                writer.line("i32 rest = n;")
            room += self.way(writer, local, relation, way, found, number, memo)
        if not rest:
            writer.line("i32 rest = n;")
        if room > MAX_STEPS:
            raise UnsupportedError(f"a relation of more than {MAX_STEPS:,} steps")
        self.sort(writer, relation, memo)
        if sets:
            self.masks(writer, memo)
        self.keep(writer, memo, now, parts)
        writer.line("return g;")
        size = max(1, room)
        members = "".join(
            f"u64 {memo}_{member}[{'' if 'from' in member else f'{relation.places} * '}SET_WORDS]; "
            for member in (SETS if sets else ())
        )
        self.module.memos[memo] = Memo(
            f"u16 {memo}_a[{size}], {memo}_b[{size}], {memo}_to[{size}]; "
            f"i32 {memo}_c[{size}], {memo}_price[{size}], {memo}_head[{relation.places + 1}]; "
            f"u64 {memo}_heap[{size + 2 * relation.places}]; {members}{self.key(memo, parts, 1)}"
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
        for name in SETS:
            writer.line(f"fill((u8 *)s->{memo}_{name}, sizeof s->{memo}_{name});")
        writer.line("for (i32 k = rest; k < n; k++) {")
        for head, steps in ((f"if (s->{memo}_c[k])", f"{memo}_one"), ("else", f"{memo}_free")):
            writer.line(f"    {head} {{")
            writer.line(f"        HOLDS(s->{steps} + SET_WORDS * s->{memo}_a[k], s->{memo}_b[k]);")
            writer.line(f"        HOLDS(s->{steps}_from, s->{memo}_a[k]);")
            writer.line("    }")
        writer.line("}")
        writer.line(f"areas(s->{memo}_free, s->{memo}_free_from, s->{memo}_area);")

    def shifts(self, relation: ir.Relation, ways: list[NumberedWay]) -> dict[int, int]:
        """The steps that cost one in every position, by how much higher their ends are numbered.

        For each difference the places that have such a step, as bits; nothing if there are many.
        """
        found: dict[int, int] = {}
        for way, steps, _ in ways:
            if _same_everywhere(way, steps):
                for place, *_, there in steps.steps or ():
                    by = there - place
                    found[by] = found.get(by, 0) | 1 << (place - relation.first)
        return found if len(found) <= MAX_SHIFTS else {}

    def shift_table(self, name: str, shifts: dict[int, int]) -> str:
        """The constant array of shifts."""
        if not shifts:
            return "0"
        rows = []
        for by, places in sorted(shifts.items()):
            words = range(-(-places.bit_length() // 64))
            listed_words = ", ".join(f"{places >> 64 * k & 2**64 - 1:#x}ULL" for k in words)
            rows.append(f"{{{by}, {{{listed_words}}}}}")
        table = f"Z_{name}"
        text = f"static const Shift {table}[{len(rows)}] = {{{', '.join(rows)}}};"
        self.module.tables[table] = text
        return table

    def way(
        self,
        writer: Writer,
        local: Locals,
        relation: ir.Relation,
        way: ir.Way,
        found: Listed,
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


def _same_everywhere(way: ir.Way, found: Listed) -> bool:
    """Whether a line has the same steps for one in every position."""
    return not (way.joined or way.price or found.tests) and found.steps is not None
