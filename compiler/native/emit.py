"""A whole module as one C file."""

from __future__ import annotations

from pathlib import Path

from compiler import ir
from compiler.native.block_code import CourseWriter
from compiler.native.expressions import Locals
from compiler.native.functions import ReturnWriter
from compiler.native.module import ModuleWriter
from compiler.native.writer import Writer
from compiler.plan.numbering import count_moves, numberings
from compiler.plan.points import CHANCE, MAX_BYTES, OVER
from compiler.plan.renewed import renewed, renewed_bytes
from compiler.plan.together import looks_ahead, remembered
from compiler.runtime.machine import MAX_BLOCKS
from compiler.runtime.together import MAX_DEPTH, MAX_POSITIONS, PATIENCE

# Room for the positions that a search among choices made together remembers: a power of two that is
# clearly more than they may be.
TRIED = 65_536
# Room for the first of them: another power of two, in fast memory.
FEW = 512

_HERE = Path(__file__).parent


def emit_c(module: ir.Module) -> str:
    """The C of a module; raises `UnsupportedError` for rules that it cannot express."""
    writer = ModuleWriter(module)
    courses = {name: CourseWriter(writer, p) for name, p in module.procedures.items()}
    for course in courses.values():
        course.write()
    _scoring(writer)
    finished = sorted(
        writer.plan.block_numbers[name, number]
        for name, course in courses.items()
        for number in course.plan.finished
    )
    together = looks_ahead(module)
    if together:
        writer.prototypes += [
            f"static i32 {f};"
            for f in (
                "begins(S *s, i32 first)",
                "after(S *s, u32 point, i32 move)",
                "goes_on(S *s, u32 point, i32 move)",
            )
        ]
    parts = [
        f"/* {_plain(module.title.text)} for {module.players} players, from its rules. */",
        _text("prelude.h"),
        _facts(writer, together),
        _text("cells.h"),
        *writer.watch.setters(),
        _text("support.h"),
        *([_text("fields.h")] if module.relations else []),
        *([_text("place_sets.h")] if writer.fields.sets else []),
        *writer.tables.values(),
        "",
        *writer.prototypes,
        "",
        *("\n".join(body) + "\n" for body in writer.bodies),
        _dispatch(writer, courses),
        *([_together(writer, finished), _text("together.h")] if together else []),
        _text("driver.h"),
        _text("binding.h"),
        _text("states.h"),
        _text("entry.h"),
    ]
    return "\n".join(parts)


def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _plain(text: str) -> str:
    return "".join(c for c in text if c.isprintable() and c not in '"\\').replace("*/", "* /")


def _scoring(writer: ModuleWriter) -> None:
    scoring = writer.ir.scoring
    for index, expr in enumerate([scoring.numerator, *(t.value for t in scoring.ties)]):
        name = "score" if index == 0 else f"tie_{index}"
        local = Locals()
        player = local.parameter(scoring.player, 0, writer.ir.players)
        out = Writer(level=1)
        ReturnWriter(writer, local, out).give(writer.simplifier.simplify(expr))
        writer.define(f"static i64 {name}(S *s, {player})", local, out)


