"""Random playouts of the compiled rules against Python written by hand over the same flat state."""

from __future__ import annotations

import time
from typing import Protocol

import pytest

import rules_dsl as rd
from compiler.runtime.randomness import GOLDEN, MASK, decision_key

MOST = 1.3  # times slower than by hand
ROUNDS = 15


class Rules(Protocol):
    """A game written by hand."""

    def new(self) -> bytearray: ...
    def over(self, state: bytearray) -> bool: ...
    def moves(self, state: bytearray) -> list[int]: ...
    def play(self, state: bytearray, move: int) -> None: ...


def playout(rules: Rules, seed: int) -> int:
    """Play a random game with the library's own generator; gives the number of moves."""
    over, moves, play = rules.over, rules.moves, rules.play
    key, count = decision_key(seed), 0
    state = rules.new()
    while not over(state):
        options = moves(state)
        count += 1
        z = (key + count * GOLDEN) & MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        play(state, options[((z ^ (z >> 31)) * len(options)) >> 64])
    return count


# Each hand-written game keeps the variables that its rule file declares, one byte each, and a last
# byte that says that the game is over. A cell holds 0 for nobody and 1 or 2 for a player.


class TicTacToe:
    PLACED, MOVER, WINNER, OVER, SIZE = 9, 10, 11, 12, 13

    def new(self) -> bytearray:
        return bytearray(self.SIZE)

    def over(self, state: bytearray) -> bool:
        return bool(state[12])

    def moves(self, state: bytearray) -> list[int]:
        return [i for i in range(9) if not state[i]]

    def play(self, state: bytearray, move: int) -> None:
        mover = state[10]
        mark = mover + 1
        state[move] = mark
        state[9] += 1
        state[10] = 1 - mover
        r, c = divmod(move, 3)
        row = 3 * r
        if (
            (state[row] == mark and state[row + 1] == mark and state[row + 2] == mark)
            or (state[c] == mark and state[c + 3] == mark and state[c + 6] == mark)
            or (r == c and state[0] == mark and state[4] == mark and state[8] == mark)
            or (r + c == 2 and state[2] == mark and state[4] == mark and state[6] == mark)
        ):
            state[11] = mark
            state[12] = 1
        elif state[9] == 9:
            state[12] = 1


def _run(state: bytearray, disc: int, r: int, c: int, up: int, aside: int) -> int:
    length = 0
    r += up
    c += aside
    while length < 3 and 0 <= r < 6 and 0 <= c < 7 and state[r * 7 + c] == disc:
        length += 1
        r += up
        c += aside
    return length


class ConnectFour:
    # 42 discs, 7 heights, dropped, mover, winner, over
    def new(self) -> bytearray:
        return bytearray(53)

    def over(self, state: bytearray) -> bool:
        return bool(state[52])

    def moves(self, state: bytearray) -> list[int]:
        return [c for c in range(7) if state[42 + c] < 6]

    def play(self, state: bytearray, move: int) -> None:
        mover = state[50]
        disc = mover + 1
        r = state[42 + move]
        state[r * 7 + move] = disc
        state[42 + move] = r + 1
        state[49] += 1
        state[50] = 1 - mover
        if (
            _run(state, disc, r, move, -1, 0) == 3
            or _run(state, disc, r, move, 0, -1) + _run(state, disc, r, move, 0, 1) >= 3
            or _run(state, disc, r, move, -1, -1) + _run(state, disc, r, move, 1, 1) >= 3
            or _run(state, disc, r, move, -1, 1) + _run(state, disc, r, move, 1, -1) >= 3
        ):
            state[51] = disc
            state[52] = 1
        elif state[49] == 42:
            state[52] = 1


class Breakthrough:
    # 64 squares, 2 piece counts, rows to go, mover, winner, over; a move is square * 3 + way
    def new(self) -> bytearray:
        state = bytearray(70)
        state[0:16] = b"\1" * 16
        state[48:64] = b"\2" * 16
        state[64] = state[65] = 16
        state[66] = 208
        return state

    def over(self, state: bytearray) -> bool:
        return bool(state[69])

    def moves(self, state: bytearray) -> list[int]:
        mover = state[67]
        piece = mover + 1
        forward = -8 if mover else 8
        found = []
        for square in range(64):
            if state[square] == piece:
                target = square + forward
                column = square % 8
                if column > 0 and state[target - 1] != piece:
                    found.append(square * 3)
                if not state[target]:
                    found.append(square * 3 + 1)
                if column < 7 and state[target + 1] != piece:
                    found.append(square * 3 + 2)
        return found

    def play(self, state: bytearray, move: int) -> None:
        mover = state[67]
        square, way = divmod(move, 3)
        target = square + (-8 if mover else 8) + way - 1
        row = target // 8
        state[67] = 1 - mover
        state[66] -= 1
        if state[target]:
            state[65 - mover] -= 1
            state[66] -= row if mover == 0 else 7 - row
        state[target] = mover + 1
        state[square] = 0
        if row == (0 if mover else 7) or not state[65 - mover]:
            state[68] = mover + 1
            state[69] = 1


@pytest.mark.benchmark
@pytest.mark.parametrize(
    ("name", "by_hand", "count"),
    [
        ("tic_tac_toe", TicTacToe(), 1500),
        ("connect_four", ConnectFour(), 300),
        ("breakthrough", Breakthrough(), 40),
    ],
)
def test_as_fast_as_by_hand(name: str, by_hand: Rules, count: int) -> None:
    machine = rd.load(name).machine
    compiled, hand = [], []
    for _ in range(ROUNDS):
        start = time.process_time()
        compiled_lengths = [machine.playout(seed)[1] for seed in range(count)]
        middle = time.process_time()
        hand_lengths = [playout(by_hand, seed) for seed in range(count)]
        compiled.append(middle - start)
        hand.append(time.process_time() - middle)
        # Both list the same moves in the same order, so a seed gives the same game.
        assert compiled_lengths == hand_lengths
    # The fastest rounds are those that were disturbed least.
    assert min(compiled) <= MOST * min(hand), (compiled, hand)
