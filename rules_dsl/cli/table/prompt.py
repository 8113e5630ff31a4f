"""Asking for a line: with history and completion at a terminal, echoed when input is piped."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.text import Text

from rules_dsl.language.user_cache import CacheSection

# Maximum length of a line: a device may send one without an end.
MAX_LINE = 10_000
_HISTORY = CacheSection("history", "history 1")


class Prompt:
    """Reads lines; `words` gives the possible completions."""

    def __init__(self, out: Console, words: Callable[[], list[str]]) -> None:
        self.out = out
        self.words = words
        self.readline: Any = None
        if sys.stdin.isatty() and sys.stdout.isatty():
            with contextlib.suppress(ImportError):
                import readline

                self.readline = readline
                self._set_up()

    def ask(self, question: Text) -> str | None:
        """The next line, or nothing at the end of the input."""
        if self.readline is not None:
            try:
                line = input(f"{question.plain} ")
            except EOFError:
                self.out.print()
                return None
            self._keep_history()
            return line.strip()
        self.out.print(question, end=" ")
        # Unlike input(), this asks for nothing on standard error and keeps the order of output.
        self.out.file.flush()
        line = sys.stdin.readline(MAX_LINE)
        if not line:
            self.out.print()
            return None
        if not sys.stdin.isatty():
            self.out.print(Text(line.rstrip("\n")))
        return line.strip()

    # ---- readline --------------------------------------------------------------------------------

    def _set_up(self) -> None:
        self.history = _HISTORY.folder()
        if self.history is not None:
            with contextlib.suppress(OSError):
                self.readline.read_history_file(str(self.history / "play"))
        self.readline.set_history_length(1000)
        self.readline.set_completer(self._complete)
        # A move has spaces in it: the whole line is one word.
        self.readline.set_completer_delims("")
        self.readline.parse_and_bind("tab: complete")

    def _complete(self, text: str, number: int) -> str | None:
        found = [word for word in self.words() if word.casefold().startswith(text.casefold())]
        return found[number] if number < len(found) else None

    def _keep_history(self) -> None:
        if self.history is not None:
            with contextlib.suppress(OSError):
                self.readline.write_history_file(str(self.history / "play"))
