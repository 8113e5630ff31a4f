"""Whether the control part of a position is one that the program could have left there.

A position from a file may be forged: where the game waits must be a place in the program, and the
frames from there back to the beginning must be those of calls that the program makes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from compiler.runtime.values import Cells, read_slot

Slot = tuple[int, int, str, int, int]


def check_frames(meta: Mapping[str, Any], cells: Cells, blocks: int) -> None:
    """Raises `ValueError` with what is wrong; the point where the game waits must be sound."""
    point = _read(meta["pc"], cells, 0)
    if not point:  # the game is over: its frames are not read any more
        return
    pointer = meta["frame_pointer"]
    top = int.from_bytes(cells[pointer : pointer + 2], "little") if pointer is not None else 0
    end, fixed = len(cells), meta["size"]
    used = [(meta["control"], meta["frames_at"])]
    name: str | None = meta["points"][point]["procedure"]
    while name is not None:
        base, size, back, previous, slots = meta["frames"][name]
        if previous is not None:
            if top < fixed or top + size != end:
                raise ValueError("its frames do not follow each other")
            end, start = top, top
            top = _read(previous, cells, start)
        else:
            start = 0
            if any(base < other[1] and other[0] < base + size for other in used[1:]):
                raise ValueError(f"`{name}` is active twice")
            used.append((base, base + size))
        for local, slot, count in slots:
            _check_local(local, slot, count, cells, start)
        caller = _read(back, cells, start)
        if (name == meta["main"] and caller == 0) or caller == blocks - 1:
            name = None
        elif caller in meta["returns"].get(name, {}):
            name = meta["returns"][name][caller]
        else:
            raise ValueError(f"nothing in the game calls `{name}` from there")
    if end != fixed or top:
        raise ValueError("it has unused frames")
    free = bytearray(cells[meta["control"] : fixed])
    for first, last in used:
        free[first - meta["control"] : last - meta["control"]] = bytes(last - first)
    if any(free):
        raise ValueError("it has values in unused frames")


def _read(slot: Slot, cells: Cells, start: int) -> int:
    return read_slot((slot[0] + start, *slot[1:]), cells)


def _check_local(name: str, slot: Slot, count: int, cells: Cells, start: int) -> None:
    """A local is in its range, or still without a value: all zeros."""
    at, width, encoding, low, high = slot
    for index in range(count):
        value = read_slot((at + start, width, encoding, low, high), cells, index)
        first = at + start + index * width
        if not low <= value <= high and any(cells[first : first + width]):
            raise ValueError(f"`{name}` is {value}, outside {low}..{high}")
