"""From rule files to code: parse, check, lower, generate."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType

from compiler import ir
from compiler.effort import check_efforts
from compiler.lower.module import lower_module
from compiler.python.emit import emit_python
from compiler.python.link import link
from compiler.python.module import Source
from rules_dsl.language.checker import check_program
from rules_dsl.language.diagnostics import Diagnostic, RuleError
from rules_dsl.language.option_values import OptionValue
from rules_dsl.language.program import Program
from rules_dsl.language.recursion import deep_recursion
from rules_dsl.language.spans import NOWHERE

# Messages of Python on sound code that is nested more deeply than it allows.
_PYTHON_LIMITS = ("too many statically nested blocks", "too many levels of indentation")


def to_ir(program: Program, players: int, options: dict[str, OptionValue]) -> ir.Module:
    """The IR of a program for a number of players and options; raises `RuleError`."""
    checked, ctx = check_program(program, players, options)
    with _deep(program.game.name.name):
        module = lower_module(program, checked, ctx)
        check_efforts(module)
        return module


def to_python(module: ir.Module) -> Source:
    """The Python source of a module."""
    with _deep(module.name):
        return emit_python(module)


def to_c(module: ir.Module) -> str:
    """The C source of a module; raises `UnsupportedError` for rules that it cannot express."""
    from compiler.native.emit import emit_c

    with _deep(module.name):
        return emit_c(module)


def to_code(module: ir.Module) -> CodeType:
    """The compiled Python of a module."""
    source = to_python(module)
    with _deep(module.name):
        return link(source, module.name)


@contextmanager
def _deep(name: str) -> Iterator[None]:
    """Room for long chains of rules; those that are longer are an error of the rules."""
    try:
        with deep_recursion():
            yield
    except RecursionError:
        message = f"the rules of `{name}` use each other in chains that are too long"
        raise RuleError([Diagnostic("E0108", message, NOWHERE)]) from None
    except SyntaxError as error:
        if error.msg not in _PYTHON_LIMITS:
            raise
        message = f"loops or requirements of `{name}` are nested too deeply"
        raise RuleError([Diagnostic("E0108", message, NOWHERE)]) from None
