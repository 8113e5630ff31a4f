"""Bounded model checking: all games of a few moves from a position, as one formula.

Where several ways lead to the same place they are joined, so that the formula grows with the number
of moves and not with the number of games. What the solver finds is a list of moves; whether they
break anything is for the compiled game to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import z3
from attrs import define, field

from compiler import ir
from compiler.rule_id import rule_name
from verify.encode import terms as v
from verify.encode.choices import legal
from verify.encode.counting import Totals
from verify.encode.replica import Replica
from verify.encode.statements import Locals, SymbolicRun
from verify.encode.terms import Truth, Value
from verify.encode.unknowns import Cells, SymbolicState, World
from verify.proof.obligation import Obligation, Step
from verify.proof.prover import Prover
from verify.proof.step_parts import OpenCall, Start, TooManyPathsError, Trail
from verify.proof.symbolic_step import Explorer, StepRun

Wanted = Callable[[Obligation], bool]
# A choice: a name with its range.
Pick = tuple[str, int, int]
# The choices move by move: which way, and which values.
Line = list[tuple[int, dict[Pick, int]]]

# Maximum number of rounds followed of a loop without decisions.
MOST_ROUNDS = 40
# Maximum number of blocks in a move. Where calls have nested for hundreds of moves, all may
# come back in one move: such lines are left to the games played at random.
MOST_BLOCKS = 240
MOST_WAYS = 255


@define(eq=False)
class _Level(StepRun):
    """One move more: from where games wait to where they wait next."""

    number: int = 0
    waiting: list[tuple[ir.Procedure, int, Trail]] = field(factory=list)
    picks: dict[Pick, Value] = field(factory=dict)
    _rounds: int = 0
    _depth: int = 0

    # ---- loops and calls are followed where a single step would stop ---------------------------

    def goes_on(self, trail: Trail, ways: int, chooses: bool = False) -> bool:
        return False

    def follow(
        self, procedure: ir.Procedure, number: int, trail: Trail, first: bool = False
    ) -> None:
        if self._depth == MOST_BLOCKS:
            raise TooManyPathsError(procedure.name)
        self._depth += 1
        super().follow(procedure, number, trail, first)
        self._depth -= 1

    def round(self, procedure: ir.Procedure, block: ir.Block, trail: Trail) -> bool:
        self._rounds += 1
        if self._rounds > MOST_ROUNDS:
            raise TooManyPathsError(procedure.name)
        return True

    def decreased(
        self, procedure: ir.Procedure, head: ir.Block, trail: Trail, block: ir.Block
    ) -> None:
        return

    def enter(
        self, procedure: ir.Procedure, block: ir.Block, enter: ir.Enter, trail: Trail
    ) -> None:
        machine = trail.machine
        callee, bound = self.called(procedure, enter, trail)
        self.open_arrays(callee, bound)
        frame = OpenCall(procedure, block.id, enter.target, machine.locals)
        trail.frames = (*trail.frames, frame)
        machine.locals = bound
        self.follow(callee, callee.blocks[0].id, trail)

    def pick(self, trail: Trail, name: str, lo: int, hi: int) -> Value:
        value = self.world.unknown(f"{name}@{self.number} {lo}..{hi}", lo, hi)
        self.picks[name, lo, hi] = value
        return value

    def stop(self, trail: Trail, *starts: Start) -> None:
        procedure = self.module.procedures[starts[0].procedure]
        self.waiting.append((procedure, starts[0].block, trail))

    # ---- one move ------------------------------------------------------------------------------

    def move(self, procedure: ir.Procedure, number: int, trail: Trail, way: Value) -> None:
        """All ways out of a place where games wait."""
        terminator = procedure.blocks[number].terminator
        if isinstance(terminator, ir.Chance):
            self.drawn(procedure, terminator, trail, way)
            return
        assert isinstance(terminator, ir.Decide)
        others = tuple(o for o in terminator.options if o.target != terminator.skip)
        asked: Truth = True
        if terminator.skip is not None:
            asked = v.or_(legal(others, trail.machine))
        for at, option in enumerate(terminator.options):
            chosen = self.chosen(option, trail)
            chosen.path = [*trail.path, v.eq(way, at), asked, *chosen.path]
            if not any(part is False for part in chosen.path):
                self.follow(procedure, option.target, chosen)

    def drawn(self, procedure: ir.Procedure, chance: ir.Chance, trail: Trail, way: Value) -> None:
        machine = trail.machine
        value = self.pick(trail, chance.range.name, chance.range.low.lo, chance.range.high.hi)
        drawn = self.outcome(chance, machine, machine.evaluator(), value)
        trail.path += [v.eq(way, 0), drawn]
        machine.locals[chance.range.name] = value
        self.follow(procedure, chance.target, trail)

    def skipped(self) -> None:
        """Where there is nothing to choose, no player decides: the game continues by itself."""
        todo, self.waiting = self.waiting, []
        for procedure, number, trail in todo:
            self.waiting.append((procedure, number, trail))
            terminator = procedure.blocks[number].terminator
            if not isinstance(terminator, ir.Decide) or terminator.skip is None:
                continue
            others = tuple(
                o
                for o in terminator.options
                if o.target != terminator.skip and not terminator.finishing(o)
            )
            nothing = trail.copy()
            nothing.path += [v.not_(c) for c in legal(others, trail.machine)]
            if any(part is False for part in nothing.path):
                continue
            here, self.waiting = self.waiting, []
            self.follow(procedure, terminator.skip, nothing)
            self.skipped()
            self.waiting = [*here, *self.waiting]


@define(eq=False)
class Unrolling:
    """All games of some moves from where a replica waits."""

    world: World
    wanted: Wanted
    # Limit on one query, in the solver's unit of work.
    effort: int
    explorer: Explorer = field(init=False)
    prover: Prover = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.explorer = Explorer(self.world)
        self.prover = Prover(self.world, "low")

    def lines(self, replica: Replica, moves: int) -> Iterator[tuple[Obligation, Line]]:
        """Moves that break one of the goals, the shortest first."""
        waiting = [(replica.procedure, replica.block.id, self.trail(replica))]
        ways: list[Value] = []
        levels: list[dict[Pick, Value]] = []
        for number in range(moves):
            way = self.world.unknown(f"way@{number}", 0, MOST_WAYS)
            level = _Level(self.explorer, Start("", 0), {}, whole=False, number=number)
            level.initial, level.before = True, replica.machine.state
            level.label = _label(waiting[0][0], waiting[0][1])
            ways.append(way)
            levels.append(level.picks)
            try:
                for procedure, block, trail in waiting:
                    level._rounds = 0
                    level.move(procedure, block, trail, way)
                level.skipped()
            except TooManyPathsError:
                return
            for obligation in level.obligations:
                if not self.wanted(obligation):
                    continue
                model = self.broken(obligation)
                if model is not None:
                    yield obligation, _line(model, ways, levels)
            waiting = [place for place in self.joined(level.waiting) if self.possible(place[2])]
            if not waiting:
                return

    def trail(self, replica: Replica) -> Trail:
        """The position of a replica, as the start of a step."""
        state = replica.machine.state
        machine = SymbolicRun(
            self.world, state.copy(), dict(replica.locals), Totals(self.world, state)
        )
        frames = tuple(OpenCall(c.procedure, -1, c.target, c.locals) for c in replica.calls)
        return Trail(machine, [], frames)

    # ---- asking --------------------------------------------------------------------------------

    def broken(self, obligation: Obligation) -> z3.ModelRef | None:
        """A model in which something does not hold."""
        denied = v.not_(v.and_(obligation.goals))
        return self.model([denied, *obligation.path])

    def possible(self, trail: Trail) -> bool:
        """Whether a place may be reached; also if that is unknown."""
        parts = [p for p in trail.path if p is not True]
        if any(p is False for p in parts):
            return False
        answer, _, _ = self.prover.ask(self.prover.spelled_out(parts), self.effort // 10)
        return answer != "unsat"

    def model(self, parts: list[Truth]) -> z3.ModelRef | None:
        """A model of some formulas."""
        if any(p is False for p in parts):
            return None
        query = self.prover.spelled_out([p for p in parts if p is not True])
        _, model, _ = self.prover.ask(query, self.effort)
        return model

    # ---- joining -------------------------------------------------------------------------------

    def joined(
        self, waiting: list[tuple[ir.Procedure, int, Trail]]
    ) -> list[tuple[ir.Procedure, int, Trail]]:
        """One trail for each place: what differs depends on the way that led there."""
        places: dict[tuple[object, ...], list[tuple[ir.Procedure, int, Trail]]] = {}
        for procedure, block, trail in waiting:
            calls = tuple((f.procedure.name, f.target) for f in trail.frames)
            places.setdefault((procedure.name, block, calls), []).append((procedure, block, trail))
        result = []
        for group in places.values():
            procedure, block, trail = group[0]
            tests = [v.and_(other.path) for _, _, other in group]
            for test, (_, _, other) in zip(tests[1:], group[1:], strict=True):
                trail = self.join(test, other, trail)
            trail.path = [v.or_(tests)]
            state = SymbolicState(trail.machine.state.arrays)
            machine = SymbolicRun(
                self.world, state, trail.machine.locals, Totals(self.world, state)
            )
            machine.state = state.copy()
            result.append((procedure, block, Trail(machine, trail.path, trail.frames)))
        return result

    def join(self, test: Truth, one: Trail, two: Trail) -> Trail:
        """One trail if a test holds, else the other."""
        arrays = {
            name: cells
            if cells.version == two.machine.state.arrays[name].version
            else Cells(_either(test, cells.values, two.machine.state.arrays[name].values))
            for name, cells in one.machine.state.arrays.items()
        }
        machine = two.machine.copy()
        machine.state = SymbolicState(arrays)
        machine.locals = _choose(test, one.machine.locals, two.machine.locals)
        frames = tuple(
            OpenCall(a.procedure, a.block, a.target, _choose(test, a.locals, b.locals))
            for a, b in zip(one.frames, two.frames, strict=True)
        )
        return Trail(machine, two.path, frames)


def _either(test: Truth, one: tuple[Value, ...], two: tuple[Value, ...]) -> tuple[Value, ...]:
    return tuple(a if v.same(a, b) else v.ite(test, a, b) for a, b in zip(one, two, strict=True))


def _choose(test: Truth, one: Locals, two: Locals) -> Locals:
    """Locals that both have; one that only one of them has is not used after they meet."""
    result: Locals = {}
    for name in one.keys() & two.keys():
        a, b = one[name], two[name]
        if isinstance(a, tuple) and isinstance(b, tuple):
            result[name] = _either(test, a, b)
        elif not isinstance(a, tuple) and not isinstance(b, tuple):
            result[name] = _either(test, (a,), (b,))[0]
    return result


def _label(procedure: ir.Procedure, block: int) -> Step:
    return Step(rule_name(procedure.name), "", procedure.blocks[block].span)


def _line(model: z3.ModelRef, ways: list[Value], levels: list[dict[Pick, Value]]) -> Line:
    """The moves of a model."""
    return [
        (_number(model, way), {name: _number(model, value) for name, value in picks.items()})
        for way, picks in zip(ways, levels, strict=True)
    ]


def _number(model: z3.ModelRef, value: Value) -> int:
    if isinstance(value, int):
        return int(value)
    known = model.eval(value, model_completion=True)
    return int(z3.is_true(known)) if z3.is_bool(known) else int(known.as_long())
