"""Whole sets, zones and pools: empty, filled, cleared, moved; expressed in existing IR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler import build as b
from compiler import ir
from rules_dsl.language import syntax as s
from rules_dsl.language.types import PoolType, SetType, ZoneType, bounds

if TYPE_CHECKING:
    from compiler.lower.expressions import Expressions
    from compiler.lower.names import LocalNames
    from compiler.lower.places import Places
    from compiler.lower.statements import Statements


def lower_emptiness(low: Expressions, place: s.Expr) -> ir.Expr:
    """Whether a set, a zone or a pool is empty."""
    type_ = low.facts.types[place]
    if isinstance(type_, PoolType):
        return b.and_(*(b.eq(cell, b.int_(0)) for cell in cells_of(low, place)))
    assert isinstance(type_, SetType | ZoneType)
    element, everything = _each(low.names, type_)
    size = everything.high.hi - everything.low.lo + 1
    there = low.membership(element, place)
    return b.eq(ir.Aggregate("count", (everything,), there, None, lo=0, hi=size), b.int_(0))


def cells_of(low: Places, place: s.Expr) -> list[ir.Cell]:
    """The cells of a pool or a set of the state."""
    type_ = low.facts.types[place]
    if isinstance(type_, PoolType):
        goods = enumerate(type_.pool.goods)
        return [low.good_cell(place, type_.pool, b.int_(k), [good.name]) for k, good in goods]
    assert isinstance(type_, SetType)
    first, last = bounds(type_.inner)
    return [low.set_cell(place, b.int_(element)) for element in range(first, last + 1)]


def lower_fill(low: Statements, node: s.SetFill) -> list[ir.Statement]:
    """Every element comes into a set, or leaves it."""
    type_ = low.facts.types[node.target]
    assert isinstance(type_, SetType)
    element, everything = _each(low.names, type_)
    cell = low.set_cell(node.target, element)
    *outer, at = cell.index
    before, index = settled(low.names, tuple(outer), node)
    target = ir.Cell(cell.array, (*index, at), lo=0, hi=1)
    change = ir.SetCell(target, b.int_(int(node.filling)), span=node.span)
    return [*before, ir.Loop(everything, (change,), span=node.span)]


def lower_move_of_everything(low: Statements, node: s.MoveGoods) -> list[ir.Statement]:
    """All goods of a pool go to another pool, or all cards of a zone to another zone."""
    source, target = low.facts.types[node.source], low.facts.types[node.target]
    if isinstance(source, ZoneType):
        return _move_cards(low, node, source)
    assert isinstance(source, PoolType) and isinstance(target, PoolType)
    _, args = low.named(node.source)
    before, one = settled(low.names, low.indices(args, source.pool.dimensions), node)
    _, args = low.named(node.target)
    also_before, two = settled(low.names, low.indices(args, target.pool.dimensions), node)
    moves: list[ir.Statement] = [*before, *also_before]
    for index, good in enumerate(source.pool.goods):
        there = target.pool.goods.index(good)
        taken = low.good_cell(node.source, source.pool, b.int_(index), [good.name])
        given = low.good_cell(node.target, target.pool, b.int_(there), [good.name])
        here = ir.Cell(taken.array, (*one, b.int_(index)), lo=taken.lo, hi=taken.hi)
        goal = ir.Cell(given.array, (*two, b.int_(there)), lo=given.lo, hi=given.hi)
        moves.append(ir.Transfer(good.name, here, goal, here, span=node.span))
    return moves


def _move_cards(low: Statements, node: s.MoveGoods, source: ZoneType) -> list[ir.Statement]:
    before, (one, two) = settled(low.names, (low.place(node.source), low.place(node.target)), node)
    card, everything = _each(low.names, source)
    cell = low.card_cell(source.zone, card)
    move = ir.PlaceCard(cell, None if source.zone.levels > 1 else one, two, span=node.span)
    body = ir.Branch(low.lies_in(source.zone, cell, one), (move,), (), span=node.span)
    return [*before, ir.Loop(everything, (body,), span=node.span)]


def _each(names: LocalNames, place: SetType | ZoneType) -> tuple[ir.Local, ir.Range]:
    """All that may be in a set or a zone."""
    low, high = bounds(place.inner if isinstance(place, SetType) else place.zone.table.type)
    element = names.scratch("each", low, high)
    return element, ir.Range(element.name, b.int_(low), b.int_(high))


def settled(
    names: LocalNames, values: tuple[ir.Expr, ...], node: s.Statement
) -> tuple[list[ir.Statement], tuple[ir.Expr, ...]]:
    """The place is determined before the first thing moves."""
    before: list[ir.Statement] = []
    settled: list[ir.Expr] = []
    for value in values:
        if not _lasts(value):
            local = names.scratch("which", value.lo, value.hi)
            before.append(ir.SetLocal(local, value, span=node.span))
            value = local
        settled.append(value)
    return before, tuple(settled)


def _lasts(value: ir.Expr) -> bool:
    """Whether a value is made of numbers and locals only, which do not change meanwhile."""
    if isinstance(value, ir.Op):
        return all(_lasts(arg) for arg in value.args)
    return isinstance(value, ir.Int | ir.Local)
