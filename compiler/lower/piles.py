"""Piles: a card whose place in the order is known has a separate place; in existing IR.

A pile has one place for its shuffled cards, `bag`; one of these is drawn when a card is taken.
Above it lie those that were put on top since, each in a place of its own, counted from the bag
without a gap; below it those that were put at the bottom, counted from the lowest one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler import build as b
from compiler import ir
from compiler.lower.collections import settled
from compiler.lower.names import LocalNames
from rules_dsl.language import syntax as s
from rules_dsl.language.spans import Span
from rules_dsl.language.symbols import ZoneSymbol
from rules_dsl.language.types import OptionalType, ZoneType, bounds, none_of

if TYPE_CHECKING:
    from compiler.lower.decisions import Decisions
    from compiler.lower.expressions import Expressions
    from compiler.lower.places import Places
    from compiler.lower.statements import Statements


def pile_of(low: Places, node: s.Expr) -> ZoneSymbol:
    """The zone or pile that a place belongs to."""
    type_ = low.facts.types[node]
    assert isinstance(type_, ZoneType)
    return type_.zone


def _each(names: LocalNames, zone: ZoneSymbol) -> tuple[ir.Local, ir.Range]:
    low, high = bounds(zone.table.type)
    card = names.scratch("each", low, high)
    return card, ir.Range(card.name, b.int_(low), b.int_(high))


def _last_place(zone: ZoneSymbol) -> int:
    return max(z.first_place + z.places for z in zone.table.zones) - 1


# ---- the ends ------------------------------------------------------------------------------------


def _outermost(low: Expressions, zone: ZoneSymbol, bag: ir.Expr, end: s.PileEnd) -> ir.Aggregate:
    """The place of the card at an end of a pile; an invalid place number if the pile is empty."""
    card, everything = _each(low.names, zone)
    cell = low.card_cell(zone, card)
    there = low.lies_in(zone, cell, bag)
    last = _last_place(zone)
    if end == "top":
        return ir.Aggregate("max", (everything,), there, cell, -1, lo=-1, hi=last)
    return ir.Aggregate("min", (everything,), there, cell, last + 1, lo=0, hi=last + 1)


def lower_end_of_pile(low: Expressions, node: s.EndOfPile) -> ir.Expr:
    """The card at an end of a pile; none if it is unknown, or if the pile is empty."""
    zone = pile_of(low, node.pile)
    type_ = low.facts.types[node]
    assert isinstance(type_, OptionalType)
    lo, hi = bounds(type_)
    nothing = none_of(type_)
    if zone.levels == 1:
        return b.int_(nothing)
    bag = low.place(node.pile)
    best = _outermost(low, zone, bag, node.end)
    place = low.names.scratch(node.end, best.lo, best.hi)
    card, everything = _each(low.names, zone)
    there = b.and_(b.not_(b.eq(place, bag)), b.eq(low.card_cell(zone, card), place))
    found = ir.Aggregate("first", (everything,), there, card, nothing, lo=lo, hi=hi)
    return ir.Let(place.name, best, found, lo=lo, hi=hi)


# ---- moves ---------------------------------------------------------------------------------------


def piles_left(low: Statements, node: s.MoveCard) -> list[ZoneSymbol]:
    """The piles with an order that a card may leave; without a source, all those of its table."""
    if node.source is not None:
        zones = [pile_of(low, node.source)]
    else:
        zones = pile_of(low, node.target).table.zones
    return [zone for zone in zones if zone.levels > 1]


def lower_move_with_piles(low: Statements, node: s.MoveCard) -> list[ir.Statement]:
    """A card leaves a pile, where those beyond it move up, or comes to an end of one."""
    zone = pile_of(low, node.target)
    span = node.span
    card = low.to(node.card, zone.table.type)
    before, (card, target) = settled(low.names, (card, low.place(node.target)), node)
    cell = low.card_cell(zone, card)
    was = low.names.scratch("was", cell.lo, cell.hi)
    before.append(ir.SetLocal(was, cell, span=span))
    source: ir.Expr | None = None
    if node.source is not None:
        origin = low.place(node.source)
        left = pile_of(low, node.source)
        source = b.if_(low.lies_in(left, was, origin), was, origin) if left.levels > 1 else origin
        more, (source,) = settled(low.names, (source,), node)
        before += more
    closing = [s for pile in piles_left(low, node) for s in _close_gap(low, pile, was, span)]
    if node.end is None:
        return [*before, ir.PlaceCard(cell, source, target, span=span), *closing]
    return [*before, *closing, *_put(low, zone, target, node.end, card, source, span)]


def _close_gap(low: Statements, zone: ZoneSymbol, was: ir.Local, span: Span) -> list[ir.Statement]:
    """Cards above a place that one has left move down by one, as far as their places are known."""
    before: list[ir.Statement] = []
    first = b.int_(zone.first_place)
    bag: ir.Expr = b.int_(zone.first_place + zone.below)
    if zone.dimensions:
        number = b.div(b.max_(b.int_(0), b.sub(was, first)), b.int_(zone.levels))
        value = b.add(bag, b.mul(b.int_(zone.levels), number))
        bag = low.names.scratch("bag", value.lo, value.hi)
        before.append(ir.SetLocal(bag, value, span=span))
    card, everything = _each(low.names, zone)
    cell = low.card_cell(zone, card)
    highest = b.add(bag, b.int_(zone.above))
    parts = []
    if zone.above:
        parts.append((b.and_(b.lt(bag, was), b.le(was, highest)), b.le(cell, highest)))
    if zone.below:
        lowest = b.sub(bag, b.int_(zone.below))
        parts.append((b.and_(b.le(lowest, was), b.lt(was, bag)), b.lt(cell, bag)))
    closing: list[ir.Statement] = []
    for left, within in parts:
        lower = b.max_(b.int_(0), b.sub(cell, b.int_(1)))
        move = ir.PlaceCard(cell, None, lower, span=span)
        beyond = ir.Branch(b.and_(b.lt(was, cell), within), (move,), (), span=span)
        loop = ir.Loop(everything, (beyond,), span=span)
        closing.append(ir.Branch(left, (loop,), (), span=span))
    if not zone.dimensions:
        return closing
    last = b.int_(zone.first_place + zone.places - 1)
    in_one = b.and_(b.le(first, was), b.le(was, last))
    return [*before, ir.Branch(in_one, tuple(closing), (), span=span)]


def _put(
    low: Statements,
    zone: ZoneSymbol,
    bag: ir.Expr,
    end: s.PileEnd,
    card: ir.Expr,
    source: ir.Expr | None,
    span: Span,
) -> list[ir.Statement]:
    """A card comes to an end of a pile: above the highest, or below the others, which move up."""
    each, everything = _each(low.names, zone)
    place, cell = low.card_cell(zone, each), low.card_cell(zone, card)
    other = b.not_(b.eq(each, card))
    if end == "top":
        highest = b.add(bag, b.int_(zone.above))
        known = b.and_(other, b.lt(bag, place), b.le(place, highest))
        last = _last_place(zone)
        most = ir.Aggregate("max", (everything,), known, place, -1, lo=-1, hi=last)
        above = b.add(b.max_(bag, most), b.int_(1))
        goal = low.names.scratch("above", 0, last)
        choose: ir.Statement = ir.SetLocal(goal, b.min_(highest, above), span=span)
        return [choose, ir.PlaceCard(cell, source, goal, span=span)]
    lowest = b.sub(bag, b.int_(zone.below))
    known = b.and_(other, b.le(lowest, place), b.lt(place, bag))
    higher = b.min_(b.sub(bag, b.int_(1)), b.add(place, b.int_(1)))
    move = ir.PlaceCard(place, None, higher, span=span)
    up = ir.Loop(everything, (ir.Branch(known, (move,), (), span=span),), span=span)
    return [up, ir.PlaceCard(cell, source, lowest, span=span)]


def lower_shuffle(low: Statements, node: s.Shuffle) -> list[ir.Statement]:
    """Forget the order: all cards of the pile come to one place."""
    zone = pile_of(low, node.pile)
    before, (bag,) = settled(low.names, (low.place(node.pile),), node)
    card, everything = _each(low.names, zone)
    cell = low.card_cell(zone, card)
    mixed = [low.lies_in(zone, cell, bag)] if zone.levels > 1 else []
    if node.added is not None:
        more, (added,) = settled(low.names, (low.place(node.added),), node)
        before += more
        mixed.append(low.lies_in(pile_of(low, node.added), cell, added))
    if not mixed:
        return []
    body = ir.Branch(
        b.or_(*mixed), (ir.PlaceCard(cell, None, bag, span=node.span),), (), span=node.span
    )
    return [*before, ir.Loop(everything, (body,), span=node.span)]


# ---- drawing -------------------------------------------------------------------------------------


def lower_draw_off(low: Decisions, node: s.DrawFrom) -> None:
    """Move the card at an end of a pile; chance decides which card if it is unknown."""
    assert node.end is not None and node.target is not None
    zone, span = pile_of(low, node.source), node.span
    symbol = low.facts.locals[node.name]
    before, (bag,) = settled(low.names, (low.place(node.source),), node)
    goal = pile_of(low, node.target)
    more, (target,) = settled(low.names, (low.place(node.target),), node)
    low.add(*before, *more)
    element = low.names.declare(symbol)
    cell = low.card_cell(zone, element)
    after = low.new()

    def leave(source: ir.Expr) -> None:
        if node.target_end is None:
            low.add(ir.PlaceCard(cell, source, target, span=span))
        else:
            low.add(*_put(low, goal, target, node.target_end, element, source, span))
        low.close(ir.Jump(after, span=span))

    if zone.levels > 1:
        unknown, known = low.new(), low.new()
        best = _outermost(low, zone, bag, node.end)
        place = low.keep(node.end, best, span)
        nothing = b.int_(best.default)
        certain = b.and_(b.not_(b.eq(place, bag)), b.not_(b.eq(place, nothing)))
        low.cut(ir.Fork(certain, known, unknown, span=span), known)
        card, everything = _each(low.names, zone)
        there = b.eq(low.card_cell(zone, card), place)
        first = ir.Aggregate("first", (everything,), there, card, 0, lo=0, hi=element.hi)
        low.add(ir.SetLocal(element, first, span=span))
        if node.end == "bottom":  # the highest card leaves no gap below others
            low.add(*_close_gap(low, zone, place, span))
        leave(place)
        low.open(unknown, span)
    everything = ir.Range(element.name, b.int_(element.lo), b.int_(element.hi))
    low.chance(node, symbol, everything, b.eq(cell, bag), None)
    leave(bag)
    low.open(after, span)
