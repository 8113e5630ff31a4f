"""The generated module as text: constants, functions, tables of blocks and points, and facts."""

from __future__ import annotations

from compiler import ir
from compiler.layout import Slot
from compiler.plan.known_locals import PublicLocals, read_by
from compiler.plan.notation import fixed_notation
from compiler.plan.numbering import numberings
from compiler.plan.place_names import place_names
from compiler.plan.points import OVER
from compiler.plan.renewed import renewed, renewed_bytes
from compiler.plan.together import looks_ahead, remembered
from compiler.python.block_code import CourseWriter
from compiler.python.expressions import Locals
from compiler.python.functions import ReturnWriter
from compiler.python.module import ModuleWriter, Source
from compiler.python.writer import Writer, filled
from rules_dsl.language.diagnostics import Diagnostic, RuleError
from rules_dsl.language.spans import NOWHERE, Span

# Maximum length: several times that of a large game; Python reads it in less than a second.
MAX_CHARACTERS = 500_000


# Names that every generated function may use.
IMPORTS = (
    "from compiler.runtime.fault import Fault, raise_fault",
    "from compiler.runtime.fields import Memory, Steps, distances, legs, spread",
    "from compiler.runtime.fields import cells, listed, members",
)


def emit_python(module: ir.Module) -> Source:
    """Python source for a module, with the place in the rules of each of its lines."""
    writer = ModuleWriter(module)
    courses = {name: CourseWriter(writer, p) for name, p in module.procedures.items()}
    for course in courses.values():
        course.write()
    _scoring(writer)
    for name in module.routines:  # examples may call them by name
        writer.routine(name)
    return _assemble(writer, courses)


def _scoring(writer: ModuleWriter) -> None:
    scoring = writer.ir.scoring
    expressions = [scoring.numerator, *(t.value for t in scoring.ties)]
    for index, expr in enumerate(expressions):
        name = "score" if index == 0 else f"tie_{index}"
        out = Writer()
        writer.written[name] = out
        local = Locals()
        with out.block(f"def {name}(s, {local.name(scoring.player)}):"):
            ReturnWriter(writer, local, out).give(writer.simplifier.simplify(expr))


