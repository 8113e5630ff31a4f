"""Texts for people: notation of moves and reasons for requirements."""

from __future__ import annotations

from compiler import build as b
from compiler import ir
from compiler.python.expressions import LOWEST, ExpressionWriter


def shown_code(writer: ExpressionWriter, shown: ir.Shown) -> str:
    """Python for a value as people see it."""
    simplify = writer.module.simplifier.simplify
    value = simplify(shown.expr)
    kind, _, nothing = shown.kind.partition("?")
    text = _value_code(writer, value, kind)
    if not nothing:
        return text
    test = writer.code(b.eq(value, b.int_(int(nothing))))
    if test in ("0", "1"):
        return '"none"' if test == "1" else text
    return f'("none" if {test} else {text})'


def _value_code(writer: ExpressionWriter, value: ir.Expr, kind: str) -> str:
    if kind == "int":
        return f"str({writer.code(value)})"
    if kind == "bool":
        return f'("yes" if {writer.code(value, LOWEST + 1)} else "no")'
    return f"{writer.module.labels(kind)}[{writer.code(value)}]"


def text_code(writer: ExpressionWriter, parts: tuple[ir.TextPart, ...]) -> str:
    """Python for a text with values in it."""
    codes: list[str] = []
    members: list[ir.Shown] = []
    for part in (*parts, ""):
        if isinstance(part, ir.Shown) and "*" in part.kind:
            members.append(part)
            continue
        if members:
            codes.append(_members_code(writer, members))
            members = []
        if part:
            codes.append(repr(part) if isinstance(part, str) else shown_code(writer, part))
    return " + ".join(codes) if codes else '""'


def _members_code(writer: ExpressionWriter, members: list[ir.Shown]) -> str:
    """Python for the elements of a set, one after another."""
    simplify = writer.module.simplifier.simplify
    parts: list[str] = []
    for shown in members:
        kind, _, nothing = shown.kind.partition("*")
        value = simplify(shown.expr)
        test = writer.code(b.ne(value, b.int_(int(nothing))))
        parts.append(f"({_value_code(writer, value, kind)} if {test} else '')")
    return f"(', '.join(filter(None, [{', '.join(parts)}])) or 'nothing')"
