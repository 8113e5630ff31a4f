"""Decisions of players, and chance."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.changes import check_zone
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.domains import MAX_OFFERED, bind, domain
from rules_dsl.language.checker.extent import decision_weight
from rules_dsl.language.checker.inference import check, check_bool, check_int, infer
from rules_dsl.language.checker.piles import check_source, check_target
from rules_dsl.language.checker.possible import check_fixed
from rules_dsl.language.checker.sets import MAX_ELEMENTS
from rules_dsl.language.checker.texts import template
from rules_dsl.language.checker.wording import described
from rules_dsl.language.diagnostics import did_you_mean
from rules_dsl.language.symbols import ActionSymbol, LocalSymbol, ProcedureSymbol
from rules_dsl.language.types import (
    ERROR,
    EnumType,
    ErrorType,
    IntType,
    OptionalType,
    PoolType,
    SetType,
    Type,
    ZoneType,
)


def _actor(ctx: Context, scope: Scope, node: s.Expr, ways: int = 1) -> None:
    check(ctx, scope, node, ctx.player_type)
    ctx.decides(ways)


def _dropped(ctx: Context, node: s.Choose, option: s.OptionUse) -> str:
    """A hint for a variant that drops an action which the game offers here."""
    name = option.name.name
    own = option.name.span.file in ctx.program.sources.variants
    if own or ctx.program.touched.get(name) != "action dropped":
        return ""
    match ctx.owner:
        case ProcedureSymbol() | ActionSymbol():
            holder = ctx.owner.name
        case s.Section(kind=kind):
            holder = kind
        case _:
            return ""
    if node.label is None:
        return f"a variant drops it; replace `{holder}` there too"
    return f"a variant drops it; add there: `drop option {name} from {holder}.{node.label}`"


def check_choose(ctx: Context, scope: Scope, node: s.Choose) -> None:
    """Check a choice among actions."""
    _actor(ctx, scope, node.actor, 0)
    _check_prompt(ctx, scope, node.prompt)
    for part in node.measure:
        check_int(ctx, scope, part)
    if node.mode == "repeatedly" and not node.measure:
        ctx.error(
            "E0401",
            "a repeated choice needs a measure that decreases",
            node.span,
            hint="`choose p repeatedly decreases …: …`, or let every action say what it costs",
        )
    if node.mode != "repeatedly" and node.measure:
        ctx.error("E0401", "`decreases` belongs to a repeated choice", node.measure[0].span)
    seen: set[str] = set()
    for option in node.options:
        action = ctx.lookup(option.name.name)
        if not isinstance(action, ActionSymbol):
            known = [n for n, g in ctx.globals.items() if isinstance(g, ActionSymbol)]
            ctx.error(
                "E0210",
                f"there is no action `{option.name}`",
                option.name.span,
                hint=_dropped(ctx, node, option) or did_you_mean(option.name.name, known),
            )
            continue
        ctx.decides(decision_weight(action.declaration))
        ctx.facts.refs[option] = action
        ctx.called(action)
        check_fixed(ctx, scope, action, option.fixed)
        if option.when is not None:
            check_bool(ctx, scope, option.when)
        if option.name.name in seen and not option.fixed and option.when is None:
            ctx.error("E0202", f"`{option.name}` is offered twice", option.name.span)
        if not option.fixed:
            seen.add(option.name.name)


def _check_prompt(ctx: Context, scope: Scope, prompt: s.Text | None) -> None:
    template(ctx, scope, prompt)
    if prompt is None:
        return
    if any(not isinstance(part, str) for part in ctx.facts.templates.get(prompt, ())):
        ctx.error(
            "E0125",
            "the question of a decision shows no values",
            prompt.span,
            hint="the subject of a decision is shown with it; `\\{` is a plain brace",
        )


def check_choose_value(ctx: Context, scope: Scope, node: s.ChooseValue) -> None:
    """Check a choice of values."""
    _actor(ctx, scope, node.actor)
    inside = scope.inner()
    bind(ctx, inside, node.binders, MAX_OFFERED)
    template(ctx, inside, node.notation)
    template(ctx, inside, node.reason)
    for binder in node.binders.binders:
        symbol = inside.names.get(binder.name.name)
        if symbol is None:
            continue
        if node.mode != "one" and isinstance(symbol.type, IntType | EnumType):
            after = LocalSymbol(symbol.name, OptionalType(symbol.type))
            ctx.facts.refs[binder] = after
            scope.names[symbol.name] = after
        else:
            ctx.facts.refs[binder] = symbol
            scope.names[symbol.name] = symbol


def check_choose_subset(ctx: Context, scope: Scope, node: s.ChooseSubset) -> None:
    """Check a choice of several things at once."""
    _actor(ctx, scope, node.actor)
    for bound in (node.least, node.most):
        if bound is not None:
            check_int(ctx, scope, bound)
    inside = scope.inner()
    element = domain(ctx, scope, node.domain)
    type_: Type = ERROR
    if node.domain.start is not None:
        ctx.error("E0443", "a set has no order, so `from` says nothing", node.domain.start.span)
    elif isinstance(element, IntType | EnumType):
        type_ = SetType(element)
        if element.size > MAX_ELEMENTS:
            ctx.error(
                "E0443",
                f"a set cannot be chosen from {element.size:,} things",
                node.domain.span,
                hint=f"at most {MAX_ELEMENTS}, counting those that are not there",
            )
            type_ = ERROR
    symbol = ctx.declare_local(inside, node.name, type_)
    if node.where is not None:
        check_bool(ctx, inside, node.where)
    template(ctx, inside, node.notation)
    template(ctx, inside, node.reason)
    scope.names[symbol.name] = symbol


def check_draw_from(ctx: Context, scope: Scope, node: s.DrawFrom) -> None:
    """Check a draw from a zone or a pool."""
    ctx.decides()
    place = infer(ctx, scope, node.source)
    check_source(ctx, node, place)
    element: Type = ERROR
    match place:
        case ZoneType(zone):
            element = zone.table.type
            if node.kind is not None:
                ctx.error("E0323", "only a pool needs a kind of goods", node.kind.span)
        case PoolType(pool):
            kinds = {g.type for g in pool.goods}
            if node.kind is None:
                if len(kinds) == 1:
                    element = kinds.pop()
                else:
                    ctx.error(
                        "E0323",
                        f"say which goods are drawn from `{pool.name}`",
                        node.source.span,
                        hint="`draw t: Treasure from pile`",
                    )
            else:
                named = ctx.types.get(node.kind.name)
                if named is None or named.kind != "goods":
                    known = [t.name for t in ctx.types.values() if t.kind == "goods"]
                    ctx.error(
                        "E0203",
                        f"there are no goods `{node.kind}`",
                        node.kind.span,
                        hint=did_you_mean(node.kind.name, known),
                    )
                else:
                    element = named
                    held = {g.name for g in pool.goods}
                    if not set(named.values) <= held:
                        ctx.error(
                            "E0207",
                            f"the pool `{pool.name}` does not hold all of {named.name}",
                            node.source.span,
                        )
        case ErrorType():
            pass
        case _:
            ctx.error(
                "E0322",
                f"one draws from a zone or a pool; this is {described(place)}",
                node.source.span,
                hint="`draw x in …` draws from a type or a range",
            )
    inside = scope.inner()
    symbol = ctx.declare_local(inside, node.name, element)
    if node.where is not None:
        check_bool(ctx, inside, node.where)
    if node.target is not None:
        target = infer(ctx, scope, node.target)
        check_target(ctx, node.target, target, node.target_end)
        if isinstance(place, ZoneType):
            check_zone(ctx, node.target, target, place.zone.table)
    scope.names[node.name.name] = symbol
