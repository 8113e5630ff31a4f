"""What a proof used: the invariants, requirements and facts in the core of a contradiction.

A core is the set of formulas that the solver needed for a contradiction. Cores are not always
minimal, so a rule in a core may be unnecessary; a rule in no core at all protects nothing that was
proved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define, field

from compiler import ir
from compiler.ir_text import expression
from rules_dsl.language.spans import Span
from verify.encode.counting import Totals
from verify.encode.expressions import Evaluator
from verify.encode.hypotheses import INVARIANT
from verify.encode.terms import Truth
from verify.proof.prover import Prover
from verify.proof.symbolic_step import StepRun

REQUIRE = "require "


def named_requirements(used: Iterable[str]) -> set[str]:
    """The places of the requirements among what proofs used.

    >>> sorted(named_requirements(["invariant few", "require a.rules:3:5"]))
    ['a.rules:3:5']
    """
    return {name.removeprefix(REQUIRE) for name in used if name.startswith(REQUIRE)}


@define(eq=False)
class Origins:
    """Where formulas come from, in the words of the rules."""

    prover: Prover
    _conditions: dict[ir.Expr, list[Span]] = field(init=False)
    # The step whose facts were looked up last, and where they come from.
    _run: StepRun | None = None
    _facts: dict[int, list[str]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self._conditions = {}
        for line in requirements(self.prover.world.module):
            for part in _conjuncts(line.condition):
                self._conditions.setdefault(part, []).append(line.span)

    def names(self, run: StepRun, terms: Iterable[Truth]) -> tuple[str, ...]:
        """The rules that the formulas of a core come from; formulas from ranges have none."""
        if run is not self._run:
            self._run, self._facts = run, self.facts(run)
        found: set[str] = set()
        for term in terms:
            if isinstance(term, bool):
                continue
            number = term.get_id()
            if number in run.world.sources:
                found.update(s for s in run.world.sources[number][1] if s.startswith(INVARIANT))
            found.update(self._facts.get(number, ()))
            if number in run.world.requirements:
                found.update(_places(run.world.requirements[number][1]))
        return tuple(sorted(found))

    def facts(self, run: StepRun) -> dict[int, list[str]]:
        """The formulas known at the start of a step, with the rules they come from."""
        look = Evaluator(run.world, run.before, sums=Totals(run.world, run.before).evaluate)
        found: dict[int, list[str]] = {}
        for fact in run.explorer.facts.at(run.start.place).values():
            places = _places(self._conditions.get(fact, ()))
            for part in look.conjuncts(fact, run.locals):
                if not isinstance(part, bool):
                    names = found.setdefault(part.get_id(), [])
                    names += places or [f"fact {expression(fact)}"]
        return found


def _places(spans: Iterable[Span]) -> list[str]:
    return [f"{REQUIRE}{span}" for span in spans]


def requirements(module: ir.Module) -> Iterator[ir.Require]:
    """All requirements of options and actions."""
    for procedure in module.procedures.values():
        for block in procedure.blocks:
            if isinstance(block.terminator, ir.Decide):
                for option in block.terminator.options:
                    yield from (line for line in option.head if isinstance(line, ir.Require))


def _conjuncts(condition: ir.Expr) -> Iterator[ir.Expr]:
    if isinstance(condition, ir.Op) and condition.kind == "and":
        for part in condition.args:
            yield from _conjuncts(part)
    else:
        yield condition
