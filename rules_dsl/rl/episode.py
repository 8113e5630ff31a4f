"""A game as OpenSpiel plays it: action by action, with parts of moves and explicit chance."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from compiler.loading import Recipe
from compiler.runtime.actions import PartialMove
from rules_dsl.rl.observed import Observed

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.state import State


@lru_cache(maxsize=32)
def loaded(recipe: Recipe) -> Game:
    """A game, loaded once: its positions in OpenSpiel share it."""
    return recipe.load()


class Episode:
    """A position with its history. It never changes: clones share it."""

    __slots__ = ("_sights", "actions", "observed", "partial", "recipe", "state")

    def __init__(
        self,
        recipe: Recipe,
        state: State,
        partial: PartialMove | None,
        observed: Observed,
        actions: tuple[int, ...],
    ) -> None:
        self.recipe = recipe
        self.state = state
        # The parts of a move chosen so far.
        self.partial = partial
        self.observed = observed
        self.actions = actions
        # The views of players as text, computed on demand.
        self._sights: dict[int, str] = {}

    @staticmethod
    def start(recipe: Recipe) -> Episode:
        """The opening, before chance acts."""
        state = loaded(recipe).start()
        return Episode(recipe, state, None, Observed.start(state), ())

    @property
    def at(self) -> State | PartialMove:
        """The point at which the next action is chosen."""
        return self.state if self.partial is None else self.partial

    @property
    def lowest(self) -> int:
        """The outcome of chance that action 0 stands for."""
        machine = self.state.game.machine
        return int(machine.meta["points"][machine.point(self.state.cells)]["range"][0])

    def after(self, action: int) -> Episode:
        """The course after an action of a player or an outcome of chance."""
        before, actions = self.state, (*self.actions, action)
        player = before.player
        if player is None:
            state = before._after(action + self.lowest)
            observed = self.observed.after_draw(before, state)
            return Episode(self.recipe, state, None, observed, actions)
        found = before.game.actions.move(self.at, action)
        if isinstance(found, PartialMove):
            observed = self.observed.after_part(before, player, action)
            return Episode(self.recipe, before, found, observed, actions)
        state = before.play(found)
        observed = self.observed.after_move(before, state, player, action)
        return Episode(self.recipe, state, None, observed, actions)

    def sight(self, player: int) -> str:
        """The observation of a player: the view, and the player's parts of the current move."""
        if player not in self._sights:
            mine = self.partial if self.state.player == player else None
            chosen = [] if mine is None else [mine.state.game.actions.text(n) for n in mine.ids]
            self._sights[player] = "\n".join([self.state.view(player).to_json(), *chosen])
        return self._sights[player]

    def __copy__(self) -> Episode:
        return self

    def __deepcopy__(self, _: object) -> Episode:
        return self

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _replayed, (self.recipe, self.actions)


def _replayed(recipe: Recipe, actions: tuple[int, ...]) -> Episode:
    course = Episode.start(recipe)
    for action in actions:
        course = course.after(action)
    return course
