"""Examples: the positions that they set and the values that they expect."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.changes import check_call
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.domains import bind
from rules_dsl.language.checker.endings import check_score
from rules_dsl.language.checker.inference import check, check_bool, infer
from rules_dsl.language.checker.pieces import how_to_move
from rules_dsl.language.checker.piles import check_given_end
from rules_dsl.language.diagnostics import Note, did_you_mean
from rules_dsl.language.printer import expression_text
from rules_dsl.language.spans import Span
from rules_dsl.language.symbols import PoolSymbol, ProcedureSymbol, VarSymbol, ZoneSymbol
from rules_dsl.language.types import (
    ERROR,
    ErrorType,
    OptionalType,
    PoolType,
    SetType,
    ZoneType,
)


def check_example(ctx: Context, example: s.Example) -> None:
    """Check the lines of an example that contain expressions."""
    ctx.owner = None
    scope = Scope()
    for line in example.lines:
        match line:
            case s.ExampleExpect(condition):
                check_bool(ctx, scope, condition)
            case s.ExampleGiven(fact):
                _given(ctx, scope, fact)
            case s.ExampleStart(call):
                node = call if isinstance(call, s.Call) else s.Call(call, (), span=call.span)
                ctx.facts.types[line] = ERROR
                check_call(ctx, scope, s.CallStatement(node, span=call.span))
            case s.ExampleWinners(names):
                for name in names:
                    _player(ctx, name)
            case s.ExampleScores(scores):
                _scores(ctx, scope, scores)


def check_given_calls(ctx: Context, deciding: set[object]) -> None:
    """Report calls with which an example would ask a player or chance for its position."""
    for call in ctx.given_calls:
        if ctx.facts.refs.get(call.function) in deciding:
            ctx.error(
                "E0601",
                f"`{expression_text(call.function)}` asks a player or chance",
                call.span,
                hint="`start` begins with it; its moves follow as `do`",
            )


def _names_a_procedure(ctx: Context, function: s.Expr) -> bool:
    return isinstance(function, s.Name) and isinstance(ctx.lookup(function.name), ProcedureSymbol)


def _player(ctx: Context, name: s.Ident) -> None:
    if name.name not in ctx.player_type.values:
        ctx.error(
            "E0209",
            f"there is no player `{name}`",
            name.span,
            hint=did_you_mean(name.name, ctx.player_type.values),
        )


def _scores(ctx: Context, scope: Scope, scores: tuple[s.ExpectedScore, ...]) -> None:
    seen: dict[str, Span] = {}
    for score in scores:
        player = score.player
        _player(ctx, player)
        if player.name in seen:
            ctx.error(
                "E0202",
                f"the score of `{player}` is expected twice",
                player.span,
                notes=[Note("expected here first", seen[player.name])],
            )
        seen.setdefault(player.name, player.span)
        check_score(ctx, scope, score.value)


def _given_empty(ctx: Context, scope: Scope, fact: s.Emptiness) -> None:
    infer(ctx, scope, fact)
    place: s.Expr = fact.place
    type_ = ctx.facts.types[place]
    while isinstance(place, s.Group):
        place = place.inner
    if isinstance(type_, ZoneType):
        ctx.error(
            "E0601",
            "`given` has to say where the cards are",
            fact.span,
            hint="`given c in …` for each of them",
        )
    elif isinstance(type_, SetType):
        _state_only(ctx, place)


def _state_only(ctx: Context, place: s.Expr) -> None:
    """Report a set or a zone that is worked out, and so cannot be given."""
    base = place
    while isinstance(base, s.Index | s.Group):
        base = base.base if isinstance(base, s.Index) else base.inner
    if not isinstance(ctx.facts.refs.get(base), VarSymbol | ZoneSymbol):
        ctx.error("E0601", "only the state of the game can be given", place.span)


def _given(ctx: Context, scope: Scope, fact: s.Expr) -> None:
    if isinstance(fact, s.Quantifier) and fact.kind == "every" and fact.body is not None:
        inner = scope.inner()
        bind(ctx, inner, fact.binders)
        _given(ctx, inner, fact.body)
        ctx.facts.types[fact] = ERROR
        return
    if isinstance(fact, s.Call) and _names_a_procedure(ctx, fact.function):
        check_call(ctx, scope, s.CallStatement(fact, span=fact.span))
        ctx.facts.types[fact] = ERROR
        ctx.given_calls.append(fact)
        return
    if isinstance(fact, s.Emptiness) and not fact.negated:
        _given_empty(ctx, scope, fact)
        return
    if not (isinstance(fact, s.Binary) and fact.op in ("=", "in", "not in")):
        infer(ctx, scope, fact)
        ctx.error(
            "E0601",
            "`given` sets something",
            fact.span,
            hint="`given x = 3`, `given card in zone`, `given procedure(x)`",
        )
        return
    if fact.op != "=":
        infer(ctx, scope, fact)
        if not isinstance(ctx.facts.types[fact.right], ErrorType):
            _state_only(ctx, fact.right)
        return
    target = infer(ctx, scope, fact.left)
    base: s.Expr = fact.left
    while isinstance(base, s.Index | s.Group):
        base = base.base if isinstance(base, s.Index) else base.inner
    ref = ctx.facts.refs.get(base)
    is_goods = isinstance(base, s.Attribute) or isinstance(
        ctx.facts.types.get(fact.left.base if isinstance(fact.left, s.Index) else fact.left),
        PoolType,
    )
    if isinstance(fact.left, s.EndOfPile):
        check_given_end(ctx, fact.left)
        if isinstance(target, OptionalType):
            check(ctx, scope, fact.right, target.inner)
        return
    if not (isinstance(ref, VarSymbol | PoolSymbol) or is_goods) and not isinstance(
        target, ErrorType
    ):
        ctx.error("E0601", "only the state of the game can be given", fact.left.span)
        return
    if isinstance(ref, VarSymbol) and ref in ctx.places and ref in ctx.places[ref].counters:
        hint = f"{how_to_move(ctx, ref)}: place the pieces there"
        ctx.error("E0601", f"`{ref.name}` is not given", fact.left.span, hint=hint)
        return
    check(ctx, scope, fact.right, target)
