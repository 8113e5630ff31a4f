"""Expands `cost 3 action_points`: to a requirement, a payment, and a measure of choices."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import attrs

from rules_dsl.language import syntax as s
from rules_dsl.language.printer import expression_text

if TYPE_CHECKING:
    from rules_dsl.language.program import Program

N = TypeVar("N")


def expand_costs(node: N) -> N:
    """The same declarations, with requirements and payments in place of costs."""
    if isinstance(node, s.Action):
        return _expanded(node)  # type: ignore[return-value]
    if isinstance(node, s.Variant):
        return attrs.evolve(node, items=tuple(expand_costs(item) for item in node.items))
    if isinstance(node, s.Add | s.Replace):
        return attrs.evolve(node, declaration=expand_costs(node.declaration))
    return node


def _expanded(action: s.Action) -> s.Action:
    costs = [line for line in action.body if isinstance(line, s.Cost)]
    if not costs:
        return action
    last = max(k for k, line in enumerate(action.body) if isinstance(line, s.Cost | s.Require))
    head = [_requirement(x) if isinstance(x, s.Cost) else x for x in action.body[: last + 1]]
    payments = [_payment(cost) for cost in costs]
    paid = tuple(_paid(cost) for cost in costs)
    return attrs.evolve(action, body=(*head, *payments, *action.body[last + 1 :]), pays=paid)


def _paid(cost: s.Cost) -> s.Expr:
    """The quantity that decreases: a number, or the amount of a good in a pool."""
    if cost.source is None:
        return cost.what
    return s.Index(cost.source, (cost.what,), span=cost.what.span)


def _requirement(cost: s.Cost) -> s.Require:
    paid = _paid(cost)
    reason = cost.reason
    if reason is None:
        amount, have = expression_text(cost.amount), expression_text(paid)
        word = expression_text(cost.what).split("[")[0].replace("_", " ")
        reason = s.Text(f"it costs {{{amount}}} {word}, you have {{{have}}}", span=cost.span)
    condition = s.Binary(">=", paid, cost.amount, span=cost.span)
    return s.Require(condition, reason, cost.cites, span=cost.span)


def _payment(cost: s.Cost) -> s.Statement:
    if cost.source is None or cost.target is None:
        return s.Assign(cost.what, "-=", cost.amount, span=cost.span)
    return s.MoveGoods("exactly", cost.amount, cost.what, cost.source, cost.target, span=cost.span)


# ---- measures ------------------------------------------------------------------------------------


def imply_measures(program: Program) -> None:
    """A repeated choice of actions that all cost the same thing decreases that thing."""
    actions = {action.name.name: action for action in program.of(s.Action)}

    def measured(node: s.Choose) -> s.Choose:
        if node.mode != "repeatedly" or node.measure:
            return node
        offered = [actions.get(option.name.name) for option in node.options]
        paid = [
            {expression_text(_seen_by(e, action, node.actor)): e for e in action.pays}
            if action is not None
            else {}
            for action in offered
        ]
        common = [text for text in paid[0] if all(text in others for others in paid)]
        if not common or offered[0] is None:
            return node
        measure = _seen_by(paid[0][common[0]], offered[0], node.actor)
        return attrs.evolve(node, measure=(measure,))

    if any(action.pays for action in actions.values()):
        program.declarations[:] = [_with_choices(d, measured) for d in program.declarations]


def _seen_by(paid: s.Expr, action: s.Action, actor: s.Expr) -> s.Expr:
    """The cost of an action, with the player who chooses in place of the one who acts."""
    match paid:
        case s.Name(name) if name == action.actor.name:
            return actor
        case s.Index(base, args):
            inner = tuple(_seen_by(a, action, actor) for a in args)
            return attrs.evolve(paid, base=_seen_by(base, action, actor), args=inner)
    return paid


_HOLDERS = (s.Declaration, s.Statement, s.Row, s.RowProcedure, s.TableProcedure)


def _with_choices(node: N, change: Callable[[s.Choose], s.Choose]) -> N:
    """The same tree, with every choice among actions changed."""
    if isinstance(node, tuple):
        parts = tuple(_with_choices(part, change) for part in node)
        same = all(one is two for one, two in zip(parts, node, strict=True))
        return node if same else parts  # type: ignore[return-value]
    if not isinstance(
        node, s.Declaration | s.Statement | s.Row | s.RowProcedure | s.TableProcedure
    ):
        return node
    changed = {
        a.name: new
        for a in attrs.fields(type(node))
        if (new := _with_choices(getattr(node, a.name), change)) is not getattr(node, a.name)
    }
    result = attrs.evolve(node, **changed) if changed else node
    return change(result) if isinstance(result, s.Choose) else result  # type: ignore[return-value]
