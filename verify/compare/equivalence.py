"""Proof that two versions of a rule mean the same in every state that the invariants allow.

Both versions are turned into formulas over the same unknown state; if no state tells them apart,
they are the same. No answer is given where the state itself was changed.
"""

from __future__ import annotations

import z3
from attrs import define, field

from compiler import ir
from compiler.traverse import locals_in
from verify.encode import terms as v
from verify.encode.choices import head_holds
from verify.encode.counting import Totals
from verify.encode.expressions import Environment, Evaluator, SafetyCondition
from verify.encode.statements import Locals, Revealed, SymbolicRun
from verify.encode.terms import Truth, Value
from verify.encode.unknowns import World
from verify.proof.prover import EFFORTS, Prover


class Expanded(Totals):
    """Sums written out: the unknowns that stand for them would not be the same in two worlds."""

    def evaluate(self, evaluator: Evaluator, expr: ir.Aggregate, env: Environment) -> Value | None:
        """No unknown represents a sum."""
        return None


@define(eq=False)
class Equivalence:
    """Compares the rules of two modules that have the same state."""

    one: ir.Module
    two: ir.Module
    effort: str = "normal"
    _worlds: tuple[World, World] = field(init=False)
    _prover: Prover = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._worlds = (World(self.one, naming=False), World(self.two, naming=False))
        self._prover = Prover(self._worlds[0], self.effort)

    @property
    def comparable(self) -> bool:
        """Whether both have the same cells with the same ranges."""
        shapes = [
            {n: (a.kind, a.dimensions, a.lo, a.hi, a.goods) for n, a in m.arrays.items()}
            for m in (self.one, self.two)
        ]
        return shapes[0] == shapes[1]

    def functions(self, name: str) -> bool:
        """Whether a function gives the same for all arguments in all states."""
        a, b = self.one.functions[name], self.two.functions[name]
        if [(p.lo, p.hi) for p in a.params] != [(p.lo, p.hi) for p in b.params]:
            return False
        values = []
        defined: list[Truth] = []
        for world, function in zip(self._worlds, (a, b), strict=True):
            faults: list[SafetyCondition] = []
            look = Evaluator(world, world.any_state, faults)
            values.append(look.value(function.body, self._arguments(world, function.params)))
            defined.append(v.and_([fault.condition for fault in faults]))
        same = v.eq(v.number(values[0]), v.number(values[1]))
        return self._always(v.and_((same, v.eq(defined[0], defined[1]))))

    def requirements(self, one: ir.Option, two: ir.Option) -> bool:
        """Whether two versions of an action are legal in the same states."""
        if [(p.lo, p.hi) for p in one.params] != [(p.lo, p.hi) for p in two.params]:
            return False
        tests: list[Truth] = []
        defined: list[Truth] = []
        for world, option in zip(self._worlds, (one, two), strict=True):
            faults: list[SafetyCondition] = []
            look = Evaluator(world, world.any_state, faults)
            env = self._outer(world, option)
            guards: list[Truth] = []
            for at, param in enumerate(option.params):
                value = _argument(world, at, param)
                low, high = look.value(param.range.low, env), look.value(param.range.high, env)
                guards += [v.le(low, value), v.le(value, high)]
                env[param.range.name] = value
            tests.append(head_holds(option.head, look, env, v.and_(guards)))
            defined.append(v.and_([fault.condition for fault in faults]))
        return self._always(v.and_((v.eq(tests[0], tests[1]), v.eq(defined[0], defined[1]))))

    def _outer(self, world: World, option: ir.Option) -> Locals:
        """Locals that an option reads but does not choose, such as the player."""
        chosen = {param.range.name for param in option.params}
        ends = [end for p in option.params for end in (p.range.low, p.range.high)]
        heads = [
            line.value if isinstance(line, ir.Define) else line.condition for line in option.head
        ]
        named = [node for expr in (*ends, *heads) for node in locals_in(expr)]
        return {n.name: world.loose(n.name, n.lo, n.hi) for n in named if n.name not in chosen}

    def routines(self, name: str) -> bool:
        """Whether a rule without decisions in it has the same effects in all states."""
        a, b = self.one.routines[name], self.two.routines[name]
        if [(p.lo, p.hi) for p in a.params] != [(p.lo, p.hi) for p in b.params]:
            return False
        ends: list[SymbolicRun] = []
        for world, routine in zip(self._worlds, (a, b), strict=True):
            state = world.any_state
            machine = SymbolicRun(
                world, state, self._arguments(world, routine.params), Expanded(world, state)
            )
            machine.run(routine.body)
            ends.append(machine)
        goals: list[Truth] = []
        for array in self.one.arrays:
            pairs = zip(
                ends[0].state.arrays[array].values, ends[1].state.arrays[array].values, strict=True
            )
            goals += [v.eq(v.number(x), v.number(y)) for x, y in pairs]
        sound = [v.and_([fault.condition for fault in end.faults]) for end in ends]
        goals.append(v.eq(sound[0], sound[1]))
        shown = [shown_by(end.reveals) for end in ends]
        if len(shown[0]) != len(shown[1]):
            return False
        goals += [v.eq(x, y) for x, y in zip(*shown, strict=True)]
        return self._always(v.and_(goals))

    def _arguments(self, world: World, params: tuple[ir.Variable, ...]) -> Locals:
        return {p.name: _argument(world, k, p) for k, p in enumerate(params)}

    def _always(self, goal: Truth) -> bool:
        """Whether something holds in every state that the invariants of the first module allow."""
        if isinstance(goal, bool):
            return goal
        first, second = self._worlds
        first.learn(second)
        parts = [v.not_(goal), *self._prover.invariants, *self._prover.conservation()]
        try:
            query = self._prover.spelled_out([p for p in parts if p is not True])
            answer, _, _ = self._prover.ask(query, EFFORTS[self.effort][1])
        except z3.Z3Exception:
            return False
        return answer == "unsat"


def _argument(world: World, position: int, param: ir.Variable | ir.Param) -> Value:
    """An unknown argument: the same in both worlds, and another one for each range."""
    name = f"argument {position} in {param.lo}..{param.hi}"
    return world.unknown(name, param.lo, param.hi)


def shown_by(reveals: list[Revealed]) -> list[Value]:
    """The revealed values and their audiences, in order, for comparison."""
    return [
        value
        for one in reveals
        for value in (
            v.number(one.guard),
            v.ite(one.guard, v.number(one.value), 0),
            v.ite(one.guard, -1 if one.to is None else v.number(one.to), -1),
        )
    ]
