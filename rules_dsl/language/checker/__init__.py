"""Names and types: from the syntax tree to facts about it."""

from __future__ import annotations

from attrs import evolve

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.bodies import (
    check_action,
    check_contracts,
    check_function,
    check_procedure,
    params_scope,
)
from rules_dsl.language.checker.context import Context, Enough
from rules_dsl.language.checker.declarations import declare
from rules_dsl.language.checker.endings import check_invariant, check_scoring
from rules_dsl.language.checker.example_lines import check_example, check_given_calls
from rules_dsl.language.checker.expressions import expression_type
from rules_dsl.language.checker.extent import check_decisions
from rules_dsl.language.checker.flow import check_flow
from rules_dsl.language.checker.ghosts import check_ghosts
from rules_dsl.language.checker.goods import goods_of
from rules_dsl.language.checker.heads import split_action
from rules_dsl.language.checker.inference import check as check_expression
from rules_dsl.language.checker.options import default_choice, option_choices
from rules_dsl.language.checker.possible import check_questions
from rules_dsl.language.checker.relations import check_relation
from rules_dsl.language.checker.state import home_of
from rules_dsl.language.checker.statements import Body, check_block
from rules_dsl.language.diagnostics import Note, Reporter, RuleError, did_you_mean
from rules_dsl.language.option_values import OptionValue, shown
from rules_dsl.language.printer.expressions import quoted
from rules_dsl.language.program import Program, walk
from rules_dsl.language.recursion import deep_recursion
from rules_dsl.language.spans import Span
from rules_dsl.language.symbols import (
    ActionSymbol,
    Checked,
    ConstSymbol,
    FunctionSymbol,
    MemberFunction,
    OptionSymbol,
    PieceSymbol,
    PoolSymbol,
    ProcedureSymbol,
    RelationSymbol,
    VarSymbol,
    ZoneSymbol,
)

__all__ = [
    "OBLIGATIONS",
    "check_partly",
    "check_program",
    "default_choice",
    "example_setting",
    "home_of",
    "option_choices",
    "split_action",
]

OBLIGATIONS = (
    "init", "invariant", "safety", "conservation", "progress", "termination", "views", "liveness",
    "examples", "agreement",
)  # fmt: skip


def check_program(
    program: Program, players: int, chosen: dict[str, OptionValue]
) -> tuple[Checked, Context]:
    """Check a program for one number of players and one choice of options.

    Raises `RuleError` with every error found.
    """
    reporter = Reporter()
    ctx, deciding = check_partly(program, players, chosen, reporter)
    if reporter:
        raise RuleError(reporter.diagnostics, program.sources.texts)
    return _checked(ctx, deciding), ctx


def check_partly(
    program: Program, players: int, chosen: dict[str, OptionValue], reporter: Reporter
) -> tuple[Context, set[object]]:
    """Check a program that may have errors as completely as possible.

    Returns the facts found, and the rules with decisions; errors go to the reporter.
    """
    ctx = Context(
        program,
        reporter,
        players,
        dict(chosen),
        body_checker=_check_function_body,
        expression_type=expression_type,
    )
    deciding: set[object] = set()
    try:
        with deep_recursion():
            declare(ctx)
            _check_bodies(ctx)
            deciding = check_flow(ctx)
            check_questions(ctx, deciding)
            check_ghosts(ctx)
            check_given_calls(ctx, deciding)
    except Enough:
        pass
    except RecursionError:
        ctx.error(
            "E0108",
            "rules are defined through each other too many times",
            program.game.span,
            hint="some chain of constants or functions is thousands of steps long",
        )
    return ctx, deciding


def _check_function_body(ctx: Context, function: FunctionSymbol | MemberFunction) -> None:
    if isinstance(function, FunctionSymbol):
        check_function(ctx, function)
        return
    ctx.owner = function
    for value in (function.declaration.default, *function.bodies.values()):
        check_expression(
            ctx, params_scope((function.row, *function.params)), value, function.result
        )


