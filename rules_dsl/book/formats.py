"""A rulebook as Markdown, or as one HTML page with its pictures inside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import assert_never

from compiler.runtime.html import markdown_text
from rules_dsl.book.chapters import (
    INSIDE,
    Block,
    Chapter,
    Figure,
    Grid,
    Heading,
    Items,
    Paragraph,
)
from rules_dsl.book.words import WORDS

STYLE = (
    "body{font-family:Georgia,serif;max-width:52em;margin:2em auto;padding:0 1em;line-height:1.5}"
    "h1,h2,h3{font-family:sans-serif}h2{border-bottom:2px solid #b9a877;margin-top:2em}"
    "table{border-collapse:collapse;font-size:.9em}td,th{border:1px solid #d9d2c3;"
    "padding:.2em .6em;text-align:left}mark{background:#fbe6a2;padding:0 .4em;font-size:.8em}"
    "code{font-size:.9em}svg{max-width:100%;height:auto}figure{margin:1em 0}"
    "figcaption{color:#666}@media print{h2{break-before:page}}"
)


def html(title: str, chapters: list[Chapter], language: str) -> str:
    """The book as a complete page."""
    contents = "".join(
        f"<li><a href='#c{k}'>{escape(c.title)}</a></li>" for k, c in enumerate(chapters, 1)
    )
    body = "".join(
        f"<h2 id='c{k}'>{k}. {escape(c.title)}</h2>" + "".join(map(_html, c.blocks))
        for k, c in enumerate(chapters, 1)
    )
    return (
        f"<!doctype html><html lang='{language}'><meta charset='utf-8'>"
        f"<title>{escape(title)}</title><style>{STYLE}</style><h1>{escape(title)}</h1>"
        f"<nav><h3>{WORDS[language]['contents']}</h3><ol>{contents}</ol></nav>{body}</html>\n"
    )


def _html(block: Block) -> str:
    match block:
        case Paragraph(text):
            return f"<p>{_inline(text)}</p>"
        case Items(items):
            return "<ul>" + "".join(map(_item, items)) + "</ul>"
        case Grid(head, rows):
            first = "".join(f"<th>{escape(cell)}</th>" for cell in head)
            rest = "".join(
                "<tr>" + "".join(f"<td>{_inline(cell)}</td>" for cell in row) + "</tr>"
                for row in rows
            )
            return f"<table><tr>{first}</tr>{rest}</table>"
        case Figure(svg, caption):
            return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"
        case Heading(text, mark):
            marked = f" <mark>{escape(mark)}</mark>" if mark else ""
            return f"<h3>{_inline(text)}{marked}</h3>"
        case _:
            assert_never(block)


def _item(item: str) -> str:
    """A line of a list; nested effects are indented."""
    inside = item.count(INSIDE)
    style = f" style='margin-left:{1.5 * inside}em'" if inside else ""
    return f"<li{style}>{_inline(item[inside * len(INSIDE) :])}</li>"


def _inline(text: str) -> str:
    """Text with `code` in it."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text))


def markdown(title: str, chapters: list[Chapter], picture: str) -> str:
    """The book as Markdown; `picture` is the address of its drawing."""
    lines = [f"# {markdown_text(title)}", ""]
    for number, chapter in enumerate(chapters, 1):
        lines += [f"## {number}. {markdown_text(chapter.title)}", ""]
        for block in chapter.blocks:
            lines += [*_markdown(block, picture), ""]
    return "\n".join(lines).rstrip() + "\n"


def _markdown(block: Block, picture: str) -> Iterator[str]:
    match block:
        case Paragraph(text):
            yield markdown_text(text)
        case Items(items):
            for item in items:
                inside = item.count(INSIDE)
                yield f"{'    ' * inside}- {markdown_text(item[inside * len(INSIDE) :])}"
        case Grid(head, rows):
            yield f"| {' | '.join(map(_cell, head))} |"
            yield "|---" * len(head) + "|"
            for row in rows:
                yield f"| {' | '.join(map(_cell, row))} |"
        case Figure(_, caption):
            yield f"![{markdown_text(caption)}]({picture})"
        case Heading(text, mark):
            yield f"### {markdown_text(text)}" + (f" ({markdown_text(mark)})" if mark else "")
        case _:
            assert_never(block)


def _cell(text: str) -> str:
    """A text in a cell of a table."""
    return markdown_text(text).replace("|", "\\|")
