"""Statements, one after another."""

from __future__ import annotations

from attrs import define

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.changes import (
    check_assignment,
    check_call,
    check_move_of_card,
    check_move_of_goods,
)
from rules_dsl.language.checker.collections import (
    check_move_of_everything,
    check_set_change,
    set_to_change,
)
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.decisions import (
    check_choose,
    check_choose_subset,
    check_choose_value,
    check_draw_from,
)
from rules_dsl.language.checker.domains import domain
from rules_dsl.language.checker.inference import check, check_bool, check_int, infer
from rules_dsl.language.checker.orders import check_move_in_order, check_sorted
from rules_dsl.language.checker.pieces import check_move_of_piece, moves_piece
from rules_dsl.language.checker.piles import check_shuffle
from rules_dsl.language.checker.secrets import check_choose_secretly, check_secret_block
from rules_dsl.language.checker.sets import local_set
from rules_dsl.language.checker.texts import template
from rules_dsl.language.checker.viewers import EVERYBODY
from rules_dsl.language.checker.written_types import resolve_type, value_type
from rules_dsl.language.printer import expression_text
from rules_dsl.language.types import (
    ERROR,
    NoneType,
    PoolType,
    SetType,
    ValueType,
    ZoneType,
)


@define
class Body:
    """The kind of body that is being checked."""

    kind: str  # "function", "action", "procedure", "row", "setup", "play"
    result: ValueType | None = None


def check_block(ctx: Context, scope: Scope, block: s.Block, body: Body) -> None:
    """Check statements in order; names declared here are seen until the end of the block."""
    over = False
    for statement in block:
        if over:
            ctx.error("E0405", "this is never reached", statement.span)
            over = False
        check_statement(ctx, scope, statement, body)
        over = _leaves(statement)


def _leaves(statement: s.Statement) -> bool:
    """Whether nothing after a statement is reached."""
    if isinstance(statement, s.Return | s.End):
        return True
    if not isinstance(statement, s.If) or not statement.otherwise:
        return False
    bodies = [*(body for _, body in statement.branches), statement.otherwise]
    return all(_leaves(body[-1]) for body in bodies)


_PURE = (s.Let, s.If, s.Return, s.Var, s.Assign, s.For)


