"""The numbers of the moves at a decision."""

from __future__ import annotations

from attrs import define

from compiler import ir


@define
class Numbering:
    """The numbering of the moves of an option: from `base`, mixed radix over its parameters."""

    base: int
    sizes: tuple[int, ...]

    @property
    def count(self) -> int:
        """Number of numbers that the option takes.

        >>> Numbering(4, (3, 2)).count
        6
        """
        total = 1
        for size in self.sizes:
            total *= size
        return total

    @property
    def weights(self) -> tuple[int, ...]:
        """The amount that one step of each parameter adds to the number.

        >>> Numbering(4, (3, 2)).weights
        (2, 1)
        """
        found: list[int] = []
        weight = 1
        for size in reversed(self.sizes):
            found.append(weight)
            weight *= size
        return tuple(reversed(found))


def numberings(decide: ir.Decide) -> list[Numbering]:
    """The numbers of the moves of a decision, option by option."""
    result: list[Numbering] = []
    base = 0
    for option in decide.options:
        numbering = Numbering(base, tuple(p.hi - p.lo + 1 for p in option.params))
        result.append(numbering)
        base += numbering.count
    return result


def count_moves(numbers: list[Numbering]) -> int:
    """Number of moves of a decision: 0 if all of its options are off."""
    return numbers[-1].base + numbers[-1].count if numbers else 0
