"""The flow of a game: its decisions, and the termination of loops and recursion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.context import Context
from rules_dsl.language.spans import Span
from rules_dsl.language.symbols import (
    ActionSymbol,
    FunctionSymbol,
    MemberFunction,
    MemberProcedure,
    ProcedureSymbol,
    RelationSymbol,
)


def check_flow(ctx: Context) -> set[object]:
    """Report endless rules; returns the rules that contain decisions."""
    deciding = _deciding(ctx)
    _check_recursion(ctx, deciding)
    for owner, block in _bodies(ctx):
        _check_loops(ctx, block, deciding, owner)
    return deciding


def _deciding(ctx: Context) -> set[object]:
    deciding = set(ctx.direct)
    changed = True
    while changed:
        changed = False
        for owner, callees in ctx.calls.items():
            if owner not in deciding and callees & deciding:
                deciding.add(owner)
                changed = True
    return deciding


def _name(rule: object) -> tuple[str, Span]:
    if isinstance(rule, FunctionSymbol | RelationSymbol | ProcedureSymbol | ActionSymbol):
        return rule.name, rule.declaration.span
    assert isinstance(rule, MemberFunction | MemberProcedure)
    return rule.name, rule.declaration.span


def _check_recursion(ctx: Context, deciding: set[object]) -> None:
    for component in strong_components(ctx.calls):
        head = component[0]
        if len(component) == 1 and head not in ctx.calls.get(head, set()):
            continue
        for rule in component:
            if isinstance(rule, FunctionSymbol | MemberFunction | RelationSymbol):
                name, span = _name(rule)
                what = "relation" if isinstance(rule, RelationSymbol) else "function"
                ctx.error(
                    "E0403",
                    f"the {what} `{name}` uses itself",
                    span,
                    hint=f"{what}s cannot be recursive",
                )
                break
        else:
            measured = [
                r
                for r in component
                if isinstance(r, ProcedureSymbol | MemberProcedure) and r.declaration.decreases
            ]
            if not measured:
                rule = next((r for r in component if isinstance(r, ProcedureSymbol)), head)
                name, span = _name(rule)
                ctx.error(
                    "E0403",
                    f"`{name}` leads back to itself",
                    span,
                    hint="say what gets smaller: `decreases …` below the procedure's first line",
                )
            elif not any(r in deciding for r in component):
                name, span = _name(measured[0])
                ctx.error(
                    "E0403",
                    f"`{name}` leads back to itself without a decision",
                    span,
                    hint="use `for`",
                )


def strong_components(graph: dict[object, set[object]]) -> list[list[object]]:
    """The groups of rules that lead to each other (Tarjan, without recursion)."""
    index: dict[object, int] = {}
    low: dict[object, int] = {}
    on_stack: set[object] = set()
    stack: list[object] = []
    found: list[list[object]] = []
    for root in list(graph):
        if root in index:
            continue
        work = [(root, iter(sorted(graph.get(root, set()), key=id)))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, rest = work[-1]
            for child in rest:
                if child not in index:
                    index[child] = low[child] = len(index)
                    stack.append(child)
                    on_stack.add(child)
                    work.append((child, iter(sorted(graph.get(child, set()), key=id))))
                    break
                if child in on_stack:
                    low[node] = min(low[node], index[child])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component = []
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        component.append(member)
                        if member is node:
                            break
                    found.append(component)
    return found


def _bodies(ctx: Context) -> list[tuple[object, s.Block]]:
    bodies: list[tuple[object, s.Block]] = [
        (symbol, symbol.declaration.body)
        for symbol in ctx.globals.values()
        if isinstance(symbol, ProcedureSymbol | ActionSymbol)
    ]
    for table in ctx.tables.values():
        for member in table.procedures.values():
            bodies.append((member, member.declaration.default))
            bodies += [(member, body) for body in member.bodies.values()]
    bodies += [(section, section.body) for section in ctx.program.of(s.Section)]
    return bodies


def _check_loops(ctx: Context, block: s.Block, deciding: set[object], owner: object) -> None:
    for statement in block:
        match statement:
            case s.While():
                if not contains_decision(ctx, statement.body, deciding):
                    ctx.error(
                        "E0433",
                        "there is no decision in this loop",
                        statement.span,
                        hint="`while` is for loops with decisions; use `for`",
                    )
                elif not statement.measure and statement.endless is None:
                    ctx.error(
                        "E0401",
                        "a loop needs a measure that decreases",
                        statement.span,
                        hint="`while … decreases 27 - day`, or, if the rules set no limit: "
                        '`while … without end "why"`',
                    )
                _check_loops(ctx, statement.body, deciding, owner)
            case s.For():
                _check_loops(ctx, statement.body, deciding, owner)
            case s.Together():
                _check_together(ctx, statement, deciding)
                _check_loops(ctx, statement.body, deciding, owner)
                _check_loops(ctx, statement.otherwise, deciding, owner)
            case s.If():
                for _, body in statement.branches:
                    _check_loops(ctx, body, deciding, owner)
                _check_loops(ctx, statement.otherwise, deciding, owner)


def _check_together(ctx: Context, region: s.Together, deciding: set[object]) -> None:
    """Choices made together are written in one place, and only players decide there."""
    if not contains_decision(ctx, region.body, deciding):
        ctx.error(
            "E0442",
            "there is nothing to choose here",
            region.span,
            hint="`together` is for choices that must all be possible",
        )
    for node in _inside(region.body):
        found = _alien(ctx, node, deciding)
        if found:
            ctx.error(
                "E0442",
                f"{found} cannot stand in `together`",
                node.span,
                hint="it holds choices of players and their immediate effects",
            )


def _inside(block: s.Block) -> Iterator[s.Statement]:
    """All statements of a block, also those in others."""
    for statement in block:
        yield statement
        match statement:
            case s.If():
                for _, body in statement.branches:
                    yield from _inside(body)
                yield from _inside(statement.otherwise)
            case s.For() | s.While():
                yield from _inside(statement.body)


def _alien(ctx: Context, node: s.Statement, deciding: set[object]) -> str:
    """The name of a statement that choices made together cannot contain."""
    match node:
        case s.DrawIn() | s.DrawFrom():
            return "chance"
        case s.ChooseSecretly() | s.SecretBlock():
            return "a choice of several players"
        case s.Together():
            return "another `together`"
        case s.End() | s.Return():
            return f"`{'end' if isinstance(node, s.End) else 'return'}`"
        case s.CallStatement(call):
            assert isinstance(call, s.Call)
            if ctx.facts.refs.get(call.function) in deciding:
                return "a procedure with decisions in it"
        case s.Choose():
            if any(ctx.facts.refs.get(option) in deciding for option in node.options):
                return "an action with decisions in it"
    return ""


def leading_together(
    refs: Mapping[s.Node, object], effects: s.Block, deciding: set[object]
) -> s.Together | None:
    """The choices with which an action begins, if they must be made together or not at all."""
    for statement in effects:
        if isinstance(statement, s.Together):
            return None if statement.otherwise else statement
        if decides(refs, statement, deciding):
            return None
    return None


def contains_decision(ctx: Context, block: s.Block, deciding: set[object]) -> bool:
    """Whether these statements contain a decision."""
    return any(decides(ctx.facts.refs, statement, deciding) for statement in block)


def decides(refs: Mapping[s.Node, object], statement: s.Statement, deciding: set[object]) -> bool:
    """Whether this statement cuts the course of the game.

    It does where a player or chance decides, at the end of the game, and in every round of a loop
    that keeps something.
    """
    match statement:
        case s.For() if statement.keeps:
            return True
        case s.Choose() | s.ChooseValue() | s.ChooseSecretly() | s.ChooseSubset():
            return True
        case s.DrawIn() | s.DrawFrom():
            return True
        case s.End() | s.SecretBlock() | s.Together():
            return True
        case s.CallStatement(call):
            assert isinstance(call, s.Call)
            return refs.get(call.function) in deciding
        case s.If():
            blocks = [body for _, body in statement.branches] + [statement.otherwise]
        case s.For() | s.While():
            blocks = [statement.body]
        case _:
            return False
    return any(decides(refs, inner, deciding) for block in blocks for inner in block)
