"""Shows the examples of docstrings as code: an extension of griffe, which reads the docstrings.

Examples stand in docstrings as doctests, without a heading; Markdown would take `>>>` for a quote
and `[0]` for a link.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

# A doctest: from a prompt to the next empty line.
_EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\s*$).*)*", re.MULTILINE)


def fenced(text: str) -> str:
    """A docstring with its doctests in fences.

    >>> fenced("Adds.\\n\\n>>> 1 + 1\\n2").splitlines()
    ['Adds.', '', '```pycon', '>>> 1 + 1', '2', '```']
    """
    return _EXAMPLE.sub(lambda match: f"```pycon\n{match[0]}\n```", text)


class FencedDoctests(griffe.Extension):
    """Puts the doctests of all docstrings in fences."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Called for every module, class, function and attribute."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)
