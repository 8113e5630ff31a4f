"""How a game that is played in a search goes: each manner of playing chooses its moves differently.

What one manner hardly ever comes to, another may see at once; a search lets them take turns.
"""

from __future__ import annotations

from collections import deque
from math import exp
from random import Random
from typing import Protocol

from attrs import define, field

from verify.search.player import Player

Cells = bytes | bytearray
# A way out of a point, or one value of one of its parameters, as one player likes it.
Liked = tuple[int, ...]

# How much tastes differ, and what part of them is new where they are handed on.
SPREAD = 2.0
RENEWED = 0.2


class Manner(Protocol):
    """A manner of playing one game."""

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
    """First an option, then a move of it: what has few moves is not drowned by what has many."""

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
class Willing:
    """Everybody has tastes that last for the whole game, and tries what nobody ever did.

    Players that keep doing what they like come much further than players without a will.
    """

    player: Player
    random: Random
    # The points, by number, with the ways out of them that nobody has taken yet.
    untried: dict[int, set[int]]
    tastes: dict[Liked, float] = field(factory=dict)
    # For each player and point, how much each move is liked.
    _moves: dict[tuple[int, int], dict[int, float]] = field(factory=dict)

    def choose(self, cells: Cells, choices: list[int]) -> int | None:
        """A move that is new, or else rather one that is liked."""
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
        liked = self._moves.setdefault((who, point), {})
        weights = []
        for move in choices:
            weight = liked.get(move)
            if weight is None:
                way, values = self.player.meaning(cells, move)
                weight = self.taste(who, point, way)
                for at, value in enumerate(values):
                    weight *= self.taste(who, point, way, at, value)
                liked[move] = weight
            weights.append(weight)
        return self.random.choices(choices, weights)[0]

    def taste(self, *liked: int) -> float:
        """How much a player likes something; found out when it first matters."""
        taste = self.tastes.get(liked)
        if taste is None:
            taste = self.tastes[liked] = exp(self.random.gauss(0, SPREAD))
        return taste

    def heir(self, random: Random) -> Willing:
        """A policy with most of the same preferences."""
        kept = {liked: t for liked, t in self.tastes.items() if random.random() >= RENEWED}
        return Willing(self.player, random, self.untried, kept)


@define(eq=False)
class GoingOn:
    """Plays given moves, then a number of others by a policy."""

    given: deque[int]
    manner: Manner
    further: int = 1_000_000

    def choose(self, cells: Cells, choices: list[int]) -> int | None:
        """The next move that is given, if there is one."""
        if self.given:
            return self.given.popleft()
        self.further -= 1
        return self.manner.choose(cells, choices) if self.further >= 0 else None
