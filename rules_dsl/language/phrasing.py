"""Hints for lines whose words are right and stand in the wrong order or form.

Each hint repeats the words of the line as they should stand; see `better_phrasing`.
"""

from __future__ import annotations

import re

_PLACE = r"[A-Za-z]\w*(?:\[[^\]]*\])?"

# Patterns around the unexpected word, and hints in which `\1` is a part of the line.
_PHRASES = tuple(
    (re.compile(pattern), hint)
    for pattern, hint in (
        # ---- state ----
        (rf"({_PLACE}):\s*ghost\s+(\S+)", r"`ghost` comes first: `ghost \1: \2`"),
        (
            r"\bghost\s+(?:pool|zone|pile)\s+\w+",
            "a ghost is a number, a condition, a value of an enum, a player or a set",
        ),
        (r"\bvisible\s+to\s+([A-Za-z]\w*),", r"players are listed in brackets: `[\1, …]`"),
        (r"\bhidden\s+from\b", "say who sees it: `visible to owner`, `others`, `[…]` or `each …`"),
        (
            r"(visible\s+to\s+[^=]*[^=\s])\s*=\s*(\S+)",
            r"the value at the start comes first: `= \2 \1`",
        ),
        (r"\b(hidden)\s*=\s*(\S+)", r"the value at the start comes first: `= \2 \1`"),
        (r"\bpiece\s+(\w+)\s+limit", r"say whose the pieces are: `piece \1[Player] limit …`"),
        # ---- tables ----
        (r"\b(copies\s+\w+)\s+(\"[^\"]*\")", r"the label comes first: `\2 \1`"),
        (
            r"\bcopies\s+(?:[A-Za-z]\w*|\()",
            "a plain number; `for each p in Player` makes a row for every seat",
        ),
        (r"\bfor\s+(\w+)\s+in\s+Player\s*:", r"write `for each \1 in Player`"),
        (r"(\d+)\s*x?\s+row\s+(\w+)", r"write `row \2 copies \1`"),
        (
            r"^\s*(?!provisional\b)\w+\s+row\b",
            "before `row` may stand `printed`, `public`, `provisional` or `own`",
        ),
        (
            r"\brow\s+(printed|public|provisional|own)\s+(\w+)",
            r"its source comes first: `\1 row \2`",
        ),
        (
            r"(\w+)\s*=\s*(printed|public|provisional|own)\s+(\w+)",
            r"its source comes first: `\2 \1 = \3`",
        ),
        # ---- piles ----
        (
            r"\b(from|to|with|=|!=)\s+(top|bottom)\s+(?!of\b)(?:the\s+)?([A-Za-z]\w*)",
            r"write `\1 \2 of \3`",
        ),
        (
            r"\b(?:from|to)\s+(?:the\s+)?(?!(?:top|bottom|front|back)\b)[A-Za-z]\w*\s+of\b",
            "a pile has a `top` and a `bottom`, an order a `front` and a `back`",
        ),
        (
            r"\bdraw\s+(\d+)\s+from\b",
            r"one card at a time: `for k in 1..\1`, and below it `draw c from …`",
        ),
        (rf"\bshuffle\s+({_PLACE})\s+from\s+({_PLACE})", r"write `shuffle \2 into \1`"),
        (
            rf"\bdraw\s+(\w+)\s+from\s+(top|bottom)\s+of\s+({_PLACE})\s*$",
            r"say where it goes: `draw \1 from \2 of \3 to …`",
        ),
        # ---- sets ----
        (
            r"\[\s*\w+\s+for\s+(\w+)\s+in\s+([^\]\s]+)",
            r"a set of all these is written `each \1 in \2`, with `where` for a condition",
        ),
        (r"[-+*(=<>]\s*each\s+(\w+)\s+in\b", r"put the set in parentheses: `(each \1 in …)`"),
        (rf"(\S+)\s+in\s+({_PLACE})\s*=\s*true\b", r"write `\1 in \2`"),
        (rf"(\S+)\s+in\s+({_PLACE})\s*=\s*false\b", r"write `\1 not in \2`"),
        # ---- rules ----
        (
            r"^\s*(?:assumes|requires|ensures|keeps)\b.*\"",
            "a contract has no reason: it is proved, and no player reads it",
        ),
        (
            r"^\s*(?:ensures|keeps|decreases)\b",
            "contracts are the first lines of a rule or a loop",
        ),
        (
            r"^\s*assumes\b",
            "a procedure has `assumes` in its first lines; an action has `require`",
        ),
        (r"\bwhenever\s+\w+\s*,", "a procedure follows one action: write another for the other"),
        (r"\bwhenever\s+(?:\w+\s+)+", "the name of one action follows `whenever`"),
        (r"\b(always)\s+(optionally)\b", r"write `\2 \1`"),
        (r"\bpossible\s+(\w+)", r"write `possible(\1)`"),
        (
            r"\bpossible\((\w+)\([^=)]*[,)]",
            r"arguments are given by name: `possible(\1(… = …))`",
        ),
        # ---- relations and fields ----
        (
            r"\brelation\s+(\w+(?:\([^)]*\))?)(?:\s+on\s+(?!\w+\s+in\b)(\w+))?\s*(?:\[[^\]]*\]?)?\s*$",
            r"the places follow `on`: `relation \1 on a in …`",
        ),
        (r"\bjoined\s+(?!with\b)(\w+)\s+with\s+(\w+)", r"write `joined with \1 where … = \2`"),
        (r"^\s*\w+\s+to\s+(\w+)", r"the place itself is named behind `on`: write `to \1`"),
        (
            r"\bcosts\s+(\S+)\s+(?:and|or|where|when)\b",
            r"the condition comes first: `where … costs \1`",
        ),
        (
            r"\b(within\s+\S+)\s+by\s+(\w+(?:\([^)]*\))?)",
            r"the relation comes first: `by \2 \1`",
        ),
    )
)  # fmt: skip


def better_phrasing(line: str, column: int) -> str:
    """A hint for the line with something unexpected in a column, counted from 1.

    >>> better_phrasing("    draw c from top deck to hand[p]", 21)
    'write `from top of deck`'
    >>> better_phrasing("    draw c from top of deck to hand[p]", 21)
    ''
    """
    for pattern, hint in _PHRASES:
        for found in pattern.finditer(line):
            if found.start() < column <= found.end() + 2:
                return found.expand(hint)
    return ""
