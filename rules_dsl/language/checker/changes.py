"""Statements that change the state: assignments, moves, calls."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.calls import arguments
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.goods import goods_of
from rules_dsl.language.checker.inference import check, check_int, infer
from rules_dsl.language.checker.pieces import how_to_move, how_to_move_piece
from rules_dsl.language.checker.piles import check_target
from rules_dsl.language.checker.places import good_amount, what_it_holds
from rules_dsl.language.checker.sets import MAX_ASSIGNED
from rules_dsl.language.checker.typing_rules import fits, plain
from rules_dsl.language.checker.wording import described
from rules_dsl.language.diagnostics import did_you_mean
from rules_dsl.language.printer import expression_text
from rules_dsl.language.symbols import (
    ActionSymbol,
    ConstSymbol,
    FunctionSymbol,
    LocalSymbol,
    OptionSymbol,
    PieceSymbol,
    PoolSymbol,
    ProcedureSymbol,
    TableSymbol,
    VarSymbol,
)
from rules_dsl.language.types import (
    EnumType,
    ErrorType,
    IntType,
    PoolType,
    SetType,
    Type,
    ZoneType,
)


def _how_to_move(ctx: Context, target: s.Expr) -> str:
    """A move of goods in the words of this game."""
    goods = [name for name, symbol in ctx.globals.items() if isinstance(symbol, PoolSymbol)]
    bank = next((p for p in goods if ctx.globals[p].bank), "…")  # type: ignore[union-attr]
    if isinstance(target, s.Attribute):
        return f"`move … {target.name} from {bank} to {expression_text(target.base)}`"
    return f"`move … from {bank} to {expression_text(target)}`"


def check_assignment(ctx: Context, scope: Scope, node: s.Assign) -> None:
    """Check `x = …`, `x += …` and `x -= …`."""
    target = infer(ctx, scope, node.target)
    base = node.target
    while isinstance(base, s.Index | s.Group):
        base = base.base if isinstance(base, s.Index) else base.inner
    ref = ctx.facts.refs.get(base)
    if isinstance(target, ErrorType):
        infer(ctx, scope, node.value)
        return
    pool_like = (
        isinstance(target, PoolType)
        or isinstance(base, s.Attribute)
        or (isinstance(ctx.facts.types.get(base), PoolType))
    )
    if pool_like:
        ctx.error(
            "E0320",
            "goods are not assigned, they move",
            node.target.span,
            hint=_how_to_move(ctx, base),
        )
        return
    if isinstance(target, ZoneType):
        ctx.error(
            "E0320", "cards are not assigned, they move", node.target.span, hint="`move c to …`"
        )
        return
    if isinstance(ref, VarSymbol) and ref.is_order:
        ctx.error(
            "E0320",
            "places in an order are not assigned, its elements move",
            node.target.span,
            hint=f"`move … to front of {ref.name}`",
        )
        return
    if isinstance(ref, VarSymbol) and ref in ctx.places:
        counts = ref in ctx.places[ref].counters
        what = f"`{ref.name}` {'counts' if counts else 'is a place of'} pieces, which move"
        ctx.error("E0320", what, node.target.span, hint=how_to_move(ctx, ref, node.op == "-="))
        return
    assignable = isinstance(ref, VarSymbol) or (isinstance(ref, LocalSymbol) and ref.mutable)
    if not assignable:
        what, hint = "this", ""
        match ref:
            case LocalSymbol():
                what, hint = f"`{ref.name}`", "declare it with `var` to change it"
            case ConstSymbol() | OptionSymbol():
                what, hint = f"the constant `{ref.name}`", "a variant can set it"
        ctx.error("E0321", f"{what} cannot be changed", node.target.span, hint=hint)
        infer(ctx, scope, node.value)
        return
    if isinstance(target, SetType):
        _check_assigned_set(ctx, scope, node, target)
        return
    if node.op == "=":
        check(ctx, scope, node.value, target)
        return
    if not isinstance(plain(target), IntType):
        ctx.error("E0307", f"`{node.op}` needs a number", node.target.span)
        infer(ctx, scope, node.value)
        return
    check_int(ctx, scope, node.value)


def _check_assigned_set(ctx: Context, scope: Scope, node: s.Assign, target: SetType) -> None:
    actual = infer(ctx, scope, node.value, target)
    if isinstance(actual, IntType | EnumType):
        if not fits(ctx, actual, target.inner, node.value.span):
            return
        text = expression_text(node.value)
        whole = expression_text(node.target)
        how = f"remove {text} from {whole}" if node.op == "-=" else f"add {text} to {whole}"
        ctx.error(
            "E0320",
            f"`{whole}` is a set, this is a single thing",
            node.value.span,
            hint=f"`{how}`; `[{text}]` is the set of it",
        )
        return
    fits(ctx, actual, target, node.value.span)
    if target.inner.size > MAX_ASSIGNED:
        ctx.error(
            "E0443",
            f"a set of up to {target.inner.size:,} things is not assigned",
            node.span,
            hint=f"at most {MAX_ASSIGNED:,}; a loop may add its elements one by one",
        )


def pool_type(ctx: Context, scope: Scope, node: s.Expr) -> PoolType | None:
    """The type of a place that must be a pool."""
    place = infer(ctx, scope, node)
    if isinstance(place, PoolType):
        return place
    if not isinstance(place, ErrorType):
        ctx.error("E0323", f"a pool is needed here; this is {described(place)}", node.span)
    return None


def check_move_of_goods(ctx: Context, scope: Scope, node: s.MoveGoods) -> None:
    """Check a move of goods between pools."""
    if isinstance(node.good, s.Name) and not scope.lookup(node.good.name):
        piece = ctx.lookup(node.good.name)
        if isinstance(piece, PieceSymbol):
            hint = f"one piece at a time: {how_to_move_piece(piece)}"
            ctx.error("E0448", "it is not said whose piece moves", node.good.span, hint=hint)
            return
    source = pool_type(ctx, scope, node.source)
    target = pool_type(ctx, scope, node.target)
    if node.amount is not None:
        amount = check_int(ctx, scope, node.amount)
        if amount.high < 0:
            ctx.error("E0309", "a negative amount cannot be moved", node.amount.span)
    assert node.good is not None
    pools = [place.pool for place in (source, target) if place is not None]
    if isinstance(node.good, s.Name) and pools and not ctx.knows(node.good.name, scope):
        name = node.good.name
        hint = did_you_mean(name, goods_of(ctx)) or what_it_holds(pools[0])
        ctx.error("E0207", f"there is no good `{name}`", node.good.span, hint=hint)
        return
    kind = infer(ctx, scope, node.good)
    for place in (source, target):
        if place is not None:
            good_amount(ctx, place.pool, kind, node.good)


def check_move_of_card(ctx: Context, scope: Scope, node: s.MoveCard) -> None:
    """Check a move of a card to a zone."""
    target = infer(ctx, scope, node.target)
    if not isinstance(target, ZoneType):
        moved = infer(ctx, scope, node.card)
        if not isinstance(target, ErrorType) and not isinstance(moved, ErrorType):
            hint = (
                f"say which goods: `move 1 {target.pool.goods[0].name} from … to …`"
                if isinstance(target, PoolType) and target.pool.goods
                else ""
            )
            message = f"a zone is needed here; this is {described(target)}"
            ctx.error("E0322", message, node.target.span, hint=hint)
        return
    check_target(ctx, node.target, target, node.end)
    table = target.zone.table
    check(ctx, scope, node.card, table.type)
    if node.source is not None:
        check_zone(ctx, node.source, infer(ctx, scope, node.source), table)


def check_zone(ctx: Context, node: s.Expr, place: Type, table: TableSymbol) -> None:
    """Check that a place is a zone for the cards of a table."""
    if isinstance(place, ZoneType):
        if place.zone.table is not table:
            message = f"`{place.zone.name}` holds cards of `{place.zone.table.name}`"
            ctx.error("E0322", message, node.span)
    elif not isinstance(place, ErrorType):
        ctx.error("E0322", f"a zone is needed here; this is {described(place)}", node.span)


def _as_change(call: s.Call) -> str:
    """A hint for `seen.add(x)`: the statement that changes a set."""
    function = call.function
    assert isinstance(function, s.Attribute)
    place = expression_text(function.base)
    element = expression_text(call.args[0]) if call.args else "…"
    match function.name.name:
        case "add" | "append" | "insert" | "push":
            return f"write `add {element} to {place}`"
        case "remove" | "discard" | "delete":
            return f"write `remove {element} from {place}`"
        case "clear":
            return f"write `clear {place}`"
        case "shuffle":
            return f"write `shuffle {place}`"
        case "move":
            return f"write `move … from {place} to …`"
        case "draw" | "pop":
            return f"write `draw c from {place}`"
    return ""


def check_call(ctx: Context, scope: Scope, node: s.CallStatement) -> None:
    """Check a call of a procedure."""
    call = node.call
    assert isinstance(call, s.Call)
    function = call.function
    if isinstance(function, s.Attribute):
        base = plain(infer(ctx, scope, function.base))
        if isinstance(base, EnumType) and base in ctx.tables:
            member = ctx.tables[base].procedures.get(function.name.name)
            if member is None:
                ctx.error(
                    "E0206",
                    f"the table `{base.name}` has no procedure `{function.name}`",
                    function.name.span,
                    hint=did_you_mean(function.name.name, ctx.tables[base].procedures),
                )
                return
            ctx.facts.refs[function] = member
            ctx.called(member)
            arguments(ctx, scope, member.name, member.params, call)
            return
        if not isinstance(base, ErrorType):
            ctx.error("E0305", "this is not a procedure", function.span, hint=_as_change(call))
        return
    if not isinstance(function, s.Name):
        ctx.error("E0305", "this is not a procedure", function.span)
        return
    symbol = None if scope.lookup(function.name) else ctx.lookup(function.name)
    if isinstance(symbol, ProcedureSymbol):
        ctx.facts.refs[function] = symbol
        ctx.called(symbol)
        arguments(ctx, scope, symbol.name, symbol.params, call)
    elif isinstance(symbol, ActionSymbol):
        ctx.error(
            "E0211",
            f"`{function.name}` is an action: a player chooses it",
            function.span,
            hint=f"`choose p: {function.name}`",
        )
    elif isinstance(symbol, FunctionSymbol):
        ctx.error(
            "E0211",
            f"`{function.name}` only computes a value",
            function.span,
            hint="use the value, or make it a procedure",
        )
    else:
        known = [n for n, g in ctx.globals.items() if isinstance(g, ProcedureSymbol)]
        ctx.error(
            "E0211",
            f"there is no procedure `{function.name}`",
            function.span,
            hint=did_you_mean(function.name, known),
        )
