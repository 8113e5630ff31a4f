"""The command line: `rules`, also `python -m rules_dsl`."""

from __future__ import annotations

import gc
import os
import sys

import click

from rules_dsl.cli.commands import rules
from rules_dsl.cli.errors import FINE, INTERRUPTED, bad_input_ends_here, end_when_terminated


def main() -> None:
    """Run the command line; see `errors` for the exit codes."""
    # Rules and formulas are many small objects that stay; searching them for garbage after
    # every few hundred new ones takes a tenth of the time of a check.
    gc.set_threshold(200_000, 30, 30)
    end_when_terminated()
    # Processes that this one starts import nothing from the working folder, which may hold the
    # files of strangers. Workers get the search path of this process besides.
    os.environ.setdefault("PYTHONSAFEPATH", "1")
    try:
        with bad_input_ends_here():
            code = rules.main(prog_name="rules", standalone_mode=False)
    except click.exceptions.Exit as error:
        code = error.exit_code
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except click.Abort:
        code = INTERRUPTED
    sys.exit(code if isinstance(code, int) else FINE)


__all__ = ["main", "rules"]
