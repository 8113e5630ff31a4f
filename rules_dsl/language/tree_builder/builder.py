"""Shared by all parts of the builder: places, dispatch, names, texts and cites."""

from __future__ import annotations

import re
from typing import Any, cast

from lark import Token, Tree

from rules_dsl.language import syntax as s
from rules_dsl.language.spans import Span

MAX_INT = 1_000_000_000

_CITE_PART = re.compile(r'\s*(?:([A-Z][A-Za-z0-9]*)\s+)?([0-9][0-9,\- ]*?)?\s*(?:"([^"]*)")?\s*$')


class Misplaced(Exception):
    """A construct that the grammar accepts and the language does not."""

    def __init__(self, code: str, message: str, span: Span, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.span = span
        self.hint = hint


def unescape(raw: str) -> str:
    """The value of a string token; `\\{` and `\\}` stay, for the templates."""
    return re.sub(r'\\(["\\])', r"\1", raw[1:-1])


class Builder:
    """Builds syntax nodes; lines and columns are shifted to the place of the piece in its file."""

    def __init__(self, path: str, line_offset: int, column_offset: int) -> None:
        self.path = path
        self.line_offset = line_offset
        self.column_offset = column_offset

    def at(self, line: int, column: int, width: int) -> Span:
        """The place of a piece of one line, given relative to the text being parsed."""
        row, col = line + self.line_offset, column + self.column_offset
        return Span(self.path, row, col, row, col + width)

    def span(self, item: Tree[Token] | Token) -> Span:
        """The place of a tree or a token."""
        source = item if isinstance(item, Token) else item.meta
        line = getattr(source, "line", None) or 1
        column = getattr(source, "column", None) or 1
        end_line = getattr(source, "end_line", None) or line
        end_column = getattr(source, "end_column", None) or column + 1
        return Span(
            self.path,
            line + self.line_offset,
            column + self.column_offset,
            end_line + self.line_offset,
            end_column + self.column_offset,
        )

    def build(self, tree: Any) -> Any:
        """The syntax node of a parse tree."""
        return getattr(self, "_" + tree.data.rstrip("_"))(tree, *tree.children)

    def all(self, trees: Any) -> tuple[Any, ...]:
        """The nodes of several trees; absent ones are left out."""
        return tuple(self.build(t) for t in trees if t is not None)

    def maybe(self, tree: Any) -> Any:
        """The node of a tree that may be absent."""
        return None if tree is None else self.build(tree)

    def ident(self, token: Token) -> s.Ident:
        """A name."""
        return s.Ident(str(token), span=self.span(token))

    def string(self, token: Token | None) -> s.Text | None:
        """A string without translations."""
        return None if token is None else s.Text(unescape(token), span=self.span(token))

    def provenance(self, token: Token | None) -> s.Provenance | None:
        """The provenance of a value, if it is written."""
        return None if token is None else cast(s.Provenance, str(token))

    def cites(self, token: Token | None) -> s.Cites:
        """The cites in a `[R 4 "…"; R 5]` token."""
        if token is None:
            return ()
        span = self.span(token)
        result = []
        source = ""
        for part in re.split(r';(?=(?:[^"]*"[^"]*")*[^"]*$)', str(token)[1:-1]):
            match = _CITE_PART.match(part)
            if not match or not (match.group(1) or source) or not (match[2] or match[3]):
                raise Misplaced(
                    "E0116",
                    f"`{part.strip()}` is not a cite",
                    span,
                    hint='a cite is a source, a page and a heading: [R 4 "Begging"]',
                )
            source = match.group(1) or source
            pages = re.sub(r"\s+", " ", (match.group(2) or "").strip())
            result.append(s.Cite(source, pages, match.group(3) or "", span=span))
        return tuple(result)

    def _whenever(self, tree: Any, action: Token) -> s.Ident:
        return self.ident(action)

    def _contracts(self, items: Any) -> tuple[dict[str, list[s.Expr]], s.Block]:
        """The contracts at the start of a procedure, and its statements."""
        contracts: dict[str, list[s.Expr]] = {"assumes": [], "ensures": [], "decreases": []}
        body: list[s.Statement] = []
        for item in items:
            if item is None:
                continue
            if item.data in contracts:
                inner = self.build(item.children[0])
                contracts[item.data] += inner if item.data == "decreases" else [inner]
            else:
                body.append(self.build(item))
        return contracts, tuple(body)

    def _number(self, token: Token) -> int:
        if len(token) > 10 or int(token) > MAX_INT:
            raise Misplaced("E0112", f"this number is larger than {MAX_INT:,}", self.span(token))
        return int(token)
