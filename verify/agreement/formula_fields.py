"""Questions over relations in a game run by formulas: the cells they read are formulas, too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import define, field

from verify.agreement.formula_functions import Function, written
from verify.encode.expressions import Evaluator
from verify.encode.fields import AskedField, known_answer
from verify.encode.unknowns import Cells, SymbolicState

if TYPE_CHECKING:
    from verify.agreement.formula_game import Formulated


@define(eq=False)
class FormulatedField:
    """A question about cells that are given by formulas."""

    game: Formulated
    asked: AskedField
    # Where the values of unknowns are found.
    places: dict[int, int]
    function: Function | None = None
    # The position that was asked about last, and the answers in it.
    values: object = None
    state: SymbolicState | None = None
    known: dict[tuple[int, ...], int] = field(factory=dict)

    def answer(self, values: Sequence[int], args: tuple[int, ...]) -> int:
        """The answer for these values of the unknowns."""
        world = self.game.world
        if self.function is None:
            terms = [cell for cells in self.asked.cells for cell in cells.values]
            self.function = written(
                terms, self.places, self.game.definitions(), self.game.path, self.game._parts
            )
        if self.values is not values:
            found = iter(self.function(values))
            arrays = {
                name: Cells(tuple(int(next(found)) for _ in cells.values))
                for name, cells in zip(self.asked.arrays, self.asked.cells, strict=True)
            }
            self.values, self.state, self.known = values, SymbolicState(arrays), {}
        if args not in self.known:
            assert self.state is not None
            self.known[args] = known_answer(Evaluator(world, self.state), self.asked.question, args)
        return self.known[args]
