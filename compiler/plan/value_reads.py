"""The cells that an answer was read from, and which of their values it tells apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from compiler import ir
from compiler.traverse import children

# The arrays that are read. Of an array, the values of its cells that matter: all others are alike.
# None if every value does.
ValuesRead = Mapping[str, frozenset[int] | None]


def joined(parts: Iterable[ValuesRead]) -> ValuesRead:
    """The cells that several expressions read.

    >>> joined([{"kind": frozenset({2})}, {"kind": frozenset({7}), "owner": None}])
    {'kind': frozenset({2, 7}), 'owner': None}
    """
    found: dict[str, frozenset[int] | None] = {}
    for part in parts:
        for array, values in part.items():
            known = found.get(array, frozenset())
            found[array] = None if known is None or values is None else known | values
    return found


class ValueReads:
    """The values that functions, relations and expressions of a module tell apart."""

    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self._functions: dict[str, ValuesRead] = {}

    def of(self, expr: ir.Expr) -> ValuesRead:
        """The cells that an expression reads."""
        own: ValuesRead = {}
        inner = tuple(children(expr))
        match expr:
            case ir.Op("eq" | "ne", (ir.Cell(array, index), ir.Int(value))):
                own, inner = {array: frozenset({value})}, index
            case ir.Cell(array):
                own = {array: None}
            case ir.Call(function):
                own = self.function(function)
            case ir.Graph(_, step):
                own = self.function(step)
            case ir.Field():
                own = self.field(expr)
        return joined([own, *map(self.of, inner)])

    def function(self, name: str) -> ValuesRead:
        """The cells that a function reads."""
        if name not in self._functions:
            self._functions[name] = self.of(self.module.functions[name].body)
        return self._functions[name]

    def relation(self, name: str) -> ValuesRead:
        """The cells that determine the steps of a relation."""
        ways = self.module.relations[name].ways
        return joined(self.function(f) for way in ways for f in way.functions)

    def field(self, expr: ir.Field) -> ValuesRead:
        """The cells that determine the answer to a question, apart from its arguments."""
        return joined(map(self.function, self.module.functions_of(expr)))
