"""The facts at the start of a block, besides the invariants: a forward analysis.

A fact is an expression over the state and the locals of its procedure. It comes from the position
before set-up, a test, a requirement of the move that was chosen, an assertion, an assignment, a
contract. It is dropped when a cell or local that it reads is written, here or in a called procedure
(`x += 1` rewrites it instead). Where paths meet, only facts common to all of them remain. So a fact
about unchanged cells survives decisions and calls.

Facts are proposals only. Every step that ends at a place proves the facts of that place; one that
cannot be proved is refused there, and the others are computed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define, field

from compiler import build as b
from compiler import ir
from compiler.transform import bound_names, substitute
from verify.analysis.effects import Effects
from verify.analysis.fact_places import (
    NONE_REFUSED,
    FactPlace,
    Refused,
    entry_name,
    ghost_name,
    measure_name,
)
from verify.analysis.fact_sets import Environment, Facts, FactSets, instead, names_in

# The initial values of arrays of at most this many cells are facts of the opening.
FEW_CELLS = 12
# Modules whose facts are cached.
MOST_KEPT = 2


@define(eq=False)
class Known:
    """The facts of one procedure: at its entry, its blocks, their ways out, and its exits."""

    procedure: ir.Procedure
    # What all callers know, and with it what the procedure requires.
    arriving: Facts | None = None
    entry: Facts = field(factory=dict)
    starts: dict[int, Facts] = field(factory=dict)
    edges: dict[tuple[int, int], Facts] = field(factory=dict)
    exits: Facts | None = None


def facts_of(module: ir.Module, effects: Effects, refused: Refused = NONE_REFUSED) -> FactBase:
    """The facts of a module; those of the latest are kept, as several parts of a check ask."""
    kept = next((b for b in _latest if b.module is module and b.refused == refused), None)
    if kept is None:
        kept = FactBase(module, effects, refused)
        _latest[:] = [*_latest[1 - MOST_KEPT :], kept]
    return kept


_latest: list[FactBase] = []


@define(eq=False)
class FactBase(FactSets):
    """The facts of a module."""

    refused: Refused = NONE_REFUSED
    procedures: dict[str, Known] = field(factory=dict)
    _callers: dict[str, set[str]] = field(factory=dict)
    _todo: list[str] = field(factory=list)
    # Contracts in terms of a call, with what keeps their keys alive.
    _called: dict[tuple[int, int], tuple[ir.Expr, tuple[ir.Expr, ...], ir.Expr]] = field(
        factory=dict
    )
    _now: Known = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.procedures = {n: Known(p) for n, p in self.module.procedures.items()}
        main = self.procedures[self.module.main]
        main.arriving = self.opening()
        self._todo = [self.module.main]
        # The exit facts of a procedure are computed before its callers are analysed again.
        order = {name: at for at, name in enumerate(self.effects.callees_first(self.module.main))}
        while self._todo:
            name = min(self._todo, key=order.__getitem__)
            self._todo.remove(name)
            self.solve(self.procedures[name])

    def opening(self) -> Facts:
        """The position before set-up."""
        facts: Facts = {}
        for array in self.module.arrays.values():
            if array.size > FEW_CELLS:
                continue
            for flat, value in enumerate(array.initial):
                index: list[ir.Expr] = []
                rest = flat
                for dimension in reversed(array.dimensions):
                    index.insert(0, b.int_(rest % dimension.size))
                    rest //= dimension.size
                cell = ir.Cell(array.name, tuple(index), lo=array.lo, hi=array.hi)
                self.gain(facts, b.eq(cell, b.int_(value)))
        return facts

    def at(self, place: FactPlace) -> Facts:
        """The facts proposed at a place."""
        known = self.procedures[place.procedure]
        match place.kind:
            case "edge":
                return known.edges.get((place.block, place.way), {})
            case "head":
                return self.at_start(known, known.procedure.blocks[place.block])
            case "entry":
                return known.entry
            case "exit":
                return known.exits or {}

    def accepted(self, facts: Facts, place: FactPlace) -> Facts:
        """Facts without those that could not be proved at a place."""
        if not self.refused:
            return facts
        return {n: f for n, f in facts.items() if (place, f) not in self.refused}

    # ---- the fixed point -----------------------------------------------------------------------

    def solve(self, known: Known) -> None:
        """Follow all ways through a procedure, intersecting where they meet."""
        self._now = known
        procedure = known.procedure
        assert known.arriving is not None
        entry = dict(known.arriving)
        for contract in procedure.requires:
            self.gain(entry, contract)
        for at, measure in enumerate(procedure.decreases):
            self.gain(entry, b.eq(b.local(entry_name(at), measure.lo, measure.hi), measure))
        for at, value in enumerate(procedure.before):
            now = b.local(ir.before_name(at), value.lo, value.hi)
            # What is known of the value is known of what is remembered of it.
            for fact in list(entry.values()):
                self.gain(entry, instead(fact, value, now))
            self.gain(entry, b.eq(now, value))
        entry = self.accepted(entry, FactPlace("entry", procedure.name))
        known.entry = entry
        first = procedure.blocks[0].id
        known.starts, known.edges = {first: dict(entry)}, {}
        exits: list[Facts] = []
        todo = [first]
        out: dict[int, Facts] = {}
        while todo:
            number = todo.pop()
            block = procedure.blocks[number]
            for way, target, left in self.leave(block, out):
                facts = self.accepted(left, FactPlace("edge", procedure.name, number, way))
                known.edges[(number, way)] = facts
                before = known.starts.get(target)
                if before is None:
                    known.starts[target] = dict(facts)
                    todo.append(target)
                    continue
                common = {n: f for n, f in before.items() if n in facts}
                if len(common) < len(before):
                    known.starts[target] = common
                    todo.append(target)
        exits = [
            out[block.id]
            for block in procedure.blocks
            if block.id in out and isinstance(block.terminator, ir.Exit)
        ]
        if exits:
            self.leaves(known, exits)

    def leaves(self, known: Known, exits: list[Facts]) -> None:
        """The facts after a call; callers are analysed again if they changed."""
        procedure = known.procedure
        names = {p.name for p in procedure.params}
        names |= {ir.before_name(at) for at in range(len(procedure.before))}
        common = {
            n: f
            for n, f in exits[0].items()
            if all(n in other for other in exits[1:]) and self.effects.reads(f).locals <= names
        }
        common = self.accepted(common, FactPlace("exit", procedure.name))
        if known.exits is None or common.keys() != known.exits.keys():
            known.exits = common
            for caller in sorted(self._callers.get(known.procedure.name, ())):
                if caller not in self._todo:
                    self._todo.append(caller)

    def leave(self, block: ir.Block, out: dict[int, Facts]) -> list[tuple[int, int, Facts]]:
        """The ways out of a block with what is known on each."""
        facts = self.at_start(self._now, block)
        self.pass_through(block.statements, facts)
        out[block.id] = facts
        match block.terminator:
            case ir.Jump(target):
                return [(0, target, facts)]
            case ir.Fork(condition, then, otherwise):
                yes, no = dict(facts), dict(facts)
                self.gain(yes, condition)
                self.gain(no, b.not_(condition))
                return [(0, then, yes), (1, otherwise, no)]
            case ir.Together(then, otherwise):
                return [(0, then, facts), (1, otherwise, dict(facts))]
            case ir.Enter(procedure, args, target):
                behind = self.call(facts, procedure, args)
                return [] if behind is None else [(0, target, behind)]
            case ir.Decide():
                return self.decided(block.terminator, facts)
            case ir.Chance():
                return [(0, block.terminator.target, self.drawn(block.terminator, facts))]
            case ir.Exit() | ir.End():
                return []
        raise AssertionError(block.terminator)

    def at_start(self, known: Known, block: ir.Block) -> Facts:
        """The facts at the start of a block."""
        facts = dict(known.starts.get(block.id, {}))
        for at, measure in enumerate(block.measure):
            name = measure_name(block.id, at)
            self.forget(facts, (), {name})
            self.gain(facts, b.eq(b.local(name, measure.lo, measure.hi), measure))
        for fact in block.facts:
            self.gain(facts, fact)
        return self.accepted(facts, FactPlace("head", known.procedure.name, block.id))

    # ---- statements ----------------------------------------------------------------------------

    def pass_through(self, statements: Iterable[ir.Statement], facts: Facts) -> None:
        """The facts after statements."""
        for statement in statements:
            match statement:
                case ir.SetLocal(target, value):
                    self.forget(facts, (), {target.name})
                    if target.name not in self.effects.reads(value).locals:
                        self.gain(facts, b.eq(target, value))
                case ir.SetCell(target, value):
                    self.assign(facts, target, value)
                case ir.PlaceCard(target, _, place):
                    self.assign(facts, target, place)
                case ir.Transfer():
                    self.transfer(facts, statement)
                case ir.Branch(condition, then, otherwise):
                    one, two = dict(facts), dict(facts)
                    self.gain(one, condition)
                    self.gain(two, b.not_(condition))
                    self.pass_through(then, one)
                    self.pass_through(otherwise, two)
                    facts.clear()
                    facts.update((n, f) for n, f in one.items() if n in two)
                case ir.Do(routine, args):
                    callee = self.module.routines[routine]
                    written = self.effects.routine(routine)
                    env = self.bound(callee, args)
                    self.narrowed(facts, args)
                    self.remember(facts, callee, env)
                    self.forget(facts, written, ())
                    self.ensured(facts, written, callee.ensures, args, env)
                case ir.Check(condition):
                    self.gain(facts, condition)
                case ir.Loop() | ir.SetLocalCell() | ir.Reveal() | ir.Leave():
                    one_of = (statement,)
                    self.forget(
                        facts, self.effects.written(one_of), self.effects.written_locals(one_of)
                    )
                case _:
                    raise AssertionError(statement)

    # ---- calls ---------------------------------------------------------------------------------

    def call(self, facts: Facts, name: str, args: tuple[ir.Expr, ...]) -> Facts | None:
        """The facts after a call; None as long as it is not known to return."""
        callee = self.procedures[name]
        self._callers.setdefault(name, set()).add(self._now.procedure.name)
        self.narrowed(facts, args)
        self.arriving(facts, callee, args)
        if callee.exits is None:
            return None
        written = self.effects.procedure(name)
        result = dict(facts)
        env = self.bound(callee.procedure, args)
        for contract in callee.procedure.requires:  # proved where it is called
            self.gain(result, self.called(contract, args, env))
        self.remember(result, callee.procedure, env)
        self.forget(result, written, ())
        contracts = (*callee.procedure.ensures, *callee.exits.values())
        self.ensured(result, written, contracts, args, env)
        return result

    def narrowed(self, facts: Facts, args: tuple[ir.Expr, ...]) -> None:
        """An argument that must fit its parameter does, or the call would have been reported."""
        for arg in args:
            if isinstance(arg, ir.Narrow):
                self.gain(facts, b.le(b.int_(arg.lo), arg.value))
                self.gain(facts, b.le(arg.value, b.int_(arg.hi)))

    def bound(self, rule: ir.Procedure | ir.Routine, args: tuple[ir.Expr, ...]) -> Environment:
        """The parameters of a rule in a call."""
        return {p.name: a for p, a in zip(rule.params, args, strict=True)}

    def remember(self, facts: Facts, rule: ir.Procedure | ir.Routine, env: Environment) -> None:
        """Name the values that a contract compares with, and say what is known of them."""
        for at, value in enumerate(rule.before):
            old = substitute(value, env, self.module.tables)
            name = ghost_name(rule.name, at)
            self.forget(facts, (), {name})
            now = b.local(name, old.lo, old.hi)
            for fact in list(facts.values()):
                self.gain(facts, instead(fact, old, now))
            self.gain(facts, b.eq(now, old))
            env[ir.before_name(at)] = now

    def arriving(self, facts: Facts, callee: Known, args: tuple[ir.Expr, ...]) -> None:
        """Facts that all callers share hold at the entry."""
        params = callee.procedure.params
        renamed: dict[str, ir.Expr] = {}
        for param, arg in zip(params, args, strict=True):
            if isinstance(arg, ir.Local):
                renamed[arg.name] = b.local(param.name, param.lo, param.hi)
        here: Facts = {}
        for fact in facts.values():
            locals_ = self.effects.reads(fact).locals
            if not locals_:
                self.gain(here, fact)
            elif locals_ <= renamed.keys() and not bound_names(fact):
                self.gain(here, substitute(fact, renamed, self.module.tables))
        for param, arg in zip(params, args, strict=True):
            if not self.effects.reads(arg).locals:
                self.gain(here, b.eq(b.local(param.name, param.lo, param.hi), arg))
        if callee.arriving is not None:
            here = {n: f for n, f in callee.arriving.items() if n in here}
            if len(here) == len(callee.arriving):
                return
        callee.arriving = here
        if callee.procedure.name not in self._todo:
            self._todo.append(callee.procedure.name)

    def ensured(
        self,
        facts: Facts,
        written: frozenset[str],
        contracts: Iterable[ir.Expr],
        args: tuple[ir.Expr, ...],
        env: Environment,
    ) -> None:
        """The facts after a call by its contract."""
        changed = {n for n, a in env.items() if self.effects.reads(a).arrays & written}
        for contract in contracts:
            if not changed & self.effects.reads(contract).locals:
                self.gain(facts, self.called(contract, args, env))

    def called(self, contract: ir.Expr, args: tuple[ir.Expr, ...], env: Environment) -> ir.Expr:
        """A contract in terms of a call; computed once, since a module's calls stay the same."""
        key = (id(contract), id(args))
        found = self._called.get(key)
        if found is None:
            names = set().union(*(names_in(a) for a in args)) if args else set()
            hidden = names & bound_names(contract)
            said = b.TRUE if hidden else substitute(contract, env, self.module.tables)
            found = self._called[key] = (contract, args, said)
        return found[2]

    # ---- decisions -----------------------------------------------------------------------------

    def decided(self, decide: ir.Decide, facts: Facts) -> list[tuple[int, int, Facts]]:
        ways = []
        for at, option in enumerate(decide.options):
            chosen = dict(facts)
            self.forget(chosen, (), set(_bound(option)))
            for param in option.params:
                self.gain_range(chosen, param.range, param.lo, param.hi)
            for line in option.head:
                if isinstance(line, ir.Define):
                    value = b.local(line.name, line.value.lo, line.value.hi)
                    self.gain(chosen, b.eq(value, line.value))
                else:
                    self.gain(chosen, line.condition)
            ways.append((at, option.target, chosen))
        if decide.skip is not None:
            ways.append((len(decide.options), decide.skip, dict(facts)))
        return ways

    def drawn(self, chance: ir.Chance, facts: Facts) -> Facts:
        result = dict(facts)
        self.forget(result, (), {chance.range.name})
        self.gain_range(result, chance.range, chance.range.low.lo, chance.range.high.hi)
        if chance.where is not None:
            self.gain(result, chance.where)
        if chance.weight is not None:
            self.gain(result, b.lt(b.int_(0), chance.weight))
        return result


def _bound(option: ir.Option) -> Iterator[str]:
    """The names that an option gives a value."""
    for param in option.params:
        yield param.range.name
    for line in option.head:
        if isinstance(line, ir.Define):
            yield line.name
