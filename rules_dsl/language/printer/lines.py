"""The lines that a syntax tree is printed as."""

from __future__ import annotations

from attrs import frozen

from rules_dsl.language.layout import Doc

MAX_WIDTH = 100


@frozen
class Line:
    """One line of a rule file as its grammar sees it; printing may break it inside brackets."""

    level: int
    doc: Doc
    # Whether an indented block follows.
    opens: bool = False
