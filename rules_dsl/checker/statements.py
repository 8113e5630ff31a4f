"""Bodies: what actions, procedures and functions do."""

from __future__ import annotations

import re

from attrs import define
from lark.exceptions import LarkError

from rules_dsl import syntax as s
from rules_dsl.checker import constants
from rules_dsl.checker.calls import arguments
from rules_dsl.checker.context import Context, Scope
from rules_dsl.checker.domains import bind, domain
from rules_dsl.checker.inference import check, check_bool, check_int, infer
from rules_dsl.checker.places import good_amount
from rules_dsl.checker.typing_rules import plain
from rules_dsl.checker.wording import described
from rules_dsl.checker.written_types import value_type
from rules_dsl.diagnostics import did_you_mean
from rules_dsl.parser import parse_expression
from rules_dsl.symbols import (
    ActionSymbol,
    ConstSymbol,
    FunctionSymbol,
    LocalSymbol,
    OptionSymbol,
    ProcedureSymbol,
    TemplatePart,
    VarSymbol,
)
from rules_dsl.tree_builder import Misplaced
from rules_dsl.types import (
    ERROR,
    BoolType,
    EnumType,
    ErrorType,
    IntType,
    NoneType,
    OptionalType,
    PoolType,
    SetType,
    Type,
    ValueType,
    ZoneType,
)


@define
class Body:
    """What kind of body is being checked."""

    kind: str  # "function", "action", "procedure", "row", "setup", "play"
    result: ValueType | None = None


def check_block(ctx: Context, scope: Scope, block: s.Block, body: Body) -> None:
    """Check statements in order; names declared here are seen until the end of the block."""
    over = False
    for statement in block:
        if over:
            ctx.error("E0405", "this is never reached", statement.span)
            over = False
        _statement(ctx, scope, statement, body)
        over = _leaves(statement)


def _leaves(statement: s.Statement) -> bool:
    """Whether nothing behind a statement is reached."""
    if isinstance(statement, s.Return | s.End):
        return True
    if not isinstance(statement, s.If) or not statement.otherwise:
        return False
    bodies = [*(body for _, body in statement.branches), statement.otherwise]
    return all(_leaves(body[-1]) for body in bodies)


_PURE = (s.Let, s.If, s.Return)


def _statement(ctx: Context, scope: Scope, node: s.Statement, body: Body) -> None:
    if body.kind == "function" and not isinstance(node, _PURE):
        ctx.error(
            "E0406", "a function only computes: `let`, `if` and `return`", node.span,
            hint="make it a procedure",
        )  # fmt: skip
        return
    match node:
        case s.Let(name, value):
            type_ = infer(ctx, scope, value)
            if isinstance(type_, PoolType | ZoneType | SetType):
                ctx.error("E0328", f"`let` names a value, not the {type_}", value.span)
                type_ = ERROR
            if isinstance(type_, NoneType):
                ctx.error("E0315", "`none` alone has no type", value.span)
                type_ = ERROR
            ctx.declare_local(scope, name, type_)
        case s.Var(name, type_expr, value):
            declared = value_type(ctx, type_expr)
            check(ctx, scope, value, declared or ERROR)
            ctx.declare_local(scope, name, declared or ERROR, mutable=True)
        case s.Assign():
            _assign(ctx, scope, node)
        case s.CallStatement():
            _call_statement(ctx, scope, node)
        case s.SetChange():
            place = infer(ctx, scope, node.target)
            if isinstance(place, SetType):
                check(ctx, scope, node.element, place.inner)
            elif not isinstance(place, ErrorType):
                hint = "cards are moved: `move c to …`" if isinstance(place, ZoneType) else ""
                ctx.error("E0322", "this is not a set", node.target.span, hint=hint)
        case s.MoveGoods():
            _move_goods(ctx, scope, node)
        case s.MoveCard():
            _move_card(ctx, scope, node)
        case s.Assert():
            check_bool(ctx, scope, node.condition)
            template(ctx, scope, node.reason)
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
            if node.where is not None:
                check_bool(ctx, inside, node.where)
            for fact in node.keeps:
                check_bool(ctx, inside, fact)
            check_block(ctx, inside.inner(), node.body, body)
        case s.While():
            check_bool(ctx, scope, node.condition)
            for part in node.measure:
                check_int(ctx, scope, part)
            for fact in node.keeps:
                check_bool(ctx, scope, fact)
            check_block(ctx, scope.inner(), node.body, body)
        case s.Choose():
            _choose(ctx, scope, node)
        case s.ChooseValue():
            _choose_value(ctx, scope, node)
        case s.ChooseSecretly():
            _choose_secretly(ctx, scope, node)
        case s.DrawIn():
            ctx.direct.add(ctx.owner)
            inside = scope.inner()
            element = domain(ctx, scope, node.binder.domain)
            symbol = ctx.declare_local(inside, node.binder.name, element)
            if node.where is not None:
                check_bool(ctx, inside, node.where)
            if node.weight is not None:
                check_int(ctx, inside, node.weight)
            scope.names[node.binder.name.name] = symbol
        case s.DrawFrom():
            _draw_from(ctx, scope, node)
        case s.Require():
            ctx.error(
                "E0407", "requirements come before everything that happens", node.span,
                hint="only `let` may stand before a `require`",
            )  # fmt: skip
        case _:
            raise AssertionError(node)


