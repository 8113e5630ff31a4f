"""`rules explain`: the meaning of an error code, or the requirements of an action."""

from __future__ import annotations

import json
import re
import textwrap

import click
from attrs import asdict
from rich.padding import Padding
from rich.text import Text

from rules_dsl.cli.action_text import action_lines
from rules_dsl.cli.console import console, heading
from rules_dsl.cli.errors import BadInput
from rules_dsl.cli.game_argument import choice, game_options, json_option
from rules_dsl.language import syntax as s
from rules_dsl.language.diagnostics import did_you_mean
from rules_dsl.language.outline import cites_text
from rules_dsl.language.printer import declaration_text

_CODE = re.compile(r"^[EW]\d{1,4}$", re.IGNORECASE)


@click.command("explain", short_help="Explain an error CODE, or the ACTIONs of a GAME.")
@click.argument("subject", metavar="CODE|GAME")
@click.argument("actions", nargs=-1, metavar="[ACTION...]")
@game_options
@json_option
def explain_command(
    subject: str,
    actions: tuple[str, ...],
    players: int | None,
    options: tuple[str, ...],
    variants: tuple[str, ...],
    as_json: bool,
) -> None:
    """Explain an error CODE (`rules explain E0201`), or the ACTIONs of a GAME.

    For an action: what it needs, why it is refused, where the rule comes from. Without an ACTION,
    the actions of the game are listed.
    """
    if _CODE.match(subject):
        _explain_code(subject.upper(), as_json)
        return
    asked = choice(subject, players, options, variants)
    program = asked.program()
    asked.configuration(program)
    known = {action.name.name: action for action in program.of(s.Action)}
    if not actions:
        for name in known:
            click.echo(name)
        return
    chosen = [_find(known, name) for name in actions]
    if as_json:
        click.echo(
            json.dumps([_as_json(action) for action in chosen], indent=1, ensure_ascii=False)
        )
        return
    for action in chosen:
        _print(action)


def _explain_code(code: str, as_json: bool) -> None:
    from rules_dsl.language.codes import explanation

    try:
        found = explanation(code)
    except KeyError:
        raise BadInput(f"there is no error code {code}") from None
    if as_json:
        click.echo(json.dumps(asdict(found), indent=1, ensure_ascii=False))
        return
    out = console()
    out.print(heading(f"{found.code}: {found.title}"))
    out.print(Text(found.text))
    for title, text in (("Wrong", found.wrong), ("Right", found.right)):
        if text:
            out.print()
            out.print(Text(f"{title}:", style="dim"))
            out.print(Text(textwrap.indent(text, "    ")), soft_wrap=True)


def _find(known: dict[str, s.Action], name: str) -> s.Action:
    if name not in known:
        hint = did_you_mean(name, known) or f"there are: {', '.join(known) or 'none'}"
        raise BadInput(f"there is no action `{name}`; {hint}")
    return known[name]


def _print(action: s.Action) -> None:
    out = console()
    first, *needs = action_lines(action)
    out.print(heading(first))
    for line in needs:
        out.print(Padding(Text(line), (0, 0, 0, 4)))
    if not needs:
        out.print(Padding(Text("needs nothing"), (0, 0, 0, 4)))
    out.print()
    out.print(Text(f"# {action.span.file}:{action.span.line}", style="dim"))
    out.print(Text(declaration_text(action)), soft_wrap=True)


def _as_json(action: s.Action) -> dict[str, object]:
    return {
        "action": action.name.name,
        "cites": [str(cite) for cite in action.cites],
        "needs": [
            {
                "text": line.reason.value if line.reason is not None else "",
                "cites": cites_text(line.cites),
                "place": str(line.span),
            }
            for line in action.body
            if isinstance(line, s.Require)
        ],
        "place": str(action.span),
        "source": declaration_text(action),
    }
