"""Generated Python for people: where each cell lies, which rule a line comes from, what follows.

Only `rules compile --emit python` adds these comments; the code that runs has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from textwrap import wrap

from compiler import ir
from compiler.ir_text import array_text
from compiler.layout import Slot
from compiler.plan.points import Plan
from compiler.python.module import Source
from rules_dsl.language.spans import NOWHERE, Span

_NEXT_BLOCK = re.compile(r"\s+return (\d+)$")
_STEP = re.compile(r"def (b|play)_")


def annotated(source: Source, module: ir.Module, rules: Mapping[str, str]) -> Iterator[str]:
    """The lines of generated code, with comments; `rules` has the text of each rule file.

    >>> from compiler.pipeline import to_ir, to_python
    >>> from rules_dsl.language.program import assemble
    >>> from rules_dsl.language.sources import gather
    >>> program = assemble(gather("pig"))
    >>> module = to_ir(program, 2, {})
    >>> lines = list(annotated(to_python(module), module, program.sources.texts))
    >>> [line for line in lines if line.startswith("#   s[0:2]")]
    ['#   s[0:2]       points[Player]: 0..105']
    """
    plan = Plan(module)
    names = {at: f"{name}, block {block}" for (name, block), at in plan.block_numbers.items()}
    written = {file: text.splitlines() for file, text in rules.items()}
    code = source.text.splitlines()
    yield code[0]
    yield ""
    yield from _cells(plan, module)
    before, in_step = NOWHERE, False
    for line, span in zip(code[1:], source.spans[1:], strict=True):
        if line.startswith("def "):
            before, in_step = NOWHERE, bool(_STEP.match(line))
        elif line and (span.file, span.line) != (before.file, before.line) and span != NOWHERE:
            yield _origin(line, span, written)
            before = span
        following = _NEXT_BLOCK.match(line) if in_step else None
        if following and int(following[1]) in names:
            line += f"  # continues with {names[int(following[1])]}"
        yield line


def _origin(line: str, span: Span, written: Mapping[str, list[str]]) -> str:
    """The rule that a line comes from, as a comment above it."""
    text = written[span.file][span.line - 1].strip() if span.file in written else ""
    indent = " " * (len(line) - len(line.lstrip()))
    return f"{indent}# {span.file}:{span.line}  {text}".rstrip()


def _cells(plan: Plan, module: ir.Module) -> Iterator[str]:
    """Where the bytes of a state are, as a comment."""
    layout = plan.layout
    yield "# The bytes of a state:"
    for name, slot in layout.arrays.items():
        yield f"#   {_bytes(slot):<12} {array_text(module.arrays[name])}"
    yield f"#   {_bytes(layout.pc):<12} the decision point"
    yield f"#   {_bytes(layout.who):<12} the player who decides"
    if layout.frames:
        yield "# Frames of procedures under way: back (the block to return to), parameters, locals."
        yield "# Procedures that are never under way together share bytes."
    for name, frame in layout.frames.items():
        start = "f + " if frame.moving else ""
        held = [f"back {_bytes(frame.back, start)}"]
        held += [f"{local} {_bytes(slot, start)}" for local, slot in frame.slots.items()]
        yield from wrap(
            f"{name}: {', '.join(held)}", 100, initial_indent="#   ", subsequent_indent="#     "
        )


def _bytes(slot: Slot, start: str = "") -> str:
    if slot.end - slot.offset == 1:
        return f"s[{start}{slot.offset}]"
    return f"s[{start}{slot.offset}:{start}{slot.end}]"
