"""Parameters and results of functions, actions and procedures."""

from __future__ import annotations

from collections.abc import Callable

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.domains import domain
from rules_dsl.language.checker.typing_rules import MAX_DOMAIN
from rules_dsl.language.checker.written_types import value_type
from rules_dsl.language.symbols import (
    ActionSymbol,
    FunctionSymbol,
    LocalSymbol,
    ProcedureSymbol,
    Symbol,
)
from rules_dsl.language.types import ERROR, BoolType, EnumType, IntType, OptionalType, Type, bounds


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
            ctx.error("E0427", "only the parameters of actions are chosen from a domain",
                      param.span, hint="write `name: Type`")  # fmt: skip
        else:
            assert param.domain is not None
            inner = scope.inner()
            inner.names[actor.name] = actor
            type_ = domain(ctx, inner, param.domain)
        found.append(ctx.declare_local(scope, param.name, type_ if type_ is not None else ERROR))
    return tuple(found)


def function_maker(ctx: Context, declaration: s.Function) -> Callable[[], Symbol | None]:
    """How a function gets its parameters and result."""

    def make() -> Symbol | None:
        params = parameters(ctx, declaration.params)
        result = value_type(ctx, declaration.type)
        return None if result is None else FunctionSymbol(declaration, params, result)

    return make


def action_maker(ctx: Context, declaration: s.Action) -> Callable[[], Symbol | None]:
    """How an action gets its actor and parameters."""

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
                "E0317", f"`{declaration.name}` could be {size:,} different moves",
                declaration.span, hint="split it into several decisions",
            )  # fmt: skip
        return ActionSymbol(declaration, params, actor)

    return make


def procedure_maker(ctx: Context, declaration: s.Procedure) -> Callable[[], Symbol | None]:
    """How a procedure gets its parameters."""

    def make() -> Symbol | None:
        return ProcedureSymbol(declaration, parameters(ctx, declaration.params))

    return make
