"""What is known where a block starts, besides the invariants: a forward analysis.

A fact is an expression over the state and the locals of its procedure. It comes from the position
before set-up, a test, a requirement of the move that was chosen, an assertion, an assignment, a
contract; and it is forgotten when something that it reads is written, here or in a procedure that
is called (`x += 1` rewrites it instead). Where ways meet, only what all of them agree on is known.
So a fact about cells that nobody touches stays known across decisions and calls.

Nothing here is believed: facts are proposals. Every step that ends at a place proves the facts of
that place; one that does not go through is refused there, and the rest is worked out again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from attrs import define, evolve, field, frozen

from compiler import build as b
from compiler import ir
from compiler.transform import bound_names, substitute
from compiler.traverse import children
from verify.analysis.effects import Effects

# An ordered set: interned expressions by their number.
Facts = dict[int, ir.Expr]
Environment = dict[str, ir.Expr]


@frozen
class Place:
    """Where facts are proposed: a way out of a block, the head of a loop, an entry, an exit."""

    kind: Literal["edge", "head", "entry", "exit"]
    procedure: str
    block: int = 0
    way: int = 0


# Facts that could not be proved, each at its place.
Refused = frozenset[tuple[Place, ir.Expr]]
NONE_REFUSED: Refused = frozenset()

# The initial values of arrays of at most this many cells are facts of the opening.
FEW_CELLS = 12
# Modules whose facts are cached.
MOST_KEPT = 2


def measure_name(block: int, part: int) -> str:
    """The local that remembers a loop's measure at the head of the present round."""
    return f"measure.{block}.{part}"


def entry_name(part: int) -> str:
    """The local that remembers a recursive procedure's measure at its entry."""
    return f"measure.entry.{part}"


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


def ghost_name(rule: str, part: int) -> str:
    """The local of a caller that remembers what a contract of a rule that it called compares."""
    return f"{rule} {ir.before_name(part)}"


def facts_of(
    module: ir.Module, effects: Effects, refused: Refused = NONE_REFUSED
) -> FactBase:  # fmt: skip
    """The facts of a module; those of the latest are kept, as several parts of a check ask."""
    kept = next((b for b in _latest if b.module is module and b.refused == refused), None)
    if kept is None:
        kept = FactBase(module, effects, refused)
        _latest[:] = [*_latest[1 - MOST_KEPT :], kept]
    return kept


_latest: list[FactBase] = []