def _check_bodies(ctx: Context) -> None:
    for symbol in list(ctx.globals.values()):
        match symbol:
            case FunctionSymbol():
                ctx.check_body(symbol)
            case RelationSymbol():
                check_relation(ctx, symbol)
            case ActionSymbol():
                check_action(ctx, symbol)
            case ProcedureSymbol():
                check_procedure(ctx, symbol)
    for table in ctx.tables.values():
        for member in table.functions.values():
            ctx.check_body(member)
        for procedure in table.procedures.values():
            ctx.owner = procedure
            params = (procedure.row, *procedure.params)
            check_contracts(ctx, params_scope(params), procedure.declaration)
            for block in (procedure.declaration.default, *procedure.bodies.values()):
                check_block(ctx, params_scope(params), block, Body("row"))
    _check_sections(ctx)
    check_decisions(ctx)
    for scoring in ctx.program.of(s.Scoring):
        check_scoring(ctx, scoring)
    for invariant in ctx.program.of(s.Invariant):
        check_invariant(ctx, invariant)
    _check_unique(ctx)
    waives = list(ctx.program.of(s.Waive))
    subjects = _waivable(ctx) if waives else set()
    for waive in waives:
        if waive.obligation.name not in OBLIGATIONS:
            ctx.error(
                "E0430",
                f"`{waive.obligation}` is not an obligation",
                waive.obligation.span,
                hint=did_you_mean(waive.obligation.name, OBLIGATIONS)
                or "one of: " + ", ".join(OBLIGATIONS),
            )
        if waive.subject.name not in subjects:
            ctx.error(
                "E0429",
                f"there is no rule `{waive.subject}` to waive this for",
                waive.subject.span,
                hint=did_you_mean(waive.subject.name, subjects),
            )
    known = dict.fromkeys((*ctx.known_names(), *ctx.all_player_names))
    for label in ctx.program.of(s.Label):
        if label.name.name not in known:
            ctx.error(
                "E0213",
                f"there is nothing called `{label.name}` to label",
                label.name.span,
                hint=did_you_mean(label.name.name, known),
            )
    for example in ctx.program.of(s.Example):
        if example_setting(ctx, example) == (ctx.players, ctx.chosen):
            _check_one_example(ctx, example)


def _check_one_example(ctx: Context, example: s.Example) -> None:
    """An example may be valid in its own game and meaningless under a variant."""
    before = set(ctx.reporter.found)
    check_example(ctx, example)
    if not ctx.program.variants or example.span.file in ctx.program.sources.variants:
        return
    title = quoted(example.title.value)
    hint = f"a variant changes this; `drop example {title}` there leaves it out"
    for key, found in ctx.reporter.found.items():
        if key not in before:  # a name like the one that the variant took away is not meant
            ctx.reporter.found[key] = evolve(found, hint=hint)


def _check_sections(ctx: Context) -> None:
    seen: dict[str, s.Section] = {}
    for section in ctx.program.of(s.Section):
        if section.kind in seen:
            ctx.error("E0202", f"there are two `{section.kind}` sections", section.span)
            continue
        seen[section.kind] = section
        ctx.owner = section
        check_block(ctx, params_scope(()), section.body, Body(section.kind))
    if "play" not in seen:
        ctx.error(
            "E0432",
            "the game has no `play` section",
            ctx.program.game.span,
            hint="it says how the game runs, from the first turn to the end",
        )
    scorings = list(ctx.program.of(s.Scoring))
    if not scorings:
        ctx.error("E0431", "the game has no `scoring` section", ctx.program.game.span)
    for extra in scorings[1:]:
        ctx.error("E0202", "there are two `scoring` sections", extra.span)


_DECISIONS = s.Choose | s.ChooseValue | s.ChooseSecretly | s.ChooseSubset


def _waivable(ctx: Context) -> set[str]:
    """The possible subjects of an obligation: everything in the game that has a name."""
    names = {*ctx.known_names(), "setup", "play", "scoring"}
    names |= {invariant.name.name for invariant in ctx.program.of(s.Invariant)}
    names |= {name for name, _ in _own_invariants(ctx)}
    for declaration in ctx.program.declarations:
        for node in walk(declaration):
            if isinstance(node, _DECISIONS) and node.label:
                names.add(node.label.name)
            elif isinstance(node, s.TableProcedure | s.TableFunction):
                names.add(node.name.name)
    return names


