"""Playing a game on the generated code and on the reference interpreter side by side."""

from __future__ import annotations

import random

import rules_dsl as rd
from compiler.interpret import IRFault
from compiler.reference import ReferenceMachine
from compiler.runtime.fault import Fault
from compiler.runtime.values import read_slot


def play_side_by_side(game: rd.Game, seed: int, limit: int = 10_000) -> int:
    """Play at random on both; every position must be the same. Gives the number of moves made."""
    machine = game.machine
    rng = random.Random(seed)
    try:
        reference = ReferenceMachine(game.ir)
    except IRFault:
        return 0
    cells = machine.new()
    for ply in range(limit):
        compare(game, cells, reference)
        if machine.over(cells):
            return ply
        if machine.is_chance(cells):
            outcomes = machine.outcomes(cells)
            if not outcomes:
                return ply
            assert [(w, (v,)) for v, w in outcomes] == reference.moves()
            move = rng.choice(outcomes)[0]
            chosen: tuple[int, tuple[int, ...]] = (0, (move,))
        else:
            try:
                expected = reference.moves()
            except IRFault:  # the generated code may look at cheaper requirements first
                return ply
            moves = machine.moves(cells)
            point = machine.meta["points"][machine.point(cells)]
            decoded = [game.notation.decode(point, m) for m in moves]
            assert decoded == expected
            if not moves:  # nothing was proved of these rules
                return ply
            index = rng.randrange(len(moves))
            move, chosen = moves[index], decoded[index]
        try:
            reference.play(*chosen)
        except IRFault:
            # The generated code may skip a requirement that fails in the reference, so that a
            # fault among requirements shows later or never; a fault of an effect shows here.
            return ply
        try:
            machine.play(cells, move)
        except Fault as fault:
            raise AssertionError(f"only the generated code fails: {fault}") from fault
    return limit


def compare(game: rd.Game, cells: bytearray, reference: ReferenceMachine) -> None:
    """Both must be in the same position and wait for the same player."""
    assert game.machine.player(cells) == reference.player
    for name, values in reference.values.items():
        slot = game.machine.meta["arrays"][name]["slot"]
        found = [read_slot(slot, cells, k) for k in range(len(values))]
        assert found == values, name