@define(eq=False)
class FactBase:
    """The facts of a module."""

    module: ir.Module
    effects: Effects
    refused: Refused = NONE_REFUSED
    procedures: dict[str, Known] = field(factory=dict)
    _numbers: dict[ir.Expr, int] = field(factory=dict)
    _interned: dict[int, tuple[ir.Expr, int, ir.Expr]] = field(factory=dict)
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
        # What a call leaves behind is found out before its callers are looked at once more.
        order = {name: at for at, name in enumerate(self.effects.callees_first(self.module.main))}
        while self._todo:
            name = min(self._todo, key=order.__getitem__)
            self._todo.remove(name)
            self.solve(self.procedures[name])

    # ---- sets of facts -------------------------------------------------------------------------

    def number(self, fact: ir.Expr) -> tuple[int, ir.Expr]:
        """The number of a fact; equal expressions have the same."""
        found = self._interned.get(id(fact))
        if found is None:
            number = self._numbers.setdefault(fact, len(self._numbers))
            found = self._interned[id(fact)] = (fact, number, fact)
        return found[1], found[2]

    def gain(self, facts: Facts, condition: ir.Expr) -> None:
        """Learn something; a conjunction in parts, so that its parts can be forgotten singly."""
        if isinstance(condition, ir.Op) and condition.kind == "and":
            for part in condition.args:
                self.gain(facts, part)
        elif isinstance(condition, ir.Op) and _negated(condition, "or"):
            for part in condition.args[0].args:  # type: ignore[attr-defined]
                self.gain(facts, b.not_(part))
        elif not isinstance(condition, ir.Int):
            number, fact = self.number(condition)
            facts[number] = fact

    def forget(self, facts: Facts, arrays: Iterable[str], names: Iterable[str]) -> None:
        """Forget what reads something that is written."""
        gone, unnamed = set(arrays), set(names)
        for number, fact in list(facts.items()):
            reads = self.effects.reads(fact)
            if reads.arrays & gone or reads.locals & unnamed:
                del facts[number]

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

    def at(self, place: Place) -> Facts:
        """What is proposed at a place."""
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

    def accepted(self, facts: Facts, place: Place) -> Facts:
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
                self.gain(entry, _instead(fact, value, now))
            self.gain(entry, b.eq(now, value))
        entry = self.accepted(entry, Place("entry", procedure.name))
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
                facts = self.accepted(left, Place("edge", procedure.name, number, way))
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
        """What a call is known to leave behind; callers are looked at again if it changed."""
        procedure = known.procedure
        names = {p.name for p in procedure.params}
        names |= {ir.before_name(at) for at in range(len(procedure.before))}
        common = {
            n: f
            for n, f in exits[0].items()
            if all(n in other for other in exits[1:]) and self.effects.reads(f).locals <= names
        }
        common = self.accepted(common, Place("exit", procedure.name))
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
        """What is known where a block starts."""
        facts = dict(known.starts.get(block.id, {}))
        for at, measure in enumerate(block.measure):
            name = measure_name(block.id, at)
            self.forget(facts, (), {name})
            self.gain(facts, b.eq(b.local(name, measure.lo, measure.hi), measure))
        for fact in block.facts:
            self.gain(facts, fact)
        return self.accepted(facts, Place("head", known.procedure.name, block.id))

    # ---- statements ----------------------------------------------------------------------------

    def pass_through(self, statements: Iterable[ir.Statement], facts: Facts) -> None:
        """What is known behind statements."""
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

    def assign(self, facts: Facts, target: ir.Cell, value: ir.Expr) -> None:
        """A cell gets a value: what is known of others stays, `x += 1` is taken back in facts."""
        plain = value.value if isinstance(value, ir.Narrow) else value
        change = _change(target, plain)
        old: ir.Expr | None = None
        if change is not None and target.array not in self.effects.reads(change).arrays:
            old = b.sub(target, change)
        self.rewrite(facts, target, old)
        reads = [self.effects.reads(e) for e in (plain, *target.index)]
        if not any(target.array in r.arrays for r in reads):
            self.gain(facts, b.eq(target, plain))

    def transfer(self, facts: Facts, move: ir.Transfer) -> None:
        arrays = {move.source.array, move.target.array}
        if move.up_to or self.effects.reads(move.amount).arrays & arrays:
            self.rewrite(facts, move.source, None)
            self.rewrite(facts, move.target, None)
            if move.amount == move.source and move.source.array != move.target.array:
                self.gain(facts, b.eq(move.source, b.int_(0)))
            return
        self.rewrite(facts, move.source, b.add(move.source, move.amount))
        self.rewrite(facts, move.target, b.sub(move.target, move.amount))

    def rewrite(self, facts: Facts, target: ir.Cell, old: ir.Expr | None) -> None:
        """Facts about a cell that changes, in terms of its new value if the old one is known."""
        for number, fact in list(facts.items()):
            if target.array not in self.effects.reads(fact).arrays:
                continue
            del facts[number]
            changed = self.replaced(fact, target, old)
            if changed is not None:
                self.gain(facts, changed)

    def replaced(self, fact: ir.Expr, target: ir.Cell, old: ir.Expr | None) -> ir.Expr | None:
        """A fact with a cell replaced; None if it may read the cell in another way."""
        bound = bound_names(fact)

        def go(expr: ir.Expr) -> ir.Expr | None:
            if target.array not in self.effects.reads(expr).arrays:
                return expr
            if isinstance(expr, ir.Cell):
                # A write may also change the index at which something is read.
                indices = (*expr.index, *target.index)
                if any(target.array in self.effects.reads(i).arrays for i in indices):
                    return None
                if expr.array != target.array:
                    return None
                if expr.index == target.index:
                    return old
                return expr if _apart(expr.index, target.index) else None
            if isinstance(expr, ir.Op):
                args = [go(a) for a in expr.args]
                if any(a is None for a in args):
                    return None
                return evolve(expr, args=tuple(a for a in args if a is not None))
            return None

        if bound & _names(target):
            return None
        return go(fact)

    # ---- calls ---------------------------------------------------------------------------------

    def call(self, facts: Facts, name: str, args: tuple[ir.Expr, ...]) -> Facts | None:
        """What is known behind a call; None as long as it is not known to come back."""
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
                self.gain(facts, _instead(fact, old, now))
            self.gain(facts, b.eq(now, old))
            env[ir.before_name(at)] = now

    def arriving(self, facts: Facts, callee: Known, args: tuple[ir.Expr, ...]) -> None:
        """What all callers know is known at the entry."""
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
        self, facts: Facts, written: frozenset[str], contracts: Iterable[ir.Expr],
        args: tuple[ir.Expr, ...], env: Environment,
    ) -> None:  # fmt: skip
        """What is known behind a call because it was promised."""
        changed = {n for n, a in env.items() if self.effects.reads(a).arrays & written}
        for contract in contracts:
            if not changed & self.effects.reads(contract).locals:
                self.gain(facts, self.called(contract, args, env))

    def called(self, contract: ir.Expr, args: tuple[ir.Expr, ...], env: Environment) -> ir.Expr:
        """A contract in terms of a call; computed once, since a module's calls stay the same."""
        key = (id(contract), id(args))
        found = self._called.get(key)
        if found is None:
            names = set().union(*(_names(a) for a in args)) if args else set()
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

    def gain_range(self, facts: Facts, range_: ir.Range, lo: int, hi: int) -> None:
        value = b.local(range_.name, lo, hi)
        self.gain(facts, b.le(range_.low, value))
        self.gain(facts, b.le(value, range_.high))


def _bound(option: ir.Option) -> Iterator[str]:
    """The names that an option gives a value."""
    for param in option.params:
        yield param.range.name
    for line in option.head:
        if isinstance(line, ir.Define):
            yield line.name


def _change(target: ir.Cell, value: ir.Expr) -> ir.Expr | None:
    """By how much `target = value` changes the cell, if it is `target += …`."""
    match value:
        case ir.Op("add", (one, two)) if one == target:
            return two
        case ir.Op("sub", (one, two)) if one == target:
            return b.neg(two)
    return None


def _instead(expr: ir.Expr, old: ir.Expr, new: ir.Expr) -> ir.Expr:
    """An expression with another one in place of a part of it."""
    if expr == old:
        return new
    if isinstance(expr, ir.Op):
        args = tuple(_instead(a, old, new) for a in expr.args)
        return expr if args == expr.args else evolve(expr, args=args)
    return expr


def _apart(one: tuple[ir.Expr, ...], two: tuple[ir.Expr, ...]) -> bool:
    """Whether two indices are known to differ."""
    return any(b.eq(x, y) == b.FALSE for x, y in zip(one, two, strict=True))


def _negated(condition: ir.Op, kind: str) -> bool:
    inner = condition.args[0] if condition.kind == "not" else None
    return isinstance(inner, ir.Op) and inner.kind == kind


def _names(expr: ir.Expr) -> set[str]:
    found = {expr.name} if isinstance(expr, ir.Local | ir.LocalCell) else set()
    for child in children(expr):
        found |= _names(child)
    return found
