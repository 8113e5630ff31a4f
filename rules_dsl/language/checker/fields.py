"""Questions over a relation: `spread`, `steps`, `legs` and `component`."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.checker import constants
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.domains import domain
from rules_dsl.language.checker.inference import check, check_bool, check_int, infer
from rules_dsl.language.checker.typing_rules import fits
from rules_dsl.language.checker.written_types import too_many
from rules_dsl.language.plurals import counted
from rules_dsl.language.printer import expression_text
from rules_dsl.language.symbols import Dimension, RelationSymbol
from rules_dsl.language.types import ERROR, ErrorType, IntType, SetType, Type

# Maximum of `within`.
MAX_WITHIN = 10_000


def field_type(ctx: Context, scope: Scope, node: s.Field) -> Type:
    """The type of a question over a relation."""
    relation = _relation(ctx, scope, node.by)
    if relation is None:
        for part in (node.place, node.within):
            if part is not None:
                infer(ctx, scope, part)
        return ERROR
    for chosen in (node.sources, node.stops):
        _check_chosen(ctx, scope, relation.places, chosen)
    if node.place is not None:
        check(ctx, scope, node.place, relation.places)
    reach = 0
    if node.within is not None:
        within = check_int(ctx, scope, node.within)
        reach = within.high
        if within.low < 0 or reach > MAX_WITHIN:
            ctx.error(
                "E0324", f"`within` needs 0 to {MAX_WITHIN:,}; this is {within}", node.within.span
            )
            return ERROR
    match node.kind:
        case "spread":
            return SetType(relation.places)
        case "steps":
            return IntType(0, reach + 1)
        case "legs":
            assert node.most is not None
            check_int(ctx, scope, node.most)
            most = constants.evaluate_or_report(ctx, node.most)
            if most is None or too_many(ctx, most, "legs", node.most.span):
                return ERROR
            if most < 1:
                ctx.error("E0324", "`up to` needs at least 1", node.most.span)
                return ERROR
            return IntType(0, most + 1)
        case "component":
            return relation.places


def _relation(ctx: Context, scope: Scope, node: s.RelationUse) -> RelationSymbol | None:
    symbol = ctx.lookup(node.name.name)
    if not isinstance(symbol, RelationSymbol):
        if symbol is None:
            ctx.unknown(node.name.name, node.name.span, scope)
        else:
            known = [f"`{n}`" for n, x in ctx.globals.items() if isinstance(x, RelationSymbol)]
            hint = f"relations of this game: {', '.join(known)}"
            if not known:
                hint = (
                    "`relation … on a in …`, and below it `to …`, says which places are one step "
                    "apart"
                )
            ctx.error("E0324", f"`{node.name}` is not a relation", node.name.span, hint=hint)
        for arg in node.args:
            infer(ctx, scope, arg)
        return None
    ctx.facts.refs[node.name] = symbol
    ctx.called(symbol)
    if len(node.args) != len(symbol.params):
        shape = ", ".join(f"{p.name}: {p.type}" for p in symbol.params)
        ctx.error(
            "E0302",
            f"`{symbol.name}` takes {counted(len(symbol.params), 'argument')}, "
            f"not {len(node.args)}",
            node.span,
            hint=f"it is declared as `{symbol.name}({shape})`" if shape else "",
        )
        return None
    for arg, param in zip(node.args, symbol.params, strict=True):
        check(ctx, scope, arg, param.type)
    return symbol


def _check_chosen(
    ctx: Context, scope: Scope, places: Dimension, chosen: s.Binders | s.Expr | None
) -> None:
    """Check the places where a question starts or stops."""
    if isinstance(chosen, s.Expr):
        actual = infer(ctx, scope, chosen, places)
        if isinstance(actual, SetType):
            hint = f"all of them: `each x in {expression_text(chosen)}`"
            ctx.error("E0301", f"one place is needed here; this is a {actual}", chosen.span, hint)
            return
        fits(ctx, actual, places, chosen.span)
    elif chosen is not None:
        inner = scope.inner()
        binder = chosen.binders[0]
        element = domain(ctx, inner, binder.domain)
        ctx.declare_local(inner, binder.name, element)
        if not isinstance(element, ErrorType):
            fits(ctx, element, places, binder.domain.span)
        if chosen.where is not None:
            check_bool(ctx, inner, chosen.where)