def _facts(writer: ModuleWriter, together: bool) -> str:
    """Sizes, and the state as a structure."""
    layout = writer.layout
    moves, outcomes, options = 1, 1, 1
    for point in writer.plan.waiting:
        terminator = point.block.terminator
        if isinstance(terminator, ir.Decide):
            numbers = numberings(terminator)
            moves = max(moves, count_moves(numbers))
            options += len(numbers)
        elif isinstance(terminator, ir.Chance):
            outcomes = max(outcomes, terminator.range.high.hi - terminator.range.low.lo + 1)
    capacity = layout.size if layout.frame_pointer is None else max(MAX_BYTES, layout.size) + 1
    memos = "".join(
        f"    {memo.members}\n    u64 {name}_ok[{memo.slots}];\n"
        for name, memo in writer.memos.items()
    )
    facts = {
        "SIZE": layout.size, "CAPACITY": capacity, "PLAYERS": writer.ir.players,
        "MAX_MOVES": max(moves, outcomes), "MAX_CHOICES": moves,
        "MAX_OUTCOMES": outcomes, "OPTIONS": options, "POINTS": len(writer.plan.waiting) + 1,
        "PC_AT": layout.pc.offset, "PC_WIDTH": layout.pc.width, "WHO_AT": layout.who.offset,
        "OVER": OVER, "CHANCE": CHANCE, "MAX_BLOCKS": f"{MAX_BLOCKS}u", "ENTRY": writer.plan.entry,
        "MOVING": int(layout.frame_pointer is not None),
        "FEW": FEW, "TRIED": TRIED, "MAX_POSITIONS": MAX_POSITIONS, "MAX_DEPTH": MAX_DEPTH,
        "PATIENCE": PATIENCE, "SET_WORDS": writer.fields.words,
        "FRAME_POINTER": -1 if layout.frame_pointer is None else layout.frame_pointer.offset,
    }  # fmt: skip
    lines = [f"#define {name} {value}" for name, value in facts.items()]
    lines += [
        "/* For each group of answers a number that stands for the cells as they are. */",
        f"typedef struct {{ u64 group[{max(1, len(writer.watch.groups))}]; }} Now;",
        "typedef struct {",
        "    Now now;",
        "    u64 last;",
        "    u32 fault;",
        "    u32 len;",
    ]
    lines += [memos.rstrip()] if memos else []
    if together:
        size = sum(end - first for first, end in renewed_bytes(writer.plan))
        lines += ["    u32 depth, renew, started, looked_at, remembered, epoch, root_len;",
                  "    u32 root_noted;",
                  "    u64 root_one, root_two, start_one, start_two;",
                  "    struct { u64 one, two; u32 epoch; i32 known; } tried[FEW + TRIED];",
                  f"    u8 root[CAPACITY], start[{max(1, size)}];"]  # fmt: skip
    lines += ["    u8 b[CAPACITY + 8]; /* cells are read eight at a time */", "} S;"]
    cleared = "".join(
        f" for (u32 k = 0; k < {memo.slots}; k++) s->{name}_ok[k] = 0;"
        for name, memo in writer.memos.items()
    )
    lines.append(f"static inline void no_answers(S *s) {{ (void)s;{cleared} }}")
    lines.append(
        "static inline void all_changed(S *s) { for (u32 k = 0; k < "
        f"{max(1, len(writer.watch.groups))}; k++) s->now.group[k] = ++s->last; }}"
    )
    fresh = ""
    if together:
        fresh += " s->root_len = s->root_noted = s->depth = s->renew = 0; s->epoch = 1;"
        fresh += " for (u32 k = 0; k < FEW + TRIED; k++) s->tried[k].epoch = 0;"
    lines.append(
        "static inline void fresh(S *s) "
        f"{{ s->last = 0; all_changed(s); s->fault = 0; no_answers(s);{fresh} }}"
    )
    # An answer computed during a fault is not valid.
    forget = " s->depth = s->renew = 0;" if together else ""
    unknown = " s->root_len = 0;" if together else ""
    lines.append(
        f"static inline void forget(S *s) {{ if (s->fault) {{ all_changed(s);{unknown} }}"
        f" s->fault = 0;{forget} }}"
    )
    initial = ", ".join(str(byte) for byte in writer.plan.initial()) or "0"
    lines.append(f"static const u8 INITIAL[{max(1, layout.size)}] = {{{initial}}};")
    return "\n".join(lines)


def _dispatch(writer: ModuleWriter, courses: dict[str, CourseWriter]) -> str:
    """The functions that pick a function by the number of a block or of a decision point."""
    out = Writer()
    with out.block("static i32 block(S *s, i32 number)"):
        with out.block("switch (number)"):
            for (procedure, number), at in writer.plan.block_numbers.items():
                if courses[procedure].plan.shared(number):
                    out.line(f"case {at}: return {courses[procedure].name(number)}(s);")
        # A procedure that was called by itself returns here.
        out.line("s->b[WHO_AT] = OVER;")
        out.line("for (i32 k = 0; k < PC_WIDTH; k++) s->b[PC_AT + k] = 0;")
        out.line("return -1;")
    decisions = [w for w in writer.plan.waiting if isinstance(w.block.terminator, ir.Decide)]
    chances = [w for w in writer.plan.waiting if isinstance(w.block.terminator, ir.Chance)]
    _choice(
        out,
        "i32 play_at(S *s, u32 point, i32 m)",
        "play",
        "s, m",
        "-1",
        [w.number for w in writer.plan.waiting],
    )
    _choice(
        out,
        "u32 moves_at(S *s, u32 point, u32 *out)",
        "moves",
        "s, out",
        "0",
        [w.number for w in decisions],
    )
    _choice(
        out,
        "u32 chance_at(S *s, u32 point, u32 *out, i64 *weights)",
        "chance",
        "s, out, weights",
        "0",
        [w.number for w in chances],
    )
    _limits(writer, out)
    _options(writer, out)
    _ranks(writer, out)
    return "\n".join(out.lines) + "\n"


