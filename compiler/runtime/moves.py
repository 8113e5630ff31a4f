"""Moves as people and programs see them, and reading them from text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from attrs import frozen

from compiler.runtime.fault import Fault
from compiler.runtime.machine import Machine
from compiler.runtime.values import Cells, Names


@frozen
class MovePart:
    """A choice made by a move: its name in the rules, its type, value and label.

    A parameter is named as in `s.decision.options`; the elements of a set and the outcome of
    chance have no name.
    """

    name: str
    kind: str
    value: Any
    label: str


class Move:
    """A move: `str(move)` is its notation, which `play` reads back.

    Its name, arguments and text are computed on demand.

    >>> import rules_dsl as rd
    >>> move = rd.load("tic_tac_toe").start().moves()[4]
    >>> move.name, move.args, move.by, str(move)
    ('place', ('b2',), 0, 'b2')
    """

    __slots__ = ("_by", "_cells", "_code", "_notation", "_point", "_rules", "_text", "_words")

    def __init__(
        self, notation: Notation, cells: Cells, point: int, code: int, by: int | None
    ) -> None:
        self._notation = notation
        self._rules = notation.rules
        self._cells = cells
        self._point = point
        self._code = code
        self._by = by
        self._words: tuple[str, tuple[Any, ...], tuple[MovePart, ...]] | None = None
        self._text: str | None = None

    def _named(self) -> tuple[str, tuple[Any, ...], tuple[MovePart, ...]]:
        if self._words is None:
            self._words = self._notation.words(self._point, self._code)
        return self._words

    @property
    def name(self) -> str:
        """The kind of move."""
        return self._named()[0]

    @property
    def args(self) -> tuple[Any, ...]:
        """The values of the option's parameters."""
        return self._named()[1]

    @property
    def parts(self) -> tuple[MovePart, ...]:
        """The choice, part by part, for programs that display it.

        >>> import rules_dsl as rd
        >>> rd.load("tic_tac_toe").start().moves()[4].parts
        (MovePart(name='at', kind='Square', value='b2', label='b2'),)
        """
        return self._named()[2]

    @property
    def by(self) -> int | None:
        """The player whose move it is; None for chance."""
        return self._by

    @property
    def text(self) -> str:
        """The notation."""
        if self._text is None:
            self._text = self._notation.text(self._cells, self._point, self._code)
        return self._text

    @property
    def point(self) -> int:
        """The decision point to which the move belongs."""
        return self._point

    @property
    def code(self) -> int:
        """The number of the move there."""
        return self._code

    @property
    def rules(self) -> str:
        """The game and configuration to which the move belongs."""
        return self._rules

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move(name={self.name!r}, args={self.args!r}, by={self.by!r}, text={self.text!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        same = (self._code, self._point, self._by) == (other._code, other._point, other._by)
        return same and (self._notation is other._notation or self._named() == other._named())

    def __hash__(self) -> int:
        return hash((self._code, self._point, self._by))

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _told, (self._named(), self.by, self.text, self.point, self.code, self._rules)


def _told(
    words: tuple[str, tuple[Any, ...], tuple[MovePart, ...]],
    by: int | None,
    text: str,
    point: int,
    code: int,
    rules: str,
) -> Move:
    """A move from another process, without the game it belongs to."""
    move = Move.__new__(Move)
    move._notation = None  # type: ignore[assignment]  # nothing is left to compute
    move._cells, move._point, move._code, move._by = b"", point, code, by
    move._words, move._text, move._rules = words, text, rules
    return move


# What the engine says of values that may not be chosen, and what is said where they may.
_OUTSIDE = re.compile(r" is outside (?=-?\d+\.\.-?\d+$)| is not in (?=\S+$)")
_INSIDE = {" is outside ": " is within ", " is not in ": " is in "}


@frozen
class Reason:
    """A requirement of a move: its text, where it comes from, and whether it holds.

    The text says why the move is refused if the requirement does not hold. `values` are the parts
    of the condition with their values, as text.

    >>> print(Reason("only 2 are left", "S Taking", False, (("heap", "2"),)))
    no: only 2 are left (heap = 2) — S Taking
    >>> print(Reason("only 2 are left", "S Taking", True, (("heap", "2"),)))
    ok: heap = 2 — S Taking
    >>> print(Reason("the lake is frozen", "", True))
    ok: not the case: the lake is frozen
    >>> print(Reason("4 is outside 1..8", "", True))
    ok: 4 is within 1..8
    """

    text: str
    cite: str
    holds: bool
    values: tuple[tuple[str, str], ...] = ()

    @property
    def told(self) -> str:
        """The text with its values; of a requirement that holds, what shows that it does."""
        shown = ", ".join(f"{name} = {value}" for name, value in self.values)
        if not self.holds:
            return f"{self.text} ({shown})" if shown else self.text
        if shown:
            return shown
        inside = _OUTSIDE.sub(lambda found: _INSIDE[found[0]], self.text)
        return inside if inside != self.text else f"not the case: {self.text}"

    def __str__(self) -> str:
        return (
            f"{'ok' if self.holds else 'no'}: {self.told}{f' — {self.cite}' if self.cite else ''}"
        )


class IllegalMove(ValueError):
    """A move that the rules do not allow here: `.reasons` says why.

    `.hint` suggests what may have been meant; it is part of the text, but not of `.message`.

    >>> import rules_dsl as rd
    >>> try:
    ...     rd.load("tic_tac_toe").start().play("b2").play("b22")
    ... except rd.IllegalMove as error:
    ...     print(error.message, error.hint, sep="\\n")
    there is no move `b22` here
    did you mean `b2`? It is refused: b2 is already taken
    """

    def __init__(self, message: str, reasons: tuple[Reason, ...] = (), hint: str = "") -> None:
        super().__init__(f"{message}; {hint}" if hint else message)
        self.message = message
        self.reasons = reasons
        self.hint = hint


MAX_GUESSES = 50_000

# Similarity, from 0 to 1, from which on one text may be a misspelling of the other.
LIKENESS = 0.5


def normal(text: str) -> str:
    """A notation without regard to case, spacing and underscores."""
    return re.sub(r"[\s_]+", " ", text.strip()).casefold()


def _why(reasons: list[Reason]) -> str:
    """The reason why a move with these requirements is refused."""
    return "; ".join(r.text for r in reasons if not r.holds) or "it is not on offer here"


def _nearest(wanted: str, moves: Iterable[Move]) -> Move | None:
    """The move whose text is most like the wanted one; of equals the first."""
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    best, found = LIKENESS, None
    for move in moves:
        matcher.set_seq1(normal(move.text))
        # The first two are cheap upper bounds of the third.
        if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best:
            likeness = matcher.ratio()
            if likeness > best:
                best, found = likeness, move
    return found


# Maximum number of moves cached for a player at a decision point; then the cache is cleared.
MAX_KEPT = 100_000


class _Kept(dict[int, Move]):
    """The moves of a player at a decision point, by number, made when first asked for."""

    def __init__(self, notation: Notation, cells: Cells, point: int, by: int) -> None:
        super().__init__()
        self._start = notation, bytes(cells), point
        self._by = by

    def __missing__(self, code: int) -> Move:
        if len(self) >= MAX_KEPT:
            self.clear()
        move = self[code] = Move(*self._start, code, self._by)
        return move


class Notation:
    """Makes moves from numbers and finds moves by their text."""

    def __init__(self, machine: Machine, names: Names) -> None:
        self.machine = machine
        self.names = names
        self.points: tuple[Mapping[str, Any], ...] = machine.meta["points"]
        self.talk = machine.code["TALK"]
        meta = machine.meta
        self.rules = f"{meta['digest']} {meta['players']} {sorted(meta['options'].items())}"
        # Moves whose text is the same in every position, by where the game waits and for whom.
        self._kept: dict[bytes, Callable[[int], Move]] = {}

    def move(self, cells: Cells, code: int) -> Move:
        """The move with a number, at the point where the game waits."""
        number = self.machine.point(cells)
        by = None if "verb" in self.points[number] else self.machine.player(cells)
        return Move(self, bytes(cells), number, code, by)

    def words(self, number: int, code: int) -> tuple[str, tuple[Any, ...], tuple[MovePart, ...]]:
        """The name, the arguments and the parts of a move."""
        point = self.points[number]
        if "verb" in point:
            drawn = self._part("", point["kind"], code)
            return point["verb"], (drawn.value,), (drawn,)
        index, values = self.decode(point, code)
        name, params, _, _, _, of = point["options"][index]
        if of is not None:  # the elements of a set
            kind, first = of
            parts = tuple(self._part("", kind, first + k) for k, v in enumerate(values) if v)
            return name, (tuple(part.value for part in parts),), parts
        parts = tuple(
            self._part(called, kind, v)
            for v, (called, _, _, kind) in zip(values, params, strict=True)
        )
        return name, tuple(part.value for part in parts), parts

    def _part(self, name: str, kind: str, number: int) -> MovePart:
        return MovePart(name, kind, self.names.value(kind, number), self.names.label(kind, number))

    def text(self, cells: Cells, number: int, code: int) -> str:
        """The notation of a move."""
        point = self.points[number]
        if "verb" in point:
            return f"{point['verb']} {self.names.label(point['kind'], code)}"
        index, values = self.decode(point, code)
        note = self.talk[number][index][0]
        try:
            return str(note(cells, *values))
        except Fault:
            return " ".join([point["options"][index][0], *map(str, values)])

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

    def legal(self, cells: Cells) -> tuple[Move, ...]:
        """All legal moves, or outcomes of chance."""
        return self.moves(bytes(cells), self.machine.moves(cells))

    def moves(self, cells: bytes, codes: list[int]) -> tuple[Move, ...]:
        """The moves with some numbers, at the point where the game waits."""
        keeper = self._kept.get(cells[self.machine.waiting]) or self.keeper(cells)
        if keeper is not None:
            return tuple(map(keeper, codes))
        number, who = self.machine.point(cells), self.machine.player(cells)
        by = None if who < 0 else who
        return tuple([Move(self, cells, number, code, by) for code in codes])

    def keeper(self, cells: bytes) -> Callable[[int], Move] | None:
        """Gives the moves by number where the game waits; None if texts depend on the position."""
        where = cells[self.machine.waiting]
        kept = self._kept.get(where)
        if kept is None:
            number, who = self.machine.point(cells), self.machine.player(cells)
            if who < 0 or not self.points[number]["fixed"]:
                return None
            kept = self._kept[where] = _Kept(self, cells, number, who).__getitem__
        return kept

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
        refused = self.guess(cells, wanted)
        if refused is not None:
            reasons = self.reasons(cells, refused)
            raise IllegalMove(f"{refused.text}: {_why(reasons)}", tuple(reasons))
        raise IllegalMove(f"there is no move `{text}` here", hint=self._hint(cells, wanted, legal))

    def _hint(self, cells: Cells, wanted: str, legal: tuple[Move, ...]) -> str:
        """The move that was probably meant, and why it is refused; else some that are legal."""
        every = (self.move(cells, code) for code in self.possible(cells))
        near = _nearest(wanted, chain(legal, every))
        if near is not None:
            hint = f"did you mean `{near.text}`?"
            if near in legal:
                return hint
            return f"{hint} It is refused: {_why(self.reasons(cells, near))}"
        if not legal:
            return "no move is possible here"
        more = f" … ({len(legal)} in all)" if len(legal) > 5 else ""
        return f"possible: {', '.join(m.text for m in legal[:5])}{more}"

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
