"""Numbers of move sequences, against the known ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import rules_dsl as rd

if TYPE_CHECKING:
    from compiler.runtime.machine import Machine


def _sequences(machine: Machine, state: bytearray, depth: int) -> int:
    """How many sequences of `depth` moves are possible."""
    if machine.over(state):
        return 0
    moves = machine.moves(state)
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        after = state[:]
        machine.play(after, move)
        total += _sequences(machine, after, depth - 1)
    return total


def _complete_games(machine: Machine, state: bytearray) -> int:
    if machine.over(state):
        return 1
    total = 0
    for move in machine.moves(state):
        after = state[:]
        machine.play(after, move)
        total += _complete_games(machine, after)
    return total


@pytest.mark.slow
def test_tic_tac_toe() -> None:
    machine = rd.load("tic_tac_toe").machine
    assert _complete_games(machine, machine.new()) == 255_168


@pytest.mark.slow
@pytest.mark.parametrize(
    ("depth", "count"),
    [(1, 7), (2, 49), (3, 343), (4, 2401), (5, 16_807), (6, 117_649), (7, 823_536)],
)
def test_connect_four(depth: int, count: int) -> None:
    machine = rd.load("connect_four").machine
    assert _sequences(machine, machine.new(), depth) == count
