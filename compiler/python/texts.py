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
    codes = [repr(p) if isinstance(p, str) else shown_code(writer, p) for p in parts]
    return " + ".join(codes) if codes else '""'
