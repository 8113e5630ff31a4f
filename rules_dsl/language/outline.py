"""The declarations of a game, one entry each: for showing rules and for tracing cites."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rules_dsl.language import syntax as s
from rules_dsl.language.program import Program, walk
from rules_dsl.language.provenance import is_provisional
from rules_dsl.language.spans import Span

# A comment line that divides chapters explains nothing below it.
DIVIDER = "----"
# The order in which people want to read them.
KINDS = (
    "option", "ruling", "enum", "good", "constant", "table", "state", "piece", "relation", "setup",
    "play", "action", "procedure", "function", "scoring", "invariant", "waiver", "example",
)  # fmt: skip


@frozen
class OutlineEntry:
    """A declaration (or one item of the state): its kind, its text for people, its cites.

    `cites` are those of its first line, `inner_cites` those of its parts.
    """

    kind: str
    name: str
    text: str
    cites: tuple[s.Cite, ...]
    inner_cites: tuple[s.Cite, ...]
    span: Span
    node: s.Node
    provisional: bool = False

    @property
    def all_cites(self) -> tuple[s.Cite, ...]:
        """Every cite that the declaration carries, anywhere."""
        return (*self.cites, *self.inner_cites)


def outline(program: Program, language: str = "en") -> list[OutlineEntry]:
    """The entries of a game, in the order of its files, with texts in a language.

    >>> from rules_dsl.language.program import assemble
    >>> from rules_dsl.language.sources import gather
    >>> [e.name for e in outline(assemble(gather("tic_tac_toe"))) if e.kind == "invariant"]
    ['turns_alternate', 'line_wins', 'zero_sum']
    """
    return [entry for d in program.declarations for entry in _entries(program, d, language)]


def _entries(program: Program, node: s.Declaration, language: str) -> Iterator[OutlineEntry]:
    def entry(kind: str, name: str, node: s.Node, text: s.Text | None) -> OutlineEntry:
        return _entry(kind, name, node, text.said(language) if text is not None else "")

    match node:
        case s.Option():
            yield entry(node.kind, node.name.name, node, node.text)
        case s.Piece():
            label = program.labels.get(node.name.name) or node.text
            yield entry("piece", node.name.name, node, label)
        case s.Enum() | s.Action() | s.Procedure() | s.Relation() | s.Function() | s.Invariant():
            yield entry(type(node).__name__.lower(), node.name.name, node, node.text)
        case s.Good():
            names = ", ".join(value.name.name for value in node.values)
            yield entry("good", names, node, node.text)
        case s.Const():
            yield entry("constant", node.name.name, node, node.note)
        case s.Table():
            yield entry("table", node.name.name, node, node.text)
        case s.State():
            for item in node.items:
                label = program.labels.get(item.name.name) or item.text
                yield entry("state", item.name.name, item, label)
        case s.Section():
            yield entry(node.kind, node.kind, node, None)
        case s.Scoring():
            yield entry("scoring", "scoring", node, None)
        case s.Waive():
            yield entry("waiver", f"{node.obligation} {node.subject}", node, node.reason)
        case s.Example():
            yield entry("example", node.title.value, node, None)


def _entry(kind: str, name: str, node: s.Node, text: str) -> OutlineEntry:
    own: tuple[s.Cite, ...] = getattr(node, "cites", ())
    inner = tuple(c for c in walk(node) if isinstance(c, s.Cite) and c not in own)
    return OutlineEntry(kind, name, text, own, inner, node.span, node, is_provisional(node))


def cites_text(cites: tuple[s.Cite, ...]) -> str:
    """Cites as people read them, in square brackets.

    >>> from rules_dsl.language.spans import NOWHERE
    >>> cites_text((s.Cite("R", "4", "Begging", span=NOWHERE),))
    '[R p. 4 Begging]'
    """
    return f"[{'; '.join(str(c) for c in cites)}]" if cites else ""


def comment_above(program: Program, span: Span) -> str:
    """The comment above a declaration, as its author explains it; nothing if there is none."""
    lines = program.sources.texts.get(span.file, "").split("\n")
    at = span.line - 2
    found: list[str] = []
    while 0 <= at < len(lines) and lines[at].lstrip().startswith("# ") and DIVIDER not in lines[at]:
        found.insert(0, lines[at].strip()[2:].strip())
        at -= 1
    return " ".join(found)


def about_row(program: Program, row: s.Row) -> str:
    """The explanation of a row: a comment above it that begins with its name and a colon.

    Other comments may be about several rows.

    >>> from rules_dsl.language.program import assemble
    >>> from rules_dsl.language.sources import gather
    >>> program = assemble(gather("zimbabwe"))
    >>> god = next(t for t in program.of(s.Table) if t.name.name == "God")
    >>> about_row(program, god.rows[7])
    'Gifts for one monument may be alike.'
    """
    name = row.text.value if row.text is not None else row.name.name
    head, _, told = comment_above(program, row.span).partition(": ")
    return told if head == name else ""
