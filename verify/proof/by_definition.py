"""Facts that hold at the start of a step by definition: by the rule text that leads there.

The move just made was legal, and the value just drawn was available; at the entry of a rule its
`assumes` hold, and at the head of a loop its `keeps`, as other proofs show. No analysis is trusted
here.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from compiler import build as b
from compiler import ir
from compiler.rule_id import rule_name
from verify.analysis.fact_places import FactPlace
from verify.analysis.fact_sets import Facts
from verify.proof.waivers import is_waived


@define(eq=False)
class ByDefinition:
    """Facts of places, with the interface that steps use."""

    module: ir.Module
    _numbers: dict[ir.Expr, int] = field(factory=dict)

    def at(self, place: FactPlace) -> Facts:
        """The facts at a place, by number."""
        facts: Facts = {}
        for fact in self.stated(place):
            if not isinstance(fact, ir.Int):
                facts[self._numbers.setdefault(fact, len(self._numbers))] = fact
        return facts

    def stated(self, place: FactPlace) -> Iterator[ir.Expr]:
        """The facts that the rules state about a place."""
        procedure = self.module.procedures[place.procedure]
        waived = is_waived(self.module, "safety", rule_name(procedure.name))
        match place.kind:
            case "entry" if not waived:
                yield from procedure.requires
            case "head" if not waived:
                yield from procedure.blocks[place.block].facts
            case "edge":
                yield from _chosen(procedure.blocks[place.block].terminator, place.way)


def _chosen(terminator: ir.Terminator, way: int) -> Iterator[ir.Expr]:
    """The facts about values that were just chosen or drawn."""
    match terminator:
        case ir.Decide() if way < len(terminator.options):
            option = terminator.options[way]
            for param in option.params:
                yield from _within(param.range, param.lo, param.hi)
            for line in option.head:
                if isinstance(line, ir.Define):
                    local = b.local(line.name, line.value.lo, line.value.hi)
                    yield b.eq(local, line.value)
                else:
                    yield line.condition
        case ir.Chance(_, range_, where, weight):
            yield from _within(range_, range_.low.lo, range_.high.hi)
            if where is not None:
                yield where
            if weight is not None:
                yield b.lt(b.int_(0), weight)
        case ir.Decide() | ir.Enter():
            return  # nothing to choose, or a call
        case _:
            raise AssertionError(terminator)


def _within(range_: ir.Range, lo: int, hi: int) -> Iterator[ir.Expr]:
    local = b.local(range_.name, lo, hi)
    yield b.le(range_.low, local)
    yield b.le(local, range_.high)
