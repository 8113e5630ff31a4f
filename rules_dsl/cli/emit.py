"""`rules compile`: the compiled code of a game."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TextIO

import click

from compiler import ir
from rules_dsl.cli.errors import BadInput
from rules_dsl.cli.game_argument import choice, game_options
from rules_dsl.language.files import text_file
from rules_dsl.language.program import Program

FORMATS = ("python", "c", "smt2", "ir")


@click.command("compile", short_help="Show the compiled code of a GAME.")
@click.argument("game")
@click.option("--emit", "emitted", type=click.Choice(FORMATS), default="python", show_default=True)
@click.option("-o", "--output", metavar="FILE", help="Write to a file instead of the terminal.")
@game_options
def compile_command(
    game: str,
    emitted: str,
    output: str | None,
    players: int | None,
    options: tuple[str, ...],
    variants: tuple[str, ...],
) -> None:
    """Compile a GAME and print the result: Python, C, SMT-LIB or the typed IR."""
    from compiler.pipeline import to_ir

    asked = choice(game, players, options, variants)
    program = asked.program()
    lines = _emitted(program, to_ir(program, *asked.configuration(program)), emitted)
    with _target(output) as file:
        # Large games have many obligations: finished ones are not kept in memory.
        for line in lines:
            file.write(f"{line}\n")


def _target(output: str | None) -> AbstractContextManager[TextIO]:
    return nullcontext(sys.stdout) if output is None else text_file(Path(output))


def _emitted(program: Program, module: ir.Module, emitted: str) -> Iterator[str]:
    if emitted == "python":
        from compiler.ghosts import without_ghosts
        from compiler.pipeline import to_python
        from compiler.python.annotated import annotated

        module = without_ghosts(module)
        yield from annotated(to_python(module), module, program.sources.texts)
    elif emitted == "c":
        from compiler.ghosts import without_ghosts
        from compiler.native.errors import UnsupportedError
        from compiler.pipeline import to_c

        try:
            yield to_c(without_ghosts(module)).removesuffix("\n")
        except UnsupportedError as error:
            raise BadInput(str(error)) from None
    elif emitted == "ir":
        from compiler.ir_text import module_text

        yield module_text(module).removesuffix("\n")
    elif emitted == "smt2":
        from verify.proof.smtlib import TooWideError, smt2_lines

        try:
            yield from smt2_lines(module)
        except TooWideError as error:
            raise BadInput(str(error)) from None
