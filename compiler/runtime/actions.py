"""Moves as small numbers that mean the same in every position: the action ids of learners.

An option with few moves has an id for each of them. A larger one is chosen in parts: first the
option, then one parameter after the other, and a parameter with many values digit by digit. The ids
of parameters are shared by options. A part with one possible answer is not asked.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from compiler.runtime.arguments import whole_number
from compiler.runtime.moves import IllegalMove, Move

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from compiler.runtime.game import Game
    from compiler.runtime.state import State

# Maximum number of moves of an option, or values of a parameter, with an id each.
MAX_WHOLE = 256
# The base in which larger values are chosen, highest digit first.
BASE = 32

# The identity of an option: name, types of the parameters, and the elements of a set.
OptionKey = tuple[str, tuple[str, ...], tuple[str, int] | None]
Spelling = tuple[int, ...]


@frozen
class PartialMove:
    """A move of which some parts are chosen: `ids` so far, and the moves that are still possible.

    >>> import rules_dsl as rd
    >>> s = rd.load("tikal", players=2, options={"auction": True}).start(seed=1)
    >>> partial = s.game.actions.move(s, s.action_ids()[0])
    >>> s.game.actions.text(partial.ids[0]), len(partial.codes) < len(s.moves())
    ('bid …', True)
    """

    state: State
    ids: Spelling
    codes: tuple[int, ...] = field(repr=False)

    def action_ids(self) -> list[int]:
        """The ids of what can be chosen next, in order."""
        return self.state.game.actions.ids(self)

    def action_mask(self) -> NDArray[np.int8]:
        """One for every id that can be chosen next, zero for the others."""
        return self.state.game.actions.mask(self)

    def observation(self, player: int | str) -> NDArray[np.float32]:
        """What a player may see: the own parts of this move, but not those of others."""
        game, viewer = self.state.game, self.state._seat(player)
        own = game.actions.settled(self) if self.state.player == viewer else ()
        return game.observations.of(self.state.cells, viewer, own)


class Actions:
    """The action ids of a game, for one number of players and one choice of options.

    >>> import rules_dsl as rd
    >>> game = rd.load("tic_tac_toe")
    >>> s = game.start()
    >>> game.actions.size, s.action_ids(), str(game.actions.move(s, 4)), game.actions.text(4)
    (9, [0, 1, 2, 3, 4, 5, 6, 7, 8], 'b2', 'place b2')
    """

    def __init__(self, game: Game) -> None:
        self._names = game.reader.names
        self._points: tuple[Mapping[str, Any], ...] = game.machine.meta["points"]
        self._decode = game.notation.decode
        self._texts: list[str] = []
        # Where the ids of an option's moves, of an option chosen in parts, of a parameter begin.
        self._whole: dict[OptionKey, int] = {}
        self._head: dict[OptionKey, int] = {}
        self._part: dict[tuple[Any, ...], int] = {}
        self._ranges = _ranges(self._points)
        for key in sorted(self._ranges, key=repr):
            self._number(key)
        first = self.size
        for key in self._head:
            self._number_parts(key)
        # The ids of parts of moves.
        self.parts: tuple[int, ...] = (*sorted(self._head.values()), *range(first, self.size))
        self._spelled: list[dict[int, Spelling]] = [{} for _ in self._points]

    @property
    def size(self) -> int:
        """The number of ids."""
        return len(self._texts)

    @property
    def digest(self) -> str:
        """A digest of the meaning of all ids: a learned policy fits games with the same digest."""
        return hashlib.sha256("\n".join(self._texts).encode()).hexdigest()[:16]

    def text(self, number: int) -> str:
        """The meaning of an id."""
        return self._texts[number]

    def ids(self, at: State | PartialMove) -> list[int]:
        """The ids of what can be chosen, in order; none at chance and at the end."""
        return sorted({spelling[depth] for spelling, depth, _ in self._asked(at)})

    def mask(self, at: State | PartialMove) -> NDArray[np.int8]:
        """One for every id that can be chosen, zero for the others."""
        import numpy as np

        found = np.zeros(self.size, np.int8)
        found[self.ids(at)] = 1
        return found

    def move(self, at: State | PartialMove, number: int) -> Move | PartialMove:
        """The move that an id means, or what is left to be chosen of it; raises `IllegalMove`."""
        state = at.state if isinstance(at, PartialMove) else at
        number = whole_number(number, "an action id")
        left = [
            (spelling, depth, code)
            for spelling, depth, code in self._asked(at)
            if spelling[depth] == number
        ]
        if not left:
            known = self.text(number) if 0 <= number < self.size else "no action of this game"
            raise IllegalMove(f"action {number} ({known}) is not legal here")
        if len(left) == 1:
            return state.game.notation.move(state.cells, left[0][2])
        parts = settled([spelling for spelling, _, _ in left])
        return PartialMove(state, parts, tuple(code for _, _, code in left))

    def settled(self, at: State | PartialMove) -> Spelling:
        """The parts that are settled: those chosen, and those with one possible answer."""
        asked = self._asked(at) if self.parts else []
        return asked[0][0][: asked[0][1]] if asked else ()

    def spelling(self, point: int, code: int) -> Spelling:
        """The ids of a move, part by part."""
        known = self._spelled[point]
        if code not in known:
            known[code] = self._spell(self._points[point], code)
        return known[code]

    # ---- which ids are asked ---------------------------------------------------------------------

    def _asked(self, at: State | PartialMove) -> list[tuple[Spelling, int, int]]:
        """The spellings of the possible moves, the first part that differs, and their numbers."""
        state = at.state if isinstance(at, PartialMove) else at
        if state.player is None:
            return []
        machine = state.game.machine
        codes = at.codes if isinstance(at, PartialMove) else state.codes()
        point = machine.point(state.cells)
        spellings = [self.spelling(point, code) for code in codes]
        depth = len(settled(spellings))
        return [(spelling, depth, code) for spelling, code in zip(spellings, codes, strict=True)]

    # ---- numbering -------------------------------------------------------------------------------

    def _number(self, key: OptionKey) -> None:
        name, kinds, of = key
        ranges = self._ranges[key]
        words = name.replace("_", " ")
        if _product(ranges) <= MAX_WHOLE:
            self._whole[key] = self.size
            for values in _combinations(ranges):
                shown = self._values(kinds, of, values)
                self._texts.append(" ".join([words, *shown]))
            return
        self._head[key] = self.size
        self._texts.append(f"{words} …")

    def _number_parts(self, key: OptionKey) -> None:
        """Give ids to the parameters of an option that is chosen in parts."""
        for part, kind, (low, high) in self._parameters(key):
            if (*part, 0) in self._part:
                continue
            size = high - low + 1
            for place, digits in enumerate(_digits(size)):
                self._part[*part, place] = self.size
                if digits == size:
                    shown = [self._label(kind, low + digit) for digit in range(digits)]
                else:
                    step = _weight(size, place)
                    shown = [f"{low} + {digit}·{step} + …" for digit in range(digits)]
                self._texts += [f"… {part[3]} {text}" for text in shown]

    def _parameters(self, key: OptionKey) -> list[tuple[tuple[Any, ...], str, tuple[int, int]]]:
        """The parameters of an option: what their ids are shared by, their type and range."""
        _, kinds, of = key
        found = []
        seen: dict[Any, int] = {}
        for number, (kind, (low, high)) in enumerate(zip(kinds, self._ranges[key], strict=True)):
            if of is not None:
                what = f"{self._label(of[0], of[1] + number)}:"
                part: tuple[Any, ...] = (of, number, high, what)
            else:
                again = seen[kind] = seen.get(kind, 0) + 1
                base = kind.partition("?")[0]
                what = f"{low}..{high}:" if base == "int" else base
                what += "" if again == 1 else f" {again}"
                part = (kind, low, high, what)
            found.append((part, kind, (low, high)))
        return found

    def _spell(self, point: Mapping[str, Any], code: int) -> Spelling:
        index, values = self._decode(point, code)
        key = _key(point["options"][index])
        ranges = self._ranges[key]
        if key in self._whole:
            number = 0
            for value, (low, high) in zip(values, ranges, strict=True):
                number = number * (high - low + 1) + value - low
            return (self._whole[key] + number,)
        found = [self._head[key]]
        for value, (part, _, (low, high)) in zip(values, self._parameters(key), strict=True):
            size = high - low + 1
            for place, digits in enumerate(_digits(size)):
                digit = (value - low) // _weight(size, place) % digits
                found.append(self._part[*part, place] + digit)
        return tuple(found)

    # ---- words -----------------------------------------------------------------------------------

    def _label(self, kind: str, number: int) -> str:
        """A value by its name in the rules: labels may be the same for two values."""
        value = self._names.value(kind, number)
        if kind.partition("?")[0] == "Player" and value is not None:
            return self._names.label(kind, number)
        return "none" if value is None else str(value)

    def _values(
        self, kinds: tuple[str, ...], of: tuple[str, int] | None, values: tuple[int, ...]
    ) -> list[str]:
        if of is None:
            return [self._label(kind, value) for kind, value in zip(kinds, values, strict=True)]
        kind, first = of
        return [self._label(kind, first + k) for k, there in enumerate(values) if there] or ["none"]


def _key(option: tuple[Any, ...]) -> OptionKey:
    name, params, _, _, _, of = option
    return (name, tuple(kind for *_, kind in params), of)


def _ranges(points: tuple[Mapping[str, Any], ...]) -> dict[OptionKey, tuple[tuple[int, int], ...]]:
    """The ranges of the parameters of every option, wherever it is offered."""
    found: dict[OptionKey, tuple[tuple[int, int], ...]] = {}
    for point in points:
        for option in point.get("options", ()):
            own = [(low, high) for _, low, high, _ in option[1]]
            known = found.get(_key(option), own)
            found[_key(option)] = tuple(
                (min(a, c), max(b, d)) for (a, b), (c, d) in zip(own, known, strict=True)
            )
    return found


def _product(ranges: Iterable[tuple[int, int]]) -> int:
    total = 1
    for low, high in ranges:
        total *= high - low + 1
    return total


def _combinations(ranges: tuple[tuple[int, int], ...]) -> Iterable[tuple[int, ...]]:
    from itertools import product

    return product(*(range(low, high + 1) for low, high in ranges))


def _digits(size: int) -> list[int]:
    """Number of values of each part of a parameter.

    >>> _digits(200), _digits(1000), _digits(30_000)
    ([200], [32, 32], [30, 32, 32])
    """
    if size <= MAX_WHOLE:
        return [size]
    rest, found = size, []
    while rest > BASE:
        rest = -(-rest // BASE)
        found.append(BASE)
    return [rest, *found]


def _weight(size: int, place: int) -> int:
    """The weight of each digit in the value."""
    return int(BASE ** (len(_digits(size)) - 1 - place))


def settled(spellings: list[Spelling]) -> Spelling:
    """The parts in which all spellings agree; none if there is one move, which is then asked whole.

    No spelling is the beginning of another.

    >>> settled([(3, 7, 1), (3, 7, 2)]), settled([(3, 7, 1)])
    ((3, 7), ())
    """
    if len(spellings) < 2:
        return ()
    depth, first = 0, spellings[0]
    while all(spelling[depth] == first[depth] for spelling in spellings):
        depth += 1
    return first[:depth]
