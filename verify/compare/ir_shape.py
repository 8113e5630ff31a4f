"""The IR as plain data: the meaning of a node, without places and names."""

from __future__ import annotations

from typing import Any

import attrs

from compiler import ir
from rules_dsl.language.spans import Span

_LOCAL = (ir.Local, ir.LocalCell, ir.Range, ir.Variable, ir.Let, ir.Define)
_UNSEEN = ("digest", "labels", "title", "variants")


def without_places(node: Any, names: dict[str, int] | None = None) -> Any:
    """A piece of the IR as plain data, without its place in the source.

    With `names`, locals are numbered in the order in which they come up: what they are called makes
    no difference.
    """
    if isinstance(node, tuple):
        return tuple(without_places(item, names) for item in node)
    if isinstance(node, dict):
        return tuple((key, without_places(value, names)) for key, value in node.items())
    if isinstance(node, Span):
        return None
    if not attrs.has(type(node)):
        return node
    skipped = _UNSEEN if isinstance(node, ir.Module) else ()
    parts = []
    for part in attrs.fields(type(node)):
        value = getattr(node, part.name)
        if names is not None and part.name == "name" and isinstance(node, _LOCAL):
            parts.append(names.setdefault(value, len(names)))
        elif names is not None and part.name == "written":
            continue  # the same name, as the rules have it
        elif part.name not in skipped:
            parts.append(without_places(value, names))
    return (type(node).__name__, *parts)
