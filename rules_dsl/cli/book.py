"""`rules book`: a rulebook from the rules."""

from __future__ import annotations

from pathlib import Path

import click

from rules_dsl.book.chapters import Figure, chapters
from rules_dsl.book.formats import html, markdown
from rules_dsl.cli.errors import BadInput
from rules_dsl.cli.game_argument import choice, game_options, language_option
from rules_dsl.language.files import write_text


@click.command("book", short_help="Write a rulebook from the rules.")
@click.argument("game")
@click.option(
    "--output",
    "-o",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="HTML (.html) or Markdown (.md).",
)
@language_option
@game_options
def book_command(
    game: str,
    file: Path | None,
    language: str,
    players: int | None,
    options: tuple[str, ...],
    variants: tuple[str, ...],
) -> None:
    """Write an illustrated rulebook of a GAME: components, set-up, actions with what they need and
    do, scoring, rulings and examples, all read off the rules; what a variant changes is marked."""
    loaded = choice(game, players, options, variants).load()
    path = file or Path(f"{loaded.name}.html")
    if path.suffix not in (".html", ".md"):
        raise BadInput(f"'{path}' is neither HTML (.html) nor Markdown (.md)")
    found = chapters(loaded, language)
    text = loaded.origin.program().game.text
    title = text.said(language) if text else loaded.title
    if path.suffix == ".html":
        write_text(path, html(title, found, language))
    else:
        picture = path.with_name(f"{path.stem}_opening.svg")
        for block in found[0].blocks:
            if isinstance(block, Figure):
                write_text(picture, block.svg)
        write_text(path, markdown(title, found, picture.name))
    click.echo(f"written: {path} ({len(found)} chapters)")
