"""Ways of playing that reach the rare corners of the game."""

from __future__ import annotations

import random
from collections.abc import Sequence

HARVEST = (
    "perform Palenque 5",
    "perform Palenque 4",
    "perform Yaxchilan 5",
    "perform Yaxchilan 3",
)
TIKAL = tuple(f"pick up Tikal {n}" for n in range(4, 8))
DEEDS = ("perform", "build", "study", "take", "offer", "advance", "harvest", "burn", "use")
PERSONAS = ("builder", "pilgrim", "busybody")


class _Taste:
    """Narrows down a list of moves, never to nothing."""

    def __init__(self, rng: random.Random, moves: Sequence[str]) -> None:
        self.rng = rng
        self.moves = list(moves)

    def prefer(self, chance: float, *starts: str) -> None:
        liked = [m for m in self.moves if m.startswith(starts)]
        if liked and self.rng.random() < chance:
            self.moves = liked

    def avoid(self, chance: float, *starts: str) -> None:
        left = [m for m in self.moves if not m.startswith(starts)]
        if left and self.rng.random() < chance:
            self.moves = left

    def high_spaces(self, least: int, chance: float) -> bool:
        high = [m for m in self.moves if m.startswith("pick up") and int(m.split()[-1]) >= least]
        if high and self.rng.random() < chance:
            self.moves = high
            return True
        return False


def pick(
    rng: random.Random,
    moves: Sequence[str],
    persona: str = "busybody",
    cubes: int = 0,
    skulls: int = 0,
) -> str:
    """A move: random, but keen on actions.

    A builder waits for high spaces, hoards resources and raises monuments; a pilgrim waits in
    Chichen Itza.
    """
    taste = _Taste(rng, moves)
    taste.prefer(1, "build M")
    taste.avoid(0.8, "beg")
    if persona == "builder":
        taste.prefer(0.95, "sell 0", "buy 0")
        if cubes >= 8 and (skulls or rng.random() < 0.5):
            taste.prefer(1, *TIKAL, "perform Tikal 4", "place Tikal")
        else:
            taste.avoid(1, "perform Tikal", "perform Uxmal")
            if not skulls:
                taste.prefer(0.5, "perform Yaxchilan 4")
            taste.prefer(0.9, *HARVEST)
            taste.prefer(0.7, "place Yaxchilan", "place Palenque")
        taste.prefer(0.8, "harvest maize")
        if not taste.high_spaces(4, 0.9) and rng.random() < 0.7:
            taste.prefer(1, "place")
            taste.avoid(0.9, "place Uxmal", "place Chichen", "place first")
            if "stop" in taste.moves and rng.random() < 0.5:
                return "stop"
    elif persona == "pilgrim":
        taste.prefer(0.9, "perform Yaxchilan 4")
        taste.avoid(0.9, *(f"pick up Chichen Itza {n}" for n in range(7)), "pass")
        taste.prefer(0.8, "place Chichen", *(f"perform Chichen Itza {n}" for n in (7, 8, 9)))
        if "stop" in taste.moves and rng.random() < 0.7:
            return "stop"
    taste.avoid(0.8, "stop", "pass")
    taste.prefer(0.9, *DEEDS)
    taste.high_spaces(3, 0.7)
    return rng.choice(taste.moves)
