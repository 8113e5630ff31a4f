"""The dependencies of a piece of the rules: everything that it names, directly or through others.

Names are not distinguished by place: every text in a definition that is the name of another
definition counts as a use of it. That may be too much, never too little. Positions in the files
make no difference.

The total of a good is not a part of pieces that do not use it; `Keys` adds it where it is used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import attrs
from attrs import define, field, frozen

from compiler import ir
from rules_dsl.language.spans import Span


@frozen
class Definition:
    """A definition: a digest of it, and every text in it that may be a name."""

    digest: str
    names: frozenset[str]


def piece(*nodes: object) -> Definition:
    """Some of the IR as a piece, wherever it is in the files.

    >>> piece(ir.Local("x", lo=0, hi=1)) == piece(ir.Local("y", lo=0, hi=1))
    False
    """
    tokens = list(_tokens(nodes))
    text = "\0".join(repr(token) for token in tokens)
    names = frozenset(token for token in tokens if isinstance(token, str))
    return Definition(hashlib.sha256(text.encode()).hexdigest(), names)


def _tokens(node: object) -> Iterator[object]:
    """A tree as a sequence of its leaves and the kinds of its branches."""
    stack: list[Any] = [node]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple | list):
            yield len(node)
            stack += reversed(node)
        elif isinstance(node, dict):
            yield len(node)
            stack += chain.from_iterable(reversed(node.items()))
        elif isinstance(node, Span):
            continue
        elif isinstance(node, ir.Require):
            # The reason of a requirement makes no difference, apart from the values in it.
            yield ir.Require
            shown = [part for part in node.text if isinstance(part, ir.Shown)]
            stack += [shown, [value for _, value in node.values], node.condition]
        elif isinstance(node, ir.Op) and node.kind in COMPARISONS:
            yield node.kind
            stack += [_compared(arg) for arg in node.args]
        elif (names := _fields(type(node))) is not None:
            yield type(node)
            stack += [getattr(node, name) for name in names]
        else:
            yield node


# Comparisons: their meaning does not depend on the ranges of their sides.
COMPARISONS = frozenset({"eq", "ne", "lt", "le"})


def _compared(node: ir.Expr) -> object:
    """A side of a comparison without the ranges of cells: their declarations have those."""
    match node:
        case ir.Cell(array, index):
            return ("cell", array, index)
        case ir.Op("add" | "sub" as kind, args):
            return (kind, tuple(_compared(arg) for arg in args))
    return node


def uncounted(definition: Any) -> Any:
    """A definition without the totals of goods."""
    match definition:
        case ir.Good(limit=limit):
            return attrs.evolve(definition, limit=None if limit is None else 0, total=0)
        case ir.Array(kind="pool"):
            return attrs.evolve(definition, initial=(), hi=0)
    return definition


_FIELDS: dict[type, tuple[str, ...] | None] = {}


def _fields(kind: type) -> tuple[str, ...] | None:
    """The parts of a node; nothing for what has none."""
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(f.name for f in attrs.fields(kind)) if attrs.has(kind) else None
    return _FIELDS[kind]


# Fields that no other definition names: words for people, what `Keys` counts by itself (the course
# of the game, invariants, scores, waivers), evaluated constants, where actions are offered, and
# what is left out in play.
_NOT_NAMED = frozenset({
    "name", "title", "labels", "digest", "variants", "players", "options", "main",
    "procedures", "actions", "scoring", "invariants", "waivers", "left_out",
})  # fmt: skip


def _definitions(module: ir.Module) -> Iterator[tuple[str, object]]:
    """All that other rules may name, of whatever kind: none can be forgotten."""
    for part in attrs.fields(type(module)):
        if part.name not in _NOT_NAMED:
            yield from getattr(module, part.name).items()


@define(eq=False)
class Dependencies:
    """The pieces of a module other than its procedures, by name, and what they come to together."""

    module: ir.Module
    _pieces: dict[str, Definition] = field(factory=dict)
    _procedures: dict[str, str] = field(factory=dict)
    _interfaces: dict[str, str] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        found: dict[str, list[object]] = {}
        for name, definition in _definitions(self.module):
            found.setdefault(name, []).append(uncounted(definition))
        self._pieces = {name: piece(*definitions) for name, definitions in found.items()}

    def closure(self, start: Definition) -> str:
        """A digest of a piece and everything that it depends on, apart from procedures."""
        return self.together([start.digest], start.names)

    def together(self, digests: Iterable[str], names: Iterable[str]) -> str:
        """A digest of some digests and of everything that some names stand for."""
        seen: set[str] = set()
        todo = [name for name in names if name in self._pieces]
        while todo:
            name = todo.pop()
            if name not in seen:
                seen.add(name)
                todo += [n for n in self._pieces[name].names if n in self._pieces]
        whole = hashlib.sha256()
        for digest in chain(digests, (f"{n} {self._pieces[n].digest}" for n in sorted(seen))):
            whole.update(digest.encode() + b"\0")
        return whole.hexdigest()

    def procedure(self, name: str, waiting: frozenset[str]) -> str:
        """A procedure, what it depends on, and what it must know of those that it calls."""
        if name not in self._procedures:
            procedure = self.module.procedures[name]
            own = piece(procedure)
            called = sorted(
                block.terminator.procedure
                for block in procedure.blocks
                if isinstance(block.terminator, ir.Enter)
            )
            interfaces = [self.interface(callee, waiting) for callee in called]
            self._procedures[name] = self.together([own.digest, *interfaces], own.names)
        return self._procedures[name]

    def interface(self, name: str, waiting: frozenset[str]) -> str:
        """The parts of a procedure that matter to a caller that does not follow it."""
        if name not in self._interfaces:
            procedure = self.module.procedures[name]
            shown = piece(
                procedure.name,
                procedure.params,
                procedure.requires,
                procedure.decreases,
                procedure.before,
                procedure.recursive,
                name in waiting,
                procedure.blocks[0].id,
            )
            self._interfaces[name] = self.closure(shown)
        return self._interfaces[name]
