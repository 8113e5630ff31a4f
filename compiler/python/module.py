"""A whole IR module as one Python module."""

from __future__ import annotations

from attrs import define

from compiler import ir
from compiler.lower.free import free
from compiler.python.expressions import ExpressionWriter, Locals, Place
from compiler.python.fields import FieldWriter
from compiler.python.functions import ReturnWriter
from compiler.python.graphs import graph_function
from compiler.python.module_base import ModuleBase
from compiler.python.statements import StatementWriter
from compiler.python.writer import Writer
from compiler.rule_id import is_action, rule_name
from rules_dsl.language.spans import Span


@define
class Source:
    """Generated Python: its text, and for each line the place in the rules."""

    text: str
    spans: list[Span]


class ModuleWriter(ModuleBase):
    """Writes the module; each part is written when it is first needed."""

    def __init__(self, module: ir.Module) -> None:
        super().__init__(module)
        self.helpers: dict[tuple[object, ...], str] = {}
        self.fields = FieldWriter(self)

    # ---- functions asked for by expressions ------------------------------------------------------

    def function(self, name: str) -> str:
        """The Python name of a pure function."""
        plain = self.unique("f", name)
        if plain not in self.written:
            function = self.ir.functions[name]
            writer = Writer(span=function.span)
            self.written[plain] = writer
            local = Locals()
            params = [local.name(p.name) for p in function.params]
            head = f"({', '.join(['s', *params])})"
            if self.fields.asks_often(function):
                inner = f"{plain}_now"
                with writer.block(f"def {plain}{head}:"):
                    reads = self.plan.reads.function(name)
                    self.fields.remembered(writer, plain, reads, params, inner + head)
                writer = self.written[inner] = Writer(span=function.span)
                plain = inner
            body = ReturnWriter(self, local, writer)
            with writer.block(f"def {plain}{head}:"):
                body.give(self.simplifier.body(name))
        return self.unique("f", name)

    def routine(self, name: str) -> str:
        """The Python name of a routine."""
        plain = self.unique("a" if is_action(name) else "p", rule_name(name))
        if plain not in self.written:
            routine = self.ir.routines[name]
            writer = Writer(span=routine.span)
            self.written[plain] = writer
            local = Locals()
            params = ", ".join(["s", *(local.name(p.name) for p in routine.params)])
            with writer.block(f"def {plain}({params}):"):
                StatementWriter(self, local, writer).statements(routine.body)
        return plain

    def graph_helper(self, expr: ir.Graph) -> str:
        """The Python name of a search function."""
        name = self.graph_name(expr)
        if name not in self.written:
            self.written[name] = Writer()  # reserved while its parts are written
            self.written[name] = graph_function(self, expr)
        return name

    def expression_helper(self, expr: ir.Expr, user: ExpressionWriter) -> str:
        """A call of a function for a value that does not fit into one expression."""
        names = sorted(free(expr))
        places = [user.local.places.get(n) for n in names]
        passed = [n for n, p in zip(names, places, strict=True) if p is None or p.slot is None]
        kept = {
            n: p for n, p in zip(names, places, strict=True) if p is not None and p.slot is not None
        }
        moving = any(p.moving for p in kept.values())
        key = (expr, tuple(passed), tuple((n, str(p.slot), p.moving) for n, p in kept.items()))
        arguments = ["s", *(["f"] if moving else []), *(user.local.name(n) for n in passed)]
        if key not in self.helpers:
            name = f"x_{len(self.helpers) + 1}"
            self.helpers[key] = name
            writer = Writer(span=getattr(user, "out", Writer()).span)
            self.written[name] = writer
            local = Locals({n: Place(p.code, p.slot, p.moving) for n, p in kept.items()})
            params = ["s", *(["f"] if moving else []), *(local.name(n) for n in passed)]
            with writer.block(f"def {name}({', '.join(params)}):"):
                ReturnWriter(self, local, writer).give(expr)
        return f"{self.helpers[key]}({', '.join(arguments)})"
