"""Chains of tests of one local against constants become a dispatch."""

from __future__ import annotations

from attrs import frozen

from compiler import ir

# Length of the shortest chain for which a dispatch is faster.
FEWEST = 6
Body = tuple[ir.Statement, ...]


@frozen
class Dispatch:
    """The code for some values of a local, in rising order, and for all others."""

    local: ir.Local
    cases: tuple[tuple[int, Body], ...]
    otherwise: Body

    def halves(self) -> tuple[Dispatch, int, Dispatch]:
        """Two of half the size: the first is for values below the number between them."""
        middle = len(self.cases) // 2
        below = Dispatch(self.local, self.cases[:middle], self.otherwise)
        above = Dispatch(self.local, self.cases[middle:], self.otherwise)
        return below, self.cases[middle][0], above


def dispatch(node: ir.Branch) -> Dispatch | None:
    """The dispatch that a chain of branches is, if it is a long one."""
    local: ir.Local | None = None
    cases: dict[int, Body] = {}
    rest: Body = (node,)
    while len(rest) == 1 and isinstance(rest[0], ir.Branch):
        match rest[0].condition:
            case ir.Op("eq", (ir.Local() as tested, ir.Int(value))) if local in (None, tested):
                local = tested
                cases.setdefault(value, rest[0].then)  # the first test that holds counts
            case _:
                break
        rest = rest[0].otherwise
    # What remains is written more than once.
    if local is None or len(cases) < FEWEST or len(rest) > 1:
        return None
    return Dispatch(local, tuple(sorted(cases.items())), rest)
