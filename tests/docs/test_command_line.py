"""The command line reference names every command and every option."""

from __future__ import annotations

from pathlib import Path

import click

from rules_dsl.cli import rules

PAGE = Path(__file__).parents[2] / "docs" / "pages" / "reference" / "command_line.md"


def test_every_command_and_option_is_described() -> None:
    page = PAGE.read_text(encoding="utf-8")
    context = click.Context(rules)
    for name in rules.list_commands(context):
        assert f"## rules {name}" in page
        command = rules.get_command(context, name)
        assert command is not None
        if name in ("verify", "diff"):
            continue  # the verifier documents its own options
        for param in command.params:
            if isinstance(param, click.Option):
                assert any(f"`{option}" in page for option in param.opts), (name, param.opts)
