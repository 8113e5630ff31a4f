"""Claims: each fact proposed for a place is proved by every step that ends there.

A step that starts at a place assumes the facts of the place. So each step that ends there must
prove them, from its own premises and in its final state. The facts after a call are proved where
the call is made: the cells that the call may write are unknown there, except for the contracts of
the called rule and the facts at its exits, which the steps of the called rule prove.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field, frozen

from compiler import ir
from compiler.rule_id import rule_name
from verify.analysis.fact_places import FactPlace
from verify.analysis.facts import FactBase
from verify.encode.counting import Totals
from verify.encode.statements import Locals, SymbolicRun
from verify.encode.terms import Truth
from verify.encode.unknowns import Cells, SymbolicState, World
from verify.proof.waivers import is_waived


@frozen(eq=False)
class Claim:
    """A fact of a place where a step ends; without goals where it cannot be expressed."""

    place: FactPlace
    fact: ir.Expr
    goals: list[Truth] | None
    path: list[Truth]
    # Further facts on the path, computed only if a proof needs them.
    more: Callable[[], list[Truth]] = list


@frozen(eq=False)
class ClaimedCall:
    """A call as it is made: the caller's state and locals, and those of the called rule."""

    place: FactPlace
    callee: ir.Procedure
    machine: SymbolicRun
    bound: Locals
    path: list[Truth]


@define(eq=False)
class Claims:
    """What one step claims where it ends."""

    world: World
    facts: FactBase
    found: list[Claim] = field(factory=list)
    ends: set[FactPlace] = field(factory=set)
    # The rules whose contracts and exits it relies on.
    relied_on: set[str] = field(factory=set)
    _behind: set[int] = field(factory=set)
    _kept: list[ClaimedCall] = field(factory=list)

    def at(
        self,
        place: FactPlace,
        machine: SymbolicRun,
        env: Locals,
        path: list[Truth],
        more: Callable[[], list[Truth]] = list,
    ) -> None:
        """The facts of a place, in the state of a machine, of some locals."""
        self.ends.add(place)
        if any(part is False for part in path):
            return
        look = machine.silent()
        for fact in self.facts.at(place).values():
            names = self.world.effects.reads(fact).locals
            goals = look.conjuncts(fact, env) if names <= env.keys() else None
            self.found.append(Claim(place, fact, goals, path, more))

    def by_place(self) -> dict[FactPlace, list[ir.Expr]]:
        """What is claimed at each place where the step ends."""
        result: dict[FactPlace, dict[ir.Expr, None]] = {place: {} for place in self.ends}
        for claim in self.found:
            result[claim.place][claim.fact] = None
        return {place: list(facts) for place, facts in result.items()}

    def behind(self, call: ClaimedCall) -> None:
        """The facts after a call, once for each call."""
        if id(call) in self._behind:
            return
        self._behind.add(id(call))
        self._kept.append(call)
        callee, effects = call.callee, self.world.effects
        self.relied_on.add(callee.name)
        if not self.facts.at(call.place):
            return
        arrays = dict(call.machine.state.arrays)
        for name in effects.procedure(callee.name):
            arrays[name] = self.left_by(name, call.place)
        state = SymbolicState(arrays)
        machine = SymbolicRun(
            self.world, state.copy(), dict(call.machine.locals), Totals(self.world, state)
        )
        contracts = [*self.facts.at(FactPlace("exit", callee.name)).values()]
        if not is_waived(self.world.module, "safety", rule_name(callee.name)):
            contracts += callee.ensures
        look = machine.silent()
        ensured = [
            part
            for contract in contracts
            if effects.reads(contract).locals <= call.bound.keys()
            for part in look.conjuncts(contract, call.bound)
        ]
        self.at(call.place, machine, machine.locals, [*call.path, *ensured])

    def left_by(self, array: str, place: FactPlace) -> Cells:
        """Cells with unknown values after a call; each call always gets the same ones."""
        suffix = f" behind {place.procedure} {place.block}"
        memo = ("behind", array, suffix)
        found = self.world.memo.get(memo)
        if found is None:
            cells = self.world.any_cells(self.world.module.arrays[array], suffix)
            found = self.world.memo[memo] = (cells, None)
        cells = found[0]
        assert isinstance(cells, Cells)
        return cells
