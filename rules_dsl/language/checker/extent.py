"""Limits on the size of functions and games, so that all of them compile quickly."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.context import Context
from rules_dsl.language.checker.heads import returns
from rules_dsl.language.symbols import FunctionSymbol

MAX_STEPS = 500
MAX_DEPTH = 100
# Maximum number of decisions, ten times that of a large game.
MAX_DECISIONS = 500
MAX_TRANSFERS = 2_000
# Weight of a secret choice: players are asked one after another, and then all is revealed.
SECRET_WEIGHT = 4


def decision_weight(action: s.Action) -> int:
    """Number of decisions that an offered action counts for: more with many requirements."""
    return 1 + sum(isinstance(line, s.Require) for line in action.body) // 4


def check_steps(ctx: Context, function: FunctionSymbol, body: s.Block) -> None:
    """Refuse a function whose paths are too many or too long for one expression."""
    steps, depth = _extent(body, 0, 0)
    if steps > MAX_STEPS:
        ctx.error(
            "E0436",
            f"`{function.name}` has {_about(steps)} steps on all its paths together",
            function.declaration.span,
            hint=f"at most {MAX_STEPS:,}: return early, or put parts into other functions",
        )
    elif depth > MAX_DEPTH:
        ctx.error(
            "E0436",
            f"`{function.name}` has a path of {depth:,} steps",
            function.declaration.span,
            hint=f"at most {MAX_DEPTH:,}: put parts into other functions",
        )


def _about(steps: int) -> str:
    return f"{steps:,}" if steps < 10**9 else "billions of"


def _extent(block: s.Block, steps: int, depth: int) -> tuple[int, int]:
    """The steps of a block on all paths and on the longest, given those of its continuation."""
    for statement in reversed(block):
        match statement:
            case s.Return():
                steps, depth = 1, 1
            case s.If(branches, otherwise) if returns(statement):
                ways = [_extent(b, steps, depth) for b in (*(b for _, b in branches), otherwise)]
                steps = len(branches) + sum(way[0] for way in ways)
                depth = len(branches) + max(way[1] for way in ways)
            case _:
                steps, depth = steps + 1, depth + 1
    return steps, depth


def check_decisions(ctx: Context) -> None:
    """Refuse a game with too many decisions and draws, or that moves too many goods at once."""
    if ctx.decisions > MAX_DECISIONS:
        ctx.error(
            "E0437",
            f"the game has {ctx.decisions:,} decisions and draws",
            ctx.program.game.span,
            hint=f"at most {MAX_DECISIONS:,}: let rules share procedures and actions",
        )
    if ctx.transfers > MAX_TRANSFERS:
        ctx.error(
            "E0437",
            f"{ctx.transfers:,} goods are moved by `move all from`",
            ctx.program.game.span,
            hint=f"at most {MAX_TRANSFERS:,}, counting every kind: put the moves into a procedure",
        )
