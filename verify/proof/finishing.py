"""Information given away by the look-ahead of choices made together.

The look-ahead depends on every cell that the choices read. If every player sees all of these, it
gives nothing away; otherwise nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from compiler import ir
from compiler.rule_id import rule_name
from compiler.traverse import children, every_statement
from rules_dsl.language.viewers import everybody
from verify.analysis.effects import Effects
from verify.proof.results import Part


def unexamined(module: ir.Module) -> list[Part]:
    """A part for each rule whose choices made together read something hidden."""
    effects = Effects(module)
    parts: list[Part] = []
    for procedure in module.procedures.values():
        decisions = [
            block.terminator
            for block in procedure.blocks
            if isinstance(block.terminator, ir.Decide) and block.terminator.together
        ]
        if not decisions:
            continue
        arrays = {a for e in _expressions(module, procedure) for a in effects.reads(e).arrays}
        secret = sorted(a.removesuffix(".place") for a in arrays if not _seen(module, a))
        if secret:
            rule = rule_name(procedure.name)
            what = "whether choices made together can be finished"
            parts.append(
                Part(
                    "views", rule, rule, "", what, "UNKNOWN", "structure", 0.0,
                    str(decisions[0].span), procedure.cites,
                    f"it depends on {', '.join(secret)}, which some players do not see",
                )
            )  # fmt: skip
    return parts


def _seen(module: ir.Module, array: str) -> bool:
    """True if every player sees all cells of an array."""
    zones = [zone.viewers for zone in module.zones.values() if zone.array == array]
    seen = everybody(module.players)
    return all(viewers == seen for viewers in (*zones, module.arrays[array].viewers))


def _expressions(module: ir.Module, procedure: ir.Procedure) -> Iterator[ir.Expr]:
    """All expressions of a procedure and of the routines that it calls."""
    routines: set[str] = set()
    for block in procedure.blocks:
        yield from _statements(module, block.statements, routines)
        match block.terminator:
            case ir.Fork(condition):
                yield condition
            case ir.Enter(_, args):
                yield from args
            case ir.Decide(_, actor, options):
                yield actor
                for option in options:
                    for param in option.params:
                        yield from (param.range.low, param.range.high)
                    for line in option.head:
                        yield line.value if isinstance(line, ir.Define) else line.condition
            case ir.Chance(_, range_, where, weight):
                yield from (e for e in (range_.low, range_.high, where, weight) if e is not None)
            case ir.Jump() | ir.Together() | ir.Exit() | ir.End():
                continue
            case _:
                raise AssertionError(block.terminator)


def _statements(
    module: ir.Module, statements: Iterable[ir.Statement], seen: set[str]
) -> Iterator[ir.Expr]:
    for statement in every_statement(tuple(statements)):
        yield from children(statement)
        if isinstance(statement, ir.Do) and statement.routine not in seen:
            seen.add(statement.routine)
            yield from _statements(module, module.routines[statement.routine].body, seen)
