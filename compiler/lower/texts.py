"""Texts that people read: notations, reasons, and the values that explain a refusal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler import build as b
from compiler import ir
from compiler.lower.names import kind_of
from rules_dsl.language import syntax as s
from rules_dsl.language.symbols import (
    LocalSymbol,
    VarSymbol,
)
from rules_dsl.language.types import (
    BoolType,
    EnumType,
    IntType,
    OptionalType,
    SetType,
    bounds,
)

if TYPE_CHECKING:
    from compiler.lower.expressions import Expressions


def lower_shown(lower: Expressions, node: s.Expr) -> ir.Shown:
    """A value for people."""
    return ir.Shown(lower.value(node), kind_of(lower.value_type(node)))


def lower_revealed(lower: Expressions, node: s.Expr) -> list[tuple[str, ir.Shown]]:
    """The values that `reveal` shows, each with the text of its `ir.Reveal`; indices come first."""
    shown = lower_shown(lower, node)
    while isinstance(node, s.Group):
        node = node.inner
    if isinstance(node, s.Index) and isinstance(
        lower.facts.refs.get(node.base), VarSymbol | LocalSymbol
    ):
        found = [(ir.PLACE, lower_shown(lower, arg)) for arg in node.args]
        return [*found, (lower.low.source(node.base.span) + ir.PLACE, shown)]
    return [(lower.low.source(node.span), shown)]


def lower_text(lower: Expressions, text: s.Text | None) -> tuple[ir.TextPart, ...]:
    """A text with its `{…}` parts."""
    if text is None:
        return ()
    found: list[ir.TextPart] = []
    for part in lower.facts.templates.get(text, (text.value,)):
        if isinstance(part, str):
            found.append(part)
        elif isinstance(lower.facts.types[part], SetType):
            found += _members(lower, part)
        else:
            found.append(lower_shown(lower, part))
    return tuple(found)


def lower_absence(
    lower: Expressions, element: ir.Shown, domain: s.Domain
) -> tuple[ir.TextPart, ...]:
    """That something is not in a domain, which is named as people read it: `hand[ann]`."""
    place = domain.low
    indexed = isinstance(place, s.Index) and isinstance(place.base, s.Name)
    if domain.high is not None or domain.start is not None or not indexed:
        return (element, f" is not in {lower.low.source(domain.span)}")
    assert isinstance(place, s.Index)
    parts: list[ir.TextPart] = [element, f" is not in {lower.low.source(place.base.span)}"]
    for at, arg in enumerate(place.args):
        parts += [", " if at else "[", lower_shown(lower, arg)]
    return (*parts, "]")


def _members(lower: Expressions, node: s.Expr) -> tuple[ir.Shown, ...]:
    """A set, for people."""
    type_ = lower.facts.types[node]
    assert isinstance(type_, SetType)
    low, _ = bounds(type_.inner)
    nothing = low - 1
    return tuple(
        ir.Shown(b.if_(e, b.int_(low + k), b.int_(nothing)), f"{kind_of(type_.inner)}*{nothing}")
        for k, e in enumerate(lower.members(node, node))
    )


def telling_parts(lower: Expressions, condition: s.Expr) -> tuple[tuple[str, ir.Shown], ...]:
    """The parts of a condition whose values explain why it fails."""
    found: dict[str, ir.Shown] = {}

    def look(node: s.Expr) -> None:
        match node:
            case s.Group(inner):
                look(inner)
            case s.Unary("not", operand):
                look(operand)
            case s.Binary(op, left, right) if op in ("and", "or", "implies"):
                look(left)
                look(right)
            case s.Binary(op, left, right) if op not in ("in", "not in"):
                for side in (left, right):
                    note(side)
            case s.Index() | s.Name() | s.Attribute() | s.Call():
                note(node)

    def note(node: s.Expr) -> None:
        while isinstance(node, s.Group):
            node = node.inner
        type_ = lower.facts.types.get(node)
        if not isinstance(type_, IntType | BoolType | EnumType | OptionalType):
            return
        if isinstance(node, s.IntLit | s.BoolLit | s.NoneLit):
            return
        shown = lower_shown(lower, node)
        if not isinstance(shown.expr, ir.Int):
            found[lower.low.source(node.span)] = shown

    look(condition)
    return tuple(found.items())
