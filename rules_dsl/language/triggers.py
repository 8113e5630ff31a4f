"""Expands `procedure built(p: Player, b: Building) whenever build`: to calls after an action.

They follow all other effects of the action: first the procedures of tables, in the order
of the tables and of their rows, then the others; each in the order of the files, variants last.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import evolve

from rules_dsl.language import syntax as s
from rules_dsl.language.diagnostics import Reporter, did_you_mean, its_parameters
from rules_dsl.language.spans import Span

if TYPE_CHECKING:
    from rules_dsl.language.program import Program

Trigger = s.Procedure | s.TableProcedure


def expand_triggers(program: Program, reporter: Reporter) -> None:
    """Add the calls of triggers to actions."""
    actions = {action.name.name: action for action in program.of(s.Action)}
    calls: dict[str, list[s.Statement]] = {}
    for table, trigger in _triggers(program):
        assert trigger.whenever is not None
        action = actions.get(trigger.whenever.name)
        if action is None:
            if "action" in program.unread:
                continue
            reporter.error(
                "E0210",
                f"there is no action `{trigger.whenever}`",
                trigger.whenever.span,
                hint=_what_it_is(program, trigger) or did_you_mean(trigger.whenever.name, actions),
            )
        elif _fits(trigger, action, reporter):
            found = calls.setdefault(action.name.name, [])
            found += _calls(table, trigger, action)
    program.declarations[:] = [
        evolve(d, body=(*d.body, *calls[d.name.name]))
        if isinstance(d, s.Action) and actions.get(d.name.name) is d and d.name.name in calls
        else d
        for d in program.declarations
    ]


def _triggers(program: Program) -> Iterator[tuple[s.Table | None, Trigger]]:
    for table in program.of(s.Table):
        yield from ((table, p) for p in table.procedures if p.whenever is not None)
    yield from ((None, p) for p in program.of(s.Procedure) if p.whenever is not None)


def _fits(trigger: Trigger, action: s.Action, reporter: Reporter) -> bool:
    """Whether an action fits the parameters of a trigger; errors go to the reporter."""
    assert trigger.whenever is not None
    if not trigger.params:
        reporter.error(
            "E0302",
            f"`{trigger.name}` needs a parameter for the player who does `{action.name}`",
            trigger.name.span,
            hint=f"`procedure {trigger.name}({action.actor}: Player) whenever {action.name}`",
        )
        return False
    known = [param.name.name for param in action.params]
    for param in trigger.params[1:]:
        if param.name.name not in known:
            reporter.error(
                "E0302",
                f"the action `{action.name}` has no parameter `{param.name}`",
                param.name.span,
                hint=did_you_mean(param.name.name, known) or its_parameters(known),
            )
            return False
    left = next((part for part in _parts(action.body) if isinstance(part, s.Return)), None)
    if left is not None:
        reporter.error(
            "E0447",
            f"`return` leaves `{action.name}` before `{trigger.name}` is carried out",
            left.span,
            hint="use `if … else`, or move the statements into a procedure",
        )
    return left is None


def _what_it_is(program: Program, trigger: Trigger) -> str:
    """A hint for a name that belongs to something else than an action."""
    assert trigger.whenever is not None
    name = trigger.whenever.name
    if any(procedure.name.name == name for procedure in program.of(s.Procedure)):
        return f"`{name}` is a procedure: call `{trigger.name}` in it"
    if any(choice.label and choice.label.name == name for choice in _choices(program)):
        return f"a chosen value sets off nothing: call `{trigger.name}` below the choice"
    return ""


def _choices(program: Program) -> Iterator[s.ChooseValue]:
    for declaration in program.declarations:
        yield from (node for node in _parts(declaration) if isinstance(node, s.ChooseValue))


def _parts(node: object) -> Iterator[s.Node]:
    from rules_dsl.language.program import walk

    return walk(node)


def _calls(table: s.Table | None, trigger: Trigger, action: s.Action) -> Iterator[s.Statement]:
    """The calls of a procedure, or for the rows of a table."""
    assert trigger.whenever is not None
    span = trigger.whenever.span
    if table is None:
        yield _call(s.Name(trigger.name.name, span=span), trigger, action)
        return
    rows = [row for row in table.rows if any(b.name.name == trigger.name.name for b in row.bodies)]
    assert isinstance(trigger, s.TableProcedure)
    if trigger.default or any(row.seat or row.copies for row in rows):
        each = s.Ident(_unused(f"each_{table.name}", action), span=span)
        domain = s.Domain(s.Name(table.name.name, span=span), span=span)
        body = _call(
            _member(s.Name(each.name, span=span), trigger.name.name, span), trigger, action
        )
        binder = s.Binder(each, domain, span=span)
        yield s.For(binder, None, None, (), (body,), span=span)
        return
    for row in rows:
        # Rows that do nothing are not asked.
        there = _member(s.Name(table.name.name, span=span), row.name.name, span)
        yield _call(_member(there, trigger.name.name, span), trigger, action)


def _call(function: s.Expr, trigger: Trigger, action: s.Action) -> s.Statement:
    assert trigger.whenever is not None
    span = trigger.whenever.span
    names = [action.actor.name, *(param.name.name for param in trigger.params[1:])]
    args = tuple(s.Name(name, span=span) for name in names)
    return s.CallStatement(s.Call(function, args, span=span), span=span)


def _member(base: s.Expr, name: str, span: Span) -> s.Attribute:
    return s.Attribute(base, s.Ident(name, span=span), span=span)


def _unused(name: str, action: s.Action) -> str:
    """A name that an action does not use."""
    names = {part.name for part in _parts(action) if isinstance(part, s.Name | s.Ident)}
    while name in names:
        name += "_"
    return name
