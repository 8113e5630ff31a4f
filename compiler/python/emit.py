"""The generated module as text: constants, functions, and tables of blocks and points."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ir
from compiler.plan.points import OVER, Waiting
from compiler.plan.renewed import renewed, renewed_bytes
from compiler.plan.together import looks_ahead, remembered
from compiler.python.block_code import CourseWriter
from compiler.python.expressions import Locals
from compiler.python.functions import ReturnWriter
from compiler.python.metadata import metadata
from compiler.python.module import ModuleWriter, Source
from compiler.python.writer import Writer, filled
from rules_dsl.language.diagnostics import Diagnostic, RuleError
from rules_dsl.language.spans import NOWHERE

# Maximum length: several times that of a large game; Python reads it in less than a second.
MAX_CHARACTERS = 500_000


# Names that every generated function may use.
IMPORTS = (
    "from compiler.runtime.fault import Fault, raise_fault",
    "from compiler.runtime.fields import Memory, Steps, distances, legs, spread",
    "from compiler.runtime.fields import cells, listed, members",
)

# Functions that are the same in every module; the body of the last one follows.
COMMON = """

def fault(number, value):
    raise_fault(FAULTS[number], value)


# Each listener gets a revealed value: the number of its text, the value, and the player.
LISTENERS = []


def shown(number, value, player):"""


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
    """The whole text: constants, generated functions, tables of functions, facts."""
    lines = [(text, NOWHERE) for text in _constants(writer)]
    for body in writer.written.values():
        lines += [("", NOWHERE), ("", NOWHERE), *body.lines]
    lines += [(text, NOWHERE) for text in _tables(writer, courses)]
    lines = filled(lines)
    text = "\n".join(text for text, _ in lines) + "\n"
    if len(text) > MAX_CHARACTERS:
        message = f"the code of `{writer.ir.name}` would have {len(text):,} characters"
        hint = f"at most {MAX_CHARACTERS:,}: let rules share procedures and actions"
        raise RuleError([Diagnostic("E0437", message, NOWHERE, hint)])
    return Source(text, [span for _, span in lines])


def _constants(writer: ModuleWriter) -> Iterator[str]:
    """The head of the module, and what all of its functions use."""
    module, together = writer.ir, looks_ahead(writer.ir)
    title = _plain(module.title.text)
    yield f'"""{title} for {module.players} players: generated from its rules."""'
    yield ""
    yield from IMPORTS
    if any("subsets(" in line for body in writer.written.values() for line, _ in body.lines):
        yield "from compiler.runtime.subsets import subsets"
    if together:
        yield "from compiler.runtime.together import Together"
    yield ""
    if together:
        yield "TOGETHER = Together()"
    yield f"INITIAL = {writer.plan.initial()!r}"
    for name, value in writer.constants.items():
        yield f"{name} = {value}"
    yield f"FAULTS = {tuple(writer.faults)!r}"
    yield from COMMON.splitlines()
    if together:
        yield from ("    if TOGETHER.trying:", "        return")
    yield from ("    for listener in LISTENERS:", "        listener(number, value, player)")


def _tables(writer: ModuleWriter, courses: dict[str, CourseWriter]) -> Iterator[str]:
    """The functions by number of block and decision point, and the facts for the runtime."""
    blocks = ["None"] * len(writer.plan.block_numbers)
    for (procedure, number), at in writer.plan.block_numbers.items():
        if courses[procedure].plan.shared(number):
            blocks[at] = courses[procedure].name(number)
    yield from ("", "", "def halt(s):", f"    s[{writer.layout.who.offset}] = {OVER}")
    for byte in range(writer.layout.pc.width):
        yield f"    s[{writer.layout.pc.offset + byte}] = 0"
    yield from ("    return -1", "", "")
    # `halt` comes last: a procedure that was called by itself returns to it.
    yield f"BLOCKS = ({', '.join([*blocks, 'halt'])})"
    points = [w.number for w in writer.plan.waiting]
    yield f"MOVES = (None, {', '.join(f'moves_{n}' for n in points)})"
    yield f"PLAY = (None, {', '.join(f'play_{n}' for n in points)})"
    yield f"TALK = ((), {', '.join(map(_talk, writer.plan.waiting))})"
    ties = [
        f"({1 if t.order == 'most' else -1}, tie_{k + 1})"
        for k, t in enumerate(writer.ir.scoring.ties)
    ]
    yield f"TIES = ({', '.join(ties)}{',' if ties else ''})"
    if looks_ahead(writer.ir):
        yield _together(writer, courses)
    yield f"ENTRY = {writer.plan.entry}"
    yield f"META = {metadata(writer)!r}"


def _talk(point: Waiting) -> str:
    """The functions that give the notation and the reasons of each option of a decision."""
    terminator = point.block.terminator
    if not isinstance(terminator, ir.Decide) or not terminator.options:
        return "()"
    count = len(terminator.options)
    pairs = [f"(note_{point.number}_{k}, why_{point.number}_{k})" for k in range(count)]
    return f"({', '.join(pairs)},)"


def _together(writer: ModuleWriter, courses: dict[str, CourseWriter]) -> str:
    """The call that tells the search among choices made together where they begin and end."""
    plan, pc = writer.plan, writer.layout.pc
    finished = sorted(
        plan.block_numbers[name, number]
        for name, course in courses.items()
        for number in course.plan.finished
    )
    among = [
        w.number
        for w in plan.waiting
        if isinstance(w.block.terminator, ir.Decide) and w.block.terminator.together
    ]
    allowed = ", ".join(f"{n}: allowed_{n}" for n in among)
    kept = remembered(plan, renewed(plan))
    return (
        f"TOGETHER.link(BLOCKS, PLAY, {{{allowed}}}, frozenset({finished}), "
        f"{pc.offset}, {pc.width > 1}, {kept.fixed}, {kept.changing}, {kept.lasting}, "
        f"{renewed_bytes(plan)})"
    )


def _plain(text: str) -> str:
    return "".join(c for c in text if c.isprintable() and c not in '"\\')