# ---- changes -------------------------------------------------------------------------------------


def _assign(ctx: Context, scope: Scope, node: s.Assign) -> None:
    target = infer(ctx, scope, node.target)
    base = node.target
    while isinstance(base, s.Index | s.Group):
        base = base.base if isinstance(base, s.Index) else base.inner
    ref = ctx.facts.refs.get(base)
    if isinstance(target, ErrorType):
        infer(ctx, scope, node.value)
        return
    pool_like = (
        isinstance(target, PoolType)
        or isinstance(base, s.Attribute)
        or (isinstance(ctx.facts.types.get(base), PoolType))
    )
    if pool_like:
        ctx.error(
            "E0320", "goods are not assigned, they move", node.target.span,
            hint="`move 3 maize from supply to stock[p]`",
        )  # fmt: skip
        return
    if isinstance(target, ZoneType):
        ctx.error("E0320", "cards are not assigned, they move", node.target.span,
                  hint="`move c to …`")  # fmt: skip
        return
    if isinstance(target, SetType):
        ctx.error("E0320", "sets change by `add` and `remove`", node.target.span)
        return
    assignable = isinstance(ref, VarSymbol) or (isinstance(ref, LocalSymbol) and ref.mutable)
    if not assignable:
        what, hint = "this", ""
        match ref:
            case LocalSymbol():
                what, hint = f"`{ref.name}`", "declare it with `var` to change it"
            case ConstSymbol() | OptionSymbol():
                what, hint = f"the constant `{ref.name}`", "a variant can set it"
        ctx.error("E0321", f"{what} cannot be changed", node.target.span, hint=hint)
        infer(ctx, scope, node.value)
        return
    if node.op == "=":
        check(ctx, scope, node.value, target)
        return
    if not isinstance(plain(target), IntType):
        ctx.error("E0307", f"`{node.op}` needs a number", node.target.span)
        infer(ctx, scope, node.value)
        return
    check_int(ctx, scope, node.value)


def _pool(ctx: Context, scope: Scope, node: s.Expr) -> PoolType | None:
    place = infer(ctx, scope, node)
    if isinstance(place, PoolType):
        return place
    if not isinstance(place, ErrorType):
        ctx.error("E0323", f"a pool is needed here; this is {described(place)}", node.span)
    return None


def _move_goods(ctx: Context, scope: Scope, node: s.MoveGoods) -> None:
    source = _pool(ctx, scope, node.source)
    target = _pool(ctx, scope, node.target)
    if node.amount is not None:
        amount = check_int(ctx, scope, node.amount)
        if amount.high < 0:
            ctx.error("E0309", "a negative amount cannot be moved", node.amount.span)
    if node.good is None:
        if source and target:
            missing = [g.name for g in source.pool.goods if g not in target.pool.goods]
            if missing:
                ctx.error(
                    "E0207", f"the pool `{target.pool.name}` does not hold {missing[0]}",
                    node.target.span,
                )  # fmt: skip
        return
    kind = infer(ctx, scope, node.good)
    for place in (source, target):
        if place is not None:
            good_amount(ctx, place.pool, kind, node.good)


