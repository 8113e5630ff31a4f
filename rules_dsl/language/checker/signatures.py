"""Parameters and results of functions, actions and procedures."""

from __future__ import annotations

from collections.abc import Callable

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.domains import domain
from rules_dsl.language.checker.inference import infer
from rules_dsl.language.checker.typing_rules import MAX_DOMAIN
from rules_dsl.language.checker.written_types import value_type
from rules_dsl.language.symbols import (
    ActionSymbol,
    FunctionSymbol,
    LocalSymbol,
    ProcedureSymbol,
    Symbol,
)
from rules_dsl.language.types import (
    ERROR,
    BoolType,
    EnumType,
    ErrorType,
    IntType,
    OptionalType,
    Type,
    ValueType,
    bounds,
)


def parameters(
    ctx: Context, params: tuple[s.Param, ...], actor: LocalSymbol | None = None
) -> tuple[LocalSymbol, ...]:
    """The parameters of a rule; those of an action may be chosen from domains."""
    scope = Scope()
    found = []
    for param in params:
        type_: Type | None = None
        if param.type is not None:
            type_ = value_type(ctx, param.type)
        elif actor is None:
            ctx.error(
                "E0427",
                "only the parameters of actions are chosen from a domain",
                param.span,
                hint="write `name: Type`",
            )
        else:
            assert param.domain is not None
            inner = scope.inner()
            inner.names[actor.name] = actor
            type_ = domain(ctx, inner, param.domain)
        found.append(ctx.declare_local(scope, param.name, type_ if type_ is not None else ERROR))
    return tuple(found)


def function_maker(ctx: Context, declaration: s.Function) -> Callable[[], Symbol | None]:
    """The parameters and result of a function."""

    def make() -> Symbol | None:
        params = parameters(ctx, declaration.params)
        if declaration.type is None:
            result = inferred_result(ctx, declaration, params)
        else:
            result = value_type(ctx, declaration.type)
        return None if result is None else FunctionSymbol(declaration, params, result)

    return make


def inferred_result(
    ctx: Context, declaration: s.Function, params: tuple[LocalSymbol, ...]
) -> ValueType | None:
    """The type of the result of a function that is one expression."""
    body = declaration.body
    if not isinstance(body, s.Expr):
        ctx.error(
            "E0328",
            f"`{declaration.name}` has several lines and no type",
            declaration.span,
            hint=f"write it: `function {declaration.name}(…): 0..9`",
        )
        return None
    scope = Scope()
    for symbol in params:
        scope.names[symbol.name] = symbol
    owner, scoring = ctx.owner, ctx.scoring
    ctx.owner, ctx.scoring = None, False
    found = infer(ctx, scope, body)
    ctx.owner, ctx.scoring = owner, scoring
    if isinstance(found, IntType | BoolType | EnumType | OptionalType):
        return found
    if not isinstance(found, ErrorType):
        ctx.error(
            "E0328",
            f"`{declaration.name}` computes no single value",
            body.span,
            hint="write its type after the parameters",
        )
    return None


def action_maker(ctx: Context, declaration: s.Action) -> Callable[[], Symbol | None]:
    """The actor and parameters of an action."""

    def make() -> Symbol | None:
        actor = LocalSymbol(declaration.actor.name, ctx.player_type)
        ctx.facts.locals[declaration.actor] = actor
        params = parameters(ctx, declaration.params, actor)
        size = 1
        for param in params:
            match param.type:
                case IntType() | EnumType():
                    size *= param.type.size
                case BoolType():
                    size *= 2
                case OptionalType():
                    size *= bounds(param.type)[1] - bounds(param.type)[0] + 1
        if size > MAX_DOMAIN * 4:
            ctx.error(
                "E0317",
                f"`{declaration.name}` could be {size:,} different moves",
                declaration.span,
                hint="split it into several decisions",
            )
        return ActionSymbol(declaration, params, actor)

    return make


def procedure_maker(ctx: Context, declaration: s.Procedure) -> Callable[[], Symbol | None]:
    """The parameters of a procedure."""

    def make() -> Symbol | None:
        return ProcedureSymbol(declaration, parameters(ctx, declaration.params))

    return make
