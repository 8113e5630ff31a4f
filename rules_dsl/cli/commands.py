"""The command `rules` and its subcommands."""

from __future__ import annotations

import os

import click

from rules_dsl import __version__
from rules_dsl.cli.errors import DEBUG
from rules_dsl.cli.group import RulesGroup

COMMANDS = {
    "list": "rules_dsl.cli.list_games:list_command",
    "check": "rules_dsl.cli.check:check_command",
    "fmt": "rules_dsl.cli.fmt:fmt_command",
    "show": "rules_dsl.cli.show:show_command",
    "play": "rules_dsl.cli.play:play_command",
    "simulate": "rules_dsl.cli.simulate:simulate_command",
    "verify": "rules_dsl.cli.verify:verify",
    "diff": "rules_dsl.cli.verify:diff",
    "compare": "rules_dsl.cli.compare:compare_command",
    "book": "rules_dsl.cli.book:book_command",
    "explain": "rules_dsl.cli.explain:explain_command",
    "new": "rules_dsl.cli.new:new_group",
    "trace": "rules_dsl.cli.trace:trace_command",
    "compile": "rules_dsl.cli.emit:compile_command",
    "bench": "rules_dsl.cli.bench:bench_command",
    "lsp": "rules_dsl.cli.lsp:lsp_command",
    "serve": "rules_dsl.cli.serve:serve_command",
}


@click.group(
    cls=RulesGroup,
    commands_at=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="rules")
@click.option("--debug", is_flag=True, help="Show the traceback of an unexpected error.")
def rules(debug: bool) -> None:
    """Board games written as formal rules: check, play, simulate and prove them.

    A GAME is the name of a shipped game, a rule file, or either with options:
    tikal@edition=2018,auction=true; where a value names its option, tikal@2018 is enough.

    Exits with 0 on success, 1 if a check failed, 2 for bad input, 3 if the verifier contradicts
    itself, 130 if interrupted.
    """
    if debug:
        os.environ[DEBUG] = "1"
