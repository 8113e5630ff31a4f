"""Pieces that an example places: they come from the piles, so that there are as many as before."""

from __future__ import annotations

from attrs import define

from compiler.runtime.machine import Machine
from compiler.runtime.values import read_slot, write_slot
from rules_dsl.language.symbols import PieceSymbol, VarSymbol
from rules_dsl.language.types import bounds


class NoPieces(Exception):
    """No pile has the pieces that are wanted, or room for those that are not."""


@define
class GivenPieces:
    """The places of some pieces in a position that is being arranged."""

    machine: Machine
    piece: PieceSymbol
    cells: bytearray

    def put(self, variable: VarSymbol, at: int, value: int) -> None:
        """Set a pile to a number, or a spot to an owner; the piles give and take the rest."""
        before = self.read(variable, at)
        if variable in self.piece.piles:
            self.fill(at, value - before, besides=variable)
            self.write(variable, at, value)
            return
        spot = self.piece.spot(variable)
        assert spot is not None  # a counter is not given
        for owner, by in ((before, -1), (value, 1)):
            if owner >= 0:  # it has an owner
                self.fill(owner, by)
                if spot.counter is not None:
                    self.write(spot.counter, owner, self.read(spot.counter, owner) + by)
        self.write(variable, at, value)

    def fill(self, owner: int, wanted: int, besides: VarSymbol | None = None) -> None:
        """Take pieces of an owner from the piles in their order; a negative number puts back."""
        for pile in self.piece.piles:
            if pile is besides:
                continue
            number = self.read(pile, owner)
            low, high = bounds(pile.type)  # type: ignore[arg-type]
            taken = max(number - high, min(number - low, wanted))
            self.write(pile, owner, number - taken)
            wanted -= taken
        if wanted:
            name = self.piece.owner.values[owner]
            problem = "has no more" if wanted > 0 else "has no pile with room for more"
            raise NoPieces(f"{name} {problem} `{self.piece.name}`")

    def read(self, variable: VarSymbol, at: int) -> int:
        return read_slot(self.machine.meta["arrays"][variable.name]["slot"], self.cells, at)

    def write(self, variable: VarSymbol, at: int, value: int) -> None:
        write_slot(self.machine.meta["arrays"][variable.name]["slot"], self.cells, at, value)
