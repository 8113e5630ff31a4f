"""Calls of functions, those of tables and those of the language."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.graphs import graph_call
from rules_dsl.language.checker.inference import check, check_int, infer
from rules_dsl.language.checker.references import how_to_use
from rules_dsl.language.checker.typing_rules import plain
from rules_dsl.language.checker.wording import described
from rules_dsl.language.diagnostics import did_you_mean
from rules_dsl.language.plurals import counted
from rules_dsl.language.program import walk
from rules_dsl.language.symbols import Builtin, FunctionSymbol, LocalSymbol
from rules_dsl.language.types import ERROR, EnumType, ErrorType, IntType, Type


def arguments(
    ctx: Context, scope: Scope, what: str, params: tuple[LocalSymbol, ...], node: s.Call
) -> None:
    """Check the arguments of a call against the parameters."""
    if node.by is not None:
        ctx.error("E0324", f"`{what}` takes no `by`", node.by.span)
    if len(node.args) != len(params):
        shape = ", ".join(f"{p.name}: {p.type}" for p in params)
        ctx.error(
            "E0302",
            f"`{what}` takes {counted(len(params), 'argument')}, not {len(node.args)}",
            node.span,
            hint=f"it is declared as `{what}({shape})`",
        )
        for arg in node.args:
            infer(ctx, scope, arg)
        return
    for arg, param in zip(node.args, params, strict=True):
        check(ctx, scope, arg, param.type)


def call_type(ctx: Context, scope: Scope, node: s.Call) -> Type:
    """The type that a call gives."""
    function = node.function
    if isinstance(function, s.Attribute):
        base = plain(infer(ctx, scope, function.base))
        if isinstance(base, EnumType) and base in ctx.tables:
            table = ctx.tables[base]
            member = table.functions.get(function.name.name)
            if member is not None:
                ctx.facts.refs[function] = member
                ctx.called(member)
                arguments(ctx, scope, member.name, member.params, node)
                return member.result
            if function.name.name in table.procedures:
                ctx.error("E0305", f"`{function.name}` is a procedure: it has no value", node.span)
                return ERROR
            ctx.error(
                "E0206",
                f"the table `{base.name}` has no function `{function.name}`",
                function.name.span,
                hint=did_you_mean(function.name.name, table.functions),
            )
            return ERROR
        if not isinstance(base, ErrorType):
            ctx.error("E0305", "this cannot be called", function.span)
        return ERROR
    if not isinstance(function, s.Name):
        infer(ctx, scope, function)
        ctx.error("E0305", "this cannot be called", function.span)
        return ERROR
    if scope.lookup(function.name) is not None:
        ctx.error("E0305", f"`{function.name}` is a value, not a function", function.span)
        return ERROR
    symbol = ctx.lookup(function.name)
    match symbol:
        case FunctionSymbol():
            ctx.facts.refs[function] = symbol
            ctx.called(symbol)
            arguments(ctx, scope, symbol.name, symbol.params, node)
            return symbol.result
        case Builtin():
            ctx.facts.refs[function] = symbol
            return _builtin(ctx, scope, symbol.name, node)
        case None:
            if function.name not in ctx.busy:
                ctx.unknown(function.name, function.span, scope, called=True)
            for arg in node.args:
                infer(ctx, scope, arg)
            return ERROR
    ctx.error(
        "E0305", f"`{function.name}` is not a function", function.span, hint=how_to_use(symbol)
    )
    return ERROR


def _builtin(ctx: Context, scope: Scope, name: str, node: s.Call) -> Type:
    graph = name in ("reaches", "distance", "component")
    if not graph and (node.by is not None or node.within is not None):
        ctx.error("E0324", f"`{name}` takes no `by`", (node.by or node).span)
    counts = {"next": (1, 2), "ord": (1, 1), "abs": (1, 1), "before": (1, 1), "reaches": (2, 2),
              "distance": (2, 2), "component": (1, 1)}  # fmt: skip
    if name == "players":
        ctx.error("E0305", "`players` is a number, not a function", node.span)
        return ERROR
    low, high = counts[name]
    if not low <= len(node.args) <= high:
        shown = str(low) if low == high else f"{low} or {high}"
        ctx.error("E0302", f"`{name}` takes {shown} arguments, not {len(node.args)}", node.span)
        return ERROR
    if graph:
        return graph_call(ctx, scope, name, node)
    if name == "before":
        check_before(ctx, scope, node)
        return check_int(ctx, scope, node.args[0])
    if name == "abs":
        inner = check_int(ctx, scope, node.args[0])
        largest = max(abs(inner.low), abs(inner.high))
        smallest = 0 if inner.low <= 0 <= inner.high else min(abs(inner.low), abs(inner.high))
        return IntType(smallest, largest)
    actual = infer(ctx, scope, node.args[0])
    value = plain(actual)
    if not isinstance(value, EnumType):
        if not isinstance(actual, ErrorType):
            ctx.error(
                "E0301",
                f"`{name}` needs a value of an enum or a player; this is {described(actual)}",
                node.args[0].span,
            )
        return ERROR
    if name == "ord":
        return IntType(0, value.size - 1)
    if len(node.args) == 2:
        check_int(ctx, scope, node.args[1])
    return value


def check_before(ctx: Context, scope: Scope, node: s.Call) -> None:
    """Report a `before` outside `ensures`, or of something that only the contract names."""
    if ctx.ensures_scope is None:
        ctx.error(
            "E0126",
            "`before` may only stand in an `ensures`",
            node.span,
            hint="keep the value in a `let` and use that",
        )
        return
    for part in walk(node.args[0]):
        if isinstance(part, s.Name):
            local = scope.lookup(part.name)
            if local is not None and local is not ctx.ensures_scope.lookup(part.name):
                named = f"`{part.name}`, which only the contract names"
                ctx.error(
                    "E0126",
                    f"`before` cannot look back at {named}",
                    part.span,
                    hint="state it for the parameters of the rule, or for a whole sum",
                )
