"""A whole checked program: from syntax to an IR module."""

from __future__ import annotations

from attrs import evolve

from compiler import build as b
from compiler import ir
from compiler.circles import circles
from compiler.lower.declarations import (
    lower_arrays,
    lower_enums,
    lower_goods,
    lower_labels,
    lower_zones,
)
from compiler.lower.inline import inline_simple, merge
from compiler.lower.lasting_locals import lasting
from compiler.lower.names import LocalNames, Lowering, cites
from compiler.lower.orders import permutation
from compiler.lower.pieces import piece_invariants
from compiler.lower.possible import requirements_of
from compiler.lower.procedure_blocks import BlockLowering
from compiler.lower.relations import lower_relation
from compiler.lower.scores import lower_fraction
from compiler.lower.statements import Statements
from compiler.rule_id import DEFAULT_ROW, action_rule, member_rule
from rules_dsl.language import syntax as s
from rules_dsl.language.checker import constants, split_action
from rules_dsl.language.checker.context import Context
from rules_dsl.language.checker.flow import leading_together
from rules_dsl.language.option_values import OptionValue
from rules_dsl.language.program import Program
from rules_dsl.language.spans import Span
from rules_dsl.language.symbols import (
    ActionSymbol,
    Checked,
    FunctionSymbol,
    MemberFunction,
    MemberProcedure,
    ProcedureSymbol,
    TableSymbol,
    VarSymbol,
)
from rules_dsl.language.types import EnumType, FractionType, bounds


def lower_module(program: Program, checked: Checked, ctx: Context) -> ir.Module:
    """The IR of a program for the configuration it was checked for."""
    low = Lowering(program, checked)
    functions = _functions(low)
    relations = {r.name: lower_relation(low, r) for r in checked.relations.values()}
    routines: dict[str, ir.Routine] = {}
    procedures: dict[str, ir.Procedure] = {}
    for procedure in checked.procedures.values():
        _procedure(low, procedure, routines, procedures)
    actions = {}
    for action in checked.actions.values():
        actions[action.name] = _action(low, action, routines, procedures)
    for table in checked.tables.values():
        for member in table.procedures.values():
            _member_procedure(low, table, member, routines, procedures)
    procedures["play"] = _main(low)
    procedures = _mark_recursive(inline_simple(procedures, low.variables))
    procedures = _with_requirements(low, procedures)
    scoring, invariants = _scoring(low, ctx), _invariants(low, ctx)
    title = program.game.text
    return ir.Module(
        name=program.game.name.name,
        title=ir.Label(title.value, title.translations)
        if title
        else ir.Label(program.game.name.name),
        players=checked.players,
        options=tuple((name, _option_value(o)) for name, o in checked.options.items()),
        variants=tuple(v.name.name for v in program.variants),
        digest=program.sources.digest(),
        enums=lower_enums(checked),
        tables=low.tables,
        arrays=lower_arrays(low, ctx),
        zones=lower_zones(checked),
        goods=lower_goods(checked),
        functions={**functions, **low.lifted},
        relations=relations,
        routines=routines,
        procedures=procedures,
        actions=actions,
        scoring=scoring,
        invariants=invariants,
        waivers=tuple(
            ir.Waiver(w.obligation.name, w.subject.name, w.reason.value)
            for w in program.of(s.Waive)
        ),
        labels=lower_labels(program, checked),
    )


def _option_value(option: object) -> OptionValue:
    from rules_dsl.language.symbols import OptionSymbol

    assert isinstance(option, OptionSymbol)
    if option.choices == (False, True):
        return bool(option.value)
    if isinstance(option.type, EnumType):
        return option.type.values[option.value]
    return option.value


# ---- functions -----------------------------------------------------------------------------------


def _functions(low: Lowering) -> dict[str, ir.Function]:
    result = {}
    for symbol in low.checked.functions.values():
        result[symbol.name] = _function(low, symbol)
    for table in low.checked.tables.values():
        for member in table.functions.values():
            function = _member_function(low, table, member)
            result[function.name] = function
    return result


def _function(low: Lowering, symbol: FunctionSymbol) -> ir.Function:
    lowerer = Statements(low, LocalNames())
    params = lowerer.params(symbol.params)
    declaration = symbol.declaration
    lowerer.result_type = symbol.result
    if isinstance(declaration.body, s.Expr):
        body = lowerer.to(declaration.body, symbol.result)
    else:
        body = lowerer.function_body(declaration.body)
    lo, hi = bounds(symbol.result)
    return ir.Function(
        symbol.name, params, lo, hi, body, declaration.span, cites(declaration.cites)
    )


