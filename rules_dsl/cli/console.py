"""Consoles for output: at most 100 columns, plain when it is piped."""

from __future__ import annotations

import io
import re
import shutil
import sys
from collections.abc import Iterable
from typing import NoReturn, TextIO

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from rules_dsl.cli.errors import WIDTH, leave_quietly


class _Trimmed(io.StringIO):
    """Standard output without the blanks that fill up lines."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self.stream = stream

    def write(self, text: str) -> int:
        self.stream.write(re.sub(r"[ ]+(?=\n)", "", text))
        return len(text)

    def flush(self) -> None:
        self.stream.flush()


class _Console(Console):
    def on_broken_pipe(self) -> NoReturn:
        leave_quietly()


def console(stderr: bool = False) -> Console:
    """A console for output (or for messages, on standard error)."""
    stream = sys.stderr if stderr else sys.stdout
    if stream.isatty():
        width = min(WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns)
        return _Console(file=stream, width=width, highlight=False, emoji=False, markup=False)
    return _Console(
        file=_Trimmed(stream),
        width=WIDTH,
        highlight=False,
        emoji=False,
        markup=False,
        color_system=None,
        force_terminal=False,
    )


def heading(text: str) -> Text:
    """A heading of a section."""
    return Text(text, style="bold cyan")


def plain_table(
    *columns: str,
    rows: Iterable[tuple[RenderableType, ...]] = (),
    headed: bool = True,
    right: Iterable[int] = (),
) -> Table:
    """A table without lines; `right` are the columns of numbers."""
    table = Table(
        box=None, show_header=headed, header_style="dim", pad_edge=False, padding=(0, 2, 0, 0)
    )
    numbers = set(right)
    for number, name in enumerate(columns):
        table.add_column(name, justify="right" if number in numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table
