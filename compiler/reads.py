"""The arrays of the state that rules read, through functions and relations."""

from __future__ import annotations

from compiler import ir
from compiler.traverse import children


class ArrayReads:
    """The arrays that functions, relations and expressions of a module read, computed once."""

    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self._functions: dict[str, frozenset[str]] = {}

    def of(self, expr: ir.Expr) -> frozenset[str]:
        """The arrays that an expression reads."""
        result: set[str] = set()
        for child in children(expr):
            result |= self.of(child)
        match expr:
            case ir.Cell(array):
                result.add(array)
            case ir.Call(function):
                result |= self.function(function)
            case ir.Graph(_, step):
                result |= self.function(step)
            case ir.Field():
                result |= self.field(expr)
        return frozenset(result)

    def function(self, name: str) -> frozenset[str]:
        """The arrays that a function reads."""
        if name not in self._functions:
            self._functions[name] = self.of(self.module.functions[name].body)
        return self._functions[name]

    def relation(self, name: str) -> frozenset[str]:
        """The arrays that decide which steps a relation has."""
        ways = self.module.relations[name].ways
        return frozenset().union(*(self.function(f) for way in ways for f in way.functions))

    def field(self, expr: ir.Field) -> frozenset[str]:
        """The arrays that decide the answer to a question, apart from its arguments."""
        return frozenset().union(*(self.function(f) for f in self.module.functions_of(expr)))
