"""Where the cells of a state lie in its bytes.

One byte a cell, two or four where the range needs it; first the declared state, then the control
cells (where the game waits, and for whom), then the frames of procedures.
"""

from __future__ import annotations

from typing import Literal

from attrs import define, field, frozen

from compiler import ir

Encoding = Literal["plain", "none", "offset"]


@frozen
class Slot:
    """The storage of a value of a range: `width` bytes and an encoding.

    plain: the value itself; none: the value, and all ones for -1; offset: the value minus `lo`.
    """

    offset: int
    width: int
    encoding: Encoding
    lo: int
    hi: int
    count: int = 1

    @property
    def end(self) -> int:
        return self.offset + self.width * self.count

    @property
    def nothing(self) -> int:
        """The stored number for -1 in the "none" encoding."""
        return int(256**self.width) - 1

    def encode(self, value: int) -> bytes:
        """The bytes of a value."""
        raw = value - self.lo if self.encoding == "offset" else value
        if self.encoding == "none" and value == -1:
            raw = self.nothing
        return raw.to_bytes(self.width, "little")

    def decode(self, raw: int) -> int:
        """The value of a stored number."""
        if self.encoding == "offset":
            return raw + self.lo
        if self.encoding == "none" and raw == self.nothing:
            return -1
        return raw


def slot(offset: int, lo: int, hi: int, count: int = 1) -> Slot:
    """The storage of a value in `lo`..`hi`.

    >>> slot(0, -1, 3)
    Slot(offset=0, width=1, encoding='none', lo=-1, hi=3, count=1)
    """
    for width in (1, 2, 4, 8):
        top = 256**width - 1
        if lo >= 0 and hi <= top:
            return Slot(offset, width, "plain", lo, hi, count)
        if lo == -1 and hi < top:
            return Slot(offset, width, "none", lo, hi, count)
        if hi - lo <= top:
            return Slot(offset, width, "offset", lo, hi, count)
    raise ValueError(f"{lo}..{hi} does not fit into eight bytes")


@frozen
class FrameLayout:
    """The storage of a procedure's call.

    Offsets are absolute for procedures that are never active twice, and relative to the frame
    pointer for recursive ones and those that they call.
    """

    slots: dict[str, Slot]
    back: Slot
    previous: Slot | None
    base: int
    size: int
    moving: bool


@define
class Layout:
    """The whole layout of a module."""

    arrays: dict[str, Slot] = field(factory=dict)
    pc: Slot = field(init=False)
    who: Slot = field(init=False)
    frame_pointer: Slot | None = None
    frames: dict[str, FrameLayout] = field(factory=dict)
    size: int = 0
    # The state proper ends here; control follows.
    control: int = 0


def lay_out(module: ir.Module, waiting_points: int, returns: int) -> Layout:
    """Give every cell its place."""
    layout = Layout()
    offset = 0
    for name, array in module.arrays.items():
        place = slot(offset, array.lo, array.hi, array.size)
        layout.arrays[name] = place
        offset = place.end
    layout.control = offset
    layout.pc = slot(offset, 0, waiting_points)
    layout.who = slot(layout.pc.end, 0, 255)
    offset = layout.who.end
    moving = moving_procedures(module)
    if moving:
        layout.frame_pointer = slot(offset, 0, 65_535)
        offset = layout.frame_pointer.end
    _frames(module, layout, offset, returns, moving)
    return layout


def _calls(procedure: ir.Procedure) -> set[str]:
    return {
        block.terminator.procedure
        for block in procedure.blocks
        if isinstance(block.terminator, ir.Enter)
    }


def moving_procedures(module: ir.Module) -> set[str]:
    """Recursive procedures, and all that they may call."""
    found = {name for name, p in module.procedures.items() if p.recursive}
    todo = list(found)
    while todo:
        for callee in _calls(module.procedures[todo.pop()]):
            if callee not in found:
                found.add(callee)
                todo.append(callee)
    return found


def _frame(procedure: ir.Procedure, base: int, returns: int, moving: bool) -> FrameLayout:
    start = 0 if moving else base
    back = slot(start, 0, max(1, returns))
    offset = back.end
    previous: Slot | None = None
    if moving:
        previous = slot(offset, 0, 65_535)
        offset = previous.end
    slots: dict[str, Slot] = {}
    for variable in (*procedure.params, *procedure.variables):
        slots[variable.name] = slot(offset, variable.lo, variable.hi, variable.size)
        offset = slots[variable.name].end
    return FrameLayout(slots, back, previous, base, offset - start, moving)


def _frames(module: ir.Module, layout: Layout, base: int, returns: int, moving: set[str]) -> None:
    """Fixed frames lie after every frame that may be below them; moving ones are appended to the
    state when they are needed."""
    bases: dict[str, int] = {module.main: base}
    order = _call_order(module, moving)
    end = base
    for name in order:
        frame = _frame(module.procedures[name], bases.get(name, base), returns, moving=False)
        layout.frames[name] = frame
        end = max(end, frame.base + frame.size)
        for callee in _calls(module.procedures[name]):
            if callee not in moving:
                bases[callee] = max(bases.get(callee, base), frame.base + frame.size)
    for name in sorted(moving):
        layout.frames[name] = _frame(module.procedures[name], end, returns, moving=True)
    layout.size = end


def _call_order(module: ir.Module, moving: set[str]) -> list[str]:
    """Callers before callees; the fixed procedures have no cycles."""
    order: list[str] = []
    seen: set[str] = set()

    def visit(name: str) -> None:
        if name in seen or name in moving:
            return
        seen.add(name)
        for callee in sorted(_calls(module.procedures[name])):
            visit(callee)
        order.append(name)

    for name in module.procedures:
        visit(name)
    return list(reversed(order))
