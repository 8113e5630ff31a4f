"""A whole source file."""

from __future__ import annotations

from attrs import frozen

from rules_dsl.language.syntax.parts import Declaration, Node

__all__ = [
    "File",
]


@frozen(eq=False)
class File(Node):
    """A whole source file."""

    path: str
    declarations: tuple[Declaration, ...]
    # The words of declarations that could not be read: what they declare is not known.
    unread: frozenset[str] = frozenset()
