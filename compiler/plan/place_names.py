"""Names of numbered places, taken from the moves that name them, as `{letter[x]}{number[x]}` does.

Rules written for speed number the cells of a board. Where all moves agree on how the numbers from 0
up to some last one are written, people read those names wherever such a number leads to a value.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from compiler import ir


def place_names(module: ir.Module) -> dict[int, tuple[str, ...]]:
    """The names of places, by how many there are."""
    found: dict[int, set[tuple[str, ...]]] = {}
    for procedure in module.procedures.values():
        for block in procedure.blocks:
            if isinstance(block.terminator, ir.Decide):
                for option in block.terminator.options:
                    for names in _named(module, option):
                        found.setdefault(len(names), set()).add(names)
    return {size: names.pop() for size, names in found.items() if len(names) == 1}


def _named(module: ir.Module, option: ir.Option) -> Iterator[tuple[str, ...]]:
    """The places that one kind of move names in full."""
    numbered = {p.range.name: p.hi + 1 for p in option.params if p.kind == "int" and p.lo == 0}
    for name, parts in groupby(option.notation, _parameter):
        if name in numbered:
            columns = [_column(module, part, numbered[name]) for part in parts]
            names = tuple("".join(words) for words in zip(*columns, strict=True))
            if len(set(names)) == len(names):
                yield names


def _parameter(part: ir.TextPart) -> str | None:
    """The parameter whose entry in a constant table is shown."""
    match part:
        case ir.Shown(ir.Lookup(_, (ir.Local(name),))):
            return name
        case _:
            return None


def _column(module: ir.Module, part: ir.TextPart, size: int) -> list[str]:
    """The names shown for the places."""
    assert isinstance(part, ir.Shown) and isinstance(part.expr, ir.Lookup)
    values = module.tables[part.expr.table].values[:size]
    if part.kind in module.enums:
        labels = module.enums[part.kind].labels
        return [labels[value] for value in values]
    return [str(value) for value in values]
