"""Examples and their lines."""

from __future__ import annotations

from attrs import frozen

from rules_dsl.language.syntax.expressions import Expr
from rules_dsl.language.syntax.parts import (
    Choice,
    Cites,
    Declaration,
    Ident,
    Node,
    Provenance,
    Text,
)

__all__ = [
    "Example",
    "ExampleAllow",
    "ExampleDo",
    "ExampleExpect",
    "ExampleGiven",
    "ExampleLine",
    "ExampleOver",
    "ExamplePlayers",
    "ExampleRefuse",
    "ExampleScores",
    "ExampleSeed",
    "ExampleStart",
    "ExampleWinners",
    "ExampleWith",
    "ExpectedScore",
]


@frozen(eq=False)
class ExampleLine(Node):
    """One line of an example."""


@frozen(eq=False)
class ExamplePlayers(ExampleLine):
    count: Expr


@frozen(eq=False)
class ExampleWith(ExampleLine):
    name: Ident
    value: Choice


@frozen(eq=False)
class ExampleSeed(ExampleLine):
    seed: int


@frozen(eq=False)
class ExampleGiven(ExampleLine):
    fact: Expr


@frozen(eq=False)
class ExampleStart(ExampleLine):
    call: Expr


@frozen(eq=False)
class ExampleDo(ExampleLine):
    moves: tuple[Text, ...]


@frozen(eq=False)
class ExampleAllow(ExampleLine):
    moves: tuple[Text, ...]


@frozen(eq=False)
class ExampleRefuse(ExampleLine):
    move: Text
    because: Text | None


@frozen(eq=False)
class ExampleWinners(ExampleLine):
    names: tuple[Ident, ...]


@frozen(eq=False)
class ExpectedScore(Node):
    player: Ident
    value: Expr


@frozen(eq=False)
class ExampleScores(ExampleLine):
    scores: tuple[ExpectedScore, ...]


@frozen(eq=False)
class ExampleOver(ExampleLine):
    pass


@frozen(eq=False)
class ExampleExpect(ExampleLine):
    condition: Expr


@frozen(eq=False)
class Example(Declaration):
    title: Text
    cites: Cites
    lines: tuple[ExampleLine, ...]
    # The values that the example relies on; by default the printed ones.
    provenance: Provenance | None = None
