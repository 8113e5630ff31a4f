"""The map of The Great Zimbabwe in letters, for people who play in a terminal."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from games import pieces
from games.facts import Facts
from games.zimbabwe.land import LETTERS, SHORT, craft_of
from games.zimbabwe.panels import bidding

if TYPE_CHECKING:
    from compiler.runtime.state import State

# The names that the map tells, and those that nobody at the table asks for.
ON_THE_MAP = frozenset({
    "kind", "builder_of", "level", "used", "stands", "owner", "corner", "lies", "on_map",
    "raised", "raising_at", "stacked", "there_before", "placed_now", "acted", "taken",
})  # fmt: skip
BOOKKEEPING = frozenset({
    "stands", "corner", "lies", "raised", "raising_at", "asking", "given", "stacked",
    "there_before", "placed_now", "acted", "taken", "rested", "changed", "gave", "out_of",
    "next_plaque", "disc", "high_bid",
})  # fmt: skip
# What is told of an auction while it lasts.
AUCTION = frozenset({"plaque", "out_of", "gave", "high_bid", "next_plaque"})
WATER = "~~~"
GROUND = {
    "land": " . ", "start_cell": " + ", "water": WATER,
    "wood": "wd", "clay": "cl", "ivory": "iv", "diamonds": "dm",
}  # fmt: skip
USED = ("", "'", '"')
LEGEND = (
    ". land  + start cell  ~ water  wd wood, cl clay, iv ivory, dm diamonds",
    "' a used marker on a resource, \" two of them",
    "1 to 5 and a letter: a monument with its level and whose it is",
)


def told(state: State, viewer: int | None = None) -> frozenset[str]:
    """The names that need no list beside the map, and those that are told only in the auction.

    Plaques and turns have no order before they are laid.

    >>> import rules_dsl as rd
    >>> "plaque_of" in told(rd.load("zimbabwe", players=2).start(seed=1))
    True
    """
    facts = Facts(state, viewer)
    everybody = set(range(facts.players))
    orders = ("plaque_of", "turn_order")
    unset = (name for name in orders if set(facts[name].values()) != everybody)
    return ON_THE_MAP.union(unset, () if bidding(facts) else AUCTION)


def board(state: State, viewer: int | None = None) -> list[str]:
    """The lines of the map and what its letters mean.

    >>> import rules_dsl as rd
    >>> lines = board(rd.load("zimbabwe", players=2).start(seed=1))
    >>> print("\\n".join(line[:26] for line in lines[:3]))
         a   b   c   d   e   f
      1  .   .   +   .   .   +
      2  .   .   .   .   .   .
    """
    facts = Facts(state, viewer)
    columns, numbers = facts.numbers("letter"), facts.numbers("number")
    at = {(n, c): k for k, (n, c) in enumerate(zip(numbers, columns, strict=True))}
    across, down = range(max(columns) + 1), range(1, max(numbers) + 1)
    lines = ["    " + "".join(f" {LETTERS[c]}  " for c in across).rstrip()]
    for n in down:
        cells = [_cell(facts, at[n, c]) if (n, c) in at else "   " for c in across]
        line = f"{n:>3} {cells[0]}"
        for left, right in pairwise(cells):
            line += ("~" if left == right == WATER else " ") + right
        lines.append(line.rstrip())
    return [*lines, "", *LEGEND, *_crafts(facts)]


def _cell(facts: Facts, cell: int) -> str:
    """Three letters for what lies there."""
    kind = str(facts["kind"][cell])
    match kind:
        case "monument":
            return f" {facts['level'][cell]}{pieces.letter(facts.names, facts['builder_of'][cell])}"
        case "craftsman":
            who = str(facts["stands"][cell])
            return SHORT[craft_of(who)][0] + pieces.letter(facts.names, facts["owner"][who])
        case _:
            return f"{GROUND[kind]}{USED[facts['used'][cell]]}".ljust(3)


def _crafts(facts: Facts) -> list[str]:
    names = [f"{SHORT[k][0]} {facts.label('Craft', k)}" for k in facts.values("Craft")]
    half = len(names) // 2
    return [", ".join(names[:half]) + ",", ", ".join(names[half:]) + ", and whose they are"]
