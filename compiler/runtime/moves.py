"""Moves as people and programs see them, and reading them from text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import field, frozen

from compiler.runtime.fault import Fault
from compiler.runtime.machine import Machine
from compiler.runtime.values import Cells, Names


@frozen
class Move:
    """A move: `str(move)` is its notation, which `play` reads back.

    >>> import rules_dsl as rd
    >>> move = rd.load("tic_tac_toe").start().moves()[4]
    >>> move.name, move.args, move.by, str(move)
    ('place', ('b2',), 0, 'b2')
    """

    name: str
    args: tuple[Any, ...]
    by: int | None
    text: str = field(eq=False)
    point: int = field(repr=False)
    code: int = field(repr=False)
    # Of which game and configuration it is a move.
    rules: str = field(eq=False, repr=False)

    def __str__(self) -> str:
        return self.text


@frozen
class Reason:
    """A requirement of a move: its text, where it comes from, and whether it holds.

    `values` are the parts of the condition with their values, as text.
    """

    text: str
    cite: str
    holds: bool
    values: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        mark = "yes" if self.holds else "no"
        cite = f" — {self.cite}" if self.cite else ""
        shown = ", ".join(f"{name} = {value}" for name, value in self.values)
        return f"[{mark}] {self.text}{f' ({shown})' if shown else ''}{cite}"


class IllegalMove(ValueError):
    """A move that the rules do not allow here: `.reasons` says why."""

    def __init__(self, message: str, reasons: tuple[Reason, ...] = ()) -> None:
        super().__init__(message)
        self.reasons = reasons


MAX_GUESSES = 50_000


def normal(text: str) -> str:
    """A notation without regard to case, spacing and underscores."""
    return re.sub(r"[\s_]+", " ", text.strip()).casefold()


class Notation:
    """Makes moves from numbers and finds moves by their text."""

    def __init__(self, machine: Machine, names: Names) -> None:
        self.machine = machine
        self.names = names
        self.points: tuple[Mapping[str, Any], ...] = machine.meta["points"]
        self.talk = machine.code["TALK"]
        meta = machine.meta
        self.rules = f"{meta['digest']} {meta['players']} {sorted(meta['options'].items())}"

    def move(self, cells: Cells, code: int) -> Move:
        """The move with a number, at the point where the game waits."""
        number = self.machine.point(cells)
        point = self.points[number]
        if "verb" in point:
            value = self.names.value(point["kind"], code)
            text = f"{point['verb']} {self.names.label(point['kind'], code)}"
            return Move(point["verb"], (value,), None, text, number, code, self.rules)
        index, values = self.decode(point, code)
        name, params, *_ = point["options"][index]
        of = point["options"][index][5]
        args: tuple[Any, ...]
        if of is not None:  # the elements of a set
            kind, first = of
            args = (tuple(self.names.value(kind, first + k) for k, v in enumerate(values) if v),)
        else:
            args = tuple(
                self.names.value(kind, v) for v, (_, _, _, kind) in zip(values, params, strict=True)
            )
        by = self.machine.player(cells)
        text = self.text(cells, number, index, values)
        return Move(name, args, by, text, number, code, self.rules)

    def text(self, cells: Cells, number: int, index: int, values: tuple[int, ...]) -> str:
        """The notation of an option with values for its parameters."""
        note = self.talk[number][index][0]
        try:
            return str(note(cells, *values))
        except Fault:
            return " ".join([self.points[number]["options"][index][0], *map(str, values)])

    def decode(self, point: Mapping[str, Any], code: int) -> tuple[int, tuple[int, ...]]:
        """The option and the parameters that a number stands for."""
        for index, (_, params, base, count, *_) in enumerate(point["options"]):
            if base <= code < base + count:
                rest = code - base
                values = []
                for _, low, high, _ in reversed(params):
                    rest, digit = divmod(rest, high - low + 1)
                    values.append(low + digit)
                return index, tuple(reversed(values))
        raise ValueError(f"there is no move {code}")

    def legal(self, cells: Cells) -> list[Move]:
        """All legal moves."""
        return [self.move(cells, code) for code in self.machine.moves(cells)]

    def possible(self, cells: Cells) -> Iterator[int]:
        """The numbers of all moves that can be written here, legal or not."""
        point = self.points[self.machine.point(cells)]
        if "verb" in point or not point or not point["options"]:
            return
        last = point["options"][-1]
        yield from range(min(MAX_GUESSES, last[2] + last[3]))

    def spellings(self, move: Move) -> set[str]:
        """The ways in which a move may be written."""
        words = [move.name]
        for arg in move.args:
            if arg is not None:
                words += [str(a) for a in arg] if isinstance(arg, tuple) else [str(arg)]
        return {normal(move.text), normal(" ".join(words))}

    def find(self, cells: Cells, text: str) -> Move:
        """The legal move that a text means; raises `IllegalMove`."""
        wanted = normal(text)
        legal = self.legal(cells)
        for move in legal:
            if normal(move.text) == wanted:
                return move
        for move in legal:
            if wanted in self.spellings(move):
                return move
        move_ = self.guess(cells, wanted)
        if move_ is not None:
            reasons = self.reasons(cells, move_)
            failed = [r for r in reasons if not r.holds]
            because = "; ".join(r.text for r in failed) or "it is not on offer here"
            raise IllegalMove(f"{move_.text}: {because}", tuple(reasons))
        raise IllegalMove(self._unknown(text, legal))

    def _unknown(self, text: str, legal: list[Move]) -> str:
        import difflib

        texts = [m.text for m in legal]
        close = difflib.get_close_matches(text, texts, n=1, cutoff=0.5)
        if close:
            hint = f"did you mean `{close[0]}`?"
        elif texts:
            more = f" … ({len(texts)} in all)" if len(texts) > 5 else ""
            hint = f"possible: {', '.join(texts[:5])}{more}"
        else:
            hint = "no move is possible here"
        return f"there is no move `{text}` here; {hint}"

    def guess(self, cells: Cells, wanted: str) -> Move | None:
        """The move that a text would mean if it were legal."""
        for code in self.possible(cells):
            move = self.move(cells, code)
            if wanted in self.spellings(move):
                return move
        return None

    def reasons(self, cells: Cells, move: Move) -> list[Reason]:
        """Every requirement of a move at the point where the game waits."""
        point = self.points[move.point]
        if "verb" in point:
            return []
        index, values = self.decode(point, move.code)
        cites = point["options"][index][4]
        found = self.talk[move.point][index][1](cells, *values)
        return [
            Reason(text, "; ".join(own or cites), bool(holds), tuple(shown))
            for text, own, holds, shown in found
        ]