def _member_function(low: Lowering, table: TableSymbol, member: MemberFunction) -> ir.Function:
    names = LocalNames()
    lowerer = Statements(low, names)
    params = lowerer.params((member.row, *member.params))
    row = names.known[member.row]
    body = lowerer.to(member.declaration.default, member.result)
    for index in sorted(member.bodies, reverse=True):
        names.known[member.row] = b.int_(index)
        value = lowerer.to(member.bodies[index], member.result)
        body = b.if_(b.eq(row, b.int_(index)), value, body)
    lo, hi = bounds(member.result)
    return ir.Function(
        member_rule(table.name, member.name), params, lo, hi, body, member.declaration.span
    )


# ---- procedures and actions ----------------------------------------------------------------------


def _procedure(
    low: Lowering,
    symbol: ProcedureSymbol,
    routines: dict[str, ir.Routine],
    procedures: dict[str, ir.Procedure],
) -> None:
    declaration = symbol.declaration
    names = LocalNames()
    course = BlockLowering(low, names)
    params = course.params(symbol.params)
    requires = tuple(course.value(e) for e in declaration.requires)
    ensures = tuple(course.value(e) for e in declaration.ensures)
    before = tuple(course.before)
    decreases = tuple(course.number(e) for e in declaration.decreases)
    if symbol not in low.checked.deciding:
        routines[symbol.name] = ir.Routine(
            symbol.name,
            params,
            course.block(declaration.body),
            declaration.span,
            requires,
            ensures,
            before,
            cites(declaration.cites),
        )
        return
    blocks = _cut(course, declaration.body, declaration.span, ir.Exit(span=declaration.span))
    low.variables[symbol.name] = names.variables
    procedures[symbol.name] = ir.Procedure(
        symbol.name, params, lasting(blocks, params, names.variables), blocks, declaration.span,
        requires, ensures, before, decreases, cites=cites(declaration.cites),
    )  # fmt: skip


def _cut(
    course: BlockLowering, body: s.Block, span: Span, last: ir.Terminator
) -> tuple[ir.Block, ...]:
    course.open(course.new(), span)
    course.run(body)
    course.close(last)
    return merge(course.finish())


def _action(
    low: Lowering,
    symbol: ActionSymbol,
    routines: dict[str, ir.Routine],
    procedures: dict[str, ir.Procedure],
) -> ir.Action:
    declaration = symbol.declaration
    names = LocalNames()
    course = BlockLowering(low, names)
    params = course.params((symbol.actor, *symbol.params))
    head, effects = split_action(declaration.body)
    name = action_rule(symbol.name)
    deciding = symbol in low.checked.deciding
    lets = tuple(line for line in head if isinstance(line, s.Let))
    ensures = tuple(course.value(e) for e in declaration.ensures)
    before = tuple(course.before)
    if deciding:
        course.leading = leading_together(low.checked.facts.refs, effects, low.checked.deciding)
        blocks = _cut(course, lets + effects, declaration.span, ir.Exit(span=declaration.span))
        low.variables[name] = names.variables
        procedures[name] = ir.Procedure(
            name,
            params,
            lasting(blocks, params, names.variables),
            blocks,
            declaration.span,
            ensures=ensures,
            before=before,
            cites=cites(declaration.cites),
        )
    else:
        body = course.block(lets + effects)
        routines[name] = ir.Routine(
            name, params, body, declaration.span, (), ensures, before, cites(declaration.cites)
        )
    return ir.Action(
        symbol.name, params, params[0].name, deciding, declaration.span, cites(declaration.cites)
    )


def _with_requirements(
    low: Lowering, procedures: dict[str, ir.Procedure]
) -> dict[str, ir.Procedure]:
    """The requirements of an action are known where it is carried out."""
    result = dict(procedures)
    for action in low.checked.actions.values():
        name = action_rule(action.name)
        if name in procedures:
            result[name] = evolve(procedures[name], requires=requirements_of(low, action)[1])
    return result


def _member_procedure(
    low: Lowering,
    table: TableSymbol,
    member: MemberProcedure,
    routines: dict[str, ir.Routine],
    procedures: dict[str, ir.Procedure],
) -> None:
    """One rule for each row that defines it, and one that finds the row's."""
    name = member_rule(table.name, member.name)
    bodies = dict(member.bodies)
    deciding = member in low.checked.deciding
    parts = {
        index: member_rule(table.name, member.name, table.type.values[index]) for index in bodies
    }
    default = (
        member_rule(table.name, member.name, DEFAULT_ROW) if member.declaration.default else ""
    )
    for index, body in [*bodies.items(), *([(-1, member.declaration.default)] if default else [])]:
        part = default if index == -1 else parts[index]
        names = LocalNames()
        course = BlockLowering(low, names)
        if index == -1:
            params = course.params((member.row, *member.params))
        else:
            params = course.params(member.params)
            names.known[member.row] = b.int_(index)
        span = body[0].span if body else member.declaration.span
        if deciding:
            contracts = _contracts(course, member)
            blocks = _cut(course, body, span, ir.Exit(span=span))
            low.variables[part] = names.variables
            procedures[part] = ir.Procedure(
                part, params, lasting(blocks, params, names.variables), blocks, span, *contracts
            )
        else:
            routines[part] = ir.Routine(part, params, course.block(body), span)
    _dispatcher(low, table, member, name, parts, default, routines, procedures)


