"""Declarations of components: names, numbers, goods, options."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from rules_dsl.language.syntax.expressions import Binder, Expr
from rules_dsl.language.syntax.parts import (
    Choice,
    Cites,
    Declaration,
    Ident,
    Node,
    Provenance,
    Text,
)
from rules_dsl.language.syntax.types import TypeExpr

__all__ = [
    "Const",
    "Enum",
    "EnumValue",
    "Game",
    "Good",
    "GoodValue",
    "Include",
    "Label",
    "Option",
    "PlayersLine",
    "SourceLine",
]


@frozen(eq=False)
class PlayersLine(Node):
    low: Expr
    high: Expr | None
    names: tuple[Ident, ...]


@frozen(eq=False)
class SourceLine(Node):
    name: Ident
    title: Text


@frozen(eq=False)
class Game(Declaration):
    name: Ident
    text: Text | None
    cites: Cites
    players: tuple[PlayersLine, ...]
    sources: tuple[SourceLine, ...]


@frozen(eq=False)
class Include(Declaration):
    path: Text


@frozen(eq=False)
class Label(Declaration):
    name: Ident
    text: Text


@frozen(eq=False)
class Option(Declaration):
    """`option` and `ruling`: a named constant with alternatives."""

    kind: Literal["option", "ruling"]
    name: Ident
    choices: tuple[Choice, ...]
    default: Choice
    text: Text | None
    cites: Cites


@frozen(eq=False)
class EnumValue(Node):
    name: Ident
    text: Text | None
    cites: Cites = ()


@frozen(eq=False)
class Enum(Declaration):
    name: Ident
    values: tuple[EnumValue, ...]
    text: Text | None
    cites: Cites
    is_block: bool


@frozen(eq=False)
class Const(Declaration):
    name: Ident
    index: tuple[Binder | TypeExpr, ...]
    value: Expr
    provenance: Provenance | None
    note: Text | None
    cites: Cites


@frozen(eq=False)
class GoodValue(Node):
    name: Ident
    text: Text | None
    limit: Expr | None


@frozen(eq=False)
class Good(Declaration):
    """`good a, b` and `goods Kind: a, b`."""

    kind: Ident | None
    values: tuple[GoodValue, ...]
    text: Text | None
    cites: Cites
    is_block: bool
