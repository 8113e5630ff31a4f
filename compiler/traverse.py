"""One traversal of the IR: what lies directly below a node, and a node with other things below it.

Which fields of a node hold other nodes is read off their types, so that a new construct is walked
by every pass from the day it is declared. A field of a type that is neither a part nor plain data
is an error, never passed over.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar

from attrs import evolve, fields

from compiler import ir
from rules_dsl.language.spans import Span

Part = Literal["expr", "exprs", "range", "ranges", "body"]
AnyExpr = TypeVar("AnyExpr", bound=ir.Expr)
AnyStatement = TypeVar("AnyStatement", bound=ir.Statement)
AnyNode = TypeVar("AnyNode", bound=ir.Expr | ir.Statement)
Body = tuple[ir.Statement, ...]

_PLAIN = (int, str, bool, Span, NoneType)
_PARTS: dict[type, tuple[tuple[str, Part], ...]] = {}


def parts(kind: type) -> tuple[tuple[str, Part], ...]:
    """The fields of a kind of node that hold other nodes.

    >>> parts(ir.If)
    (('condition', 'expr'), ('then', 'expr'), ('otherwise', 'expr'))
    >>> parts(ir.Loop)
    (('range', 'range'), ('body', 'body'))
    """
    known = _PARTS.get(kind)
    if known is None:
        hints = typing.get_type_hints(kind)
        found = ((field.name, _part(kind, hints[field.name])) for field in fields(kind))
        known = _PARTS[kind] = tuple((name, part) for name, part in found if part is not None)
    return known


def _part(kind: type, hint: Any) -> Part | None:
    origin = typing.get_origin(hint)
    if origin in (UnionType, typing.Union):
        choices = {_part(kind, choice) for choice in typing.get_args(hint)} - {None}
        if choices <= {"expr"}:
            return "expr" if choices else None
    elif origin is tuple:
        inner = typing.get_args(hint)[0]
        if typing.get_origin(inner) is None and isinstance(inner, type):
            if issubclass(inner, ir.Expr):
                return "exprs"
            if issubclass(inner, ir.Range):
                return "ranges"
            if issubclass(inner, ir.Statement):
                return "body"
        if inner in _PLAIN:
            return None
    elif origin is Literal:
        return None
    elif isinstance(hint, type):
        if issubclass(hint, ir.Expr):
            return "expr"
        if issubclass(hint, ir.Range):
            return "range"
        if issubclass(hint, _PLAIN):
            return None
    raise TypeError(f"{kind.__name__} has a field of type {hint}: say how it is walked")


def children(node: ir.Expr | ir.Statement) -> Iterator[ir.Expr]:
    """The expressions directly below an expression or a statement.

    >>> from compiler.build import add, int_, local
    >>> [child.name for child in children(add(local("x", 0, 9), local("y", 0, 9)))]
    ['x', 'y']
    """
    for name, part in parts(type(node)):
        value = getattr(node, name)
        match part:
            case "expr":
                if value is not None:
                    yield value
            case "exprs":
                yield from value
            case "range":
                yield value.low
                yield value.high
            case "ranges":
                for range_ in value:
                    yield range_.low
                    yield range_.high
            case "body":
                pass


def locals_in(expr: ir.Expr) -> Iterator[ir.Local]:
    """All locals in an expression, bound ones included.

    >>> from compiler.build import add, int_, local
    >>> [found.name for found in locals_in(add(local("x", 0, 9), int_(1)))]
    ['x']
    """
    if isinstance(expr, ir.Local):
        yield expr
    for child in children(expr):
        yield from locals_in(child)


def bodies(statement: ir.Statement) -> Iterator[Body]:
    """The sequences of statements directly below a statement."""
    for name, part in parts(type(statement)):
        if part == "body":
            yield getattr(statement, name)


def every_statement(statements: Body) -> Iterator[ir.Statement]:
    """Statements and all that they contain, each before its parts."""
    for statement in statements:
        yield statement
        for body in bodies(statement):
            yield from every_statement(body)


def map_children(node: AnyExpr, change: Callable[[ir.Expr], ir.Expr]) -> AnyExpr:
    """An expression with every expression directly below it changed.

    >>> from compiler.build import int_
    >>> map_children(ir.Op("neg", (int_(3),), lo=-9, hi=9), lambda _: int_(4)).args[0].value
    4
    """
    return _mapped(node, change, lambda body: body)


def map_statement(
    node: AnyStatement,
    change: Callable[[ir.Expr], ir.Expr],
    change_body: Callable[[Body], Body],
) -> AnyStatement:
    """A statement with every expression and every sequence of statements below it changed."""
    return _mapped(node, change, change_body)


def _mapped(
    node: AnyNode, change: Callable[[ir.Expr], ir.Expr], change_body: Callable[[Body], Body]
) -> AnyNode:
    changes: dict[str, Any] = {}
    for name, part in parts(type(node)):
        old = getattr(node, name)
        match part:
            case "expr":
                changes[name] = old if old is None else change(old)
            case "exprs":
                changes[name] = tuple([change(e) for e in old])
            case "range":
                changes[name] = _mapped_range(old, change)
            case "ranges":
                changes[name] = tuple([_mapped_range(r, change) for r in old])
            case "body":
                changes[name] = change_body(old)
    return evolve(node, **changes) if changes else node


def _mapped_range(range_: ir.Range, change: Callable[[ir.Expr], ir.Expr]) -> ir.Range:
    return ir.Range(range_.name, change(range_.low), change(range_.high))