def _together(writer: ModuleWriter, finished: list[int]) -> str:
    """Which blocks finish choices made together, and the decisions among these choices."""
    out = Writer()
    kept = remembered(writer.plan, renewed(writer.plan))
    out.line("typedef struct { u32 first, end; } Bytes;")
    parts = {"fixed": kept.fixed, "changing": kept.changing, "lasting": kept.lasting}
    for name, spans in parts.items():
        values = ", ".join(f"{{{first}, {end or 0}}}" for first, end in spans) or "{0, 0}"
        out.line(f"static const Bytes {name}[] = {{{values}}};")
        out.line(f"#define {name.upper()} {len(spans)}")
    given_back = renewed_bytes(writer.plan)
    out.line(f"#define RENEWED {len(given_back)}")
    for name, at in (("first", 0), ("end", 1)):
        values = ", ".join(str(span[at]) for span in given_back) or "0"
        out.line(f"static const u32 renewed_{name}[] = {{{values}}};")
    watched = any(writer.watch.watched(array) for array in renewed(writer.plan))
    out.line(f"#define RENEWED_WATCHED {int(watched)}")
    with out.block("static i32 finished(i32 number)"):
        with out.block("switch (number)"):
            out.lines += [f"    case {number}: return 1;" for number in finished]
        out.line("return 0;")
    among = [
        w.number
        for w in writer.plan.waiting
        if isinstance(w.block.terminator, ir.Decide) and w.block.terminator.together
    ]
    with out.block("static i32 among(u32 point)"):
        with out.block("switch (point)"):
            out.lines += [f"    case {number}: return 1;" for number in among]
        out.line("return 0;")
    _choice(out, "i32 leads_on(S *s, u32 point)", "some", "s", "1", among)
    return "\n".join(out.lines) + "\n"


def _choice(
    out: Writer, signature: str, prefix: str, arguments: str, otherwise: str, points: list[int]
) -> None:
    with out.block(f"static {signature}"):
        with out.block("switch (point)"):
            for number in points:
                out.line(f"case {number}: return {prefix}_{number}({arguments});")
        used = {"s", "out", "weights", "m"} & set(arguments.split(", "))
        out.line("".join(f"(void){name}; " for name in sorted(used)) + f"return {otherwise};")


def _limits(writer: ModuleWriter, out: Writer) -> None:
    """The least and greatest number of a move or outcome at each decision point."""
    first, last = [0], [-1]
    for point in writer.plan.waiting:
        terminator = point.block.terminator
        if isinstance(terminator, ir.Decide):
            first.append(0)
            last.append(count_moves(numberings(terminator)) - 1)
        elif isinstance(terminator, ir.Chance):
            first.append(terminator.range.low.lo)
            last.append(terminator.range.high.hi)
    for name, values, otherwise in (("first", first, 0), ("last", last, -1)):
        text = ", ".join(map(str, values))
        with out.block(f"static i64 {name}_at(u32 point)"):
            out.line(f"static const i64 known[{len(values)}] = {{{text}}};")
            out.line(f"return point < {len(values)} ? known[point] : {otherwise};")


def _options(writer: ModuleWriter, out: Writer) -> None:
    """The option of a move, counted over all decision points of the game."""
    first = 0
    with out.block("static u32 option_at(u32 point, u32 m)"):
        with out.block("switch (point)"):
            for point in writer.plan.waiting:
                terminator = point.block.terminator
                if not isinstance(terminator, ir.Decide):
                    continue
                numbers = numberings(terminator)
                if not numbers:
                    continue
                tests = [
                    f"m < {n.base + n.count} ? {first + k} : " for k, n in enumerate(numbers[:-1])
                ]
                last = first + len(numbers) - 1
                out.line(f"case {point.number}: return {''.join(tests)}{last};")
                first += len(numbers)
        out.line("(void)m; return 0;")


def _ranks(writer: ModuleWriter, out: Writer) -> None:
    """Whether player `a` ranks above player `b`: by score, then by the tie-breaks in order."""
    with out.block("static i32 above(S *s, i32 a, i32 b, const i64 *scores)"):
        out.line("if (scores[a] != scores[b]) return scores[a] > scores[b];")
        for number, tie in enumerate(writer.ir.scoring.ties, 1):
            sign = ">" if tie.order == "most" else "<"
            one, two = f"tie_{number}(s, a)", f"tie_{number}(s, b)"
            out.line(f"{{ i64 x = {one}, y = {two}; if (x != y) return x {sign} y; }}")
        out.line("(void)s; return 0;")