def _move_card(ctx: Context, scope: Scope, node: s.MoveCard) -> None:
    target = infer(ctx, scope, node.target)
    if not isinstance(target, ZoneType):
        if not isinstance(target, ErrorType):
            hint = (
                "say which goods: `move 3 maize from … to …`"
                if isinstance(target, PoolType)
                else ""
            )
            message = f"a zone is needed here; this is {described(target)}"
            ctx.error("E0322", message, node.target.span, hint=hint)
        infer(ctx, scope, node.card)
        return
    table = target.zone.table
    check(ctx, scope, node.card, table.type)
    if node.source is not None:
        source = infer(ctx, scope, node.source)
        if isinstance(source, ZoneType):
            if source.zone.table is not table:
                ctx.error(
                    "E0322", f"`{source.zone.name}` holds cards of `{source.zone.table.name}`",
                    node.source.span,
                )  # fmt: skip
        elif not isinstance(source, ErrorType):
            message = f"a zone is needed here; this is {described(source)}"
            ctx.error("E0322", message, node.source.span)


def _call_statement(ctx: Context, scope: Scope, node: s.CallStatement) -> None:
    call = node.call
    assert isinstance(call, s.Call)
    function = call.function
    if isinstance(function, s.Attribute):
        base = plain(infer(ctx, scope, function.base))
        if isinstance(base, EnumType) and base in ctx.tables:
            member = ctx.tables[base].procedures.get(function.name.name)
            if member is None:
                ctx.error(
                    "E0206", f"the table `{base.name}` has no procedure `{function.name}`",
                    function.name.span,
                    hint=did_you_mean(function.name.name, ctx.tables[base].procedures),
                )  # fmt: skip
                return
            ctx.facts.refs[function] = member
            ctx.called(member)
            arguments(ctx, scope, member.name, member.params, call)
            return
        if not isinstance(base, ErrorType):
            ctx.error("E0305", "this is not a procedure", function.span)
        return
    if not isinstance(function, s.Name):
        ctx.error("E0305", "this is not a procedure", function.span)
        return
    symbol = None if scope.lookup(function.name) else ctx.lookup(function.name)
    if isinstance(symbol, ProcedureSymbol):
        ctx.facts.refs[function] = symbol
        ctx.called(symbol)
        arguments(ctx, scope, symbol.name, symbol.params, call)
    elif isinstance(symbol, ActionSymbol):
        ctx.error(
            "E0211", f"`{function.name}` is an action: a player chooses it", function.span,
            hint=f"`choose p: {function.name}`",
        )  # fmt: skip
    elif isinstance(symbol, FunctionSymbol):
        ctx.error("E0211", f"`{function.name}` only computes a value", function.span,
                  hint="use the value, or make it a procedure")  # fmt: skip
    else:
        known = [n for n, g in ctx.globals.items() if isinstance(g, ProcedureSymbol)]
        ctx.error("E0211", f"there is no procedure `{function.name}`", function.span,
                  hint=did_you_mean(function.name, known))  # fmt: skip


def _return(ctx: Context, scope: Scope, node: s.Return, body: Body) -> None:
    if body.kind == "function":
        if node.value is None:
            ctx.error("E0404", "a function returns a value", node.span)
        elif body.result is not None:
            check(ctx, scope, node.value, body.result)
    elif node.value is not None:
        ctx.error("E0408", "only functions return values", node.value.span)


# ---- decisions and chance ------------------------------------------------------------------------


def _actor(ctx: Context, scope: Scope, node: s.Expr) -> None:
    check(ctx, scope, node, ctx.player_type)
    ctx.direct.add(ctx.owner)


