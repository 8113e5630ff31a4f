"""Choices that several players make in secret, and their values once all have chosen."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.decisions import (
    check_choose,
    check_choose_subset,
    check_choose_value,
)
from rules_dsl.language.checker.domains import MAX_OFFERED, bind, domain, names_type
from rules_dsl.language.checker.extent import SECRET_WEIGHT
from rules_dsl.language.checker.inference import check_bool
from rules_dsl.language.checker.texts import template
from rules_dsl.language.symbols import LocalSymbol
from rules_dsl.language.types import EnumType, ErrorType, IntType, OptionalType


def _asked(
    ctx: Context, scope: Scope, node: s.ChooseSecretly | s.SecretBlock
) -> tuple[Scope, bool]:
    """The scope of a player who is asked, and whether all players are asked."""
    ctx.decides(SECRET_WEIGHT)
    inside = scope.inner()
    element = domain(ctx, scope, node.chooser.domain)
    if element is not ctx.player_type and not isinstance(element, ErrorType):
        ctx.error("E0301", "players choose secretly; this is not Player", node.chooser.span)
    ctx.declare_local(inside, node.chooser.name, element)
    if node.among is not None:
        check_bool(ctx, inside, node.among)
    return inside, node.among is None and names_type(ctx, scope, node.chooser.domain)


def _reveal(ctx: Context, inside: Scope, scope: Scope, binders: s.Binders, everybody: bool) -> None:
    """Afterwards every player has a value; players who were not asked have `none`."""
    for binder in binders.binders:
        chosen = inside.names.get(binder.name.name)
        if chosen is None:
            continue
        type_ = chosen.type
        if isinstance(type_, IntType | EnumType) and not everybody:
            type_ = OptionalType(type_)
        after = LocalSymbol(chosen.name, type_, per_player=True)
        ctx.facts.refs[binder.name] = after
        scope.names[chosen.name] = after


def check_choose_secretly(ctx: Context, scope: Scope, node: s.ChooseSecretly) -> None:
    """Check a choice that several players make at once."""
    inside, everybody = _asked(ctx, scope, node)
    bind(ctx, inside, node.binders, MAX_OFFERED)
    template(ctx, inside, node.notation)
    template(ctx, inside, node.reason)
    for binder in node.binders.binders:
        symbol = inside.names.get(binder.name.name)
        if symbol is not None:
            ctx.facts.refs[binder] = symbol
    _reveal(ctx, inside, scope, node.binders, everybody)


def check_secret_block(ctx: Context, scope: Scope, node: s.SecretBlock) -> None:
    """Check several choices that each player makes before all is revealed."""
    inside, everybody = _asked(ctx, scope, node)
    for line in node.body:
        match line:
            case s.Choose():
                _own(ctx, line, node.chooser.name.name)
                check_choose(ctx, inside, line)
            case s.ChooseValue():
                _own(ctx, line, node.chooser.name.name)
                check_choose_value(ctx, inside, line)
                _reveal(ctx, inside, scope, line.binders, everybody)
            case s.ChooseSubset():
                _own(ctx, line, node.chooser.name.name)
                check_choose_subset(ctx, inside, line)
                chosen = inside.names[line.name.name]
                after = LocalSymbol(chosen.name, chosen.type, per_player=True)
                ctx.facts.refs[line.name] = after
                scope.names[chosen.name] = after
            case _:
                ctx.error(
                    "E0441",
                    "a secret block holds only choices",
                    line.span,
                    hint="their consequences come after the block, where all is revealed",
                )


def _own(ctx: Context, line: s.Choose | s.ChooseValue | s.ChooseSubset, chooser: str) -> None:
    """In a secret block all players choose for themselves."""
    if not (isinstance(line.actor, s.Name) and line.actor.name == chooser):
        ctx.error(
            "E0441",
            f"here only `{chooser}` chooses",
            line.actor.span,
            hint=f"`choose {chooser}: …`",
        )
    if line.secret:
        ctx.error(
            "E0441", "everything in this block is secret", line.span, hint="leave out `secretly`"
        )
