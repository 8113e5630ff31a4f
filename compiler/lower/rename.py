"""Giving the locals of a block other names."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from compiler import ir
from compiler.transform import substitute

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

    def cell(self, cell: ir.Cell) -> ir.Cell:
        renamed = self.expr(cell)
        assert isinstance(renamed, ir.Cell)
        return renamed

    def statement(self, node: ir.Statement) -> ir.Statement:
        match node:
            case ir.SetCell(target, value):
                return evolve(node, target=self.cell(target), value=self.expr(value))
            case ir.SetLocal(target, value):
                name = self.names.get(target.name, target.name)
                return evolve(node, target=evolve(target, name=name), value=self.expr(value))
            case ir.SetLocalCell(target, value):
                name = self.names.get(target.name, target.name)
                inner = evolve(target, name=name, index=self.expr(target.index))
                return evolve(node, target=inner, value=self.expr(value))
            case ir.Transfer(_, source, target, amount):
                return evolve(
                    node, source=self.cell(source), target=self.cell(target),
                    amount=self.expr(amount),
                )  # fmt: skip
            case ir.PlaceCard(target, source, place):
                moved = None if source is None else self.expr(source)
                return evolve(node, target=self.cell(target), source=moved, place=self.expr(place))
            case ir.Branch(condition, then, otherwise):
                return evolve(
                    node, condition=self.expr(condition),
                    then=tuple(self.statement(s) for s in then),
                    otherwise=tuple(self.statement(s) for s in otherwise),
                )  # fmt: skip
            case ir.Loop(range_, body):
                name = self.names.get(range_.name, range_.name)
                renamed = ir.Range(name, self.expr(range_.low), self.expr(range_.high))
                return evolve(node, range=renamed, body=tuple(self.statement(s) for s in body))
            case ir.Do(_, args):
                return evolve(node, args=tuple(self.expr(a) for a in args))
            case ir.Check(condition):
                return evolve(node, condition=self.expr(condition))
        return node


def _ranges(expr: ir.Expr) -> dict[str, tuple[int, int]]:
    from compiler.transform import children

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
                terminator, condition=renamer.expr(condition), then=numbers[then],
                otherwise=numbers[otherwise],
            )  # fmt: skip
        case ir.Exit():
            terminator = ir.Jump(after, span=terminator.span)
    return evolve(
        block, id=numbers[block.id], terminator=terminator,
        statements=tuple(renamer.statement(s) for s in block.statements),
        facts=tuple(renamer.expr(f) for f in block.facts),
    )  # fmt: skip
