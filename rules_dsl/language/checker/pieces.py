"""Pieces: variables that say together where each piece is, and moves between them."""

from __future__ import annotations

from collections.abc import Callable

from rules_dsl.language import syntax as s
from rules_dsl.language.checker import constants
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.inference import check, check_int, infer
from rules_dsl.language.diagnostics import did_you_mean
from rules_dsl.language.printer import expression_text
from rules_dsl.language.symbols import PieceSymbol, SpotSymbol, Symbol, VarSymbol
from rules_dsl.language.types import EnumType, ErrorType, IntType, OptionalType, none_of


def piece_maker(ctx: Context, declaration: s.Piece) -> Callable[[], Symbol | None]:
    """The places of pieces, which are variables of the state."""

    def make() -> Symbol | None:
        owner = ctx.types.get(declaration.owner.name)
        if owner is None or owner.kind not in ("player", "enum"):
            ctx.error(
                "E0448",
                f"pieces belong to players or to the values of an enum, not to "
                f"`{declaration.owner}`",
                declaration.owner.span,
                hint=did_you_mean(declaration.owner.name, [t.name for t in ctx.types.values()]),
            )
            return None
        check_int(ctx, Scope(), declaration.limit)
        limit = constants.evaluate_or_report(ctx, declaration.limit)
        piles = [_number(ctx, owner, pile, "pile") for pile in declaration.piles]
        spots = [_spot(ctx, owner, spot) for spot in declaration.spots]
        symbol = PieceSymbol(
            declaration,
            owner,
            0 if limit is None else limit,
            tuple(pile for pile in piles if pile is not None),
            tuple(spot for spot in spots if spot is not None),
        )
        if limit is None or None in piles or None in spots or not _take(ctx, symbol):
            return None
        _check_start(ctx, symbol)
        return symbol

    return make


def _variable(ctx: Context, ident: s.Ident) -> VarSymbol | None:
    symbol = ctx.lookup(ident.name)
    if isinstance(symbol, VarSymbol) and symbol.declaration.visibility == "all":
        return symbol
    if isinstance(symbol, VarSymbol):
        ctx.error(
            "E0448",
            f"not everybody sees `{ident}`",
            ident.span,
            hint="pieces lie open: leave out how it is hidden, or write numbers without `piece`",
        )
        return None
    if ident.name not in ctx.faulty:
        known = [n for n, x in ctx.globals.items() if isinstance(x, VarSymbol)]
        ctx.error(
            "E0448",
            f"`{ident}` is not a variable of the state",
            ident.span,
            hint=did_you_mean(ident.name, known) or "declare it in `state`",
        )
    return None


def _number(ctx: Context, owner: EnumType, ident: s.Ident, role: str) -> VarSymbol | None:
    """A variable that counts the pieces of each owner."""
    variable = _variable(ctx, ident)
    if variable is None:
        return None
    counts = (
        variable.dimensions == (owner,)
        and isinstance(variable.type, IntType)
        and not variable.is_order
        and not variable.declaration.clamped
    )
    if counts and (role == "pile" or not any(variable.initial)):
        return variable
    start = "…" if role == "pile" else "0"
    ctx.error(
        "E0448",
        f"`{ident}` cannot be a {role} of pieces",
        ident.span,
        hint=f"it counts those of each {owner}: `{ident}[{owner}]: 0..n = {start}`",
    )
    return None


def _spot(ctx: Context, owner: EnumType, node: s.Spot) -> SpotSymbol | None:
    """A variable that says whose piece stands on a spot; it starts empty."""
    variable = _variable(ctx, node.name)
    counter = None if node.counter is None else _number(ctx, owner, node.counter, "counter")
    if variable is None or (counter is None and node.counter is not None):
        return None
    type_ = variable.type
    if (
        isinstance(type_, OptionalType)
        and type_.inner == owner
        and all(value == none_of(type_) for value in variable.initial)
    ):
        return SpotSymbol(variable, counter)
    ctx.error(
        "E0448",
        f"no piece can stand on `{node.name}`",
        node.name.span,
        hint=f"it says whose piece is there, and starts empty: `{node.name}: {owner}? = none`",
    )
    return None


def _take(ctx: Context, piece: PieceSymbol) -> bool:
    """Take the variables for these pieces; none serves twice."""
    places = [*piece.piles, *(spot.variable for spot in piece.spots), *piece.counters]
    for variable in places:
        if variable in ctx.places:
            ctx.error(
                "E0448",
                f"`{variable.name}` is a place of pieces already",
                piece.declaration.span,
                hint="every place has a separate variable",
            )
            return False
        ctx.places[variable] = piece
    return True


def _check_start(ctx: Context, piece: PieceSymbol) -> None:
    """At the start all pieces are in the piles."""
    for index, name in enumerate(piece.owner.values):
        held = sum(pile.initial[index] for pile in piece.piles)
        if held != piece.limit:
            ctx.error(
                "E0448",
                f"{name} starts with {held} pieces in the piles, not {piece.limit}",
                piece.declaration.limit.span,
                hint="the piles start with as many together as the limit says",
            )
            return


