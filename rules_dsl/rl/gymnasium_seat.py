"""A game as a Gymnasium environment: one seat learns, bots play the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec

from compiler.runtime.bots import Policy, bots_for
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

ID = "rules_dsl/Seat-v0"


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """The seat acts whenever it decides; `step` lets the bots play until it decides again."""

    metadata = {"render_modes": RENDER_MODES, "render_fps": 1}  # noqa: RUF012 (Gymnasium declares it so)

    def __init__(
        self,
        game: Game,
        seat: int,
        bots: Policy | Sequence[Policy],
        reward: Reward,
        illegal: Illegal,
        render_mode: str | None = None,
    ) -> None:
        check_reward(reward)
        check_illegal(illegal)
        check_mode(render_mode)
        if seat not in range(game.players):
            raise ValueError(f"there is no seat {seat}; seats are 0..{game.players - 1}")
        bots_for(bots, game.players)
        self.game, self.seat, self.bots = game, seat, bots
        self.reward, self.illegal, self.render_mode = reward, illegal, render_mode
        self.observation_space = observation_space(game)
        self.action_space = spaces.Discrete(game.actions.size)
        self.spec = EnvSpec(
            ID,
            entry_point="rules_dsl.rl.gymnasium_seat:SeatEnv",
            disable_env_checker=True,
            order_enforce=False,
            kwargs={"game": game, "seat": seat, "bots": bots, "reward": reward, "illegal": illegal},
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game and let the bots play up to the first decision of the seat."""
        super().reset(seed=seed)
        chance = int(self.np_random.integers(2**62)) if seed is None else seed
        self.turn = Turn(self.game, chance)
        self._others = bots_for(self.bots, self.game.players, chance)
        self._let_others_play()
        return self.turn.observation(self.seat), {}

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take an action, or choose a part of a move, for the seat."""
        self.turn.act(int(action), self.illegal)
        self._let_others_play()
        won = 0.0
        if self.turn.loser is not None:
            won = lost_by(self.turn.loser, self.game.players)[self.seat]
        elif self.turn.over:
            won = rewards(self.turn.state, self.reward)[self.seat]
        told = {"illegal": True} if self.turn.loser is not None else {}
        return self.turn.observation(self.seat), won, self.turn.over, False, told

    def _let_others_play(self) -> None:
        turn = self.turn
        while not turn.over and turn.state.player != self.seat:
            assert turn.state.player is not None
            turn.state = turn.state.play(self._others[turn.state.player].choose(turn.state))

    def render(self) -> Any:
        """The position as everybody sees it."""
        return rendered(self.turn.state, self.render_mode)


gymnasium.register(ID, entry_point="rules_dsl.rl.gymnasium_seat:SeatEnv")