def _choose(ctx: Context, scope: Scope, node: s.Choose) -> None:
    _actor(ctx, scope, node.actor)
    template(ctx, scope, node.prompt)
    for part in node.measure:
        check_int(ctx, scope, part)
    if node.mode == "repeatedly" and not node.measure:
        ctx.error(
            "E0401", "a repeated choice must say what decreases", node.span,
            hint="`choose p repeatedly decreases wood_left: …`",
        )  # fmt: skip
    if node.mode != "repeatedly" and node.measure:
        ctx.error("E0401", "`decreases` belongs to a repeated choice", node.measure[0].span)
    seen: set[str] = set()
    for option in node.options:
        action = ctx.lookup(option.name.name)
        if not isinstance(action, ActionSymbol):
            known = [n for n, g in ctx.globals.items() if isinstance(g, ActionSymbol)]
            ctx.error(
                "E0210", f"there is no action `{option.name}`", option.name.span,
                hint=did_you_mean(option.name.name, known),
            )  # fmt: skip
            continue
        ctx.facts.refs[option] = action
        ctx.called(action)
        params = {p.name: p for p in action.params}
        fixed_names = []
        for fixed in option.fixed:
            if fixed.name.name not in params:
                ctx.error(
                    "E0302", f"`{action.name}` has no parameter `{fixed.name}`", fixed.name.span,
                    hint=did_you_mean(fixed.name.name, params),
                )  # fmt: skip
                infer(ctx, scope, fixed.value)
                continue
            fixed_names.append(fixed.name.name)
            check(ctx, scope, fixed.value, params[fixed.name.name].type)
        if option.when is not None:
            check_bool(ctx, scope, option.when)
        if option.name.name in seen and not option.fixed and option.when is None:
            ctx.error("E0202", f"`{option.name}` is offered twice", option.name.span)
        if not option.fixed:
            seen.add(option.name.name)


def _choose_value(ctx: Context, scope: Scope, node: s.ChooseValue) -> None:
    _actor(ctx, scope, node.actor)
    inside = scope.inner()
    bind(ctx, inside, node.binders)
    template(ctx, inside, node.notation)
    template(ctx, inside, node.reason)
    for binder in node.binders.binders:
        symbol = inside.names.get(binder.name.name)
        if symbol is None:
            continue
        if node.mode == "optionally" and isinstance(symbol.type, IntType | EnumType):
            after = LocalSymbol(symbol.name, OptionalType(symbol.type))
            ctx.facts.refs[binder] = after
            scope.names[symbol.name] = after
        else:
            ctx.facts.refs[binder] = symbol
            scope.names[symbol.name] = symbol


def _choose_secretly(ctx: Context, scope: Scope, node: s.ChooseSecretly) -> None:
    ctx.direct.add(ctx.owner)
    inside = scope.inner()
    element = domain(ctx, scope, node.chooser.domain)
    if element is not ctx.player_type and not isinstance(element, ErrorType):
        ctx.error("E0301", "players choose secretly; this is not Player", node.chooser.span)
    ctx.declare_local(inside, node.chooser.name, element)
    if node.among is not None:
        check_bool(ctx, inside, node.among)
    bind(ctx, inside, node.binders)
    template(ctx, inside, node.notation)
    template(ctx, inside, node.reason)
    for binder in node.binders.binders:
        symbol = inside.names.get(binder.name.name)
        if symbol is not None and isinstance(symbol.type, IntType | EnumType):
            after = LocalSymbol(symbol.name, symbol.type, per_player=True)
            ctx.facts.refs[binder] = after
            scope.names[symbol.name] = after


