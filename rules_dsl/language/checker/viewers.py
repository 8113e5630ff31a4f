"""Who sees a variable, a pool or a zone."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.checker import constants
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.inference import infer
from rules_dsl.language.checker.typing_rules import fits
from rules_dsl.language.checker.written_types import all_indices
from rules_dsl.language.diagnostics import did_you_mean
from rules_dsl.language.printer import expression_text
from rules_dsl.language.program import walk
from rules_dsl.language.symbols import Dimension, LocalSymbol
from rules_dsl.language.types import SetType
from rules_dsl.language.viewers import Viewers, everybody, viewers_of

# Words for all players that people try.
EVERYBODY = frozenset({"all", "everybody", "everyone", "public", "players", "anybody"})


def viewers_in(
    ctx: Context,
    scope: Scope,
    item: s.StateVar | s.Pool | s.Zone,
    dimensions: tuple[Dimension, ...],
    indices: list[LocalSymbol],
) -> Viewers:
    """Who sees which place; `indices` are the names of its indices, if they have any."""
    if isinstance(item, s.StateVar) and item.ghost:
        if item.visibility != "all":
            ctx.error("E0452", "a ghost is not seen by anybody", item.span)
        return (0,)
    match item.visibility:
        case "all":
            return everybody(ctx.players)
        case "hidden":
            return (0,)
        case "owner" | "others" as who:
            if not dimensions or dimensions[0] is not ctx.player_type:
                ctx.error(
                    "E0415",
                    f"`{item.name}` has no owner",
                    item.span,
                    hint="the first index must be Player",
                )
            owners = [1 << player for player in range(ctx.players)]
            if who == "owner":
                return viewers_of(owners)
            (full,) = everybody(ctx.players)
            return viewers_of([full - owner for owner in owners])
        case players:
            return _chosen(ctx, scope, item, players, dimensions, indices)


def _unknown(
    ctx: Context,
    scope: Scope,
    item: s.StateVar | s.Pool | s.Zone,
    players: s.Expr,
    dimensions: tuple[Dimension, ...],
    indices: list[LocalSymbol],
) -> bool:
    """Report a name that means nothing, with how to say who sees a place."""
    nodes = list(walk(players))
    own = {node.name.name for node in nodes if isinstance(node, s.Binder)}
    for node in sorted(nodes, key=lambda node: (node.span.line, node.span.column)):
        if not isinstance(node, s.Name) or ctx.knows(node.name, scope) or node.name in own:
            continue
        hint = ""
        if node is players:
            hint = did_you_mean(node.name, ("owner", "others"))
            hint = hint or "`owner`, `others`, `[p, …]` or `each q in Player where …`"
            if node.name in EVERYBODY:
                hint = "leave `visible to` out: all players see it"
        elif dimensions and not indices:
            shape = ", ".join([f"{node.name} in {dimensions[0]}", *map(str, dimensions[1:])])
            hint = f"name the index: `{item.name}[{shape}]`"
        ctx.unknown(node.name, node.span, scope, hint=hint)
        return True
    return False


def _chosen(
    ctx: Context,
    scope: Scope,
    item: s.StateVar | s.Pool | s.Zone,
    players: s.Expr,
    dimensions: tuple[Dimension, ...],
    indices: list[LocalSymbol],
) -> Viewers:
    """A set of players that is known before the game starts, perhaps for each index another."""
    if _unknown(ctx, scope, item, players, dimensions, indices):
        return everybody(ctx.players)
    actual = infer(ctx, scope, players, SetType(ctx.player_type))
    if actual is ctx.player_type:
        hint = f"write `visible to [{expression_text(players)}]`"
        ctx.error("E0301", "players are listed in brackets", players.span, hint=hint)
    else:
        fits(ctx, actual, SetType(ctx.player_type), players.span)
    if ctx.reporter.has_error_in(players.span):
        return everybody(ctx.players)
    evaluator = constants.ConstantEvaluator(ctx)
    masks: list[int] = []
    try:
        for index in all_indices(dimensions) if indices else [()]:
            env = dict(zip(indices, index, strict=True))
            masks.append(sum(1 << player for player in evaluator.members(players, env)))
    except constants.NotConstant as error:
        constants.report(ctx, error, "who sees a place stays the same during the game")
        return everybody(ctx.players)
    return viewers_of(masks)
