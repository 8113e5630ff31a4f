"""Questions about a whole set, zone or pool, and changes of it as a whole."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.changes import check_zone, pool_type
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.inference import infer
from rules_dsl.language.checker.piles import check_target
from rules_dsl.language.checker.typing_rules import fits
from rules_dsl.language.checker.wording import described
from rules_dsl.language.printer import expression_text
from rules_dsl.language.symbols import LocalSymbol, VarSymbol
from rules_dsl.language.types import (
    BOOL,
    ErrorType,
    PoolType,
    SetType,
    Type,
    ZoneType,
)


def emptiness_type(ctx: Context, scope: Scope, node: s.Emptiness) -> Type:
    """The type of `deck is empty`."""
    place = infer(ctx, scope, node.place)
    if not isinstance(place, SetType | ZoneType | PoolType | ErrorType):
        ctx.error(
            "E0322",
            f"only a set, a zone or a pool can be empty; this is {described(place)}",
            node.place.span,
        )
    return BOOL


def check_set_change(ctx: Context, scope: Scope, node: s.SetChange) -> None:
    """Check `add x to s` and `remove x from s`."""
    changed = set_to_change(ctx, scope, node.target)
    if changed is None:
        return
    actual = infer(ctx, scope, node.element, changed.inner)
    if isinstance(actual, SetType):
        sign = "+=" if node.adding else "-="
        change = f"{expression_text(node.target)} {sign} {expression_text(node.element)}"
        message = f"one element is needed here; this is a {actual}"
        ctx.error("E0320", message, node.element.span, hint=f"all of them: `{change}`")
        return
    fits(ctx, actual, changed.inner, node.element.span)


def set_to_change(ctx: Context, scope: Scope, target: s.Expr) -> SetType | None:
    """The type of a set of the state, which may change."""
    place = infer(ctx, scope, target)
    if isinstance(place, SetType):
        ref = ctx.facts.refs.get(_base(target))
        if isinstance(ref, VarSymbol) or (isinstance(ref, LocalSymbol) and ref.mutable):
            return place
        ctx.error(
            "E0443",
            "this set does not change",
            target.span,
            hint="a set of the state does, and a local one declared with `var`",
        )
    elif not isinstance(place, ErrorType):
        ctx.error("E0322", "this is not a set", target.span, hint=_how_it_changes(place))
    return None


def _how_it_changes(place: Type) -> str:
    match place:
        case ZoneType():
            return "cards are moved: `move c to …`, `move all from … to …`"
        case PoolType():
            return "goods are moved: `move 1 … from … to …`, `move all from … to …`"
    return ""


def _base(node: s.Expr) -> s.Expr:
    """The symbol that an indexed place is a part of."""
    while isinstance(node, s.Index | s.Group):
        node = node.base if isinstance(node, s.Index) else node.inner
    return node


def check_move_of_everything(ctx: Context, scope: Scope, node: s.MoveGoods) -> None:
    """Check `move all from a to b`: all goods of a pool, or all cards of a zone."""
    source = infer(ctx, scope, node.source)
    if isinstance(source, ZoneType):
        target_type = infer(ctx, scope, node.target)
        check_zone(ctx, node.target, target_type, source.zone.table)
        check_target(ctx, node.target, target_type, None)
        return
    if not isinstance(source, PoolType):
        infer(ctx, scope, node.target)
        if not isinstance(source, ErrorType):
            message = f"a pool or a zone is needed here; this is {described(source)}"
            ctx.error("E0323", message, node.source.span)
        return
    target = pool_type(ctx, scope, node.target)
    if target is None:
        return
    ctx.transfers += len(source.pool.goods)
    held = set(target.pool.goods)
    missing = [g.name for g in source.pool.goods if g not in held]
    if missing:
        ctx.error(
            "E0207",
            f"the pool `{target.pool.name}` does not hold {missing[0]}",
            node.target.span,
        )