def _draw_from(ctx: Context, scope: Scope, node: s.DrawFrom) -> None:
    ctx.direct.add(ctx.owner)
    place = infer(ctx, scope, node.source)
    element: Type = ERROR
    match place:
        case ZoneType(zone):
            element = zone.table.type
            if node.kind is not None:
                ctx.error("E0323", "only a pool needs a kind of goods", node.kind.span)
        case PoolType(pool):
            kinds = {g.type for g in pool.goods}
            if node.kind is None:
                if len(kinds) == 1:
                    element = kinds.pop()
                else:
                    ctx.error(
                        "E0323", f"say which goods are drawn from `{pool.name}`", node.source.span,
                        hint="`draw t: Treasure from pile`",
                    )  # fmt: skip
            else:
                named = ctx.types.get(node.kind.name)
                if named is None or named.kind != "goods":
                    known = [t.name for t in ctx.types.values() if t.kind == "goods"]
                    ctx.error(
                        "E0203", f"there are no goods `{node.kind}`", node.kind.span,
                        hint=did_you_mean(node.kind.name, known),
                    )  # fmt: skip
                else:
                    element = named
                    held = {g.name for g in pool.goods}
                    if not set(named.values) <= held:
                        ctx.error(
                            "E0207", f"the pool `{pool.name}` does not hold all of {named.name}",
                            node.source.span,
                        )  # fmt: skip
        case ErrorType():
            pass
        case _:
            ctx.error(
                "E0322",
                f"one draws from a zone or a pool; this is {described(place)}",
                node.source.span,
                hint="`draw x in …` draws from a type or a range",
            )
    inside = scope.inner()
    symbol = ctx.declare_local(inside, node.name, element)
    if node.where is not None:
        check_bool(ctx, inside, node.where)
    scope.names[node.name.name] = symbol


# ---- whole bodies --------------------------------------------------------------------------------


def params_scope(symbols: tuple[LocalSymbol, ...]) -> Scope:
    """A scope with the parameters of a rule."""
    scope = Scope()
    for symbol in symbols:
        scope.names[symbol.name] = symbol
    return scope


def check_function(ctx: Context, function: FunctionSymbol) -> None:
    """Check the body of a function."""
    ctx.owner = function
    scope = params_scope(function.params)
    body = function.declaration.body
    if isinstance(body, s.Expr):
        check(ctx, scope, body, function.result)
    else:
        check_block(ctx, scope, body, Body("function", function.result))
        if not _always_returns(body):
            ctx.error(
                "E0404", f"`{function.name}` does not return a value in every case",
                function.declaration.span, hint="end it with `return …`",
            )  # fmt: skip


def _always_returns(block: s.Block) -> bool:
    for statement in block:
        if isinstance(statement, s.Return):
            return True
        if isinstance(statement, s.If) and statement.otherwise:
            bodies = [*(body for _, body in statement.branches), statement.otherwise]
            if all(_always_returns(body) for body in bodies):
                return True
    return False


def check_action(ctx: Context, action: ActionSymbol) -> None:
    """Check an action: `let` and `require` first, then the effects."""
    ctx.owner = action
    scope = params_scope(action.params)
    for param, symbol in zip(action.declaration.params, action.params, strict=True):
        if param.domain is not None:  # the actor is in sight here, other than when it was declared
            inner = params_scope((*action.params, action.actor))
            domain(ctx, inner, param.domain)
            ctx.facts.refs[param] = symbol
    if scope.lookup(action.actor.name) is not None:
        ctx.error("E0214", f"`{action.actor.name}` is already a parameter",
                  action.declaration.actor.span)  # fmt: skip
    scope.names[action.actor.name] = action.actor
    template(ctx, scope, action.declaration.text)
    head, effects = split_action(action.declaration.body)
    for item in head:
        if isinstance(item, s.Require):
            check_bool(ctx, scope, item.condition)
            for _, condition in item.exceptions:
                check_bool(ctx, scope, condition)
            template(ctx, scope, item.reason)
        else:
            _statement(ctx, scope, item, Body("action"))
    check_block(ctx, scope, effects, Body("action"))


def split_action(body: s.Block) -> tuple[s.Block, s.Block]:
    """The head of an action (up to its last leading `require`) and its effects."""
    last = -1
    for index, statement in enumerate(body):
        if isinstance(statement, s.Require):
            last = index
        elif not isinstance(statement, s.Let):
            break
    return body[: last + 1], body[last + 1 :]


def check_procedure(ctx: Context, procedure: ProcedureSymbol) -> None:
    """Check a procedure and its promises."""
    ctx.owner = procedure
    scope = params_scope(procedure.params)
    for promise in (*procedure.declaration.requires, *procedure.declaration.ensures):
        check_bool(ctx, scope, promise)
    for part in procedure.declaration.decreases:
        check_int(ctx, scope, part)
    check_block(ctx, scope, procedure.declaration.body, Body("procedure"))


