"""Tables for notebooks, as HTML, and texts of rules in HTML and Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; all texts are escaped.

    >>> table(["card"], [["a < b"]])
    '<table><thead><tr><th>card</th></tr></thead><tbody><tr><td>a &lt; b</td></tr></tbody></table>'
    """
    top = "".join(f"<th>{escape(text)}</th>" for text in head)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in row)}</tr>" for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


CODE = re.compile(r"(`[^`]*`)")


def markdown_text(text: str) -> str:
    """A text in Markdown, where neither HTML nor a link can come from it; `code` stays code.

    >>> markdown_text("a <b> & `c < d` [e](javascript:f)")
    'a &lt;b&gt; &amp; `c < d` [e]\\\\(javascript:f)'
    """
    parts = CODE.split(text)
    parts[::2] = [escape(part, quote=False).replace("](", "]\\(") for part in parts[::2]]
    return "".join(parts)
