"""Enums and their values."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.context import Context
from rules_dsl.language.checker.naming import add_values, label_of, taken
from rules_dsl.language.types import EnumType


def declare_enum(ctx: Context, declaration: s.Enum) -> None:
    """Take up an enum and its values."""
    if taken(ctx, declaration.name):
        return
    values = tuple(v.name.name for v in declaration.values)
    labels = tuple(
        label_of(ctx.program.labels.get(v.name.name) or v.text, v.name.name)
        for v in declaration.values
    )
    enum = EnumType(declaration.name.name, values, "enum", labels)
    ctx.types[enum.name] = enum
    add_values(ctx, enum, tuple(v.name for v in declaration.values))
