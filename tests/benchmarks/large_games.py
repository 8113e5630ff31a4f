"""Random playouts of the large games, next to a fixed loop: python -m tests.benchmarks.large_games.

Times depend on the machine and on what else it does, so a rate is only ever given as a ratio to the
reference loop, measured in turns with it.
"""

from __future__ import annotations

import statistics
from time import perf_counter_ns, process_time

from attrs import frozen

import rules_dsl as rd
from compiler.runtime.machine import Machine
from compiler.runtime.randomness import GOLDEN, MASK, chance_key, decision_key, mix

# Rounds of the reference loop in one measurement.
REFERENCE_STEPS = 2_000
FORMS: dict[str, tuple[int, dict[str, bool]]] = {
    "tzolkin": (4, {}),
    "tikal": (4, {}),
    "tikal auction": (4, {"auction": True}),
}


def reference_loop(steps: int) -> int:
    """A decision of a small game, written by hand: look, choose, change.

    It must stay as it is: ratios to another loop mean something else.
    """
    cells = bytearray(64)
    total = 0
    for step in range(1, steps + 1):
        legal = [at for at in range(64) if cells[at] < 3]
        z = mix((step * GOLDEN) & MASK)
        at = legal[(z * len(legal)) >> 64]
        cells[at] += 1
        total += cells[at]
        if step % 96 == 0:
            cells = bytearray(64)
    return total


@frozen
class Speed:
    """How fast a game is played at random."""

    game: str
    players: int
    playouts: int
    decisions: int
    # Decisions in the time of one step of the reference loop.
    ratio: float
    # Of the time of a playout: listing moves, carrying them out; the rest is choosing.
    generating: float
    carrying_out: float

    def __str__(self) -> str:
        return (
            f"{self.game}, {self.players} players: {self.decisions / self.playouts:.0f} decisions "
            f"a game, {self.ratio:.3f} in a step of the reference loop; "
            f"{self.generating:.0%} listing moves, {self.carrying_out:.0%} carrying them out"
        )


def measure(name: str, rounds: int = 7, games: int = 10) -> Speed:
    """Play at random, in turns with the reference loop; the middle of several ratios counts."""
    players, options = FORMS[name]
    machine = rd.load(name.split()[0], players=players, options=options).machine
    ratios, decisions = [], 0
    for number in range(rounds):
        start = process_time()
        lengths = [machine.playout(seed)[1] for seed in range(number * games, (number + 1) * games)]
        middle = process_time()
        reference_loop(REFERENCE_STEPS)
        end = process_time()
        decisions += sum(lengths)
        ratios.append(sum(lengths) / (middle - start) / (REFERENCE_STEPS / (end - middle)))
    generating, carrying_out = shares(machine, games)
    playouts = rounds * games
    return Speed(
        name, players, playouts, decisions, statistics.median(ratios), generating, carrying_out
    )


def shares(machine: Machine, games: int) -> tuple[float, float]:
    """The share of a playout that goes into listing moves and into carrying them out."""
    listing = carrying = 0
    began = perf_counter_ns()
    for seed in range(games):
        will, luck, count = decision_key(seed), chance_key(seed), 0
        cells = machine.new()
        while not machine.over(cells):
            count += 1
            before = perf_counter_ns()
            if machine.is_chance(cells):
                move = machine.chance_move(cells, luck, count)
            else:
                legal = machine.moves(cells)
                move = legal[(mix((will + count * GOLDEN) & MASK) * len(legal)) >> 64]
            listed = perf_counter_ns()
            machine.play(cells, move)
            carrying += perf_counter_ns() - listed
            listing += listed - before
    took = perf_counter_ns() - began
    return listing / took, carrying / took


def main() -> None:
    """Print all that was measured; as the only absolute number, the rate of the reference loop."""
    start = process_time()
    reference_loop(20 * REFERENCE_STEPS)
    rate = 20 * REFERENCE_STEPS / (process_time() - start)
    print(f"reference loop: {rate:,.0f} steps a second here and now")
    for name in FORMS:
        speed = measure(name)
        rates = speed.ratio * rate, speed.ratio * rate * speed.playouts / speed.decisions
        print(f"{speed}; {rates[0]:,.0f} decisions, {rates[1]:,.0f} games a second")


if __name__ == "__main__":
    main()
