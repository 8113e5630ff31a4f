"""The ways in which a search plays games: each policy chooses its moves differently.

A position that one policy hardly ever reaches, another may reach at once; a search alternates them.
"""

from __future__ import annotations

from collections import deque
from math import exp
from random import Random
from typing import Protocol

from attrs import define, field

from verify.search.player import Player

Cells = bytes | bytearray
# A way out of a point, or one value of one of its parameters, for which a player has a weight.
Weighted = tuple[int, ...]

# Spread of the weights, and the share of them that is drawn anew when they are inherited.
SPREAD = 2.0
RENEWED = 0.2


class SearchPolicy(Protocol):
    """A policy for playing one game."""

    def choose(self, cells: Cells, choices: list[int]) -> int | None:
        """One of the moves that are possible in a position; nothing to leave the game there."""


@define(eq=False)
class AnyMove:
    """Every move is as likely as any other."""

    random: Random

    def choose(self, cells: Cells, choices: list[int]) -> int | None:
        """Any of the moves."""
        return self.random.choice(choices)


@define(eq=False)
class Balanced:
    """First an option, then a move of it: options with few moves are as likely as others."""

    player: Player
    random: Random

    def choose(self, cells: Cells, choices: list[int]) -> int | None:
        """A move of any of the options."""
        if len(choices) == 1:
            return choices[0]
        options: dict[int, list[int]] = {}
        for move in choices:
            options.setdefault(self.player.meaning(cells, move)[0], []).append(move)
        return self.random.choice(options[self.random.choice(list(options))])


@define(eq=False)
class BiasedPolicy:
    """Players keep their weights for the whole game, and try moves that were never made.

    Players with lasting preferences get much further than indifferent ones.
    """

    player: Player
    random: Random
    # The points, by number, with the ways out of them that were never taken.
    untried: dict[int, set[int]]
    weights: dict[Weighted, float] = field(factory=dict)
    # For each player and point, the weight of each move.
    _moves: dict[tuple[int, int], dict[int, float]] = field(factory=dict)

    def choose(self, cells: Cells, choices: list[int]) -> int | None:
        """A move that is new, or else one drawn by weight."""
        machine = self.player.game.machine
        if len(choices) == 1 or machine.is_chance(cells):
            return self.random.choice(choices)
        point = machine.point(cells)
        untried = self.untried.get(point)
        if untried:
            for move in choices:
                if self.player.meaning(cells, move)[0] in untried:
                    return move
        who = machine.player(cells)
        known = self._moves.setdefault((who, point), {})
        weights = []
        for move in choices:
            weight = known.get(move)
            if weight is None:
                way, values = self.player.meaning(cells, move)
                weight = self.weight(who, point, way)
                for at, value in enumerate(values):
                    weight *= self.weight(who, point, way, at, value)
                known[move] = weight
            weights.append(weight)
        return self.random.choices(choices, weights)[0]

    def weight(self, *choice: int) -> float:
        """The weight of a move for a player; drawn when it is first needed."""
        weight = self.weights.get(choice)
        if weight is None:
            weight = self.weights[choice] = exp(self.random.gauss(0, SPREAD))
        return weight

    def heir(self, random: Random) -> BiasedPolicy:
        """A policy with most of the same preferences."""
        kept = {choice: w for choice, w in self.weights.items() if random.random() >= RENEWED}
        return BiasedPolicy(self.player, random, self.untried, kept)


@define(eq=False)
class GoingOn:
    """Plays given moves, then a number of others by a policy."""

    given: deque[int]
    policy: SearchPolicy
    further: int = 1_000_000

    def choose(self, cells: Cells, choices: list[int]) -> int | None:
        """The next move that is given, if there is one."""
        if self.given:
            return self.given.popleft()
        self.further -= 1
        return self.policy.choose(cells, choices) if self.further >= 0 else None