# ---- texts ---------------------------------------------------------------------------------------

_PIECE = re.compile(r"\\[{}]|\{|\}")


def template(ctx: Context, scope: Scope, text: s.Text | None) -> None:
    """Check the `{…}` parts of a text."""
    if text is None:
        return
    parts: list[TemplatePart] = []
    value = text.value
    position = 0
    literal = ""
    while position < len(value):
        match = _PIECE.search(value, position)
        if match is None:
            literal += value[position:]
            break
        literal += value[position : match.start()]
        if match.group() in ("\\{", "\\}"):
            literal += match.group()[1]
            position = match.end()
            continue
        end = value.find("}", match.end())
        if match.group() == "}" or end < 0:
            ctx.error(
                "E0125", f"this `{match.group()}` has no partner", text.span,
                hint="write \\{ or \\} for a plain brace",
            )  # fmt: skip
            return
        inside = value[match.end() : end]
        expr = _embedded(ctx, text, inside, match.end())
        if expr is None:
            return
        type_ = infer(ctx, scope, expr)
        if isinstance(type_, PoolType | ZoneType | SetType):
            ctx.error("E0125", f"a text cannot show the {type_}", text.span)
            return
        if literal:
            parts.append(literal)
            literal = ""
        parts.append(expr)
        position = end + 1
    if literal:
        parts.append(literal)
    ctx.facts.templates[text] = tuple(parts)


def _embedded(ctx: Context, text: s.Text, inside: str, offset: int) -> s.Expr | None:
    # Quotes and backslashes shift the place by a little; the line is right in any case.
    column = text.span.column + 1 + offset
    try:
        return parse_expression(text.span.file, inside, text.span.line, column)
    except (LarkError, Misplaced):
        ctx.error("E0125", f"`{{{inside}}}` is not an expression", text.span)
        return None


# ---- the rest ------------------------------------------------------------------------------------


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
    with ctx.in_scoring():
        type_ = infer(ctx, scope, line.value)
        if isinstance(type_, BoolType | EnumType | PoolType | ZoneType | SetType | NoneType):
            check_int(ctx, scope, line.value)
    for tie in scoring.ties:
        check_int(ctx, scope, tie.value)
        if tie.when is not None:
            check_bool(ctx, scope, tie.when)
            constants.evaluate_or_report(ctx, tie.when)


def check_invariant(ctx: Context, invariant: s.Invariant) -> None:
    """Check an invariant and its condition on the options."""
    ctx.owner = None
    if invariant.when is not None:
        check_bool(ctx, Scope(), invariant.when)
        constants.evaluate_or_report(ctx, invariant.when)
    check_bool(ctx, Scope(), invariant.condition)


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
                _call_statement(ctx, scope, s.CallStatement(node, span=call.span))
            case s.ExampleWinners(names):
                for name in names:
                    if name.name not in ctx.player_type.values:
                        ctx.error(
                            "E0209", f"there is no player `{name}`", name.span,
                            hint=did_you_mean(name.name, ctx.player_type.values),
                        )  # fmt: skip


def _given(ctx: Context, scope: Scope, fact: s.Expr) -> None:
    if isinstance(fact, s.Quantifier) and fact.kind == "every" and fact.body is not None:
        inner = scope.inner()
        bind(ctx, inner, fact.binders)
        _given(ctx, inner, fact.body)
        ctx.facts.types[fact] = ERROR
        return
    if not (isinstance(fact, s.Binary) and fact.op in ("=", "in", "not in")):
        infer(ctx, scope, fact)
        ctx.error(
            "E0601", "`given` sets something", fact.span,
            hint="`given x = 3`, `given card in zone`",
        )  # fmt: skip
        return
    if fact.op != "=":
        infer(ctx, scope, fact)
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
    if not (isinstance(ref, VarSymbol) or is_goods) and not isinstance(target, ErrorType):
        ctx.error("E0601", "only the state of the game can be given", fact.left.span)
        return
    check(ctx, scope, fact.right, target)
