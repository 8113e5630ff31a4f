"""The `{…}` parts of texts."""

from __future__ import annotations

import re

from lark.exceptions import LarkError

from rules_dsl.language import syntax as s
from rules_dsl.language.braces import filled_in
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.inference import infer
from rules_dsl.language.checker.sets import MAX_ELEMENTS
from rules_dsl.language.parser import parse_expression
from rules_dsl.language.symbols import TemplatePart
from rules_dsl.language.tree_builder import Misplaced
from rules_dsl.language.types import PoolType, SetType, ZoneType

_PIECE = re.compile(r"\\[{}]|\{|\}")


def template(ctx: Context, scope: Scope, text: s.Text | None) -> None:
    """Check the `{…}` parts of a text."""
    if text is None:
        return
    parts: list[TemplatePart] = []
    value = text.value
    position = 0
    literal = ""
    while position < len(value):
        match = _PIECE.search(value, position)
        if match is None:
            literal += value[position:]
            break
        literal += value[position : match.start()]
        if match.group() in ("\\{", "\\}"):
            literal += match.group()[1]
            position = match.end()
            continue
        end = value.find("}", match.end())
        if match.group() == "}" or end < 0:
            ctx.error(
                "E0125",
                f"this `{match.group()}` has no partner",
                text.span,
                hint="write \\{ or \\} for a plain brace",
            )
            return
        inside = value[match.end() : end]
        expr = _embedded(ctx, text, inside, match.end())
        if expr is None:
            return
        type_ = infer(ctx, scope, expr)
        if isinstance(type_, SetType) and type_.inner.size > MAX_ELEMENTS:
            message = f"a text cannot show a set of up to {type_.inner.size:,} things"
            ctx.error("E0125", message, text.span, hint=f"at most {MAX_ELEMENTS}")
            return
        if isinstance(type_, PoolType | ZoneType):
            ctx.error("E0125", f"a text cannot show the {type_}", text.span)
            return
        if literal:
            parts.append(literal)
            literal = ""
        parts.append(expr)
        position = end + 1
    if literal:
        parts.append(literal)
    ctx.facts.templates[text] = tuple(parts)
    for language, words in text.translations:
        if filled_in(words) != filled_in(value):
            message = f"the `{language}` text does not show the same parts as `{value}`"
            ctx.error("E0125", message, text.span, hint="use the same `{…}` in both")


def _embedded(ctx: Context, text: s.Text, inside: str, offset: int) -> s.Expr | None:
    # Quotes and backslashes shift the place by a little; the line is right in any case.
    column = text.span.column + 1 + offset
    try:
        return parse_expression(text.span.file, inside, text.span.line, column)
    except (LarkError, Misplaced):
        ctx.error("E0125", f"`{{{inside}}}` is not an expression", text.span)
        return None
