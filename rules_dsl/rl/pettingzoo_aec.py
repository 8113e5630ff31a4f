"""A game as a PettingZoo environment whose agents act one after another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from rules_dsl.rl.rewards import Illegal, Reward, check_illegal, check_reward, lost_by, rewards
from rules_dsl.rl.turn import (
    RENDER_MODES,
    Observation,
    Turn,
    check_mode,
    observation_space,
    rendered,
)

if TYPE_CHECKING:
    from compiler.runtime.game import Game


class TurnEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """Agents are `player_0`, `player_1`, … by seat; rewards come at the end of the game."""

    def __init__(
        self, game: Game, reward: Reward, illegal: Illegal, render_mode: str | None
    ) -> None:
        super().__init__()
        check_reward(reward)
        check_illegal(illegal)
        check_mode(render_mode)
        self.game = game
        self.reward, self.illegal, self.render_mode = reward, illegal, render_mode
        self.metadata = {
            "name": f"{game.name}_v0",
            "render_modes": RENDER_MODES,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(game.players)]
        self.agents: list[str] = []
        self.agent_selection: str = self.possible_agents[0]
        self.observation_spaces = {a: observation_space(game) for a in self.possible_agents}
        self.action_spaces = {a: spaces.Discrete(game.actions.size) for a in self.possible_agents}
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; with a seed, chance acts as in `game.start(seed)`."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.turn = Turn(self.game, int(self._random.integers(2**62)) if seed is None else seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> Observation:
        """The observation of an agent, and its action mask."""
        return self.turn.observation(self.possible_agents.index(agent))

    def step(self, action: int | None) -> None:
        """Take an action for the agent that is selected."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self.turn.act(int(action) if action is not None else -1, self.illegal)
        if self.turn.over:
            loser = self.turn.loser
            won = (
                rewards(self.turn.state, self.reward)
                if loser is None
                else lost_by(loser, self.game.players)
            )
            self.rewards = dict(zip(self.possible_agents, won, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self._select()
        self._accumulate_rewards()

    def _select(self) -> None:
        player = self.turn.state.player
        self.agent_selection = self.possible_agents[0 if player is None else player]
        if self.turn.over:  # a game without decisions
            self.terminations = dict.fromkeys(self.agents, True)

    def render(self) -> str | None:
        """The position as everybody sees it."""
        return rendered(self.turn.state, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""
