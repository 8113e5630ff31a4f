"""From source text to syntax tree.

A file is cut into declarations first (a line at the left margin and what is indented below it), and
each is parsed on its own: an error in one does not hide the errors of the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import cast

from attrs import define, field, frozen
from lark import Token, Tree
from lark.exceptions import LarkError, UnexpectedInput
from lark.indenter import DedentError

from rules_dsl.language import syntax
from rules_dsl.language.diagnostics import Reporter
from rules_dsl.language.grammar import lark
from rules_dsl.language.spans import Span
from rules_dsl.language.syntax_errors import explain, report_indentation
from rules_dsl.language.tree_builder import Misplaced, TreeBuilder

# Maximum size: more than twice the largest module of a shipped game, compiled in two seconds.
MAX_FILE_BYTES = 60_000
MAX_LINE = 5_000
MAX_BRACKETS = 60
MAX_INDENT = 40
MAX_DEPTH = 160

DECLARATIONS = (
    "game", "variant", "include", "option", "ruling", "enum", "const", "provisional", "table",
    "good", "goods", "label", "state", "piece", "relation", "function", "action", "procedure",
    "setup", "play", "scoring", "invariant", "waive", "example",
)  # fmt: skip
VARIANT_ITEMS = (
    "const", "option", "ruling", "state", "pool", "zone", "row", "amend", "replace", "add",
    "drop", "label", "example",
)  # fmt: skip


@frozen
class _Chunk:
    """A declaration's text; `indent` columns were taken off every line."""

    text: str
    line: int
    indent: int = 0


@define
class Trees:
    """Parse trees by text: those of an earlier version of a file, and those of this one.

    A tree does not say where its text was, so it serves wherever the same text is found again.
    """

    before: Mapping[tuple[str, str], Tree[Token]] = field(factory=dict)
    now: dict[tuple[str, str], Tree[Token]] = field(factory=dict)

    def parse(self, text: str, start: str) -> Tree[Token]:
        """The tree of a text; raises `LarkError`."""
        tree = self.before.get((start, text))
        if tree is None:
            tree = lark().parse(text, start=start)
        self.now[start, text] = tree
        return tree


def parse_file(path: str, text: str, reporter: Reporter, trees: Trees | None = None) -> syntax.File:
    """Parse a whole file; errors go to the reporter, what could be read is returned.

    `trees` are those of an earlier version of the file, if there is one.

    >>> r = Reporter()
    >>> f = parse_file("a.rules", "enum Suit: hearts, spades\\n", r)
    >>> [d.name.name for d in f.declarations], bool(r)
    (['Suit'], False)
    """
    whole = Span(path, 1, 1, 1, 1)
    if len(text) > MAX_FILE_BYTES:
        reporter.error(
            "E0109",
            f"the file has {len(text):,} characters; at most {MAX_FILE_BYTES:,} are read",
            Span(path, 0, 0, 0, 0),
            hint="split it with `include`",
        )
        return syntax.File(path, (), span=whole)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    declarations: list[syntax.Declaration] = []
    unread: set[str] = set()
    trees = trees or Trees()
    for chunk in _chunks(path, text, reporter):
        if reporter.full:
            break
        if re.match(r"variant\b", chunk.text):
            head, items = _split_variant(path, chunk, reporter)
            tree = _parse_chunk(path, head, "declaration", reporter, unread, trees)
            if isinstance(tree, syntax.Variant):
                parsed = [
                    _parse_chunk(path, item, "variant_item", reporter, unread, trees)
                    for item in items
                ]
                changes = tuple(p for p in parsed if isinstance(p, syntax.VariantItem))
                declarations.append(
                    syntax.Variant(
                        tree.name, tree.of, tree.text, tree.cites, changes, span=tree.span
                    )
                )
        else:
            tree = _parse_chunk(path, chunk, "declaration", reporter, unread, trees)
            if isinstance(tree, syntax.Declaration):
                declarations.append(tree)
    return syntax.File(path, tuple(declarations), frozenset(unread), span=whole)


