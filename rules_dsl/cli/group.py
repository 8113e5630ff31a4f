"""A group of commands that are imported when they are asked for."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping
from typing import Any

import click

from rules_dsl.cli.errors import bad_input_ends_here


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
        return [name for name in self.commands_at if self._is_there(name)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with a name; a command of another version is a usage error."""
        place = self.commands_at.get(cmd_name)
        if place is None:
            return None
        if not self._is_there(cmd_name):
            raise click.UsageError(f"this version has no `rules {cmd_name}`", ctx)
        module, _, attribute = place.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; bad input ends with a message, not with a traceback."""
        with bad_input_ends_here():
            return super().invoke(ctx)

    def _is_there(self, name: str) -> bool:
        module = self.commands_at[name].partition(":")[0]
        try:
            return importlib.util.find_spec(module) is not None
        except ModuleNotFoundError:
            return False