def check_statement(ctx: Context, scope: Scope, node: s.Statement, body: Body) -> None:
    """Check one statement."""
    if body.kind == "function" and not isinstance(node, _PURE):
        ctx.error(
            "E0406",
            "a function only computes: `let`, `if`, `return`, loops that change a `var`",
            node.span,
            hint="make it a procedure",
        )
        return
    match node:
        case s.Let(name, value):
            type_ = infer(ctx, scope, value)
            if isinstance(type_, PoolType | ZoneType):
                hint = "`each c in …` is the set of its cards"
                hint = hint if isinstance(type_, ZoneType) else ""
                ctx.error("E0328", f"`let` names a value, not the {type_}", value.span, hint=hint)
                type_ = ERROR
            if isinstance(type_, SetType):
                type_ = local_set(ctx, type_, value.span) or ERROR
            if isinstance(type_, NoneType):
                ctx.error("E0315", "`none` alone has no type", value.span)
                type_ = ERROR
            ctx.declare_local(scope, name, type_)
        case s.Var(name, type_expr, value):
            declared = _type_of_variable(ctx, type_expr, body)
            check(ctx, scope, value, declared or ERROR)
            ctx.declare_local(scope, name, declared or ERROR, mutable=True)
        case s.Assign():
            check_assignment(ctx, scope, node)
        case s.CallStatement():
            check_call(ctx, scope, node)
        case s.SetChange():
            check_set_change(ctx, scope, node)
        case s.SetFill():
            set_to_change(ctx, scope, node.target)
        case s.MoveGoods(how="everything"):
            check_move_of_everything(ctx, scope, node)
        case s.MoveGoods():
            check_move_of_goods(ctx, scope, node)
        case s.MoveCard():
            if node.end is None and moves_piece(ctx, scope, node):
                check_move_of_piece(ctx, scope, node)
            else:
                check_move_of_card(ctx, scope, node)
        case s.MoveInOrder():
            check_move_in_order(ctx, scope, node)
        case s.Shuffle():
            check_shuffle(ctx, scope, node)
        case s.Assert():
            check_bool(ctx, scope, node.condition)
            template(ctx, scope, node.reason)
        case s.Reveal():
            _reveal(ctx, scope, node)
        case s.Return():
            _return(ctx, scope, node, body)
        case s.End():
            ctx.direct.add(ctx.owner)  # it ends everything, so it cuts the course of the game
        case s.If():
            for condition, inner in node.branches:
                check_bool(ctx, scope, condition)
                check_block(ctx, scope.inner(), inner, body)
            check_block(ctx, scope.inner(), node.otherwise, body)
        case s.For():
            inside = scope.inner()
            element = domain(ctx, scope, node.binder.domain)
            ctx.declare_local(inside, node.binder.name, element)
            if node.sorted is not None:
                check_sorted(ctx, scope, inside, node.binder, node.sorted, element)
            if node.where is not None:
                check_bool(ctx, inside, node.where)
            for fact in node.keeps:
                check_bool(ctx, inside, fact)
            if node.keeps:
                ctx.direct.add(ctx.owner)  # what it keeps is proved round by round
            check_block(ctx, inside.inner(), node.body, body)
        case s.While():
            check_bool(ctx, scope, node.condition)
            for part in node.measure:
                check_int(ctx, scope, part)
            for fact in node.keeps:
                check_bool(ctx, scope, fact)
            check_block(ctx, scope.inner(), node.body, body)
        case s.Together():
            ctx.direct.add(ctx.owner)
            check_block(ctx, scope.inner(), node.body, body)
            check_block(ctx, scope.inner(), node.otherwise, body)
        case s.Choose():
            check_choose(ctx, scope, node)
        case s.ChooseValue():
            check_choose_value(ctx, scope, node)
        case s.ChooseSubset():
            check_choose_subset(ctx, scope, node)
        case s.ChooseSecretly():
            check_choose_secretly(ctx, scope, node)
        case s.SecretBlock():
            check_secret_block(ctx, scope, node)
        case s.DrawIn():
            ctx.decides()
            inside = scope.inner()
            element = domain(ctx, scope, node.binder.domain)
            symbol = ctx.declare_local(inside, node.binder.name, element)
            if node.where is not None:
                check_bool(ctx, inside, node.where)
            if node.weight is not None:
                check_int(ctx, inside, node.weight)
            scope.names[node.binder.name.name] = symbol
        case s.DrawFrom():
            check_draw_from(ctx, scope, node)
        case s.Require():
            ctx.error(
                "E0407",
                "requirements come before everything that happens",
                node.span,
                hint="only `let` may come before a `require`",
            )
        case _:
            raise AssertionError(node)


def _type_of_variable(ctx: Context, node: s.TypeExpr, body: Body) -> ValueType | SetType | None:
    """The type of a local variable; a procedure may have sets."""
    if body.kind == "function" or not isinstance(node, s.SetType):
        return value_type(ctx, node)
    type_ = resolve_type(ctx, node)
    return local_set(ctx, type_, node.span) if isinstance(type_, SetType) else None


def _reveal(ctx: Context, scope: Scope, node: s.Reveal) -> None:
    type_ = infer(ctx, scope, node.value)
    if isinstance(type_, PoolType | ZoneType | SetType):
        ctx.error(
            "E0328",
            f"`reveal` shows a value, not the {type_}",
            node.value.span,
            hint="reveal its elements one by one, for all that may be there",
        )
    elif isinstance(type_, NoneType):
        ctx.error("E0315", "`none` alone has no type", node.value.span)
    if isinstance(node.to, s.Name) and _everybody(ctx, scope, node.to):
        hint = f"`reveal {expression_text(node.value)}` shows it to everybody"
        ctx.error("E0301", "one player is needed here", node.to.span, hint=hint)
        return
    if node.to is not None:
        check(ctx, scope, node.to, ctx.player_type)


def _everybody(ctx: Context, scope: Scope, node: s.Name) -> bool:
    """Whether a name is a word for all players and no name of the game."""
    return node.name in EVERYBODY and (node.name == "players" or not ctx.knows(node.name, scope))


def _return(ctx: Context, scope: Scope, node: s.Return, body: Body) -> None:
    if body.kind == "function":
        if node.value is None:
            ctx.error("E0404", "a function returns a value", node.span)
        elif body.result is not None:
            check(ctx, scope, node.value, body.result)
    elif node.value is not None:
        ctx.error("E0408", "only functions return values", node.value.span)
