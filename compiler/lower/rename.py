"""Giving the locals of a block other names."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from compiler import ir
from compiler.transform import substitute
from compiler.traverse import children, map_statement

Renaming = Mapping[str, str]


class _Renamer:
    def __init__(self, names: Renaming) -> None:
        self.names = names

    def expr(self, expr: ir.Expr) -> ir.Expr:
        """An expression under other names; ranges are those of the nodes themselves."""
        env = {
            old: ir.Local(new, lo=low, hi=high)
            for old, (low, high) in _ranges(expr).items()
            if (new := self.names.get(old)) is not None and new != old
        }
        return substitute(expr, env, {}) if env else expr

    def statement(self, node: ir.Statement) -> ir.Statement:
        renamed = map_statement(node, self.part, self.body)
        if isinstance(renamed, ir.Loop):
            name = self.names.get(renamed.range.name, renamed.range.name)
            return evolve(renamed, range=evolve(renamed.range, name=name))
        return renamed

    def body(self, statements: tuple[ir.Statement, ...]) -> tuple[ir.Statement, ...]:
        return tuple(self.statement(s) for s in statements)

    def part(self, expr: ir.Expr) -> ir.Expr:
        """An expression of a statement; a local that is set has no value to read."""
        if isinstance(expr, ir.Local):
            return evolve(expr, name=self.names.get(expr.name, expr.name))
        return self.expr(expr)


def _ranges(expr: ir.Expr) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    stack = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, ir.Local):
            low, high = found.get(node.name, (node.lo, node.hi))
            found[node.name] = (min(low, node.lo), max(high, node.hi))
        stack.extend(children(node))
    return found


def rename_block(
    block: ir.Block, names: Renaming, numbers: Mapping[int, int], after: int
) -> ir.Block:
    """A block of a spliced procedure: other names and numbers, and a jump instead of a return."""
    renamer = _Renamer(names)
    terminator = block.terminator
    match terminator:
        case ir.Jump(target):
            terminator = evolve(terminator, target=numbers[target])
        case ir.Fork(condition, then, otherwise):
            terminator = evolve(
                terminator,
                condition=renamer.expr(condition),
                then=numbers[then],
                otherwise=numbers[otherwise],
            )
        case ir.Exit():
            terminator = ir.Jump(after, span=terminator.span)
    return evolve(
        block,
        id=numbers[block.id],
        terminator=terminator,
        statements=tuple(renamer.statement(s) for s in block.statements),
        facts=tuple(renamer.expr(f) for f in block.facts),
    )
