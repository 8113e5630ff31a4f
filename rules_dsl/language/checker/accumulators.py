"""Functions with loops: one variable that the loops change, and nothing else."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.context import Context
from rules_dsl.language.symbols import FunctionSymbol, VarSymbol
from rules_dsl.language.types import EnumType, IntType

# Maximum number of rounds: a loop becomes one expression, with a part for each element.
MAX_ROUNDS = 64


def check_accumulator(ctx: Context, function: FunctionSymbol, body: s.Block) -> None:
    """Report statements that a loop in a function cannot contain."""
    variables = [line for line in body if isinstance(line, s.Var)]
    for extra in variables[1:]:
        ctx.error(
            "E0446",
            f"`{function.name}` has two variables",
            extra.span,
            hint="one `var`; put the other into a separate function",
        )
    _check(ctx, function, body, rounds=1, top=True)


def _check(ctx: Context, function: FunctionSymbol, block: s.Block, rounds: int, top: bool) -> None:
    for line in block:
        match line:
            case s.Var() if not top:
                ctx.error(
                    "E0446",
                    "a variable belongs at the start of a function",
                    line.span,
                    hint="declare it outside the loop and the `if`",
                )
            case s.Return() if rounds > 1:
                ctx.error(
                    "E0446",
                    "a loop in a function runs to its end",
                    line.span,
                    hint="return after the loop",
                )
            case s.Assign(target) if _is_state(ctx, target):
                ctx.error(
                    "E0406",
                    "a function changes nothing in the game",
                    target.span,
                    hint="make it a procedure, or change a `var`",
                )
            case s.If(branches, otherwise):
                for _, inner in branches:
                    _check(ctx, function, inner, rounds, top=False)
                _check(ctx, function, otherwise, rounds, top=False)
            case s.For():
                size = _rounds(ctx, line)
                if size * rounds > MAX_ROUNDS:
                    ctx.error(
                        "E0446",
                        f"this loop has up to {size * rounds:,} rounds",
                        line.span,
                        hint=f"at most {MAX_ROUNDS} in a function: use `sum`, `count`, `max` …",
                    )
                if line.keeps or line.sorted is not None or _in_order(ctx, line):
                    ctx.error(
                        "E0446",
                        "a loop in a function takes its elements as they are",
                        line.span,
                        hint="no `keeps`, no `by`, and no order",
                    )
                _check(ctx, function, line.body, max(2, rounds * max(1, size)), top=False)


def _is_state(ctx: Context, target: s.Expr) -> bool:
    while isinstance(target, s.Index | s.Group):
        target = target.base if isinstance(target, s.Index) else target.inner
    return isinstance(ctx.facts.refs.get(target), VarSymbol)


def _in_order(ctx: Context, loop: s.For) -> bool:
    domain = loop.binder.domain
    ref = ctx.facts.refs.get(domain.low)
    return domain.start is not None or (isinstance(ref, VarSymbol) and ref.is_order)


def _rounds(ctx: Context, loop: s.For) -> int:
    element = ctx.facts.types.get(loop.binder.domain)
    return element.size if isinstance(element, IntType | EnumType) else 1
