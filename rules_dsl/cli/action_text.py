"""Actions and other rules in a line or two, for people."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.layout import flat
from rules_dsl.language.outline import OutlineEntry, cites_text
from rules_dsl.language.printer import expression_text, type_text
from rules_dsl.language.printer.expressions import domain_doc


def params_text(params: tuple[s.Param, ...]) -> str:
    """Parameters as declared, in parentheses; nothing if there are none."""
    shown = []
    for param in params:
        if param.type is not None:
            shown.append(f"{param.name}: {type_text(param.type)}")
        elif param.domain is not None:
            shown.append(f"{param.name} in {flat(domain_doc(param.domain))}")
    return f"({', '.join(shown)})" if shown else ""


def action_lines(action: s.Action) -> list[str]:
    """An action: its head with notation and cites, then a line for each requirement."""
    head = f"{action.name}{params_text(action.params)} by {action.actor}"
    if action.text is not None:
        head += f' "{action.text.value}"'
    lines = [f"{head} {cites_text(action.cites)}".rstrip()]
    for line in action.body:
        match line:
            case s.Let(name, value):
                lines.append(f"with {name} = {expression_text(value)}")
            case s.Require(condition, reason, cites, exceptions):
                refusal = f', else "{reason.value}"' if reason is not None else ""
                text = f"needs {expression_text(condition)}{refusal} {cites_text(cites)}".rstrip()
                for label, when in exceptions:
                    text += f'; except "{label}" when {expression_text(when)}'
                lines.append(text)
            case _:
                break
    return lines


def notation(entry: OutlineEntry) -> str:
    """The name of a rule with its parameters."""
    if isinstance(entry.node, s.Procedure | s.Function):
        return f"{entry.name}{params_text(entry.node.params)}"
    return entry.name
