"""Shared by the parts of the Python back end: names and constants."""

from __future__ import annotations

from compiler import ir
from compiler.plan.points import Plan
from compiler.python.writer import Writer, identifier
from rules_dsl.language.spans import Span

Fault = tuple[str, int, int, str, int]


class ModuleBase:
    """Names and constants of the module being written."""

    def __init__(self, module: ir.Module) -> None:
        self.plan = Plan(module)
        self.ir = module
        self.layout = self.plan.layout
        self.simplifier = self.plan.simplifier
        self.constants: dict[str, str] = {}
        self.faults: list[Fault] = []
        self.taken: dict[str, str] = {}
        self.fault_numbers: dict[Fault, int] = {}
        # The reveals of the rules: the text of the value, and its kind.
        self.reveals: dict[tuple[str, str], int] = {}
        # Functions in the order in which they were needed, by name.
        self.written: dict[str, Writer] = {}

    # ---- constants -------------------------------------------------------------------------------

    def constant(self, name: str, value: str) -> str:
        """A module-level constant."""
        plain = f"T_{name}"
        while plain in self.constants and self.constants[plain] != value:
            plain += "_"
        self.constants[plain] = value
        return plain

    def table(self, name: str) -> str:
        """The constant that holds a table's values."""
        return self.constant(identifier(name), repr(self.ir.tables[name].values))

    def labels(self, enum: str) -> str:
        """The constant that holds the labels of an enum's values."""
        return self.constant(f"labels_{identifier(enum)}", repr(self.ir.enums[enum].labels))

    def reveal(self, text: str, kind: str) -> int:
        """The number of something that the rules reveal."""
        return self.reveals.setdefault((text, kind), len(self.reveals))

    # ---- faults ----------------------------------------------------------------------------------

    def fault(self, expr: ir.Narrow) -> int:
        """The number of a fault that a value outside its range makes."""
        return self._fault(expr.what, expr.lo, expr.hi, expr.span)

    def check_fault(self, reason: str, span: Span) -> int:
        """The number of a fault that a failed assertion makes."""
        return self._fault(reason, 1, 0, span)

    def move_fault(self, node: ir.Transfer) -> int:
        """The number of a fault that moving goods that are not there makes."""
        return self.check_fault(
            f"there is not enough {node.good} in {node.source.array}", node.span
        )

    def _fault(self, what: str, lo: int, hi: int, span: Span) -> int:
        fault = (what, lo, hi, span.file, span.line)
        if fault not in self.fault_numbers:
            self.fault_numbers[fault] = len(self.faults)
            self.faults.append(fault)
        return self.fault_numbers[fault]

    # ---- names -----------------------------------------------------------------------------------

    def unique(self, prefix: str, name: str) -> str:
        """The Python name of a rule: two rules never share one, however they are spelt."""
        plain = f"{prefix}_{identifier(name)}"
        while self.taken.setdefault(plain, name) != name:
            plain += "_"
        return plain

    def graph_name(self, expr: ir.Graph) -> str:
        """The name of a search function."""
        bound = f"_{expr.bound}" if expr.kind == "distance" else ""
        return f"g_{expr.kind}_{identifier(expr.step)}{bound}"
