"""Variants that change choices: options that a decision offers besides, or no longer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rules_dsl.language import syntax as s
from rules_dsl.language.diagnostics import did_you_mean

if TYPE_CHECKING:
    from rules_dsl.language.variants import Applier

# A rule that may have choices.
_Holder = s.Procedure | s.Action | s.Section


def change_choice(
    applier: Applier,
    procedure: s.Ident,
    label: s.Ident,
    item: s.AddOption | s.DropOption,
    option: s.Ident,
) -> None:
    """Add an option to a named choice, or drop one."""
    holder = _holder(applier, procedure)
    if holder is None:
        return
    index, declaration = holder
    if not applier.touch(
        f"choice {procedure}.{label} {option}", item.span, f"`{option}` in `{label}`"
    ):
        return
    found: list[s.Choose] = []
    body = _map_chooses(declaration.body, label.name, item, found)
    if not found:
        applier.reporter.error(
            "E0515", f"`{procedure}` has no choice `{label}`", label.span,
            hint=did_you_mean(label.name, _choice_labels(declaration))
            or "a choice is named by `as`: `choose p as main: …`",
        )  # fmt: skip
        return
    if isinstance(item, s.DropOption):
        names = [o.name.name for c in found for o in c.options]
        if option.name not in names:
            applier.reporter.error(
                "E0515", f"the choice `{label}` does not offer `{option}`", option.span,
                hint=did_you_mean(option.name, names),
            )  # fmt: skip
            return
    applier.program.declarations[index] = attrs.evolve(declaration, body=body)
    applier.program.touched[f"{procedure}.{label}"] = "options changed"


def _holder(applier: Applier, ident: s.Ident) -> tuple[int, _Holder] | None:
    """The procedure, action or section that a variant names, with its place."""
    names = []
    for index, declaration in enumerate(applier.program.declarations):
        if isinstance(declaration, _Holder):
            name = _name_of(declaration)
            names.append(name)
            if name == ident.name:
                return index, declaration
    applier.reporter.error(
        "E0511", f"the game has no procedure or action `{ident.name}`", ident.span,
        hint=did_you_mean(ident.name, names),
    )  # fmt: skip
    return None


def _name_of(holder: _Holder) -> str:
    return holder.kind if isinstance(holder, s.Section) else holder.name.name


def _choice_labels(declaration: s.Declaration) -> list[str]:
    from rules_dsl.language.program import walk

    return [n.label.name for n in walk(declaration) if isinstance(n, s.Choose) and n.label]


def _map_chooses(
    block: s.Block, label: str, item: s.AddOption | s.DropOption, found: list[s.Choose]
) -> s.Block:
    """The block with the named choice changed."""
    result: list[s.Statement] = []
    for statement in block:
        match statement:
            case s.Choose() if statement.label is not None and statement.label.name == label:
                found.append(statement)
                if isinstance(item, s.AddOption):
                    options = (*statement.options, item.option)
                else:
                    options = tuple(o for o in statement.options if o.name.name != item.option.name)
                result.append(attrs.evolve(statement, options=options))
            case s.If():
                branches = tuple(
                    (condition, _map_chooses(body, label, item, found))
                    for condition, body in statement.branches
                )
                otherwise = _map_chooses(statement.otherwise, label, item, found)
                result.append(attrs.evolve(statement, branches=branches, otherwise=otherwise))
            case s.Together():
                body = _map_chooses(statement.body, label, item, found)
                otherwise = _map_chooses(statement.otherwise, label, item, found)
                result.append(attrs.evolve(statement, body=body, otherwise=otherwise))
            case s.For() | s.While() | s.SecretBlock():
                body = _map_chooses(statement.body, label, item, found)
                result.append(attrs.evolve(statement, body=body))
            case _:
                result.append(statement)
    return tuple(result)