def _assemble(writer: ModuleWriter, courses: dict[str, CourseWriter]) -> Source:
    module = writer.ir
    lines: list[tuple[str, Span]] = []

    def add(text: str = "") -> None:
        lines.append((text, NOWHERE))

    add(
        f'"""{_plain(module.title.text)} for {module.players} players: generated from its rules."""'
    )
    add()
    for line in IMPORTS:
        add(line)
    finished = sorted(
        writer.plan.block_numbers[name, number]
        for name, course in courses.items()
        for number in course.plan.finished
    )
    together = looks_ahead(module)
    if any("subsets(" in line for body in writer.written.values() for line, _ in body.lines):
        add("from compiler.runtime.subsets import subsets")
    if together:
        add("from compiler.runtime.together import Together")
    add()
    if together:
        add("TOGETHER = Together()")
    add(f"INITIAL = {writer.plan.initial()!r}")
    for name, value in writer.constants.items():
        add(f"{name} = {value}")
    add(f"FAULTS = {tuple(writer.faults)!r}")
    add()
    add()
    add("def fault(number, value):")
    add("    raise_fault(FAULTS[number], value)")
    add()
    add()
    add("# Listeners get what is revealed: the number of the text, the value, and to whom.")
    add("LISTENERS = []")
    add()
    add()
    add("def shown(number, value, player):")
    if together:
        add("    if TOGETHER.trying:")
        add("        return")
    add("    for listener in LISTENERS:")
    add("        listener(number, value, player)")
    for body in writer.written.values():
        add()
        add()
        lines += body.lines
    add()
    add()
    blocks = ["None"] * len(writer.plan.block_numbers)
    for (procedure, number), at in writer.plan.block_numbers.items():
        if courses[procedure].plan.shared(number):
            blocks[at] = courses[procedure].name(number)
    add("def halt(s):")
    add(f"    s[{writer.layout.who.offset}] = {OVER}")
    for byte in range(writer.layout.pc.width):
        add(f"    s[{writer.layout.pc.offset + byte}] = 0")
    add("    return -1")
    add()
    add()
    # The last one is where a procedure returns to that was called by itself.
    add(f"BLOCKS = ({', '.join([*blocks, 'halt'])})")
    points = [w.number for w in writer.plan.waiting]
    add(f"MOVES = (None, {', '.join(f'moves_{n}' for n in points)})")
    add(f"PLAY = (None, {', '.join(f'play_{n}' for n in points)})")
    talk = []
    for point in writer.plan.waiting:
        terminator = point.block.terminator
        if isinstance(terminator, ir.Decide):
            count = len(terminator.options)
            pairs = [f"(note_{point.number}_{k}, why_{point.number}_{k})" for k in range(count)]
            talk.append(f"({', '.join(pairs)},)" if pairs else "()")
        else:
            talk.append("()")
    add(f"TALK = ((), {', '.join(talk)})")
    ties = [
        f"({1 if t.order == 'most' else -1}, tie_{k + 1})"
        for k, t in enumerate(module.scoring.ties)
    ]
    add(f"TIES = ({', '.join(ties)}{',' if ties else ''})")
    if together:
        among = [
            w.number
            for w in writer.plan.waiting
            if isinstance(w.block.terminator, ir.Decide) and w.block.terminator.together
        ]
        allowed = ", ".join(f"{n}: allowed_{n}" for n in among)
        pc = writer.layout.pc
        kept = remembered(writer.plan, renewed(writer.plan))
        add(
            f"TOGETHER.link(BLOCKS, PLAY, {{{allowed}}}, frozenset({finished}), "
            f"{pc.offset}, {pc.width > 1}, {kept.fixed}, {kept.changing}, {kept.lasting}, "
            f"{renewed_bytes(writer.plan)})"
        )
    add(f"ENTRY = {writer.plan.entry}")
    add(f"META = {metadata(writer)!r}")
    lines = filled(lines)
    text = "\n".join(text for text, _ in lines) + "\n"
    if len(text) > MAX_CHARACTERS:
        message = f"the code of `{module.name}` would have {len(text):,} characters"
        hint = f"at most {MAX_CHARACTERS:,}: let rules share procedures and actions"
        raise RuleError([Diagnostic("E0437", message, NOWHERE, hint)])
    return Source(text, [span for _, span in lines])


def _plain(text: str) -> str:
    return "".join(c for c in text if c.isprintable() and c not in '"\\')


def _slot(slot: Slot) -> tuple[int, int, str, int, int]:
    return (slot.offset, slot.width, slot.encoding, slot.lo, slot.hi)


