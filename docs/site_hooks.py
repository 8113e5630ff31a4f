"""What the site adds to its pages: an index of the language's words, drawings to enlarge."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from rules_dsl.highlighting import keywords

LANGUAGE = Path(__file__).parent / "pages" / "reference" / "language.md"
MARK = "<!-- keywords -->"
# Sections that a word is looked up in: those that explain it come before those that use it.
MOST_SECTIONS = 4
_HEADING = re.compile(r"^(#{2,4}) (.+)$")
_DRAWING = re.compile(r'<img [^>]*src="([^"]+\.(?:svg|png))"[^>]*>')


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Fill in the index of words where a page asks for it."""
    return markdown.replace(MARK, keyword_table()) if MARK in markdown else markdown


def on_page_content(html: str, **_: Any) -> str:
    """Let drawings be opened by themselves, where a browser can enlarge them."""
    return _DRAWING.sub(r'<a href="\1" title="Enlarge">\g<0></a>', html)


def keyword_table() -> str:
    """Each word of the language with the sections of the reference that write it."""
    sections = _sections(LANGUAGE.read_text(encoding="utf-8"))
    rows = []
    for word in keywords():
        found = _explained(word, sections)
        links = ", ".join(f"[{title}](language.md#{anchor(title)})" for title in found)
        rows.append(f"| `{word}` | {links} |")
    return "\n".join(["| word | sections |", "|---|---|", *rows])


def _sections(text: str) -> dict[str, str]:
    """The text of each section of a page, by its title."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    in_code = False
    for line in text.splitlines():
        in_code ^= line.startswith("```")
        heading = None if in_code else _HEADING.match(line)
        if heading:
            lines = found.setdefault(heading[2], [])
        lines.append(line)
    return {title: "\n".join(body) for title, body in found.items()}


def _explained(word: str, sections: dict[str, str]) -> list[str]:
    """The sections that name a word in their prose, else those that write it in an example."""
    prose = re.compile(rf"`[^`\n]*\b{word}\b[^`\n]*`")
    named = [title for title, text in sections.items() if prose.search(text)]
    used = [title for title, text in sections.items() if re.search(rf"\b{word}\b", text)]
    return (named or used)[:MOST_SECTIONS]


def anchor(title: str) -> str:
    """The anchor of a heading.

    >>> anchor("Sets, and `reveal`")
    'sets-and-reveal'
    """
    plain = re.sub(r"[^\w\s-]", "", title).strip().lower()
    return re.sub(r"[\s-]+", "-", plain)
