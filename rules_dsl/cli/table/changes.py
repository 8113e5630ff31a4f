"""The changes by a move, as a viewer sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compiler.runtime.terminal import bookkeeping
from compiler.runtime.values import Hidden
from rules_dsl.cli.table.items import Item, items_of
from rules_dsl.cli.table.labels import NOTHING, Labels

if TYPE_CHECKING:
    from compiler.runtime.state import State

MOST = 12


def changes(labels: Labels, before: State, after: State, viewer: int | None) -> list[str]:
    """The differences between two positions, a line each.

    >>> import rules_dsl as rd
    >>> s = rd.load("tic_tac_toe").start()
    >>> changes(Labels(s.game), s, s.play("b2"), None)
    ['mark 4: - → cross', 'placed: 0 → 1', 'mover: cross → nought']
    """
    lines = []
    quiet = bookkeeping(after.game)
    for old, new in zip(items_of(before, viewer), items_of(after, viewer), strict=True):
        if new.name in quiet:
            continue
        known = dict(old.leaves())
        for keys, value in new.leaves():
            if value != known[keys]:
                line = _change(labels, new, known[keys], value)
                if line:
                    lines.append(f"{_title(labels, new, keys)}: {line}")
    if len(lines) > MOST:
        lines = [*lines[: MOST - 1], f"… and {len(lines) - MOST + 1} more (`view` shows all)"]
    return lines


def _title(labels: Labels, item: Item, keys: tuple[Any, ...]) -> str:
    shown = [labels.value(kind, key) for (kind, _), key in zip(item.keys, keys, strict=True)]
    return " ".join([labels.item(item.name), *shown])


def _change(labels: Labels, item: Item, old: Any, new: Any) -> str:
    if isinstance(old, Hidden) and isinstance(new, Hidden):
        return ""  # cards that no player sees
    if item.kind in ("zone", "set") and not isinstance(old, Hidden) and not isinstance(new, Hidden):
        gone = [f"-{labels.value(item.of, card)}" for card in old if card not in new]
        come = [f"+{labels.value(item.of, card)}" for card in new if card not in old]
        return ", ".join(come + gone)
    if item.kind == "pool" and isinstance(old, dict) and isinstance(new, dict):
        parts = [
            f"{labels.good(good)} {old[good]} → {new[good]}"
            for good in new
            if new[good] != old[good] and good not in item.endless
        ]
        return ", ".join(parts)
    before, after = item.text(labels, old), item.text(labels, new)
    return f"{before or NOTHING} → {after or NOTHING}"
