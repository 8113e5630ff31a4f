"""Values of expressions that no step evaluates: scores, invariants, texts, contracts.

Their faults occur in no step, since evaluating them changes nothing; but a caller who asks for a
score, a text or the truth of an invariant must get an answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import evolve

from compiler import ir
from verify.encode import terms as v
from verify.encode.expressions import Environment, Evaluator, SafetyCondition
from verify.encode.faults import may_fault_in
from verify.encode.statements import Locals, SymbolicRun
from verify.encode.terms import Truth


def faults_of(
    machine: SymbolicRun, exprs: Iterable[ir.Expr], env: Environment
) -> list[SafetyCondition]:
    """Conditions for expressions to have values in the present state."""
    found: list[SafetyCondition] = []
    look = evolve(machine.evaluator(), faults=found)
    for expr in exprs:
        if may_fault_in(look, expr):
            look.value(expr, env)
    return found


def scoring_faults(machine: SymbolicRun) -> list[SafetyCondition]:
    """Conditions for every player's score and tie-breaks to have values."""
    scoring = machine.world.module.scoring
    exprs = [scoring.numerator, *(tie.value for tie in scoring.ties)]
    return [
        fault
        for player in range(machine.world.module.players)
        for fault in faults_of(machine, exprs, {scoring.player: player})
    ]


def text_faults(
    option: ir.Option, machine: SymbolicRun, env: Locals, guard: Truth
) -> list[SafetyCondition]:
    """Conditions for the texts of an option to have values.

    The reason of a requirement is shown if those before it hold, the notation if all do.
    """
    silent = machine.silent()
    if not any(may_fault_in(silent, shown.expr) for shown in _shown_in(option)):
        return []
    found: list[SafetyCondition] = []
    look = evolve(machine.evaluator(), faults=found, guards=[*machine.guards, guard])
    inner = dict(env)
    for line in option.head:
        if isinstance(line, ir.Define):
            inner[line.name] = silent.value(line.value, inner)
            continue
        _look_at(look, _of_requirement(line), inner)
        look.guards.append(silent.truth(line.condition, inner))
    _look_at(look, _in_text(option.notation), inner)
    return found


def _look_at(look: Evaluator, shown: Iterable[ir.Shown], env: Locals) -> None:
    if not any(v.truth(guard) is False for guard in look.guards):
        for part in shown:
            look.value(part.expr, env)


def _in_text(text: tuple[ir.TextPart, ...]) -> Iterator[ir.Shown]:
    return (part for part in text if isinstance(part, ir.Shown))


def _of_requirement(line: ir.Require) -> Iterator[ir.Shown]:
    # Of the values in a reason, those that exist are shown.
    yield from _in_text(line.text)


def _shown_in(option: ir.Option) -> Iterator[ir.Shown]:
    for line in option.head:
        if isinstance(line, ir.Require):
            yield from _of_requirement(line)
    yield from _in_text(option.notation)
