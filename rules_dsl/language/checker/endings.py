"""Scoring and invariants."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.checker import constants
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.inference import check_bool, check_int, infer
from rules_dsl.language.types import BoolType, EnumType, NoneType, PoolType, SetType, ZoneType


def check_scoring(ctx: Context, scoring: s.Scoring) -> None:
    """Check scores and tie-breaks."""
    ctx.owner = None
    if len(scoring.scores) != 1:
        ctx.error("E0431", "scoring needs exactly one `score` line", scoring.span)
        if not scoring.scores:
            return
    line = scoring.scores[0]
    scope = Scope()
    ctx.declare_local(scope, line.player, ctx.player_type)
    check_score(ctx, scope, line.value)
    for tie in scoring.ties:
        check_int(ctx, scope, tie.value)
        if tie.when is not None:
            check_bool(ctx, scope, tie.when)
            constants.evaluate_or_report(ctx, tie.when)


def check_score(ctx: Context, scope: Scope, value: s.Expr) -> None:
    """Check a number of points, which may be a fraction."""
    with ctx.in_scoring():
        type_ = infer(ctx, scope, value)
        if isinstance(type_, BoolType | EnumType | PoolType | ZoneType | SetType | NoneType):
            check_int(ctx, scope, value)


def check_invariant(ctx: Context, invariant: s.Invariant) -> None:
    """Check an invariant and its condition on the options."""
    ctx.owner = None
    if invariant.when is not None:
        check_bool(ctx, Scope(), invariant.when)
        constants.evaluate_or_report(ctx, invariant.when)
    check_bool(ctx, Scope(), invariant.condition)
