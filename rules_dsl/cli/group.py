"""A group of commands that are imported on first use."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping
from typing import Any

import click

from rules_dsl.cli.errors import bad_input_ends_here
from rules_dsl.cli.streams import make_streams_safe


class RulesGroup(click.Group):
    """Commands by name and place ("module:attribute").

    A command whose module is not there belongs to another version: it is not listed, and asking for
    it is an error that says so.
    """

    def __init__(self, *args: Any, commands_at: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.commands_at = dict(commands_at)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands that this version has."""
        return [name for name in self.commands_at if self._find(name) is not None]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with a name; a command of another version is a usage error."""
        if cmd_name not in self.commands_at:
            return None
        command = self._find(cmd_name)
        if command is None:
            raise click.UsageError(f"this version has no `rules {cmd_name}`", ctx)
        return command

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line; a name that the terminal cannot print is not an error."""
        make_streams_safe()
        return super().main(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; bad input ends with a message, not with a traceback."""
        with bad_input_ends_here():
            return super().invoke(ctx)

    def _find(self, name: str) -> click.Command | None:
        module, _, attribute = self.commands_at[name].partition(":")
        if importlib.util.find_spec(module) is None:
            return None
        command = getattr(importlib.import_module(module), attribute, None)
        return command if isinstance(command, click.Command) else None
