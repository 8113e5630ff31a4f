"""The context of lowering: the checked program, names in use, and how values are shown."""

from __future__ import annotations

from attrs import define, field

from compiler import build as b
from compiler import ir
from rules_dsl.language import syntax as s
from rules_dsl.language.program import Program
from rules_dsl.language.spans import Span
from rules_dsl.language.symbols import Checked, Dimension, LocalSymbol, PoolSymbol
from rules_dsl.language.types import (
    BoolType,
    EnumType,
    IntType,
    OptionalType,
    Type,
    ValueType,
    bounds,
    none_of,
)


def kind_of(type_: Type) -> str:
    """How a value of the type is shown: "int", "bool", an enum's name, `…?n` where n is none."""
    match type_:
        case IntType():
            return "int"
        case BoolType():
            return "bool"
        case EnumType():
            return type_.name
        case OptionalType(inner):
            return f"{kind_of(inner)}?{none_of(type_)}"
    raise AssertionError(type_)


def dimension(d: Dimension) -> ir.Dimension:
    """An index domain."""
    low = d.low if isinstance(d, IntType) else 0
    return ir.Dimension(low, d.size, kind_of(d))


def cites(nodes: s.Cites) -> tuple[str, ...]:
    """Cites as text."""
    return tuple(str(c) for c in nodes)


@define
class Lowering:
    """The state shared by the parts of lowering."""

    program: Program
    checked: Checked
    tables: dict[str, ir.Table] = field(factory=dict)
    # All locals of each procedure with decisions.
    variables: dict[str, dict[str, ir.Variable]] = field(factory=dict)
    # Conditions on places, as functions.
    lifted: dict[str, ir.Function] = field(factory=dict)
    # The rule files, split once.
    lines: dict[str, list[str]] = field(factory=dict)

    def type_of(self, node: s.Node) -> Type:
        """The checked type of a node."""
        return self.checked.facts.types[node]

    def source(self, span: Span) -> str:
        """The text at a place, on one line."""
        if span.file not in self.lines:
            self.lines[span.file] = self.program.sources.texts.get(span.file, "").split("\n")
        lines = self.lines[span.file]
        if not 1 <= span.line <= span.end_line <= len(lines):
            return ""
        if span.line == span.end_line:
            return lines[span.line - 1][span.column - 1 : span.end_column - 1]
        parts = [
            lines[span.line - 1][span.column - 1 :],
            *lines[span.line : span.end_line - 1],
            lines[span.end_line - 1][: span.end_column - 1],
        ]
        return " ".join(p.strip() for p in parts)

    def good_table(self, pool: PoolSymbol, kind: EnumType) -> str:
        """A table from the numbers of a kind of goods to their places in a pool."""
        name = f"{kind.name} in {pool.name}"
        if name not in self.tables:
            order = {g.name: k for k, g in enumerate(pool.goods)}
            values = tuple(order.get(v, 0) for v in kind.values)
            self.tables[name] = ir.Table(name, (kind.size,), values)
        return name


@define
class LocalNames:
    """Local names of one rule, each unique in it."""

    used: dict[str, int] = field(factory=dict)
    known: dict[LocalSymbol, ir.Expr] = field(factory=dict)
    variables: dict[str, ir.Variable] = field(factory=dict)
    # For sets that were chosen: whether each element is in it.
    sets: dict[LocalSymbol, tuple[ir.Local, ...]] = field(factory=dict)

    def fresh(self, name: str) -> str:
        """A name that the rule does not use yet."""
        count = self.used.get(name, 0)
        self.used[name] = count + 1
        return name if count == 0 else self.fresh(f"{name}_{count + 1}")

    def declare(self, symbol: LocalSymbol, type_: ValueType | None = None) -> ir.Local:
        """A local for a symbol."""
        actual = type_ if type_ is not None else symbol.type
        assert isinstance(actual, IntType | BoolType | EnumType | OptionalType), actual
        low, high = bounds(actual)
        return self.declare_range(symbol, low, high, kind_of(actual))

    def declare_range(
        self, symbol: LocalSymbol, low: int, high: int, kind: str | None = None
    ) -> ir.Local:
        """A local for a symbol, of a range known more exactly than its type."""
        if kind is None:
            shown = isinstance(symbol.type, IntType | BoolType | EnumType | OptionalType)
            kind = kind_of(symbol.type) if shown else "int"
        result = self.scratch(symbol.name, low, high, kind=kind)
        self.known[symbol] = result
        return result

    def scratch(self, name: str, low: int, high: int, size: int = 1, kind: str = "") -> ir.Local:
        """A local that the rule file does not name."""
        unique = self.fresh(name)
        self.variables[unique] = ir.Variable(unique, low, high, size, kind, name)
        return b.local(unique, low, high)
