"""Whole bodies: functions, actions and procedures."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.accumulators import check_accumulator
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.domains import domain
from rules_dsl.language.checker.extent import check_steps
from rules_dsl.language.checker.heads import split_action
from rules_dsl.language.checker.inference import check, check_bool, check_int
from rules_dsl.language.checker.statements import Body, check_block, check_statement
from rules_dsl.language.checker.texts import template
from rules_dsl.language.symbols import ActionSymbol, FunctionSymbol, LocalSymbol, ProcedureSymbol


def params_scope(symbols: tuple[LocalSymbol, ...]) -> Scope:
    """A scope with the parameters of a rule."""
    scope = Scope()
    for symbol in symbols:
        scope.names[symbol.name] = symbol
    return scope


def check_function(ctx: Context, function: FunctionSymbol) -> None:
    """Check the body of a function."""
    ctx.owner = function
    scope = params_scope(function.params)
    body = function.declaration.body
    if isinstance(body, s.Expr):
        check(ctx, scope, body, function.result)
    else:
        check_steps(ctx, function, body)
        check_block(ctx, scope, body, Body("function", function.result))
        check_accumulator(ctx, function, body)
        if not _always_returns(body):
            ctx.error(
                "E0404",
                f"`{function.name}` does not return a value in every case",
                function.declaration.span,
                hint="end it with `return …`",
            )


def _always_returns(block: s.Block) -> bool:
    for statement in block:
        if isinstance(statement, s.Return):
            return True
        if isinstance(statement, s.If) and statement.otherwise:
            bodies = [*(body for _, body in statement.branches), statement.otherwise]
            if all(_always_returns(body) for body in bodies):
                return True
    return False


def check_action(ctx: Context, action: ActionSymbol) -> None:
    """Check an action: `let` and `require` first, then the effects."""
    ctx.owner = action
    scope = params_scope(action.params)
    for param, symbol in zip(action.declaration.params, action.params, strict=True):
        if param.domain is not None:  # the actor is in sight here, other than when it was declared
            inner = params_scope((*action.params, action.actor))
            domain(ctx, inner, param.domain)
            ctx.facts.refs[param] = symbol
    if scope.lookup(action.actor.name) is not None:
        ctx.error(
            "E0214", f"`{action.actor.name}` is already a parameter", action.declaration.actor.span
        )
    scope.names[action.actor.name] = action.actor
    template(ctx, scope, action.declaration.text)
    check_ensured(ctx, scope, action.declaration.ensures)
    head, effects = split_action(action.declaration.body)
    for item in head:
        if isinstance(item, s.Require):
            check_bool(ctx, scope, item.condition)
            for _, condition in item.exceptions:
                check_bool(ctx, scope, condition)
            # The text generated for a cost says no more than the cost.
            made = item.reason is not None and item.reason.span == item.span
            if not (made and ctx.reporter.has_error_in(item.span)):
                template(ctx, scope, item.reason)
        else:
            check_statement(ctx, scope, item, Body("action"))
    check_block(ctx, scope, effects, Body("action"))


def check_contracts(ctx: Context, scope: Scope, rule: s.Procedure | s.TableProcedure) -> None:
    """Check the contract and the measure of a procedure."""
    for contract in rule.requires:
        check_bool(ctx, scope, contract)
    check_ensured(ctx, scope, rule.ensures)
    for part in rule.decreases:
        check_int(ctx, scope, part)


def check_ensured(ctx: Context, scope: Scope, contracts: tuple[s.Expr, ...]) -> None:
    """Check the `ensures` of a rule; here `before(…)` is a value at its start."""
    ctx.ensures_scope = scope
    for contract in contracts:
        check_bool(ctx, scope, contract)
    ctx.ensures_scope = None


def check_procedure(ctx: Context, procedure: ProcedureSymbol) -> None:
    """Check a procedure and its contracts."""
    ctx.owner = procedure
    scope = params_scope(procedure.params)
    check_contracts(ctx, scope, procedure.declaration)
    check_block(ctx, scope, procedure.declaration.body, Body("procedure"))
