"""Registering names: none twice, and none that is a word of the language."""

from __future__ import annotations

from collections.abc import Callable

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.context import Context
from rules_dsl.language.diagnostics import Note
from rules_dsl.language.spans import Span
from rules_dsl.language.symbols import EnumValue, Symbol
from rules_dsl.language.types import EnumType

RESERVED = {
    "if", "then", "else", "every", "some", "not", "and", "or", "in", "true", "false", "none", "by",
    "players", "next", "ord", "abs", "reaches", "distance", "component", "count", "sum", "min",
    "max", "first", "div", "mod", "bool", "Player", "end", "return", "choose",
    "let", "var", "move", "for", "while", "draw", "roll", "require", "assert", "add", "remove",
    "where", "from", "to", "pass", "stop",
}  # fmt: skip


def taken(ctx: Context, ident: s.Ident) -> bool:
    """Report a name that is declared twice or not to be used."""
    name = ident.name
    if name in RESERVED:
        ctx.faulty.add(name)
        ctx.error(
            "E0208", f"`{name}` is a word of the language", ident.span, hint="use another name"
        )
        return True
    if name in ctx.spans:
        ctx.error(
            "E0202",
            f"`{name}` is declared twice",
            ident.span,
            notes=[Note("declared here first", ctx.spans[name])],
        )
        return True
    ctx.spans[name] = ident.span
    return False


def later(ctx: Context, ident: s.Ident, maker: Callable[[], Symbol | None]) -> None:
    """Register a name whose meaning is determined when it is first needed."""
    if not taken(ctx, ident):
        ctx.pending[ident.name] = maker


def add_values(ctx: Context, enum: EnumType, idents: tuple[s.Ident, ...]) -> None:
    """Take up the values of an enum, a table or goods."""
    seen: dict[str, Span] = {}
    for index, ident in enumerate(idents):
        if ident.name in seen:
            ctx.error(
                "E0202",
                f"`{ident.name}` is declared twice",
                ident.span,
                notes=[Note("declared here first", seen[ident.name])],
            )
            continue
        if ident.name in RESERVED:
            ctx.error(
                "E0208",
                f"`{ident.name}` is a word of the language",
                ident.span,
                hint="use another name",
            )
        seen[ident.name] = ident.span
        ctx.values.setdefault(ident.name, []).append(EnumValue(enum, index))
        ctx.spans.setdefault(f"value {ident.name}", ident.span)


def check_value_names(ctx: Context) -> None:
    """A value must not share its name with something else, as its uses would be ambiguous."""
    for name in ctx.values:
        if name in ctx.spans and f"value {name}" in ctx.spans:
            ctx.error(
                "E0202",
                f"`{name}` is also the name of a value",
                ctx.spans[name],
                notes=[Note("the value", ctx.spans[f"value {name}"])],
            )


def label_of(text: s.Text | None, name: str) -> str:
    """The text for a name: its label if it has one."""
    return text.value if text is not None else name
