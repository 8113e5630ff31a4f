"""Cards that an example places: those that stay in a pile close ranks."""

from __future__ import annotations

from attrs import define

from compiler.runtime.machine import Machine
from compiler.runtime.values import read_slot, write_slot
from rules_dsl.language.symbols import TableSymbol, ZoneSymbol
from rules_dsl.language.syntax import PileEnd


@define
class GivenCards:
    """The places of the cards of a table in a position that is being arranged."""

    machine: Machine
    table: TableSymbol
    cells: bytearray

    def put(self, card: int, place: int) -> None:
        """Put a card into a zone, or among the shuffled cards of a pile."""
        self._leave(card)
        self._write(card, place)

    def put_on_end(self, card: int, pile: ZoneSymbol, bag: int, end: PileEnd) -> None:
        """Put a card on top of a pile or at its bottom; `bag` is the place of shuffled cards."""
        self._leave(card)
        self._write(card, bag)
        if end == "top":
            known = range(bag + 1, bag + pile.above + 1)
            self._write(card, max((self._read(c) for c in self._in(known)), default=bag) + 1)
            return
        for other in self._in(range(bag - pile.below, bag)):
            self._write(other, self._read(other) + 1)
        self._write(card, bag - pile.below)

    def _leave(self, card: int) -> None:
        """Cards above one that leaves a pile move down by one, as far as their places are known."""
        was = self._read(card)
        for pile in self.table.zones:
            if pile.first_place <= was < pile.first_place + pile.places:
                level = (was - pile.first_place) % pile.levels
                if level != pile.below:
                    end = pile.levels if level > pile.below else pile.below
                    for other in self._in(range(was + 1, was - level + end)):
                        self._write(other, self._read(other) - 1)

    def _in(self, places: range) -> list[int]:
        return [c for c in range(self.table.type.size) if self._read(c) in places]

    def _read(self, card: int) -> int:
        return read_slot(self._slot(), self.cells, card)

    def _write(self, card: int, place: int) -> None:
        write_slot(self._slot(), self.cells, card, place)

    def _slot(self) -> tuple[int, int, str, int, int]:
        slot: tuple[int, int, str, int, int] = self.machine.meta["arrays"][
            f"{self.table.name}.place"
        ]["slot"]
        return slot
