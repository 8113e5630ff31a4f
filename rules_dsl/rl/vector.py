"""Many games side by side for learners that play all seats: observations and masks as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from compiler.runtime.actions import settled
from compiler.runtime.batch import Batch
from rules_dsl.rl.rewards import Reward, check_reward, shares

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from compiler.runtime.game import Game


@frozen
class Outcome:
    """The result of a step in each slot.

    `acted` is the player who acted; `done` says whether that ended the game, and `rewards` has the
    rewards of its players (zeros elsewhere).
    """

    acted: NDArray[np.int32]
    done: NDArray[np.bool_]
    rewards: NDArray[np.float32]


class VectorEnv:
    """`n` games side by side; one that ends makes room for the next.

    In every slot the player to move acts: `observations()` and `masks()` are for that player, and
    `step` takes an action id for each slot. The games are those of `game.batch(n, seed)`.

    >>> import rules_dsl as rd
    >>> env = VectorEnv(rd.load("tic_tac_toe"), 2, seed=1, reward="win")
    >>> env.step([4, 0]).done.tolist(), env.player.tolist()
    ([False, False], [1, 1])
    """

    def __init__(
        self, game: Game, n: int, seed: int, reward: Reward, backend: str = "auto"
    ) -> None:
        check_reward(reward)
        self.game = game
        self.reward = reward
        self.batch: Batch = game.batch(n, seed, backend)
        self.size = n
        # Ids of the settled parts in each slot, and the moves that are still possible.
        self._parts: list[tuple[int, ...]] = [()] * n
        self._codes: list[list[int]] = [[] for _ in range(n)]
        self._spelled: list[list[tuple[int, ...]]] = [[] for _ in range(n)]
        self._look(np.arange(n))

    @property
    def player(self) -> NDArray[np.int32]:
        """The player who acts in each slot."""
        return self.batch.player

    def observations(self) -> NDArray[np.float32]:
        """The observation of the player to move, in each slot."""
        found = self.game.observations.batch(self.batch.states, self.batch.player)
        schema = self.game.observations
        for slot, parts in enumerate(self._parts):
            if parts:
                schema.add_parts(found[slot], parts)
        return found

    def masks(self) -> NDArray[np.bool_]:
        """The action mask of the player to move, in each slot."""
        found = np.zeros((self.size, self.game.actions.size), np.bool_)
        for slot, spelled in enumerate(self._spelled):
            depth = len(self._parts[slot])
            found[slot, [spelling[depth] for spelling in spelled]] = True
        return found

    def step(self, actions: Any) -> Outcome:
        """Take an action in every slot; raises `ValueError` if one is illegal."""
        chosen = np.full(self.size, -1, np.int64)
        acted = self.batch.player.copy()
        taken: list[list[int]] = []
        for slot, action in enumerate(np.asarray(actions).tolist()):
            depth = len(self._parts[slot])
            left = [k for k, s in enumerate(self._spelled[slot]) if s[depth] == action]
            if not left:
                raise ValueError(f"{action} is not a legal action in slot {slot}")
            taken.append(left)
        for slot, left in enumerate(taken):
            self._codes[slot] = [self._codes[slot][k] for k in left]
            self._spelled[slot] = [self._spelled[slot][k] for k in left]
            if len(left) == 1:
                chosen[slot] = self._codes[slot][0]
            else:
                self._parts[slot] = settled(self._spelled[slot])
        self.batch.step(chosen)
        done = self.batch.done.copy()
        self._look(np.flatnonzero(chosen >= 0))
        return Outcome(acted, done, self._rewards(done))

    def _look(self, slots: NDArray[Any]) -> None:
        """Update the possible choices in some slots."""
        batch, spelling = self.batch, self.game.actions.spelling
        point = self.game.machine.point
        for slot in slots.tolist():
            codes = batch.moves[slot, : batch.counts[slot]].tolist()
            at = point(batch.states[slot].tobytes())
            self._codes[slot] = codes
            self._spelled[slot] = [spelling(at, code) for code in codes]
            self._parts[slot] = settled(self._spelled[slot])

    def _rewards(self, done: NDArray[np.bool_]) -> NDArray[np.float32]:
        found = np.zeros((self.size, self.game.players), np.float32)
        for slot in np.flatnonzero(done):
            if self.reward == "score":
                found[slot] = self.batch.scores[slot] / self.batch.denominator
            else:
                winners = tuple(np.flatnonzero(self.batch.winners[slot]).tolist())
                found[slot] = shares(winners, self.game.players)
        return found
