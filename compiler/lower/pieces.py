"""Pieces: moves between the variables that say where they are, and the invariants that follow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from compiler import build as b
from compiler import ir
from compiler.lower.names import cites
from compiler.lower.places import narrow
from rules_dsl.language import syntax as s
from rules_dsl.language.symbols import PieceSymbol, SpotSymbol, VarSymbol
from rules_dsl.language.types import IntType, OptionalType, bounds, none_of

if TYPE_CHECKING:
    from compiler.lower.expressions import Expressions
    from compiler.lower.statements import Statements


def piece_of(low: Expressions, node: s.MoveCard) -> PieceSymbol | None:
    """The pieces of which one is moved; nothing if a card is."""
    symbol, _ = _named(low, node.card)
    if isinstance(symbol, PieceSymbol):
        return symbol
    for piece in low.low.checked.pieces.values():
        if isinstance(symbol, VarSymbol) and piece.spot(symbol) is not None:
            return piece
    return None


def _named(low: Expressions, node: s.Expr) -> tuple[object, tuple[s.Expr, ...]]:
    args: tuple[s.Expr, ...] = ()
    while isinstance(node, s.Index | s.Group):
        if isinstance(node, s.Index):
            args = node.args
        node = node.base if isinstance(node, s.Index) else node.inner
    return low.facts.refs.get(node), args


# ---- moves ---------------------------------------------------------------------------------------


@frozen
class _PiecePlace:
    """A pile, or a spot with the cell that says whose piece stands there."""

    variable: VarSymbol
    cell: ir.Cell | None
    counter: VarSymbol | None
    node: s.Expr


def lower_move_of_piece(low: Statements, node: s.MoveCard) -> list[ir.Statement]:
    """A piece goes from one place to another; both places are determined first."""
    piece = piece_of(low, node)
    assert piece is not None
    before: list[ir.Statement] = []
    target = _place(low, piece, node.target, before)
    if node.source is None:
        moves = _whoever(low, piece, _place(low, piece, node.card, before), target, node)
        return [*before, *moves]
    source = _place(low, piece, node.source, before)
    assert isinstance(node.card, s.Index)
    owner = _settled(low, low.to(node.card.args[0], piece.owner), "owner", before, node)
    checks: list[ir.Statement] = []
    if source.cell is not None:
        theirs = b.eq(source.cell, owner)
        text = f"{low.low.source(node.card.span)} is on {low.low.source(source.node.span)}"
        checks.append(ir.Check(theirs, text, span=node.span))
    checks += _is_free(low, target, node)
    taken, put = _change(low, source, owner, -1, node), _change(low, target, owner, 1, node)
    return [*before, *checks, *taken, *put]


def _whoever(
    low: Statements, piece: PieceSymbol, source: _PiecePlace, target: _PiecePlace, node: s.MoveCard
) -> list[ir.Statement]:
    """Move the piece on a spot, of any owner; nothing moves from an empty spot."""
    assert source.cell is not None
    checks = _is_free(low, target, node)
    if target.cell is not None and source.counter is target.counter:
        return [
            *checks,
            ir.SetCell(target.cell, source.cell, span=node.span),
            ir.SetCell(source.cell, _nobody(source.variable), span=node.span),
        ]
    there = low.names.scratch("there", source.cell.lo, source.cell.hi)
    text = low.low.source(source.node.span)
    owner = narrow(there, 0, piece.owner.size - 1, text, node.span)
    moves = (
        *_change(low, source, owner, -1, node),
        *_change(low, target, owner, 1, node),
    )
    occupied = b.not_(b.eq(there, _nobody(source.variable)))
    return [
        *checks,
        ir.SetLocal(there, source.cell, span=node.span),
        ir.Branch(occupied, moves, (), span=node.span),
    ]


def _place(
    low: Statements, piece: PieceSymbol, node: s.Expr, before: list[ir.Statement]
) -> _PiecePlace:
    variable, args = _named(low, node)
    assert isinstance(variable, VarSymbol)
    spot = piece.spot(variable)
    if spot is None:
        return _PiecePlace(variable, None, None, node)
    index = low.indices(args, variable.dimensions)
    settled = tuple(_settled(low, i, "at", before, node) for i in index)
    return _PiecePlace(variable, low.cell(variable, settled), spot.counter, node)


def _settled(
    low: Statements, value: ir.Expr, name: str, before: list[ir.Statement], node: s.Node
) -> ir.Expr:
    """A value that the move itself cannot change."""
    if isinstance(value, ir.Int | ir.Local):
        return value
    local = low.names.scratch(name, value.lo, value.hi)
    before.append(ir.SetLocal(local, value, span=node.span))
    return local


def _is_free(low: Statements, target: _PiecePlace, node: s.MoveCard) -> list[ir.Statement]:
    if target.cell is None:
        return []
    free = b.eq(target.cell, _nobody(target.variable))
    text = f"{low.low.source(target.node.span)} is free"
    return [ir.Check(free, text, span=node.span)]


def _change(
    low: Statements, place: _PiecePlace, owner: ir.Expr, by: int, node: s.MoveCard
) -> list[ir.Statement]:
    """One piece more or less in a place; a spot has the cell and its counter."""
    if place.cell is None:
        return [_count(low, place.variable, owner, by, node)]
    value = owner if by > 0 else _nobody(place.variable)
    changes: list[ir.Statement] = [ir.SetCell(place.cell, value, span=node.span)]
    if place.counter is not None:
        changes.append(_count(low, place.counter, owner, by, node))
    return changes


def _count(
    low: Statements, variable: VarSymbol, owner: ir.Expr, by: int, node: s.MoveCard
) -> ir.Statement:
    cell = low.cell(variable, (owner,))
    whose = node.card.args[0] if node.source and isinstance(node.card, s.Index) else node.card
    text = f"{variable.name}[{low.low.source(whose.span)}]"
    value = narrow(b.add(cell, b.int_(by)), cell.lo, cell.hi, text, node.span)
    return ir.SetCell(cell, value, span=node.span)


def _nobody(variable: VarSymbol) -> ir.Expr:
    assert isinstance(variable.type, OptionalType)
    return b.int_(none_of(variable.type))


# ---- invariants ----------------------------------------------------------------------------------


def piece_invariants(piece: PieceSymbol) -> list[ir.Invariant]:
    """That every piece is in one place, and that counters count; proved like other invariants."""
    owner = b.local("owner", 0, piece.owner.size - 1)
    held = [_number(pile, owner) for pile in piece.piles]
    standing = [
        _standing(spot, owner) if spot.counter is None else _number(spot.counter, owner)
        for spot in piece.spots
    ]
    word = piece.name if piece.declaration.text is None else piece.declaration.text.value
    text = f"Each {word} is in one place, and there are {piece.limit} of each {piece.owner}"
    complete = b.eq(_total([*held, *standing]), b.int_(piece.limit))
    found = [_invariant(piece, piece.own_invariants[0], text, owner, complete)]
    counted = [spot for spot in piece.spots if spot.counter is not None]
    for name, spot in zip(piece.own_invariants[1:], counted, strict=True):
        assert spot.counter is not None
        right = b.eq(_number(spot.counter, owner), _standing(spot, owner))
        text = f"`{spot.counter.name}` counts what stands on `{spot.variable.name}`"
        found.append(_invariant(piece, name, text, owner, right))
    return found


def _invariant(
    piece: PieceSymbol, name: str, text: str, owner: ir.Local, condition: ir.Expr
) -> ir.Invariant:
    everyone = ir.Range(owner.name, b.int_(0), b.int_(piece.owner.size - 1))
    condition = ir.Aggregate("every", (everyone,), None, condition, lo=0, hi=1)
    declaration = piece.declaration
    return ir.Invariant(name, text, condition, declaration.span, cites(declaration.cites))


def _number(variable: VarSymbol, owner: ir.Expr) -> ir.Expr:
    assert isinstance(variable.type, IntType)
    return ir.Cell(variable.name, (owner,), lo=variable.type.low, hi=variable.type.high)


def _standing(spot: SpotSymbol, owner: ir.Expr) -> ir.Expr:
    """Number of pieces of an owner on a spot or a field of spots."""
    variable = spot.variable
    assert isinstance(variable.type, OptionalType)
    lo, hi = bounds(variable.type)
    sizes = [d.size for d in variable.dimensions]
    at = tuple(b.local(f"at{k}", 0, size - 1) for k, size in enumerate(sizes))
    theirs = b.eq(ir.Cell(variable.name, at, lo=lo, hi=hi), owner)
    if not at:
        return b.if_(theirs, b.int_(1), b.int_(0))
    ranges = tuple(
        ir.Range(x.name, b.int_(0), b.int_(size - 1)) for x, size in zip(at, sizes, strict=True)
    )
    most = 1
    for size in sizes:
        most *= size
    return ir.Aggregate("count", ranges, theirs, None, lo=0, hi=most)


def _total(numbers: Sequence[ir.Expr]) -> ir.Expr:
    total: ir.Expr = b.int_(0)
    for number in numbers:
        total = b.add(total, number)
    return total
