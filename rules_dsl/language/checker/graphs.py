"""Calls that walk a relation: `reaches`, `distance` and `component`."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.checker import constants
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.inference import check, check_int, infer
from rules_dsl.language.checker.typing_rules import fits, plain
from rules_dsl.language.checker.written_types import too_many
from rules_dsl.language.symbols import FunctionSymbol
from rules_dsl.language.types import BOOL, ERROR, BoolType, EnumType, ErrorType, IntType, Type

# Maximum number of nodes, more than any board has; every node may be a neighbour of every other.
MAX_NODES = 1_000


def graph_call(ctx: Context, scope: Scope, name: str, node: s.Call) -> Type:
    """The type of a call that walks a relation."""
    nodes = plain(infer(ctx, scope, node.args[0]))
    if not isinstance(nodes, EnumType | IntType):
        if not isinstance(nodes, ErrorType):
            ctx.error("E0324", f"`{name}` needs values of an enum", node.args[0].span)
        return ERROR
    if node.by is None:
        ctx.error(
            "E0324",
            f"`{name}` needs to know who is a neighbour of whom",
            node.span,
            hint=f"`{name}(… by f)`, where `f(x, y)` says whether one may step from x to y",
        )
        return ERROR
    step = ctx.lookup(node.by.name)
    if not isinstance(step, FunctionSymbol):
        if step is None:
            ctx.unknown(node.by.name, node.by.span, scope, called=True)
        else:
            ctx.error("E0324", f"`{node.by.name}` is not a function", node.by.span)
        return ERROR
    ctx.facts.refs[node.by] = step
    ctx.called(step)
    shape_fits = (
        len(step.params) == 2
        and step.params[0].type == step.params[1].type
        and isinstance(step.params[0].type, EnumType | IntType)
        and isinstance(step.result, BoolType | IntType)
    )
    if not shape_fits:
        ctx.error(
            "E0324",
            f"`{step.name}` cannot say who is a neighbour of whom",
            node.by.span,
            hint="it takes two parameters of one type and gives a bool, or a price (0: no way)",
        )
        return ERROR
    if isinstance(step.result, IntType) and step.result.low < 0:
        ctx.error("E0324", f"the prices of `{step.name}` must not be negative", node.by.span)
        return ERROR
    node_type = step.params[0].type
    if isinstance(node_type, EnumType | IntType) and node_type.size > MAX_NODES:
        ctx.error(
            "E0435",
            f"`{step.name}` steps between {node_type.size:,} nodes",
            node.by.span,
            hint=f"at most {MAX_NODES:,}; give its parameters a smaller type",
        )
        return ERROR
    fits(ctx, nodes, node_type, node.args[0].span)
    for arg in node.args[1:]:
        check(ctx, scope, arg, node_type)
    if name == "distance":
        if node.within is None:
            ctx.error("E0324", "`distance` needs a bound", node.span, hint="`… by f within 10`")
            return ERROR
        check_int(ctx, scope, node.within)
        limit = constants.evaluate_or_report(ctx, node.within)
        if limit is None or too_many(ctx, limit, "steps", node.within.span):
            return ERROR
        return IntType(0, max(0, limit) + 1)
    if node.within is not None:
        ctx.error("E0324", f"`{name}` takes no `within`", node.within.span)
    return BOOL if name == "reaches" else node_type
