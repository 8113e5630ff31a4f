"""Sets of facts: how facts are gained, rewritten by a write, and forgotten."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, evolve, field

from compiler import build as b
from compiler import ir
from compiler.transform import bound_names
from compiler.traverse import children
from verify.analysis.effects import Effects

# An ordered set: interned expressions by their number.
Facts = dict[int, ir.Expr]
Environment = dict[str, ir.Expr]


@define(eq=False)
class FactSets:
    """The facts of a module as sets of interned expressions."""

    module: ir.Module
    effects: Effects
    _numbers: dict[ir.Expr, int] = field(factory=dict, init=False)
    _interned: dict[int, tuple[ir.Expr, int, ir.Expr]] = field(factory=dict, init=False)

    def number(self, fact: ir.Expr) -> tuple[int, ir.Expr]:
        """The number of a fact; equal expressions have the same."""
        found = self._interned.get(id(fact))
        if found is None:
            number = self._numbers.setdefault(fact, len(self._numbers))
            found = self._interned[id(fact)] = (fact, number, fact)
        return found[1], found[2]

    def gain(self, facts: Facts, condition: ir.Expr) -> None:
        """Add a fact; a conjunction in parts, so that its parts can be forgotten singly."""
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
        """Remove the facts that read a written cell or local."""
        gone, unnamed = set(arrays), set(names)
        for number, fact in list(facts.items()):
            reads = self.effects.reads(fact)
            if reads.arrays & gone or reads.locals & unnamed:
                del facts[number]

    def gain_range(self, facts: Facts, range_: ir.Range, lo: int, hi: int) -> None:
        value = b.local(range_.name, lo, hi)
        self.gain(facts, b.le(range_.low, value))
        self.gain(facts, b.le(value, range_.high))

    def assign(self, facts: Facts, target: ir.Cell, value: ir.Expr) -> None:
        """A cell gets a value: facts on others stay; in facts on it, `x += 1` is inverted."""
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

        if bound & names_in(target):
            return None
        return go(fact)


def _change(target: ir.Cell, value: ir.Expr) -> ir.Expr | None:
    """The change that `target = value` makes to the cell, if it is `target += …`."""
    match value:
        case ir.Op("add", (one, two)) if one == target:
            return two
        case ir.Op("sub", (one, two)) if one == target:
            return b.neg(two)
    return None


def instead(expr: ir.Expr, old: ir.Expr, new: ir.Expr) -> ir.Expr:
    """An expression with another one in place of a part of it."""
    if expr == old:
        return new
    if isinstance(expr, ir.Op):
        args = tuple(instead(a, old, new) for a in expr.args)
        return expr if args == expr.args else evolve(expr, args=args)
    return expr


def _apart(one: tuple[ir.Expr, ...], two: tuple[ir.Expr, ...]) -> bool:
    """Whether two indices are known to differ."""
    return any(b.eq(x, y) == b.FALSE for x, y in zip(one, two, strict=True))


def _negated(condition: ir.Op, kind: str) -> bool:
    inner = condition.args[0] if condition.kind == "not" else None
    return isinstance(inner, ir.Op) and inner.kind == kind


def names_in(expr: ir.Expr) -> set[str]:
    found = {expr.name} if isinstance(expr, ir.Local | ir.LocalCell) else set()
    for child in children(expr):
        found |= names_in(child)
    return found
