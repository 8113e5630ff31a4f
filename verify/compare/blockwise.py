"""Proof that two games with the same control flow mean the same, one block of rules at a time.

Both games run the same blocks in the same order if every block, from every state that may
be there, changes the same cells in the same way, decides the same tests and offers the same moves.
The states are those that the invariants of the first game allow, so these must hold; in the middle
of a step, where they need not hold, only the facts of the place are known.
"""

from __future__ import annotations

from collections import Counter

from attrs import define, evolve, field

from compiler import ir
from compiler.lower.lasting_locals import arrivals, successors
from verify.analysis.effects import Effects
from verify.analysis.facts import FactBase
from verify.compare.equivalence import Expanded, shown_by
from verify.compare.ir_shape import without_places
from verify.encode import terms as v
from verify.encode.choices import head_parts
from verify.encode.expressions import local_cells
from verify.encode.replica import ending
from verify.encode.statements import Locals, SymbolicRun
from verify.encode.terms import Truth, Value
from verify.encode.unknowns import World
from verify.proof.prover import EFFORTS, Prover

_NOTHING = ir.Int(0, lo=0, hi=0)


@define(eq=False)
class Blockwise:
    """Compares two modules; the invariants of the first are taken to hold."""

    one: ir.Module
    two: ir.Module
    effort: str = "low"
    _worlds: tuple[World, World] = field(init=False)
    _prover: Prover = field(init=False)
    _facts: FactBase = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._worlds = (World(self.one, naming=False), World(self.two, naming=False))
        self._prover = Prover(self._worlds[0], self.effort)
        self._facts = FactBase(self.one, Effects(self.one))

    def same(self) -> bool:
        """Whether the two are proved to be the same game."""
        return (
            self.comparable()
            and self.scored()
            and all(
                self.block(procedure, block)
                for name, procedure in self.one.procedures.items()
                if self._facts.procedures[name].arriving is not None
                for block in procedure.blocks
                if block.id in self._facts.procedures[name].starts
            )
        )

    # ---- the course ----------------------------------------------------------------------------

    def comparable(self) -> bool:
        """Whether both have the same state, and blocks that follow each other in the same way."""
        return _frame(self.one) == _frame(self.two) and all(
            _course(procedure) == _course(self.two.procedures[name])
            for name, procedure in self.one.procedures.items()
        )

    def scored(self) -> bool:
        """Whether the end is judged in the same way."""
        one, two = self.one.scoring, self.two.scoring
        if (one.denominator, len(one.ties)) != (two.denominator, len(two.ties)):
            return False
        if [t.order for t in one.ties] != [t.order for t in two.ties]:
            return False
        values: list[list[Value]] = []
        for world, scoring in zip(self._worlds, (one, two), strict=True):
            machine = self.machine(world, {})
            player = world.unknown("who scores", 0, world.module.players - 1)
            names: Locals = {scoring.player: player}
            look = machine.evaluator()
            values.append([look.number(scoring.numerator, names)])
            values[-1] += [look.number(tie.value, names) for tie in scoring.ties]
            values[-1].append(v.and_([fault.condition for fault in machine.faults]))
        return self.always(values, self._prover.invariants)

    def block(self, procedure: ir.Procedure, block: ir.Block) -> bool:
        """Whether a block does the same in both."""
        other = self.two.procedures[procedure.name].blocks[block.id]
        known = self._facts.procedures[procedure.name]
        opening = procedure.name == self.one.main and block.id == procedure.blocks[0].id
        opening = opening and arrivals(procedure.blocks)[block.id] == 2
        values: list[list[Value]] = []
        assumed: list[Truth] = []
        for world, here in zip(self._worlds, (block, other), strict=True):
            names = self.locals(world, procedure)
            machine = self.machine(world, names, opening)
            if world is self._worlds[0] and not opening:
                for fact in self._facts.at_start(known, block).values():
                    if world.effects.reads(fact).locals <= machine.locals.keys():
                        assumed += machine.silent().conjuncts(fact, machine.locals)
                if lawful(procedure, block):
                    assumed += [*self._prover.invariants, *self._prover.conservation()]
            values.append(self.done(machine, here))
        return self.always(values, assumed)

    # ---- what a block does ---------------------------------------------------------------------

    def machine(self, world: World, names: Locals, opening: bool = False) -> SymbolicRun:
        state = world.first_state if opening else world.any_state
        return SymbolicRun(world, state.copy(), names, Expanded(world, state))

    def locals(self, world: World, procedure: ir.Procedure) -> Locals:
        """The locals in scope where a block starts; the same unknowns in both games."""
        names: Locals = {}
        for variable in (*procedure.params, *procedure.variables):
            if variable.size > 1:
                names[variable.name] = local_cells(world, variable.name, variable.lo, variable.hi)
            else:
                names[variable.name] = world.unknown(
                    f"{variable.name}?{variable.lo}..{variable.hi}", variable.lo, variable.hi
                )
        for block in procedure.blocks:
            if isinstance(block.terminator, ir.Decide):
                for param in (p for o in block.terminator.options for p in o.params):
                    names[param.range.name] = self.pick(world, param.range, param.lo, param.hi)
            elif isinstance(block.terminator, ir.Chance):
                range_ = block.terminator.range
                names[range_.name] = self.pick(world, range_, range_.low.lo, range_.high.hi)
        return names

    def pick(self, world: World, range_: ir.Range, lo: int, hi: int) -> Value:
        return world.unknown(f"{range_.name}?{lo}..{hi}", lo, hi)

    def done(self, machine: SymbolicRun, block: ir.Block) -> list[Value]:
        """Everything that a block does, as values in a fixed order."""
        values: list[Value] = list(ending(machine, block))
        match block.terminator:
            case ir.Decide(_, actor, options):
                values.append(machine.evaluator().value(actor, machine.locals))
                for option in options:
                    values += self.offered(machine, option)
            case ir.Chance():
                values += self.drawn(machine, block.terminator)
        for cells in machine.state.arrays.values():
            values += cells.values
        for name in sorted(machine.locals):
            local = machine.locals[name]
            values += local if isinstance(local, tuple) else [local]
        values += shown_by(machine.reveals)
        values.append(v.and_([fault.condition for fault in machine.faults]))
        return values

    def offered(self, machine: SymbolicRun, option: ir.Option) -> list[Value]:
        """The parameters for which an option is legal, and the names that it binds."""
        look = machine.evaluator()
        names = dict(machine.locals)
        guards: list[Truth] = []
        for param in option.params:
            low, high = (look.value(e, names) for e in (param.range.low, param.range.high))
            value = self.pick(machine.world, param.range, param.lo, param.hi)
            names[param.range.name] = value
            guards += [v.le(low, value), v.le(value, high)]
        legal = v.and_(head_parts(option.head, look, names, v.and_(guards)))
        silent = machine.silent()
        values: list[Value] = [legal]
        for line in option.head:
            if isinstance(line, ir.Define):
                names[line.name] = silent.value(line.value, names)
                values.append(v.ite(legal, v.number(names[line.name]), 0))
        return values

    def drawn(self, machine: SymbolicRun, chance: ir.Chance) -> list[Value]:
        """The weight of a value in a draw."""
        look = machine.evaluator()
        value = self.pick(machine.world, chance.range, chance.range.low.lo, chance.range.high.hi)
        names: Locals = {**machine.locals, chance.range.name: value}
        low, high = (look.value(e, names) for e in (chance.range.low, chance.range.high))
        possible = [v.le(low, value), v.le(value, high)]
        if chance.where is not None:
            possible.append(look.truth(chance.where, names))
        weight = 1 if chance.weight is None else look.number(chance.weight, names)
        return [v.ite(v.and_(possible), weight, 0)]

    # ---- proof ---------------------------------------------------------------------------------

    def always(self, values: list[list[Value]], assumed: list[Truth]) -> bool:
        """Whether two lists of values are the same in every state that is possible."""
        one, two = values
        if len(one) != len(two):
            return False
        goals = [v.eq(v.number(a), v.number(b)) for a, b in zip(one, two, strict=True)]
        differing = [goal for goal in goals if goal is not True]
        if not differing:
            return True
        first, second = self._worlds
        first.learn(second)
        query = [v.not_(v.and_(differing)), *(part for part in assumed if part is not True)]
        answer, _, _ = self._prover.ask(self._prover.spelled_out(query), EFFORTS[self.effort][1])
        return answer == "unsat"


