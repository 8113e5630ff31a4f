"""The meanings of names in a game's files: declarations, and the scopes of locals.

A local cannot be called like something else in the game, so a name means the same wherever it is
found, but for locals (the same within one declaration) and what follows a dot.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from attrs import define, field, frozen

from rules_dsl.editor.words import Word, word_at, words
from rules_dsl.language import syntax as s
from rules_dsl.language.program import walk
from rules_dsl.language.sources import kind_of_file
from rules_dsl.language.spans import Span

# What a name is: its kind ("name", "member" or "local"), itself, and for a local its declaration.
Key = tuple[str, str, str]

# A declaration that cannot be parsed still says by its first line what it declares.
_FIRST_LINE = re.compile(
    r"^( *)(?:add |replace )?(action|procedure|function|piece|relation|invariant|const|option|"
    r"ruling|enum|table|game|variant)[ ]+([A-Za-z][A-Za-z0-9_]*)"
)
_GLOBAL = (
    s.Game, s.Variant, s.Option, s.Enum, s.EnumValue, s.Const, s.GoodValue, s.Function, s.Action,
    s.Procedure, s.Invariant, s.StateVar, s.Pool, s.Zone, s.Row, s.Table, s.Piece, s.Relation,
    s.SourceLine,
)  # fmt: skip
_MEMBER = (s.Column, s.TableFunction, s.TableProcedure)
_LABELLED = (s.Choose, s.ChooseValue, s.ChooseSubset, s.ChooseSecretly)
_LOCAL = (s.Let, s.Var, s.Param, s.Binder, s.ChooseSubset, s.DrawFrom, s.HoldsWhere, s.EachSeat)


@frozen
class Declared:
    """A name where it is declared, what it is, and the node that declares it (if it was read)."""

    name: str
    kind: str
    span: Span
    node: s.Node | None
    # The whole declaration, for outlines.
    whole: Span


@define
class FileNames:
    """The names of one file."""

    path: str
    text: str
    declared: list[Declared] = field(factory=list)
    # First lines of declarations, and for each the names that are local to it.
    starts: list[int] = field(factory=list)
    locals: list[dict[str, Declared]] = field(factory=list)
    # For each of them the rule that it amends: a variant names the locals of the game's rule.
    amends: list[str] = field(factory=list)
    # Where columns and functions of rows are named without a dot: declared, or filled in by a row.
    members_at: set[tuple[int, int]] = field(factory=set)

    def rule_at(self, line: int) -> int:
        """The number of the declaration that a line belongs to; -1 before the first."""
        return bisect_right(self.starts, line) - 1

    def locals_at(self, line: int) -> dict[str, Declared]:
        """The names that are local to the declaration at a line."""
        number = self.rule_at(line)
        return self.locals[number] if number >= 0 else {}

    def amended_at(self, line: int) -> str:
        """The rule that is amended at a line, if any."""
        number = self.rule_at(line)
        return self.amends[number] if number >= 0 else ""


@define
class GameNames:
    """The names of all files of a game."""

    files: dict[str, FileNames]
    members: set[str] = field(factory=set)
    known: dict[str, list[Declared]] = field(factory=dict)

    def key(self, path: str, word: Word) -> Key:
        """The meaning of a name in a file."""
        if word.member and word.text in self.members:
            # Goods of a pool and values of a kind are named after a dot as well.
            owners = {declared.kind for declared in self.known.get(word.owner, [])}
            return "name" if owners & _OWNERS else "member", word.text, ""
        file = self.files[path]
        rule = self._rule_of(path, word)
        if rule:
            return "local", word.text, rule
        if (word.line, word.column) in file.members_at:
            return "member", word.text, ""
        return "name", word.text, ""

    def _rule_of(self, path: str, word: Word) -> str:
        """The rule to which a local belongs: that where it is named, or the one amended there."""
        file = self.files[path]
        places = [(file, word.line)]
        if word.text not in self.known:
            places += [
                (self.files[one.span.file], one.whole.line)
                for one in self.known.get(file.amended_at(word.line), ())
                if one.kind in ("action", "procedure")
            ]
        for file, line in places:
            if word.text in file.locals_at(line):
                return f"{file.path}:{file.starts[file.rule_at(line)]}"
        return ""

    def at(self, path: str, line: int, column: int) -> tuple[Word, Key] | None:
        """The name at a place, and what it is."""
        word = word_at(self.files[path].text, line, column)
        return None if word is None else (word, self.key(path, word))

    def declarations(self, key: Key) -> list[Declared]:
        """Where a name is declared."""
        kind, name, rule = key
        if kind == "local":
            path, _, line = rule.rpartition(":")
            local = self.files[path].locals_at(int(line)).get(name)
            return [local] if local is not None else []
        found = self.known.get(name, [])
        if not found:  # one of several copies of a row, such as `levy_red`
            row = name.rpartition("_")[0]
            return [d for d in self.known.get(row, []) if d.kind == "row"]
        return [d for d in found if (d.kind in _MEMBER_KINDS) == (kind == "member")] or found

    def uses(self, key: Key) -> Iterator[tuple[str, Word]]:
        """Every place where a name is written, its declaration among them."""
        for path, file in self.files.items():
            own = key[2].startswith(f"{path}:")
            if key[0] == "local" and not own and not any(file.amends):
                continue
            for word in words(file.text):
                if word.text == key[1] and self.key(path, word) == key:
                    yield path, word


_OWNERS = {"pool", "enum", "goods", "table"}
_MEMBER_KINDS = ("column", "row function", "row procedure")


def names_of(files: Iterable[s.File], texts: Mapping[str, str]) -> GameNames:
    """The names of files that were read, wholly or in part."""
    found = {file.path: file_names(file, texts[file.path]) for file in files}
    names = GameNames(found)
    for file in found.values():
        for declared in file.declared:
            names.known.setdefault(declared.name, []).append(declared)
            if declared.kind in _MEMBER_KINDS:
                names.members.add(declared.name)
    return names


@lru_cache(maxsize=128)
def file_names(file: s.File, text: str) -> FileNames:
    """The names of a file; files are compared by identity, and kept while they do not change."""
    found = FileNames(file.path, text)
    read: set[int] = set()
    rules: list[tuple[int, s.Node]] = []
    for declaration in file.declarations:
        parts: tuple[s.Node, ...] = (declaration,)
        if isinstance(declaration, s.Variant):
            parts = (declaration, *declaration.items)
        for part in parts:
            rules.append((part.span.line, part))
            read.add(part.span.line)
            for node in walk(part):
                span = _member_name(node)
                if span is not None:
                    found.members_at.add((span.line, span.column))
            for node in _declaring(part):
                found.declared += _declared(node, part)
    in_variant = kind_of_file(text) == "variant"
    for number, line in enumerate(text.split("\n"), 1):
        match = _FIRST_LINE.match(line)
        if match is not None and number not in read and (in_variant or not match[1]):
            start = match.start(3) + 1
            span = Span(file.path, number, start, number, start + len(match[3]))
            found.declared.append(Declared(match[3], match[2], span, None, span))
            found.starts.append(number)
            found.locals.append({})
            found.amends.append("")
    for line_number, part in rules:
        found.starts.append(line_number)
        found.locals.append({} if isinstance(part, s.Variant) else _locals(part))
        found.amends.append(part.name.name if isinstance(part, s.Amend) else "")
    order = sorted(range(len(found.starts)), key=found.starts.__getitem__)
    found.starts = [found.starts[k] for k in order]
    found.locals = [found.locals[k] for k in order]
    found.amends = [found.amends[k] for k in order]
    found.declared.sort(key=lambda d: (d.span.line, d.span.column))
    return found


def _member_name(node: s.Node) -> Span | None:
    match node:
        case (
            s.Column() | s.TableFunction() | s.TableProcedure() | s.RowFunction() | s.RowProcedure()
        ):
            return node.name.span
        case s.Cell(s.Binary("=", s.Name() as name, _)):
            return name.span
        case _:
            return None


def _declaring(part: s.Node) -> Iterable[s.Node]:
    """The nodes that may declare something; most changes of a variant only name what there is."""
    if isinstance(part, s.Variant):
        return (part,)
    if isinstance(part, s.VariantItem) and not isinstance(part, s.Add | s.AddRow):
        return ()
    return walk(part)


def _declared(node: s.Node, whole: s.Node) -> Iterator[Declared]:
    if isinstance(node, _GLOBAL + _MEMBER):
        name: s.Ident = node.name
        yield Declared(name.name, _kind(node), name.span, node, _extent(node, whole))
        for choice in node.choices if isinstance(node, s.Option) else ():
            if isinstance(choice.value, str):
                yield Declared(choice.value, "value", choice.span, node, node.span)
    elif isinstance(node, s.Good) and node.kind is not None:
        yield Declared(node.kind.name, "goods", node.kind.span, node, node.span)
    elif isinstance(node, _LABELLED) and node.label is not None:
        yield Declared(node.label.name, "choice", node.label.span, node, node.span)
    elif isinstance(node, s.PlayersLine):
        for player in node.names:
            yield Declared(player.name, "player", player.span, node, node.span)


def _extent(node: s.Node, whole: s.Node) -> Span:
    return whole.span if isinstance(node, s.Declaration) else node.span


def _kind(node: s.Node) -> str:
    match node:
        case s.Option():
            return node.kind
        case s.EnumValue():
            return "value"
        case s.GoodValue():
            return "good"
        case s.StateVar():
            return "state"
        case s.TableFunction():
            return "row function"
        case s.TableProcedure():
            return "row procedure"
        case s.SourceLine():
            return "source"
        case _:
            return type(node).__name__.lower()


def _locals(rule: s.Node) -> dict[str, Declared]:
    found: dict[str, Declared] = {}

    def add(ident: s.Ident | None, kind: str, node: s.Node) -> None:
        if ident is not None:
            found.setdefault(ident.name, Declared(ident.name, kind, ident.span, node, rule.span))

    for node in walk(rule):
        if isinstance(node, _LOCAL):
            add(node.name, "parameter" if isinstance(node, s.Param) else "local", node)
        elif isinstance(node, s.Action):
            add(node.actor, "player", node)
        elif isinstance(node, s.ScoreLine):
            add(node.player, "player", node)
        elif isinstance(node, s.Way):
            add(node.called, "local", node)
    return found
