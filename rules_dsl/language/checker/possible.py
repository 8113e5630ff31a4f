"""`possible(build(skilled = true) by p)`: whether a player could choose an action now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.flow import leading_together, strong_components
from rules_dsl.language.checker.heads import split_action
from rules_dsl.language.checker.inference import check, infer
from rules_dsl.language.diagnostics import did_you_mean, its_parameters
from rules_dsl.language.program import walk
from rules_dsl.language.symbols import ActionSymbol, FunctionSymbol, MemberFunction
from rules_dsl.language.types import BOOL, Type


def possible_type(ctx: Context, scope: Scope, node: s.Possible) -> Type:
    """Check a question about an action."""
    action = ctx.lookup(node.action.name)
    if not isinstance(action, ActionSymbol):
        known = [n for n, g in ctx.globals.items() if isinstance(g, ActionSymbol)]
        ctx.error(
            "E0210",
            f"there is no action `{node.action}`",
            node.action.span,
            hint=did_you_mean(node.action.name, known) or "`possible` asks about an action",
        )
        return BOOL
    ctx.facts.refs[node] = action
    ctx.asked.append(node)
    if node.by is not None:
        check(ctx, scope, node.by, ctx.player_type)
    elif isinstance(ctx.owner, ActionSymbol):
        ctx.facts.refs[node.action] = ctx.owner.actor
    else:
        ctx.error(
            "E0444",
            "it is not said who would act",
            node.span,
            hint=f"`possible({node.action} by p)`",
        )
    check_fixed(ctx, scope, action, node.fixed)
    return BOOL


def check_fixed(
    ctx: Context, scope: Scope, action: ActionSymbol, fixed: Iterable[s.FixedArg]
) -> None:
    """Check the arguments that are given for an action."""
    params = {p.name: p for p in action.params}
    for arg in fixed:
        if arg.name.name in params:
            check(ctx, scope, arg.value, params[arg.name.name].type)
            continue
        ctx.error(
            "E0302",
            f"`{action.name}` has no parameter `{arg.name}`",
            arg.name.span,
            hint=did_you_mean(arg.name.name, params) or its_parameters(params),
        )
        infer(ctx, scope, arg.value)


def check_questions(ctx: Context, deciding: set[object]) -> None:
    """Refuse questions that requirements alone cannot answer."""
    for node in ctx.asked:
        action = ctx.facts.refs[node]
        assert isinstance(action, ActionSymbol)
        _, effects = split_action(action.declaration.body)
        if leading_together(ctx.facts.refs, effects, deciding) is not None:
            ctx.error(
                "E0444",
                f"whether `{action.name}` can be completed shows only when it is tried",
                node.span,
                hint="`possible` looks at requirements, not at `together`",
            )
    graph: dict[object, set[object]] = {}
    todo: list[object] = [ctx.facts.refs[node] for node in ctx.asked]
    while todo:
        rule = todo.pop()
        if rule not in graph:
            graph[rule] = set(_used(ctx.facts.refs, rule))
            todo += graph[rule]
    for component in strong_components(graph):
        if len(component) > 1 or component[0] in graph[component[0]]:
            actions = [rule for rule in component if isinstance(rule, ActionSymbol)]
            if actions:
                ctx.error(
                    "E0444",
                    f"`{actions[0].name}` is possible if it is possible",
                    actions[0].declaration.span,
                    hint="a requirement of an action cannot ask whether that action is possible",
                )


def _used(refs: Mapping[s.Node, object], rule: object) -> Iterable[object]:
    """The functions and actions that requirements, or a function, use."""
    parts: tuple[s.Node, ...] = ()
    match rule:
        case ActionSymbol():
            parts = split_action(rule.declaration.body)[0]
        case FunctionSymbol():
            body = rule.declaration.body
            parts = (body,) if isinstance(body, s.Expr) else body
        case MemberFunction():
            parts = (rule.declaration, *rule.bodies.values())
    for part in parts:
        for node in walk(part):
            used = refs.get(node.function if isinstance(node, s.Call) else node)
            asked = isinstance(node, s.Possible) and isinstance(used, ActionSymbol)
            if asked or isinstance(used, FunctionSymbol | MemberFunction):
                yield used