def _dispatcher(
    low: Lowering,
    table: TableSymbol,
    member: MemberProcedure,
    name: str,
    parts: dict[int, str],
    default: str,
    routines: dict[str, ir.Routine],
    procedures: dict[str, ir.Procedure],
) -> None:
    names = LocalNames()
    course = BlockLowering(low, names)
    params = course.params((member.row, *member.params))
    row, *rest = (b.local(p.name, p.lo, p.hi) for p in params)
    args = tuple(rest)
    contracts = _contracts(course, member)
    span = member.declaration.span
    if member not in low.checked.deciding:
        otherwise = ir.Do(default, (row, *args), span=span)
        statements: tuple[ir.Statement, ...] = (otherwise,) if default else ()
        for index in sorted(parts, reverse=True):
            call = ir.Do(parts[index], args, span=span)
            statements = (ir.Branch(b.eq(row, b.int_(index)), (call,), statements, span=span),)
        routines[name] = ir.Routine(name, params, statements, span, *contracts)
        return
    measure = tuple(course.number(e) for e in member.declaration.decreases)
    course.open(course.new(), span)
    done = course.new()
    for index in sorted(parts):
        then, other = course.new(), course.new()
        course.cut(ir.Fork(b.eq(row, b.int_(index)), then, other, span=span), then)
        course.cut(ir.Enter(parts[index], args, done, span=span), other)
    if default:
        course.cut(ir.Enter(default, (row, *args), done, span=span), done)
    else:
        course.cut(ir.Jump(done, span=span), done)
    course.close(ir.Exit(span=span))
    blocks = merge(course.finish())
    low.variables[name] = names.variables
    procedures[name] = ir.Procedure(
        name, params, lasting(blocks, params, names.variables), blocks, span, *contracts, measure
    )


def _contracts(
    course: BlockLowering, member: MemberProcedure
) -> tuple[tuple[ir.Expr, ...], tuple[ir.Expr, ...], tuple[ir.Expr, ...]]:
    """The contract of the procedure of a row, and the earlier values that it compares with."""
    declaration = member.declaration
    requires = tuple(course.value(e) for e in declaration.requires)
    ensures = tuple(course.value(e) for e in declaration.ensures)
    return requires, ensures, tuple(course.before)


def _main(low: Lowering) -> ir.Procedure:
    names = LocalNames()
    course = BlockLowering(low, names)
    sections = {section.kind: section for section in low.program.of(s.Section)}
    play = sections["play"]
    span = play.span
    course.open(course.new(), span)
    if "setup" in sections:
        course.run(sections["setup"].body)
    course.run(play.body)
    course.close(ir.End(span=span))
    blocks = merge(course.finish())
    low.variables["play"] = names.variables
    return ir.Procedure("play", (), lasting(blocks, (), names.variables), blocks, span)


def _mark_recursive(procedures: dict[str, ir.Procedure]) -> dict[str, ir.Procedure]:
    recursive = {name for circle in circles(procedures) for name in circle}
    return {
        name: evolve(procedure, recursive=name in recursive)
        for name, procedure in procedures.items()
    }


# ---- scoring, invariants -------------------------------------------------------------------------


def _scoring(low: Lowering, ctx: Context) -> ir.Scoring:
    scoring = next(low.program.of(s.Scoring))
    line = scoring.scores[0]
    names = LocalNames()
    lowerer = Statements(low, names)
    player = names.declare(low.checked.facts.locals[line.player])
    type_ = low.type_of(line.value)
    denominator = type_.denominator if isinstance(type_, FractionType) else 1
    ties = [
        ir.Tie(tie.order, lowerer.number(tie.value))
        for tie in scoring.ties
        if tie.when is None or constants.evaluate(ctx, tie.when)
    ]
    return ir.Scoring(
        player.name,
        lower_fraction(lowerer, line.value, denominator),
        denominator,
        tuple(ties),
        cites(scoring.cites) + cites(line.cites),
        line.hidden,
    )


def _invariants(low: Lowering, ctx: Context) -> tuple[ir.Invariant, ...]:
    result = []
    for invariant in low.program.of(s.Invariant):
        if invariant.when is not None and not constants.evaluate(ctx, invariant.when):
            continue
        condition = Statements(low, LocalNames()).value(invariant.condition)
        text = invariant.text.value if invariant.text else ""
        result.append(
            ir.Invariant(
                invariant.name.name, text, condition, invariant.span, cites(invariant.cites)
            )
        )
    orders = [v for v in ctx.globals.values() if isinstance(v, VarSymbol) and v.is_order]
    held = [
        invariant for piece in low.checked.pieces.values() for invariant in piece_invariants(piece)
    ]
    return (*result, *(permutation(order) for order in orders), *held)