# ---- moves ---------------------------------------------------------------------------------------


def _named(ctx: Context, scope: Scope, node: s.Expr) -> tuple[s.Expr, Symbol | None]:
    """The name before indices, and the global that it stands for."""
    while isinstance(node, s.Index | s.Group):
        node = node.base if isinstance(node, s.Index) else node.inner
    if not isinstance(node, s.Name) or scope.lookup(node.name) is not None:
        return node, None
    return node, ctx.lookup(node.name) if node.name not in ctx.types else None


def moves_piece(ctx: Context, scope: Scope, node: s.MoveCard) -> bool:
    """True if a piece moves: one that is named, or any that stands on a spot."""
    base, symbol = _named(ctx, scope, node.card)
    if symbol is None:  # a declaration of pieces with errors has no meaning, and its moves none
        pieces = {piece.name.name for piece in ctx.program.of(s.Piece)}
        return isinstance(base, s.Name) and base.name in ctx.faulty & pieces
    return isinstance(symbol, PieceSymbol) or (
        isinstance(symbol, VarSymbol) and symbol in ctx.places
    )


def check_move_of_piece(ctx: Context, scope: Scope, node: s.MoveCard) -> None:
    """Check `move worker[p] from hand to field[c]`, and `move field[c] to hand`."""
    base, symbol = _named(ctx, scope, node.card)
    if isinstance(symbol, PieceSymbol):
        ctx.facts.refs[base] = symbol
        _check_owner(ctx, scope, symbol, node)
        if node.source is not None:
            _check_place(ctx, scope, symbol, node.source)
        _check_place(ctx, scope, symbol, node.target)
    elif isinstance(symbol, VarSymbol):
        piece = ctx.places[symbol]
        if piece.spot(symbol) is None or node.source is not None:
            message = "it is not said whose piece moves"
            ctx.error("E0448", message, node.card.span, hint=how_to_move_piece(piece))
            return
        infer(ctx, scope, node.card)
        _check_place(ctx, scope, piece, node.target)


def _check_owner(ctx: Context, scope: Scope, piece: PieceSymbol, node: s.MoveCard) -> None:
    card = node.card
    if not isinstance(card, s.Index) or len(card.args) != 1:
        ctx.error(
            "E0448", "it is not said whose piece moves", card.span, hint=how_to_move_piece(piece)
        )
        return
    check(ctx, scope, card.args[0], piece.owner)
    if node.source is None:
        ctx.error(
            "E0448", "it is not said where the piece is", node.span, hint=how_to_move_piece(piece)
        )


def _check_place(ctx: Context, scope: Scope, piece: PieceSymbol, node: s.Expr) -> None:
    base, symbol = _named(ctx, scope, node)
    if isinstance(symbol, VarSymbol) and symbol in piece.piles:
        ctx.facts.refs[base] = symbol
        if node is not base:
            ctx.error(
                "E0448",
                f"whose `{symbol.name}` is meant is said by the piece",
                node.span,
                hint=f"write `{symbol.name}` without an index",
            )
        return
    if isinstance(symbol, VarSymbol) and piece.spot(symbol) is not None:
        infer(ctx, scope, node)
        return
    if isinstance(base, s.Name) and base.name in ctx.faulty:
        return
    if symbol is None and isinstance(infer(ctx, scope, node), ErrorType):
        return
    names = [place.name for place in (*piece.piles, *(x.variable for x in piece.spots))]
    ctx.error(
        "E0448",
        f"`{expression_text(base)}` is not a place of `{piece.name}`",
        node.span,
        hint="its places: " + ", ".join(f"`{name}`" for name in names),
    )


def how_to_move(ctx: Context, variable: VarSymbol, away: bool = False) -> str:
    """A move in the words of this game, as a hint for an assignment to a place."""
    piece = ctx.places[variable]
    if variable in piece.counters:
        spot = next(x.variable for x in piece.spots if x.counter is variable)
        return f"it counts the pieces on `{spot.name}`"
    return how_to_move_piece(piece, variable, away)


def how_to_move_piece(
    piece: PieceSymbol, target: VarSymbol | None = None, away: bool = False
) -> str:
    """A move to a place, or away from it, in the words of this game."""
    places = [*piece.piles, *(spot.variable for spot in piece.spots)]
    to = places[-1] if target is None else target
    start = next((place for place in (places[::-1] if away else places) if place is not to), to)
    if away:
        start, to = to, start
    return f"`move {piece.name}[…] from {_written(start)} to {_written(to)}`"


def _written(variable: VarSymbol) -> str:
    spot = isinstance(variable.type, OptionalType)
    return f"{variable.name}[…]" if spot and variable.dimensions else variable.name