def _own_invariants(ctx: Context) -> list[tuple[str, Span]]:
    """The implicit invariants: those of orders and of pieces."""
    named: list[tuple[str, Span]] = []
    for symbol in ctx.globals.values():
        if isinstance(symbol, VarSymbol) and symbol.is_order:
            named.append((symbol.own_invariant, symbol.declaration.span))
        elif isinstance(symbol, PieceSymbol):
            named += [(name, symbol.declaration.span) for name in symbol.own_invariants]
    return named


def _check_unique(ctx: Context) -> None:
    """Report invariants that share a name, and examples that share a title."""
    named = _own_invariants(ctx)
    named += [(d.name.name, d.span) for d in ctx.program.of(s.Invariant)]
    titled = [(f"example {d.title.value}", d.span) for d in ctx.program.of(s.Example)]
    seen: dict[str, Span] = {}
    for name, span in (*named, *titled):
        if name in seen:
            what = f"`{name}`" if not name.startswith("example ") else "an example of this title"
            ctx.error(
                "E0202",
                f"{what} is declared twice",
                span,
                notes=[Note("declared here first", seen[name])],
            )
        seen.setdefault(name, span)


def example_setting(ctx: Context, example: s.Example) -> tuple[int, dict[str, OptionValue]]:
    """The number of players and the options that an example asks for."""
    low, high = ctx.program.player_range
    players = high
    chosen: dict[str, OptionValue] = {}
    options = {o.name.name: o for o in ctx.program.of(s.Option)}
    for name, option in options.items():
        chosen[name] = default_choice(option)
    for line in example.lines:
        match line:
            case s.ExamplePlayers(s.IntLit(count)) if low <= count <= high:
                players = count
            case s.ExamplePlayers(count):
                ctx.error("E0602", f"this game is for {low}..{high} players", count.span)
            case s.ExampleWith(ident, value):
                choice = options.get(ident.name)
                if choice is None:
                    ctx.error(
                        "E0212",
                        f"there is no option or ruling `{ident}`",
                        ident.span,
                        hint=did_you_mean(ident.name, options),
                    )
                    continue
                wanted: OptionValue = value.value
                if option_choices(choice) == (False, True):
                    wanted = {"true": True, "false": False}.get(str(wanted), wanted)
                if wanted not in option_choices(choice):
                    ctx.error(
                        "E0512",
                        f"`{ident}` cannot be `{value.value}`",
                        value.span,
                        hint="one of: " + ", ".join(shown(c) for c in option_choices(choice)),
                    )
                    continue
                chosen[ident.name] = wanted
    return players, chosen


def _checked(ctx: Context, deciding: set[object]) -> Checked:
    symbols = ctx.globals
    return Checked(
        players=ctx.players,
        player_type=ctx.player_type,
        options={n: x for n, x in symbols.items() if isinstance(x, OptionSymbol)},
        consts={n: x for n, x in symbols.items() if isinstance(x, ConstSymbol)},
        enums=dict(ctx.types),
        tables={t.name: t for t in ctx.tables.values()},
        goods=goods_of(ctx),
        variables={n: x for n, x in symbols.items() if isinstance(x, VarSymbol)},
        pools={n: x for n, x in symbols.items() if isinstance(x, PoolSymbol)},
        zones={n: x for n, x in symbols.items() if isinstance(x, ZoneSymbol)},
        pieces={n: x for n, x in symbols.items() if isinstance(x, PieceSymbol)},
        functions={n: x for n, x in symbols.items() if isinstance(x, FunctionSymbol)},
        relations={n: x for n, x in symbols.items() if isinstance(x, RelationSymbol)},
        actions={n: x for n, x in symbols.items() if isinstance(x, ActionSymbol)},
        procedures={n: x for n, x in symbols.items() if isinstance(x, ProcedureSymbol)},
        facts=ctx.facts,
        deciding=deciding,
        labels=ctx.program.labels,
    )
