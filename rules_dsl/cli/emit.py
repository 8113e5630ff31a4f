"""`rules compile`: what a game is compiled to."""

from __future__ import annotations

from pathlib import Path

import click

from compiler import ir
from rules_dsl.cli.errors import BadInput
from rules_dsl.cli.game_argument import choice, game_options

FORMATS = ("python", "c", "smt2", "ir")


@click.command("compile", short_help="Show what a GAME is compiled to.")
@click.argument("game")
@click.option("--emit", "form", type=click.Choice(FORMATS), default="python", show_default=True)
@click.option("-o", "--output", metavar="FILE", help="Write to a file instead of the terminal.")
@game_options
def compile_command(
    game: str, form: str, output: str | None, players: int | None, options: tuple[str, ...],
    variants: tuple[str, ...],
) -> None:  # fmt: skip
    """Compile a GAME and print the result: Python, C, SMT-LIB or the typed IR."""
    from compiler.pipeline import to_ir

    asked = choice(game, players, options, variants)
    program = asked.program()
    text = _emitted(to_ir(program, *asked.configuration(program)), form)
    if output is None:
        click.echo(text, nl=not text.endswith("\n"))
    else:
        Path(output).write_text(text, encoding="utf-8")


def _emitted(module: ir.Module, form: str) -> str:
    if form == "python":
        from compiler.pipeline import to_python

        return to_python(module).text
    if form == "ir":
        from compiler.ir_text import module_text

        return module_text(module)
    if form == "smt2":
        from verify.smt2 import TooWideError, module_smt2

        try:
            return module_smt2(module)
        except TooWideError as error:
            raise BadInput(str(error)) from None
    raise BadInput("this version does not have a C back end; it emits python, smt2 and ir")