def metadata(writer: ModuleWriter) -> dict[str, object]:
    """The facts about the module that the runtime needs, as plain data."""
    module, layout = writer.ir, writer.layout
    arrays = {
        name: {
            "kind": a.kind,
            "dimensions": tuple((d.lo, d.size, d.kind) for d in a.dimensions),
            "slot": _slot(layout.arrays[name]),
            "viewers": a.viewers,
            "value": a.value_kind,
            "goods": a.goods,
            "bank": a.bank,
            "ghost": a.ghost,
        }
        for name, a in module.arrays.items()
    }
    zones = {
        name: (
            z.table,
            z.array,
            tuple((d.lo, d.size, d.kind) for d in z.dimensions),
            z.first,
            z.places,
            z.levels,
            z.below,
            z.viewers,
        )
        for name, z in module.zones.items()
    }
    points: list[dict[str, object]] = [{}]
    public = PublicLocals(module)
    for point in writer.plan.waiting:
        terminator = point.block.terminator
        if isinstance(terminator, ir.Decide):
            known = _known_locals(writer, public, point.procedure, terminator)
            points.append(
                {
                    **_decision(terminator, point.procedure.name),
                    "known": known,
                    "hidden": public.depends_on_hidden(point.procedure.name, terminator),
                    "fixed": fixed_notation(module, terminator),
                }
            )
        else:
            assert isinstance(terminator, ir.Chance)
            rule, local = point.procedure.name, terminator.range.name
            points.append(
                {
                    "verb": terminator.verb,
                    "kind": terminator.kind,
                    "name": terminator.written,
                    "range": (terminator.range.low.lo, terminator.range.high.hi),
                    "hidden": public.depends_on_hidden(rule, terminator),
                    "public": public.public(rule, local),
                    "procedure": rule,
                }
            )
    entries = {
        name: (
            writer.plan.block_numbers[name, p.blocks[0].id],
            tuple(_slot(layout.frames[name].slots[v.name]) for v in p.params),
            _slot(layout.frames[name].back),
            layout.frames[name].size if layout.frames[name].moving else 0,
        )
        for name, p in module.procedures.items()
    }
    return {
        "name": module.name,
        "title": module.title.text,
        "titles": dict(module.title.translations),
        "players": module.players,
        "options": dict(module.options),
        "variants": module.variants,
        "digest": module.digest,
        "enums": {e.name: (e.values, e.labels, e.kind) for e in module.enums.values()},
        "arrays": arrays,
        "zones": zones,
        "goods": {g.name: g.limit for g in module.goods.values()},
        "labels": {n: (x.text, dict(x.translations)) for n, x in module.labels.items()},
        "places": place_names(module),
        "points": tuple(points),
        "pc": _slot(layout.pc),
        "who": layout.who.offset,
        "frame_pointer": None if layout.frame_pointer is None else layout.frame_pointer.offset,
        "control": layout.control,
        "size": layout.size,
        "main": module.main,
        "left_out": module.left_out,
        **_frames(writer),
        "denominator": module.scoring.denominator,
        "scores_hidden": module.scoring.hidden,
        "actions": tuple(module.actions),
        "entries": entries,
        "reveals": tuple(writer.reveals),
        "routines": {name: writer.routine(name) for name in module.routines},
    }


def _known_locals(
    writer: ModuleWriter, public: PublicLocals, procedure: ir.Procedure, decide: ir.Decide
) -> tuple[tuple[str, tuple[int, int, str, int, int], str, bool, str], ...]:
    """The public locals that a decision is about.

    Name, slot, kind, whether the frame moves, name in the rules.
    """
    frame = writer.layout.frames[procedure.name]
    locals_ = {v.name: v for v in (*procedure.params, *procedure.variables)}
    return tuple(
        (name, _slot(frame.slots[name]), locals_[name].kind, frame.moving, locals_[name].written)
        for name in sorted(read_by(decide))
        if name in frame.slots
        and frame.slots[name].count == 1
        and public.public(procedure.name, name)
    )


def _frames(writer: ModuleWriter) -> dict[str, object]:
    """The layout of the control part of a position: its frames, and the return points of calls."""
    layout, numbers = writer.layout, writer.plan.block_numbers
    pointer = layout.frame_pointer
    frames = {
        name: (
            frame.base,
            frame.size,
            _slot(frame.back),
            None if frame.previous is None else _slot(frame.previous),
            tuple((local, _slot(slot), slot.count) for local, slot in frame.slots.items()),
        )
        for name, frame in layout.frames.items()
    }
    returns: dict[str, dict[int, str]] = {}
    for name, procedure in writer.ir.procedures.items():
        for block in procedure.blocks:
            if isinstance(block.terminator, ir.Enter):
                known = returns.setdefault(block.terminator.procedure, {})
                known[numbers[name, block.terminator.target]] = name
    at = layout.who.end if pointer is None else pointer.end
    return {"frames": frames, "returns": returns, "frames_at": at}


def _decision(decide: ir.Decide, procedure: str) -> dict[str, object]:
    options = []
    for option, numbering in zip(decide.options, numberings(decide), strict=True):
        params = tuple((p.written, p.lo, p.hi, p.kind) for p in option.params)
        subset = option.subset
        of = None if subset is None else (subset.kind, subset.first)
        options.append((option.name, params, numbering.base, numbering.count, option.cites, of))
    return {
        "label": decide.label,
        "prompt": decide.prompt,
        "options": tuple(options),
        "secret": decide.secret,
        "alone": decide.secret and not decide.turned_up,
        # Other players learn nothing of an action chosen in secret but its effects.
        "kept": decide.secret and (not decide.turned_up or any(o.action for o in decide.options)),
        "procedure": procedure,
    }
