"""The cells that a player sees, and what follows from them."""

from __future__ import annotations

from functools import cached_property

from compiler import ir
from rules_dsl.language.viewers import everybody, sees


class Sight:
    """What one player sees of the state."""

    def __init__(self, module: ir.Module, player: int) -> None:
        self.module = module
        self.player = player

    def cell(self, array: ir.Array, flat: int) -> bool:
        """Whether the player sees a cell of a variable, a set or a pool."""
        return sees(array.viewers, array.size, flat, self.player)

    def places(self, array: str) -> tuple[int, ...]:
        """The places of cards that the player looks into, for the places of one table."""
        return self._places[array]

    def sizes(self, array: str) -> range:
        """All places of the cards of a table; the number of cards in each is public."""
        zones = [z for z in self.module.zones.values() if z.array == array]
        return range(min(z.first for z in zones), max(z.first + z.places for z in zones))

    @cached_property
    def _places(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, list[int]] = {
            a.name: [] for a in self.module.arrays.values() if a.kind == "zone"
        }
        for zone in self.module.zones.values():
            for at in range(zone.places):
                if self._into(zone, at):
                    found[zone.array].append(zone.first + at)
        return {name: tuple(sorted(places)) for name, places in found.items()}

    def _into(self, zone: ir.Zone, at: int) -> bool:
        return sees(zone.viewers, zone.places, at, self.player)

    @cached_property
    def unknown(self) -> frozenset[tuple[str, int]]:
        """The cells that the player does not know.

        A card that lies nowhere else lies in the one hidden place: a hidden place of cards or
        a hidden amount of a good is known if it is the only one.
        """
        found: set[tuple[str, int]] = set()
        for array in self.module.arrays.values():
            if array.kind == "zone":
                if len(self.sizes(array.name)) - len(self.places(array.name)) > 1:
                    found.update((array.name, k) for k in range(array.size))
            elif array.kind != "pool":
                found.update((array.name, k) for k in range(array.size) if not self.cell(array, k))
        for good in self.module.goods:
            cells = [
                (array.name, k)
                for array in self.module.arrays.values()
                if array.kind == "pool" and good in array.goods
                for k in range(array.goods.index(good), array.size, len(array.goods))
                if not self.cell(array, k)
            ]
            if len(cells) > 1:
                found.update(cells)
        return frozenset(found)

    @cached_property
    def open_arrays(self) -> frozenset[str]:
        """The arrays of which the player knows every cell."""
        return frozenset(self.module.arrays) - {array for array, _ in self.unknown}


def keeps_secrets(module: ir.Module) -> bool:
    """Whether the rules hide anything from any player, permanently or for a moment."""
    declared = [array.viewers for array in module.arrays.values()]
    declared += [zone.viewers for zone in module.zones.values()]
    seen = everybody(module.players)
    return any(viewers != seen for viewers in declared) or any(
        isinstance(block.terminator, ir.Decide) and block.terminator.secret
        for procedure in module.procedures.values()
        for block in procedure.blocks
    )
