"""Proposals about loops: bounds on counters after a given number of rounds."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from compiler import build as b
from compiler import ir
from compiler.traverse import every_statement


@frozen
class Growth:
    """The growth of a cell or local in a round: a number from `least` to `most`."""

    counted: ir.Cell | ir.Local
    least: int
    most: int

    def bounds(self, start: ir.Expr, rounds: ir.Expr) -> Iterator[ir.Expr]:
        """The bound after some rounds, if the value was `start` before them."""
        yield b.le(self.counted, b.add(start, b.mul(b.int_(self.most), rounds)))
        yield b.le(b.add(start, b.mul(b.int_(self.least), rounds)), self.counted)


def growths(body: tuple[ir.Statement, ...]) -> list[Growth]:
    """The growth by the statements of a round; only proposed, as other statements may add more."""
    found: dict[ir.Cell | ir.Local, tuple[int, int]] = {}
    for statement in every_statement(body):
        match statement:
            case ir.SetCell(target, value) if all(isinstance(at, ir.Int) for at in target.index):
                change = _change(target, value)
            case ir.SetLocal(target, value):
                change = _change(target, value)
            case _:
                continue
        if change is not None:
            least, most = found.get(target, (0, 0))
            found[target] = (least + min(change[0], 0), most + max(change[1], 0))
    return [Growth(target, least, most) for target, (least, most) in found.items()]


def _change(target: ir.Cell | ir.Local, value: ir.Expr) -> tuple[int, int] | None:
    """The least and the most that an assignment adds."""
    while isinstance(value, ir.Narrow):
        value = value.value
    match value:
        case ir.Op("add", (one, two)) if _same(one, target):
            return two.lo, two.hi
        case ir.Op("add", (one, two)) if _same(two, target):
            return one.lo, one.hi
        case ir.Op("sub", (one, two)) if _same(one, target):
            return -two.hi, -two.lo
    return None


def _same(one: ir.Expr, two: ir.Cell | ir.Local) -> bool:
    """True if two expressions name the same cell or local; their ranges may differ."""
    if isinstance(one, ir.Local) and isinstance(two, ir.Local):
        return one.name == two.name
    return one == two
