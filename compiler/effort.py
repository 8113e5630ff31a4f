"""Upper bounds on the steps of an evaluation, computed before anything is run.

A step of the game, from one decision to the next, runs blocks. The work of each is bounded here,
by the ranges of its loops; the number of blocks is bounded in play, by `machine.MAX_BLOCKS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import prod

from attrs import frozen

from compiler import ir
from compiler.lower.free import free, union
from compiler.runtime.subsets import MAX_SUBSETS
from compiler.traverse import children
from rules_dsl.language.diagnostics import Diagnostic, RuleError
from rules_dsl.language.spans import Span

# Maximum number of steps: five times those of the largest classic, at most half a minute of Python.
MAX_STEPS = 1_000_000_000


def check_efforts(module: ir.Module) -> None:
    """Refuse rules of which one part may take too many steps; raises `RuleError`."""
    efforts = Efforts(module.functions, module.routines, module.relations)
    found: list[tuple[int, Span]] = [
        *((efforts.function(name), part.span) for name, part in module.functions.items()),
        *(
            (efforts.statement(line), line.span)
            for part in module.routines.values()
            for line in part.body
        ),
        *((efforts.of(part.condition), part.span) for part in module.invariants),
    ]
    for procedure in module.procedures.values():
        for block in procedure.blocks:
            found += [(efforts.statement(line), line.span) for line in block.statements]
            found.append((efforts.terminator(block.terminator), block.terminator.span))
    large = {span: steps for steps, span in found if steps > MAX_STEPS}
    if large:
        # A caller of a rule that is too large is too large as well: the smallest is the cause.
        span = min(large, key=lambda span: large[span])
        steps = f"{large[span]:,}" if large[span] < 10**15 else "more than a million of millions of"
        message = f"this may take {steps} steps each time"
        hint = f"at most {MAX_STEPS:,}: split the work"
        raise RuleError([Diagnostic("E0437", message, span, hint)])


@frozen
class Parts:
    """The steps of an evaluation, and those of the answers over relations that it needs.

    An answer is about all places and kept: it counts once for all values of the locals that it does
    not read. Each comes with those that it does.
    """

    own: int
    answers: tuple[tuple[int, set[str]], ...] = ()

    @staticmethod
    def sum(parts: Iterable[Parts]) -> Parts:
        """All of these, one after another."""
        total = Parts(0)
        for part in parts:
            total = total.and_(part)
        return total

    @property
    def total(self) -> int:
        return self.own + sum(steps for steps, _ in self.answers)

    def and_(self, other: Parts) -> Parts:
        """This, and something else."""
        return Parts(self.own + other.own, self.answers + other.answers)

    def plus(self, steps: int) -> Parts:
        """This effort with more steps added."""
        return Parts(self.own + steps, self.answers)

    def times(self, sizes: Mapping[str, int]) -> Parts:
        """This for all values of some locals."""
        answers = tuple(
            (steps * prod(sizes[name] for name in read if name in sizes), read - sizes.keys())
            for steps, read in self.answers
        )
        return Parts(self.own * prod(sizes.values()), answers)

    def named(self, known: Mapping[str, set[str]]) -> Parts:
        """This where some locals stand for what reads others."""
        answers = tuple(
            (steps, set().union(*(known.get(name, {name}) for name in read)))
            for steps, read in self.answers
        )
        return Parts(self.own, answers)


class Efforts:
    """Upper bounds by the ranges of loops; the steps of functions and routines are computed once.

    >>> from compiler.build import add, int_, local
    >>> Efforts({}).of(add(local("x", 0, 9), local("y", 0, 9)))
    3
    """

    def __init__(
        self,
        functions: Mapping[str, ir.Function],
        routines: Mapping[str, ir.Routine] = {},
        relations: Mapping[str, ir.Relation] = {},
    ) -> None:
        self.functions = functions
        self.routines = routines
        self.relations = relations
        self._known: dict[str, int] = {}
        self._functions: dict[str, Parts] = {}

    def of(self, expr: ir.Expr) -> int:
        """The steps of an expression."""
        return self.parts(expr).total

    def parts(self, expr: ir.Expr) -> Parts:
        """The steps of an expression, and the answers it needs."""
        match expr:
            case ir.Aggregate(ranges=ranges):
                bounds = [self.parts(e) for r in ranges for e in (r.low, r.high)]
                inner = [self.parts(e) for e in (expr.where, expr.body) if e is not None]
                return (
                    Parts.sum(bounds).plus(1).and_(Parts.sum(inner).plus(1).times(_sizes(ranges)))
                )
            case ir.Let(name, value, body):
                known = {name: free(value)}
                return self.parts(value).and_(self.parts(body).named(known)).plus(1)
            case ir.Call(name, args):
                known = {
                    p.name: free(a) for p, a in zip(self.functions[name].params, args, strict=True)
                }
                own = self._function(name).named(known)
                return Parts.sum(self.parts(a) for a in args).and_(own).plus(1)
            case ir.Graph(step=step, nodes=nodes):
                inner = [self.parts(child) for child in children(expr)]
                return Parts.sum(inner).plus(1 + nodes * nodes * self.function(step))
            case ir.Field():
                inner = [self.parts(child) for child in children(expr)]
                read = union(e for e in children(expr) if e is not expr.place)
                return Parts.sum(inner).plus(1).and_(Parts(0, ((self._field(expr), read),)))
            case _:
                return Parts.sum(self.parts(child) for child in children(expr)).plus(1)

    def function(self, name: str) -> int:
        """The steps of a call of a function."""
        return self._function(name).total

    def _function(self, name: str) -> Parts:
        if name not in self._functions:
            self._functions[name] = self.parts(self.functions[name].body)
        return self._functions[name]

    def routine(self, name: str) -> int:
        """The steps of a call of a routine."""
        key = f"routine {name}"
        if key not in self._known:
            self._known[key] = self.statements(self.routines[name].body)
        return self._known[key]

    def statements(self, body: Iterable[ir.Statement]) -> int:
        """The steps of statements, one after another."""
        return sum(self.statement(statement) for statement in body)

    def statement(self, node: ir.Statement) -> int:
        """The steps of a statement."""
        own = 1 + sum(self.of(child) for child in children(node))
        match node:
            case ir.Branch(_, then, otherwise):
                return own + max(self.statements(then), self.statements(otherwise))
            case ir.Loop(range_, body):
                return own + _rounds([range_]) * self.statements(body)
            case ir.Do(routine):
                return own + self.routine(routine)
            case ir.SetCell() | ir.SetLocal() | ir.SetLocalCell() | ir.Transfer() | ir.PlaceCard():
                return own
            case ir.Check() | ir.Reveal() | ir.Leave():
                return own
            case _:
                raise TypeError(f"unknown statement {node}")

    def terminator(self, node: ir.Terminator) -> int:
        """The steps from the end of a block to the next one, listing moves included."""
        match node:
            case ir.Fork(condition):
                return 1 + self.of(condition)
            case ir.Enter(_, args):
                return 1 + sum(map(self.of, args))
            case ir.Decide(_, actor, options):
                return self.of(actor) + sum(map(self._option, options))
            case ir.Chance(_, range_, where, weight):
                each = sum(self.of(part) for part in (where, weight) if part is not None)
                return _rounds([range_]) * (1 + each)
            case ir.Jump() | ir.Together() | ir.Exit() | ir.End():
                return 1
            case _:
                raise AssertionError(node)

    def _option(self, option: ir.Option) -> int:
        parts = [
            line.condition if isinstance(line, ir.Require) else line.value for line in option.head
        ]
        once = Parts.sum(map(self.parts, parts)).plus(1)
        if option.subset is not None:
            return min(MAX_SUBSETS, 1 << len(option.params)) * once.total
        return once.times(_sizes(param.range for param in option.params)).total

    def _field(self, expr: ir.Field) -> int:
        """The steps of an answer about all places, computed once for its arguments."""
        relation = self.relations[expr.relation]
        found: list[Parts] = []
        for way in relation.ways:
            for name in way.functions:
                params = [p.name for p in self.functions[name].params]
                sizes = dict(zip(params[1:], (b - a + 1 for a, b in way.ranges), strict=False))
                sizes[params[0]] = relation.places
                found.append(self._function(name).plus(1).times(sizes))
        for name in (expr.sources, expr.stops):
            if name:
                place = self.functions[name].params[0].name
                found.append(self._function(name).plus(1).times({place: relation.places}))
        return Parts.sum(found).total


def _sizes(ranges: Iterable[ir.Range]) -> dict[str, int]:
    return {r.name: max(1, r.high.hi - r.low.lo + 1) for r in ranges}


def _rounds(ranges: Iterable[ir.Range]) -> int:
    total = 1
    for range_ in ranges:
        total *= max(1, range_.high.hi - range_.low.lo + 1)
    return total