# The expressions in texts are asked for anew for every configuration of a game.
@lru_cache(maxsize=4096)
def parse_expression(path: str, text: str, line: int, column: int) -> syntax.Expr:
    """Parse the expression inside the braces of a string; raises `LarkError` or `Misplaced`."""
    tree = lark().parse(text, start="expression")
    builder = TreeBuilder(path, line - 1, column - 1)
    if _depth(tree) > MAX_DEPTH:
        raise LarkError("too deep")
    result = builder.build(tree.children[0])
    assert isinstance(result, syntax.Expr)
    return result


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text that was parsed without an error, for their places."""
    return lark().lex(text)


# ---- cutting -------------------------------------------------------------------------------------

# A line that continues the one above it.
_CARRIED = re.compile(r' +(?:"|\[[A-Z])')
_BRACKET_OR_TEXT = re.compile(r'"(?:\\.|[^"\\\n])*"?|#[^\n]*|[()\[\]\n]')


def _bracket_depths(path: str, text: str, reporter: Reporter) -> dict[int, int]:
    """For each line that starts inside brackets, how deep; bracket errors are reported."""
    inside: dict[int, int] = {}
    opened: list[tuple[str, int, int]] = []
    line, line_start = 1, 0
    for match in _BRACKET_OR_TEXT.finditer(text):
        piece, column = match.group(), match.start() - line_start + 1
        if piece == "\n":
            line, line_start = line + 1, match.end()
            word = re.match(r"[a-z]+\b", text[line_start : line_start + 20])
            if opened and word and word.group() in DECLARATIONS:
                # A new declaration: the bracket was never closed.
                piece_, at_line, at_column = opened[0]
                reporter.error(
                    "E0105",
                    f"this `{piece_}` is never closed",
                    Span(path, at_line, at_column, at_line, at_column + 1),
                )
                opened.clear()
            if opened:
                inside[line] = len(opened)
        elif piece in "([":
            opened.append((piece, line, column))
            if len(opened) == MAX_BRACKETS:
                reporter.error(
                    "E0108",
                    f"brackets are nested more than {MAX_BRACKETS} deep",
                    Span(path, line, column, line, column + 1),
                    hint="give parts of the expression a name with `let` or `function`",
                )
        elif piece in ")]":
            if not opened:
                reporter.error(
                    "E0118",
                    f"this `{piece}` closes nothing",
                    Span(path, line, column, line, column + 1),
                )
            else:
                opened.pop()
    if opened:
        piece, at_line, at_column = opened[0]
        reporter.error(
            "E0105",
            f"this `{piece}` is never closed",
            Span(path, at_line, at_column, at_line, at_column + 1),
        )
    return inside


def _chunks(path: str, text: str, reporter: Reporter) -> list[_Chunk]:
    inside = _bracket_depths(path, text, reporter)
    chunks: list[_Chunk] = []
    current: list[str] = []
    start = 0
    deep = False
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip(" ")
        blank = not stripped or stripped.startswith("#")
        indent = len(line) - len(line.lstrip(" \t"))
        if "\t" in line[:indent] and stripped:
            reporter.error(
                "E0103",
                "a tab is used for indentation",
                Span(path, number, line.index("\t") + 1, number, line.index("\t") + 2),
                hint="use four spaces",
            )
            line = line.replace("\t", "    ")
        if len(line) > MAX_LINE:
            reporter.error(
                "E0109",
                f"this line has {len(line):,} characters; at most {MAX_LINE:,} are read",
                Span(path, number, indent + 1, number, MAX_LINE),
                hint="break it inside brackets or after a comma",
            )
        if indent > MAX_INDENT * 4 and number not in inside:
            if not deep:
                reporter.error(
                    "E0108",
                    f"blocks are nested more than {MAX_INDENT} deep",
                    Span(path, number, indent + 1, number, len(line) + 1),
                    hint="move the inner ones into a procedure",
                )
            line = ""
            deep = blank = True
        if not blank and number not in inside:
            if line[0] not in " \t":
                if current:
                    chunks.append(_Chunk("\n".join(current), start))
                current, start, deep = [], number, False
            elif not current:
                reporter.error(
                    "E0120",
                    "this line is indented, but nothing comes above it",
                    Span(path, number, 1, number, indent + 1),
                )
                continue
        if current or not blank:
            current.append(line)
            start = start or number
    if current:
        chunks.append(_Chunk("\n".join(current), start))
    return chunks


def _split_variant(path: str, chunk: _Chunk, reporter: Reporter) -> tuple[_Chunk, list[_Chunk]]:
    lines = chunk.text.split("\n")
    inside = _bracket_depths(path, chunk.text, Reporter())
    top = 1
    while top < len(lines) and (top + 1 in inside or _CARRIED.match(lines[top])):
        top += 1
    head = _Chunk("\n".join(lines[:top]), chunk.line)
    items: list[_Chunk] = []
    current: list[str] = []
    start = 0
    body_indent = 0
    for offset, line in enumerate(lines[top:], top):
        stripped = line.strip()
        indent = len(line) - len(line.lstrip(" "))
        if stripped and not stripped.startswith("#") and (offset + 1) not in inside:
            body_indent = body_indent or indent
            if indent < body_indent:
                reporter.error(
                    "E0104",
                    "this line is indented less than the lines above it",
                    Span(path, chunk.line + offset, 1, chunk.line + offset, indent + 1),
                    hint=f"indent it by {body_indent} spaces",
                )
                continue
            if indent == body_indent:
                if current:
                    items.append(_Chunk("\n".join(current), start, body_indent))
                current, start = [], chunk.line + offset
        if current or start:
            current.append(line[body_indent:] if line[:body_indent].isspace() else line.lstrip())
    if current:
        items.append(_Chunk("\n".join(current), start, body_indent))
    return head, items


# ---- parsing -------------------------------------------------------------------------------------


def _parse_chunk(
    path: str, chunk: _Chunk, start: str, reporter: Reporter, unread: set[str], trees: Trees
) -> syntax.Node | None:
    """The syntax of a piece of the file; the words of one that cannot be read are noted."""
    lines = range(chunk.line, chunk.line + chunk.text.count("\n") + 1)
    # An error of brackets or indentation is reported already; what follows from it is not.
    known = {
        d.code for d in reporter.found.values() if d.span.file == path and d.span.line in lines
    }
    node = None
    if not known & _HOPELESS:
        node = _parse(path, chunk, start, Reporter() if known else reporter, trees)
    if node is None:
        unread.update(_WORD.findall(chunk.text))
    return node


# After these there is no point in parsing: brackets, nesting, length.
_HOPELESS = {"E0105", "E0108", "E0109", "E0118"}
_WORD = re.compile(r"[A-Za-z]\w*")


def _parse(
    path: str, chunk: _Chunk, start: str, reporter: Reporter, trees: Trees
) -> syntax.Node | None:
    text = chunk.text + "\n"
    builder = TreeBuilder(path, chunk.line - 1, chunk.indent)
    try:
        tree = trees.parse(text, start)
    except UnexpectedInput as error:
        words = DECLARATIONS if start == "declaration" else VARIANT_ITEMS
        explain(builder, text, words, error, lark().terminals, reporter)
        return None
    except DedentError:
        report_indentation(builder, text, reporter)
        return None
    if _depth(tree) > MAX_DEPTH:
        reporter.error(
            "E0108",
            "this declaration is nested too deeply or has too long an expression",
            builder.at(1, 1, len(text.split("\n")[0])),
            hint="give parts of it a name with `let` or `function`",
        )
        return None
    try:
        return cast(syntax.Node, builder.build(tree))
    except Misplaced as error:
        reporter.error(error.code, error.message, error.span, hint=error.hint)
        return None


def _depth(tree: Tree[Token]) -> int:
    """The depth of a tree, found without recursion."""
    deepest = 0
    stack: list[tuple[object, int]] = [(tree, 1)]
    while stack:
        node, depth = stack.pop()
        deepest = max(deepest, depth)
        if isinstance(node, Tree):
            stack.extend((child, depth + 1) for child in node.children)
    return deepest
