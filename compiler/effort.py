"""How many steps it takes at most to work something out, counted before anything is run.

A step of the game, from one decision to the next, runs blocks. What one block does is bounded here,
by the ranges of its loops; how many of them run is bounded in play, by `machine.MAX_BLOCKS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from compiler import ir
from compiler.runtime.subsets import MAX_SUBSETS
from compiler.traverse import children
from rules_dsl.language.diagnostics import Diagnostic, RuleError
from rules_dsl.language.spans import Span

# Five times what the largest classic may take; half a minute of Python at the most.
MAX_STEPS = 1_000_000_000


def check_efforts(module: ir.Module) -> None:
    """Refuse rules of which one part may take too many steps; raises `RuleError`."""
    efforts = Efforts(module.functions, module.routines, module.relations)
    found: list[tuple[int, Span]] = [
        *((efforts.function(name), part.span) for name, part in module.functions.items()),
        *((efforts.statement(line), line.span)
          for part in module.routines.values() for line in part.body),
        *((efforts.of(part.condition), part.span) for part in module.invariants),
    ]  # fmt: skip
    for procedure in module.procedures.values():
        for block in procedure.blocks:
            found += [(efforts.statement(line), line.span) for line in block.statements]
            found.append((efforts.terminator(block.terminator), block.terminator.span))
    large = {span: steps for steps, span in found if steps > MAX_STEPS}
    if large:
        # Whoever calls what is too large is too large as well: the least of them is the cause.
        span = min(large, key=lambda span: large[span])
        steps = f"{large[span]:,}" if large[span] < 10**15 else "more than a million of millions of"
        message = f"this may take {steps} steps each time"
        hint = f"at most {MAX_STEPS:,}: go through less at a time"
        raise RuleError([Diagnostic("E0437", message, span, hint)])


class Efforts:
    """Upper bounds by the ranges of loops; what functions and routines take is counted once.

    >>> from compiler.build import add, int_, local
    >>> Efforts({}).of(add(local("x", 0, 9), local("y", 0, 9)))
    3
    """

    def __init__(
        self, functions: Mapping[str, ir.Function], routines: Mapping[str, ir.Routine] = {},
        relations: Mapping[str, ir.Relation] = {},
    ) -> None:  # fmt: skip
        self.functions = functions
        self.routines = routines
        self.relations = relations
        self._known: dict[str, int] = {}

    def of(self, expr: ir.Expr) -> int:
        """The steps of an expression."""
        inner = sum(self.of(child) for child in children(expr))
        match expr:
            case ir.Aggregate(ranges=ranges):
                inner *= _rounds(ranges)
            case ir.Call(function):
                inner += self.function(function)
            case ir.Graph(step=step, nodes=nodes):
                inner += nodes * nodes * self.function(step)
            case ir.Field():
                inner += self._field(expr)
            case _:
                pass
        return 1 + inner

    def function(self, name: str) -> int:
        """The steps of a call of a function."""
        key = f"function {name}"
        if key not in self._known:
            self._known[key] = self.of(self.functions[name].body)
        return self._known[key]

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
            case _:
                return own

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
        if option.subset is None:
            rounds = _rounds(param.range for param in option.params)
        else:
            rounds = min(MAX_SUBSETS, 2 ** len(option.params))
        parts = [line.condition if isinstance(line, ir.Require) else line.value
                 for line in option.head]  # fmt: skip
        return rounds * (1 + sum(map(self.of, parts)))

    def _field(self, expr: ir.Field) -> int:
        relation = self.relations[expr.relation]
        steps = 0
        for way in relation.ways:
            each = 1 + sum(self.function(name) for name in way.functions)
            for low, high in way.ranges:
                each *= max(1, high - low + 1)
            steps += each
        asked = [name for name in (expr.sources, expr.stops) if name]
        return relation.places * (steps + 1 + sum(map(self.function, asked)))


def _rounds(ranges: Iterable[ir.Range]) -> int:
    total = 1
    for range_ in ranges:
        total *= max(1, range_.high.hi - range_.low.lo + 1)
    return total
