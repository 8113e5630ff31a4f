"""`rules fmt`: the canonical layout of rule files."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rules_dsl.cli.errors import BAD_INPUT, FAILED
from rules_dsl.language.diagnostics import RuleError
from rules_dsl.language.files import write_text
from rules_dsl.language.sources import MAX_READ, decoded, display_path, read


@click.command("fmt", short_help="Bring rule files into the canonical layout.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--check", is_flag=True, help="Change nothing; fail if a file would change.")
def fmt_command(files: tuple[str, ...], check: bool) -> None:
    """Bring rule files into the canonical layout. `-` formats standard input."""
    from rules_dsl.language.formatter import LayoutError, format_text

    different = 0
    bad = 0
    for name in files:
        path = Path(name)
        shown = "<stdin>" if name == "-" else display_path(path)
        try:
            text = (
                decoded(sys.stdin.buffer.read(MAX_READ + 1), shown) if name == "-" else read(path)
            )
            formatted = format_text(text, shown)
        except RuleError as error:
            click.echo(error.render(), err=True)
            bad += 1
            continue
        except LayoutError as error:
            click.echo(f"error: {error}; it was left as it is", err=True)
            bad += 1
            continue
        changed = formatted != text
        different += changed
        if check:
            if changed:
                click.echo(f"would change {shown}")
        elif name == "-":
            # As UTF-8, like the input, regardless of the terminal's encoding.
            click.echo(formatted.encode(), nl=False)
        elif changed:
            write_text(path, formatted)
            click.echo(f"formatted {shown}")
    if bad:
        raise click.exceptions.Exit(BAD_INPUT)
    if check and different:
        raise click.exceptions.Exit(FAILED)
