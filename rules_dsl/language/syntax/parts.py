"""Small parts of the syntax tree that everything else is made of."""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from rules_dsl.language.spans import Span

__all__ = [
    "Choice",
    "Cite",
    "Cites",
    "Declaration",
    "Ident",
    "Node",
    "Provenance",
    "Text",
]

# Provenance of a value: printed in the source, read in public, invented until it is known, or
# one's own.
Provenance = Literal["printed", "public", "provisional", "own"]


@frozen(eq=False)
class Node:
    """Anything with a place in a rule file."""

    span: Span = field(kw_only=True)


@frozen(eq=False)
class Text(Node):
    """A string, and the same in other languages (`"Maize" ru "Кукуруза"`)."""

    value: str
    translations: tuple[tuple[str, str], ...] = ()

    def said(self, language: str) -> str:
        """The string in a language; in the language of the rules if there is no translation."""
        return dict(self.translations).get(language, self.value)


@frozen(eq=False)
class Cite(Node):
    """The origin of a rule: source, pages, heading."""

    source: str
    pages: str
    heading: str

    def __str__(self) -> str:
        parts = [self.source]
        if self.pages:
            parts.append(f"p. {self.pages}")
        if self.heading:
            parts.append(self.heading)
        return " ".join(parts)


Cites = tuple[Cite, ...]


@frozen(eq=False)
class Ident(Node):
    """A name being declared or referred to outside an expression."""

    name: str

    def __str__(self) -> str:
        return self.name


@frozen(eq=False)
class Choice(Node):
    value: str | int


@frozen(eq=False)
class Declaration(Node):
    """One declaration of a rule file."""