def lawful(procedure: ir.Procedure, block: ir.Block) -> bool:
    """Whether the invariants hold where a block starts: after a decision, a draw or a loop.

    They are proved where the game waits and at the head of every loop; what a player picks changes
    no cell.
    """
    if block.heads_loop:
        return True
    waits = [b for b in procedure.blocks if isinstance(b.terminator, ir.Decide | ir.Chance)]
    picked: Counter[int] = Counter()
    for other in waits:
        terminator = other.terminator
        if isinstance(terminator, ir.Decide):
            picked.update(o.target for o in terminator.options if o.target != terminator.skip)
        else:
            picked.update(successors(terminator))
    return 0 < picked[block.id] == arrivals(procedure.blocks)[block.id]


def _frame(module: ir.Module) -> object:
    """The parts of a module that must be equal: all but rules to be compared and proof hints."""
    return without_places(
        evolve(
            module, tables={}, functions={}, routines={}, procedures={}, invariants=(), waivers=(),
            scoring=ir.Scoring("", _NOTHING, 1, ()), digest="",
        )
    ), tuple(module.procedures)  # fmt: skip


def _course(procedure: ir.Procedure) -> object:
    """The control flow of a procedure, without its computations."""
    return without_places(
        (
            procedure.params,
            procedure.variables,
            tuple(_skeleton(block.terminator) for block in procedure.blocks),
        )
    )


def _skeleton(terminator: ir.Terminator) -> object:
    match terminator:
        case ir.Fork():
            return evolve(terminator, condition=_NOTHING)
        case ir.Enter():
            return evolve(terminator, args=())
        case ir.Decide():
            options = tuple(
                (
                    o.name,
                    o.notation,
                    o.target,
                    o.action,
                    o.together,
                    tuple((p.range.name, p.lo, p.hi, p.kind) for p in o.params),
                )
                for o in terminator.options
            )
            return (
                terminator.label,
                options,
                terminator.secret,
                terminator.skip,
                terminator.together,
            )
        case ir.Chance():
            name = (terminator.range.name, terminator.range.low.lo, terminator.range.high.hi)
            return (terminator.verb, name, terminator.target, terminator.kind)
    return terminator
