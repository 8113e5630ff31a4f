"""Mutants: copies of a game's rules with one small mistake in them.

They are made on the syntax tree, so that each can be described in the words of the rules, and so
that the examples of the game run against it as they would against the original.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs
from attrs import frozen

from rules_dsl.language import syntax as s
from rules_dsl.language.printer import expression_text, statement_text
from rules_dsl.language.program import Program
from rules_dsl.language.spans import Span

# Declarations of intent: a mistake in them is a mistake in the specification.
_MEANT = {
    "measure",
    "endless",
    "keeps",
    "requires",
    "ensures",
    "decreases",
    "cites",
    "text",
    "reason",
    "span",
}
_COMPARE: dict[str, tuple[s.BinaryOp, ...]] = {
    "<": ("<=",), "<=": ("<",), ">": (">=",), ">=": (">",), "=": ("!=",), "!=": ("=",),
    "in": ("not in",), "not in": ("in",), "and": ("or",), "or": ("and",), "+": ("-",), "-": ("+",),
    "min": ("max",), "max": ("min",),
}  # fmt: skip
_PHASES = (s.CallStatement, s.Choose, s.For)

# A node is replaced by another one, or by nothing.
_Change = tuple[s.Node, s.Node | None]


@frozen
class Mutant:
    """A mistake: what kind, in which rule, where, and what it does."""

    operator: str
    rule: str
    text: str
    span: Span
    declaration: s.Declaration = attrs.field(repr=False)
    changed: s.Declaration = attrs.field(repr=False)

    def __str__(self) -> str:
        return f"{self.span}: {self.rule}: {self.text}"

    def program(self, original: Program) -> Program:
        """The rules with the mistake in them."""
        declarations = [self.changed if d is self.declaration else d for d in original.declarations]
        return attrs.evolve(original, declarations=declarations)


def mutants(program: Program) -> Iterator[Mutant]:
    """All mutants of a program, in the order of the rules."""
    for declaration in program.declarations:
        rule = _rule(declaration)
        if rule is None:
            continue
        for node in _walk(declaration):
            for operator, text, new in _changes(node):
                changed = _rebuild(declaration, (node, new))
                assert isinstance(changed, s.Declaration)
                yield Mutant(operator, rule, text, node.span, declaration, changed)


def _rule(declaration: s.Declaration) -> str | None:
    """The name of a rule; nothing for anything else."""
    match declaration:
        case s.Action(name) | s.Procedure(name) | s.Function(name) | s.Const(name):
            return name.name
        case s.Table(name):
            return name.name
        case s.Section(kind):
            return kind
        case s.Scoring():
            return "scoring"
    return None


def _walk(node: object) -> Iterator[s.Node]:
    """Everything that happens below a node."""
    if isinstance(node, tuple):
        for item in node:
            yield from _walk(item)
    elif isinstance(node, s.Node) and not isinstance(node, s.TypeExpr | s.Param | s.Column):
        yield node
        for part in attrs.fields(type(node)):
            if part.name not in _MEANT:
                yield from _walk(getattr(node, part.name))


def _changes(node: s.Node) -> Iterator[tuple[str, str, s.Node | None]]:
    """The mutations of a node: kind, description, replacement."""
    match node:
        case s.Require(condition, reason):
            shown = f' "{reason.value}"' if reason else ""
            yield "drop requirement", f"without `require {_e(condition)}`{shown}", None
            negated = s.Unary("not", s.Group(condition, span=node.span), span=node.span)
            yield (
                "negate requirement",
                f"`require {_e(condition)}` becomes `not`",
                attrs.evolve(node, condition=negated),
            )
        case s.IntLit(value):
            yield (
                "change constant",
                f"{value} becomes {value + 1}",
                attrs.evolve(node, value=value + 1),
            )
            if value > 0:
                yield (
                    "change constant",
                    f"{value} becomes {value - 1}",
                    attrs.evolve(node, value=value - 1),
                )
        case s.BoolLit(value):
            yield (
                "change constant",
                f"{value} becomes {not value}",
                attrs.evolve(node, value=not value),
            )
        case s.Binary(op):
            for other in _COMPARE.get(op, ()):
                new = attrs.evolve(node, op=other)
                yield "change operator", f"`{_e(node)}` becomes `{_e(new)}`", new
        case s.Emptiness(negated=negated):
            turned = attrs.evolve(node, negated=not negated)
            yield "change operator", f"`{_e(node)}` becomes `{_e(turned)}`", turned
        case s.SetFill(filling):
            other_way = attrs.evolve(node, filling=not filling)
            yield "change operator", f"`{_s(node)}` becomes `{_s(other_way)}`", other_way
        case s.If(branches) if len(branches) == 1:
            condition, body = branches[0]
            negated = s.Unary("not", s.Group(condition, span=node.span), span=node.span)
            yield (
                "negate condition",
                f"`if {_e(condition)}` becomes `not`",
                attrs.evolve(node, branches=((negated, body),)),
            )
        case s.Choose(options=options) if len(options) > 1:
            for option in options:
                others = tuple(o for o in options if o is not option)
                yield (
                    "drop option",
                    f"`{option.name.name}` is not offered",
                    attrs.evolve(node, options=others),
                )
    if isinstance(node, s.MoveCard | s.DrawFrom | s.EndOfPile) and node.end is not None:
        turned_over = attrs.evolve(node, end="bottom" if node.end == "top" else "top")
        shown = _e(node) if isinstance(node, s.EndOfPile) else _s(node)
        yield "change operator", f"`{shown}` at the other end of the pile", turned_over
    if isinstance(node, s.MoveGoods | s.MoveCard) and node.source is not None:
        new_move = attrs.evolve(node, source=node.target, target=node.source)
        yield "swap source and target", f"`{_s(node)}` becomes `{_s(new_move)}`", new_move
    if isinstance(node, s.Assign) and node.op != "=":
        sign = attrs.evolve(node, op="-=" if node.op == "+=" else "+=")
        yield "change operator", f"`{_s(node)}` becomes `{_s(sign)}`", sign
    if isinstance(node, s.Effect):
        yield "drop effect", f"without `{_s(node)}`", None
    if isinstance(node, _PHASES):
        yield "skip phase", f"without `{_s(node)}`", None


def _e(node: s.Expr) -> str:
    return expression_text(node)


def _s(node: s.Statement) -> str:
    return statement_text(node).splitlines()[0].strip()


def _rebuild(node: Any, change: _Change) -> Any:
    """A copy of a tree with one node replaced, or removed from its tuple."""
    old, new = change
    if node is old:
        return new
    if isinstance(node, tuple):
        parts = [_rebuild(item, change) for item in node]
        if all(a is b for a, b in zip(parts, node, strict=True)):
            return node
        if parts == [None] and isinstance(node[0], s.Statement):
            # A block is never empty: nothing happens in it instead.
            nothing = s.BoolLit(True, span=node[0].span)
            return (s.Assert(nothing, None, span=node[0].span),)
        return tuple(part for part in parts if part is not None)
    if not isinstance(node, s.Node):
        return node
    replaced = {}
    for part in attrs.fields(type(node)):
        value = getattr(node, part.name)
        copy = _rebuild(value, change)
        if copy is not value:
            replaced[part.name] = copy
    return attrs.evolve(node, **replaced) if replaced else node
