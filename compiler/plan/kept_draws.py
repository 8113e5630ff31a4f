"""Draws whose outcome the rules put in a hidden place: the outcome is a secret, too."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ir
from compiler.lower.free import free
from compiler.traverse import every_statement

# Locals by rule.
Locals = set[tuple[str, str]]


def kept_draws(module: ir.Module, hidden: set[str]) -> Locals:
    """The drawn locals, each with its rule, that come to lie in one of the hidden arrays."""
    kept = _kept(module, hidden)
    drawn = {
        (name, block.terminator.range.name)
        for name, procedure in module.procedures.items()
        for block in procedure.blocks
        if isinstance(block.terminator, ir.Chance)
    }
    return kept & drawn


def _kept(module: ir.Module, hidden: set[str]) -> Locals:
    """All locals whose values come to lie in one of the hidden arrays."""
    found: Locals = set()
    size = -1
    while len(found) > size:
        size = len(found)
        for name, routine in module.routines.items():
            found |= _in(module, name, routine.body, hidden, found)
        for name, procedure in module.procedures.items():
            for block in procedure.blocks:
                found |= _in(module, name, block.statements, hidden, found)
                if isinstance(block.terminator, ir.Enter):
                    callee = module.procedures[block.terminator.procedure]
                    found |= set(_passed(name, callee, block.terminator.args, found))
    return found


def _in(
    module: ir.Module, rule: str, body: tuple[ir.Statement, ...], hidden: set[str], found: Locals
) -> Locals:
    result: Locals = set()
    for statement in every_statement(body):
        match statement:
            case ir.SetCell(target, value) if target.array in hidden:
                result |= {(rule, local) for e in (value, *target.index) for local in free(e)}
            case ir.Transfer(_, source, target, amount) if (
                target.array in hidden or source.array in hidden
            ):
                result |= {(rule, local) for local in free(amount)}
            case ir.PlaceCard(target) if target.array in hidden:
                result |= {(rule, local) for e in target.index for local in free(e)}
            case ir.SetLocal(target, value) | ir.SetLocalCell(target, value):
                if (rule, target.name) in found:
                    result |= {(rule, local) for local in free(value)}
            case ir.Do(routine, args):
                result |= set(_passed(rule, module.routines[routine], args, found))
            case _:
                # Other statements store nothing; those inside them are met by themselves.
                continue
    return result


def _passed(
    rule: str, callee: ir.Procedure | ir.Routine, args: tuple[ir.Expr, ...], found: Locals
) -> Iterator[tuple[str, str]]:
    for param, arg in zip(callee.params, args, strict=True):
        if (callee.name, param.name) in found:
            yield from ((rule, local) for local in free(arg))
