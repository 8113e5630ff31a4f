"""The players of a game as a type."""

from __future__ import annotations

from rules_dsl.language.checker.context import Context
from rules_dsl.language.symbols import EnumValue
from rules_dsl.language.types import EnumType


def declare_players(ctx: Context) -> None:
    """Take up the type `Player`, with as many seats as play."""
    high = ctx.program.player_range[1]
    line = ctx.program.game.players[0] if ctx.program.game.players else None
    names = tuple(i.name for i in line.names) if line and line.names else ()
    if names and len(names) < high:
        ctx.error(
            "E0410",
            f"{len(names)} seats are named, but up to {high} play",
            line.span if line else ctx.program.game.span,
        )
    names += tuple(f"p{k + 1}" for k in range(len(names), high))
    ctx.all_player_names = names
    labels = tuple(
        ctx.program.labels[n].value if n in ctx.program.labels else n for n in names[: ctx.players]
    )
    enum = EnumType("Player", names[: ctx.players], "player", labels)
    ctx.types["Player"] = enum
    ctx.spans["Player"] = ctx.program.game.span
    for index, name in enumerate(enum.values):
        ctx.values.setdefault(name, []).append(EnumValue(enum, index))
        span = line.span if line and line.names else ctx.program.game.span
        ctx.spans.setdefault(f"value {name}", span)
