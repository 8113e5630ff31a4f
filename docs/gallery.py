"""Draws the pictures of the gallery: python docs/gallery.py.

The positions come from games between players who move at random but like to get things done, so
that the pictures show something. The same rules give the same pictures.
"""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

import rules_dsl as rd
from compiler.runtime.drawing import draw

if TYPE_CHECKING:
    from compiler.runtime.state import State

KEENNESS = 0.75
PICTURES = Path(__file__).parent / "pages" / "pictures"

# Moves that players like, as patterns, the best first.
LIKED = {
    "tzolkin": (
        "build M|perform Chichen|take|study|offer",
        "build A.*[1-9]$|advance|harvest|rise",
        "perform (Palenque [345]|Yaxchilan [2345]|Tikal [2345]|Uxmal 3)",
        "perform",
        "pick up .* ([4-9]|10)$",
        "place (Palenque|Yaxchilan|Tikal|Chichen)",
        "pick up .* [23]$",
        "sell 0|buy 0",
    ),
    "tikal": (
        "dig|uncover",
        "guard|found a camp",
        "move|exchange",
        "bring|send",
        "bid [1-3]$|pass",
        "place|take",
    ),
    "zimbabwe": (
        "gift|help|raise [a-r][0-9]",
        "place [a-z ]* on|ask",
        "raise monuments|place craftsmen|adore|hire",
        "put|rain|gain|use",
        "bid [1-3]$|pass",
        "build",
    ),
    "yucatan": (
        "move to the (red|blue|yellow)",
        "raise|summon|place",
        "offer (prisoners: )?[1-9]",
        "activate the (temple|construction|military camp|first|second)",
        "take",
    ),
}


@frozen
class Picture:
    """A position worth showing."""

    file: str
    game: str
    players: int
    seed: int
    moves: int
    options: tuple[tuple[str, int | bool], ...] = ()


GALLERY = (
    Picture("tzolkin_opening", "tzolkin", 3, 5, 1),
    Picture("tzolkin_middle", "tzolkin", 4, 53, 200),
    Picture("tzolkin_end", "tzolkin", 2, 31, 9999),
    Picture("tikal_middle", "tikal", 4, 1, 181),
    Picture("tikal_auction", "tikal", 3, 9, 164, (("auction", True), ("edition", 1999))),
    Picture("tikal_end", "tikal", 2, 2, 9999),
    Picture("zimbabwe_middle", "zimbabwe", 4, 5, 240),
    Picture("yucatan_middle", "yucatan", 4, 3, 220),
)


def choose(state: State, rng: random.Random) -> str:
    """A move: often one of those that the player likes best."""
    moves = [str(move) for move in state.moves()]
    moves = [m for m in moves if not re.match("beg|burn|place Uxmal", m)] or moves
    for pattern in LIKED[state.game.name]:
        liked = [move for move in moves if re.match(pattern, move)]
        if liked and rng.random() < KEENNESS:
            return rng.choice(liked)
    return rng.choice(moves)


def position(picture: Picture) -> State:
    """The position that a picture shows."""
    game = rd.load(picture.game, players=picture.players, options=dict(picture.options))
    state = game.start(seed=picture.seed)
    rng = random.Random(picture.seed)
    for _ in range(picture.moves):
        if state.over:
            break
        state = state.play(choose(state, rng))
    return state


def main() -> None:
    """Write all pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for picture in GALLERY:
        drawn = draw(position(picture))
        assert drawn is not None
        (PICTURES / f"{picture.file}.svg").write_text(drawn + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
