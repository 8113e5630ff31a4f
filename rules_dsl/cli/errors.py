"""The ends of a command other than success: bad input, a closed pipe, Ctrl-C, an internal error."""

from __future__ import annotations

import os
import signal
import sys
import textwrap
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager, suppress
from traceback import format_exception
from typing import NoReturn

import click

from rules_dsl.language.diagnostics import RuleError
from rules_dsl.language.options import OptionError

# Columns that output fits in.
WIDTH = 100
FINE, FAILED, BAD_INPUT, INTERRUPTED, TERMINATED = 0, 1, 2, 130, 143
# In the environment, so that worker processes know of it.
DEBUG = "RULES_DEBUG"


class BadInput(Exception):
    """A request that cannot be fulfilled; the message says why."""


@contextmanager
def bad_input_ends_here() -> Iterator[None]:
    """Turn the errors that bad input causes into a message and an exit code."""
    from compiler.runtime.backends import BackendError
    from compiler.runtime.fault import Fault
    from compiler.runtime.moves import IllegalMove
    from compiler.runtime.saving import DataError

    try:
        yield
        sys.stdout.flush()
    except RuleError as error:
        leave(error.render())
    except (BadInput, OptionError, DataError, IllegalMove, BackendError) as error:
        leave(_for_people(f"error: {error}"))
    except Fault as error:
        leave(_for_people(f"error: the rules do something impossible: {error}"), FAILED)
    except BrokenPipeError:
        leave_quietly()
    except BrokenExecutor:
        leave("error: worker processes are killed again and again; is there enough memory?")
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        leave(f"error: {place}{error.strerror or error}")
    except KeyboardInterrupt:
        leave("\ninterrupted", INTERRUPTED)
    except (click.exceptions.Exit, click.ClickException, click.Abort):
        raise
    except Exception as error:
        leave(unexpected(error))


def end_when_terminated() -> None:
    """Let SIGTERM end the program as an exit does: workers end, half-written files are removed."""
    with suppress(ValueError):  # only the main thread may say what a signal does
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))


def unexpected(error: Exception) -> str:
    """One line for an unexpected error, or its traceback on request."""
    if debugging():
        return "".join(format_exception(error)).rstrip()
    words = " ".join(str(error).split())[:200]
    what = f"{type(error).__name__}{f': {words}' if words else ''}"
    return f"error: the program failed ({what}); `rules --debug …` shows where"


def debugging() -> bool:
    """Whether tracebacks were asked for, with `rules --debug` or RULES_DEBUG=1."""
    return os.environ.get(DEBUG, "") not in ("", "0")


def _for_people(message: str) -> str:
    """A message folded for a terminal; programs search a pipe for whole sentences."""
    return folded(message) if sys.stderr.isatty() else message


def folded(message: str) -> str:
    """A message with lines of at most 100 columns, where it can be folded at blanks.

    >>> folded("a word " * 16).count("\\n")
    1
    """
    return "\n".join(
        textwrap.fill(line, WIDTH, subsequent_indent="  ", break_long_words=False,
                      break_on_hyphens=False)
        if len(line) > WIDTH else line
        for line in message.split("\n")
    )  # fmt: skip


def leave(message: str, code: int = BAD_INPUT) -> NoReturn:
    """Print a message on standard error and exit."""
    with suppress(OSError):  # where nothing can be printed, the exit code remains
        click.echo(message, err=True)
    raise click.exceptions.Exit(code)


def leave_quietly() -> NoReturn:
    """Exit after the reader of our output has closed it, which is not a failure."""
    # Buffered output must not fail again when Python shuts down.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise click.exceptions.Exit(FINE)
