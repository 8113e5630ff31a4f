"""A game as a PettingZoo environment whose agents act at the same time.

Players who choose secretly at the same time act together: no choice changes what the others of the
round may choose, which the obligation "views" proves. At any other decision one agent acts and the
others wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from compiler.runtime.actions import PartialMove
from compiler.runtime.elementary import place_in_round
from compiler.runtime.moves import IllegalMove, Move
from rules_dsl.rl.rewards import Illegal, Reward, check_illegal, check_reward, lost_by, rewards
from rules_dsl.rl.turn import RENDER_MODES, Observation, check_mode, observation_space, rendered

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.state import State


class TogetherEnv(ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types
    """Agents are `player_0`, `player_1`, … by seat; the last action is to wait."""

    def __init__(
        self, game: Game, reward: Reward, illegal: Illegal, render_mode: str | None
    ) -> None:
        check_reward(reward)
        check_illegal(illegal)
        check_mode(render_mode)
        self.game = game
        self.reward, self.illegal, self.render_mode = reward, illegal, render_mode
        self.metadata = {"name": f"{game.name}_parallel_v0", "render_modes": RENDER_MODES}
        self.possible_agents = [f"player_{seat}" for seat in range(game.players)]
        self.agents: list[str] = []
        # The id with which an agent waits.
        self.wait = game.actions.size
        self.observation_spaces = {a: observation_space(game, 1) for a in self.possible_agents}
        self.action_spaces = {a: spaces.Discrete(self.wait + 1) for a in self.possible_agents}
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a game; with a seed, chance acts as in `game.start(seed)`."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        chance = int(self._random.integers(2**62)) if seed is None else seed
        self.agents = list(self.possible_agents)
        self._begin(self.game.start(chance))
        return self._observations(), {agent: {} for agent in self.agents}

    def _begin(self, state: State) -> None:
        """Update the deciding seats and their positions."""
        self.state = state
        # For each seat that decides, in order: where, which part, and the move once it is chosen.
        self._where: dict[int, State] = deciders(state)
        self._at: dict[int, State | PartialMove] = dict(self._where)
        self._chosen: dict[int, Move] = {}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Take an action for every agent."""
        loser = None
        for agent, action in actions.items():
            seat = self.possible_agents.index(agent)
            if not self._take(seat, int(action)) and loser is None:
                loser = seat
        if loser is None and len(self._chosen) == len(self._where):
            state = self.state
            for seat in self._where:
                state = state.play(self._chosen[seat])
            self._begin(state)
        over = self.state.over or loser is not None
        won = (
            lost_by(loser, self.game.players)
            if loser is not None
            else (rewards(self.state, self.reward))
        )
        agents = list(self.agents)
        found: tuple[Any, Any, Any, Any, Any] = (
            self._observations(),
            dict(zip(agents, won, strict=True)),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            {agent: {} for agent in agents},
        )
        if over:
            self.agents = []
        return found

    def _take(self, seat: int, action: int) -> bool:
        """Take the action of a seat; whether it was legal."""
        waiting = seat not in self._at
        if waiting or action == self.wait:
            if waiting and action == self.wait:
                return True
            if self.illegal == "raise":
                raise IllegalMove(f"player_{seat} {'must wait' if waiting else 'cannot wait'}")
            return False
        try:
            found = self.game.actions.move(self._at[seat], action)
        except IllegalMove:
            if self.illegal == "raise":
                raise
            return False
        if isinstance(found, PartialMove):
            self._at[seat] = found
        else:
            self._chosen[seat] = found
            del self._at[seat]
        return True

    def _observations(self) -> dict[str, Observation]:
        found: dict[str, Observation] = {}
        for agent in self.agents:
            seat = self.possible_agents.index(agent)
            mask = np.zeros(self.wait + 1, np.int8)
            at = self._at.get(seat)
            mask[self.wait if at is None or self.state.over else at.action_ids()] = 1
            seen = self.state if at is None else at
            found[agent] = {"observation": seen.observation(seat), "action_mask": mask}
        return found

    def render(self) -> str | None:
        """The position as everybody sees it."""
        return rendered(self.state, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""


def deciders(state: State) -> dict[int, State]:
    """Who decides now: one player, or all who choose at the same time; and a position for each.

    The choices of the others in a round do not depend on earlier ones.

    >>> import rules_dsl as rd
    >>> list(deciders(rd.load("goofspiel").start(seed=1)))
    [0, 1]
    """
    found: dict[int, State] = {}
    place = place_in_round(state.game, state.cells)
    while state.player is not None and state.player not in found:
        found[state.player] = state
        if place is None:
            break
        state = state.play(state.moves()[0])
        here = place_in_round(state.game, state.cells)
        if here is None or here <= place:
            break
        place = here
    return found
