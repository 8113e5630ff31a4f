"""Placements under a range condition on square boards: python -m tests.benchmarks.wide_boards.

Rates are ratios to the reference loop of the large games, measured in turns with it; what a field
takes is its processor time, the least of several runs.
"""

from __future__ import annotations

import random
import tempfile
from functools import cache
from pathlib import Path
from time import process_time

from attrs import frozen

import rules_dsl as rd
from compiler.runtime import fields
from compiler.runtime.machine import Machine
from tests.benchmarks.large_games import reference_loop

RULES = Path(__file__).with_name("wide_board.rules")
SIDES = (6, 12, 18, 24, 30)
GAMES = 4
REFERENCE_STEPS = 2_000


@frozen
class Speed:
    """How fast a board is played at random."""

    cells: int
    decisions: int
    # Legal moves at a decision, on average.
    moves: float
    # Decisions in the time of one step of the reference loop.
    ratio: float
    # Microseconds of the processor for a set of places within three steps, worked out anew.
    field: float

    def __str__(self) -> str:
        return (
            f"{self.cells} cells: {self.moves:.0f} moves at a decision, {self.ratio:.4f} decisions "
            f"in a step of the reference loop; a field takes {self.field:.0f} microseconds"
        )


@cache
def board(side: int) -> rd.Game:
    """The game on a board of a size."""
    text = RULES.read_text(encoding="utf-8").replace("const side = 18", f"const side = {side}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "wide_board.rules")
        path.write_text(text, encoding="utf-8")
        return rd.load(str(path))


def play(machine: Machine, seed: int) -> tuple[int, int]:
    """A random game; gives its decisions and how many moves there were to choose from."""
    rng = random.Random(seed)
    cells = machine.new()
    decisions = moves = 0
    while not machine.over(cells):
        legal = machine.moves(cells)
        machine.play(cells, rng.choice(legal))
        decisions += 1
        moves += len(legal)
    return decisions, moves


def measure(side: int) -> Speed:
    """Play random games next to the reference loop."""
    machine = board(side).machine
    play(machine, 0)
    decisions = moves = 0
    own = reference = 0.0
    for seed in range(1, GAMES + 1):
        start = process_time()
        made, listed = play(machine, seed)
        between = process_time()
        reference_loop(REFERENCE_STEPS)
        own += between - start
        reference += process_time() - between
        decisions += made
        moves += listed
    step = reference / (GAMES * REFERENCE_STEPS)
    ratio = decisions * step / own
    return Speed(side * side, decisions, moves / decisions, ratio, field_time(side))


def field_time(side: int) -> float:
    """Microseconds for the places within three steps of every seventh, on an open board."""
    steps = fields.Steps(side * side)
    for row in range(side):
        for column in range(side):
            for down in (-1, 0, 1):
                for right in (-1, 0, 1):
                    if 0 <= row + down < side and 0 <= column + right < side:
                        place = row * side + column
                        steps.add(place, place + down * side + right)
    sources = sum(1 << place for place in range(3, side * side, 7 * side))
    fields.spread(steps, sources, 3)
    least = float("inf")
    for _ in range(5):
        start = process_time()
        for _ in range(200):
            fields.spread(steps, sources, 3)
        least = min(least, process_time() - start)
    return least / 200 * 1e6


if __name__ == "__main__":
    for size in SIDES:
        print(measure(size))
