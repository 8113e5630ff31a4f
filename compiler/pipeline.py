"""From rule files to code: parse, check, lower, generate."""

from __future__ import annotations

from types import CodeType

from compiler import ir
from compiler.lower.module import lower_module
from compiler.python.emit import emit_python
from compiler.python.link import link
from compiler.python.module import Source
from rules_dsl.checker import check_program
from rules_dsl.program import Program
from rules_dsl.symbols import OptionValue


def to_ir(program: Program, players: int, options: dict[str, OptionValue]) -> ir.Module:
    """The IR of a program for a number of players and options; raises `RuleError`."""
    checked, ctx = check_program(program, players, options)
    return lower_module(program, checked, ctx)


def to_python(module: ir.Module) -> Source:
    """The Python source of a module."""
    return emit_python(module)


def to_code(module: ir.Module) -> CodeType:
    """The compiled Python of a module."""
    return link(to_python(module), module.name)
