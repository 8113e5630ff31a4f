"""The `{…}` parts of texts, which moves and positions fill in."""

from __future__ import annotations

import re

# What is between the braces is the group; `\\{` is a plain brace.
BRACES = re.compile(r"(?<!\\)\{([^{}]*)\}")


def filled_in(text: str) -> frozenset[str]:
    """The expressions that a text shows.

    >>> sorted(filled_in("give {f} to {q}"))
    ['f', 'q']
    """
    return frozenset(BRACES.findall(text))
