"""The view of a player as numbers between 0 and 1: the observations of learners.

The observation is a function of what the player may see (`sight.py`), of the player's seat, and of
the parts that the player has chosen of a move. Its fields are the same for all players and in every
position; what a player may not see is 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from attrs import frozen

from compiler.runtime.events import place_text
from rules_dsl.language.viewers import mask_at

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from compiler.runtime.game import Game

# Maximum size of a one-hot range, and of one that is scaled linearly; larger ones are logarithmic.
MAX_ONE_HOT, MAX_LINEAR = 12, 256

Coding = Literal["flag", "one-hot", "scaled", "log"]
Slot = tuple[int, int, str, int, int]


@frozen
class ObservationField:
    """Numbers of an observation: `size` of them from `start`, and their meaning.

    flag: 1 or 0. one-hot: a 1 at the value minus `low`. scaled: 0 at `low`, 1 at `high`. log: the
    same by logarithm, for values without a practical limit; `none` counts as the lowest value.
    """

    name: str
    index: tuple[Any, ...]
    kind: str
    coding: Coding
    start: int
    size: int
    low: int
    high: int
    text: str


@frozen
class _Cell:
    """Where a field is read: the slot of the cell, relative to the frame if it moves."""

    slot: Slot
    coding: Coding
    low: int
    high: int
    moving: bool = False

    def codes(self) -> Iterator[int | None]:
        """For each number of the field the value that makes it 1; None if it is scaled."""
        if self.coding == "one-hot":
            yield from range(self.low, self.high + 1)
        elif self.coding == "flag":
            yield self.high
        else:
            yield None


class Observations:
    """The schema of a game's observations: `size`, `fields`, and the encoder.

    >>> import rules_dsl as rd
    >>> game = rd.load("tic_tac_toe")
    >>> field = game.observations.fields[4]
    >>> field.name, field.index, field.coding, (field.start, field.size), (field.low, field.high)
    ('mark', (4,), 'one-hot', (12, 3), (-1, 1))
    >>> game.start().play("b2").observation(0)[12:15].tolist()
    [0.0, 1.0, 0.0]
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.players = game.players
        self._fields: list[ObservationField] = []
        self.size = 0
        self._cells: list[_Cell] = []
        # For each number the players who see it: all of them, except for cells of owners and cards.
        self._seen: list[frozenset[int]] = []
        # For each number of a local the decision points at which it is valid.
        self._live: list[frozenset[int]] = []
        everybody = frozenset(range(game.players))
        for name, array in game.machine.meta["arrays"].items():
            if array["kind"] != "zone" and any(array["viewers"]):
                self._array(name, array, everybody)
        self._cards(everybody)
        self._locals_at = self.size
        self._locals(everybody)
        self._gather = _Gather(self._cells)
        self._counts = self._places()
        self._seat = self._extra("seat", game.player_names, "who looks")
        self._mover = self._extra("to move", game.player_names, "who decides")
        points = game.machine.meta["points"]
        self._point = self._extra("decision point", [_point(p) for p in points], "what is decided")
        texts = [game.actions.text(number) for number in game.actions.parts]
        self._parts = self._extra("chosen part", texts, "what is chosen of a move")
        self._part_at = {number: self._parts + k for k, number in enumerate(game.actions.parts)}
        self.fields: tuple[ObservationField, ...] = tuple(self._fields)
        everything = len(self._seen) == sum(seen == everybody for seen in self._seen)
        self._visible = (
            None
            if everything
            else np.array(
                [[player in seen for seen in self._seen] for player in range(self.players)],
                np.float32,
            )
        )
        self._live_at = np.array(
            [[number in live for live in self._live] for number in range(len(points))], np.float32
        )

    # ---- the schema ------------------------------------------------------------------------------

    def _add(
        self,
        name: str,
        index: tuple[Any, ...],
        kind: str,
        cell: _Cell,
        seen: frozenset[int],
        text: str,
    ) -> int:
        size = sum(1 for _ in cell.codes())
        self._fields.append(
            ObservationField(
                name, index, kind, cell.coding, self.size, size, cell.low, cell.high, text
            )
        )
        self._cells.append(cell)
        self._seen += [seen] * size
        self.size += size
        return size

    def _array(self, name: str, array: dict[str, Any], everybody: frozenset[int]) -> None:
        keys = list(_indices(self.game, array))
        viewers = array["viewers"]
        limits = self.game.machine.meta["goods"]
        for number, index in enumerate(keys):
            if array["bank"] and limits.get(index[-1], 0) is None:
                continue  # unlimited: the number left means nothing
            offset, width, *rest = array["slot"]
            slot = (offset + number * width, width, *rest)
            mask = mask_at(viewers, len(keys), number)
            seen = frozenset(player for player in everybody if mask >> player & 1)
            if not seen:
                continue
            text = place_text(self.game, name, index)
            self._add(name, index, array["value"], _cell(slot), seen, text)

    def _cards(self, everybody: frozenset[int]) -> None:
        sights = self.game.sights
        for table, (slot, cards, watchers) in zip(sights.names, sights.tables, strict=True):
            offset, width, *rest = slot
            values = self.game.reader.names.enums[table]
            for card in range(cards):
                own = (offset + card * width, width, *rest)
                for place, seen in enumerate(watchers):
                    if seen:
                        cell = _Cell(own, "flag", place, place)
                        text = f"{values[1][card]} in place {place}"
                        index = (values[0][card], place)
                        self._add(table, index, table, cell, seen, text)

    def _locals(self, everybody: frozenset[int]) -> None:
        points = self.game.machine.meta["points"]
        known: dict[tuple[str, str, Slot, str, bool], set[int]] = {}
        for number, point in enumerate(points):
            for name, slot, kind, moving, _ in point.get("known", ()):
                key = (point["procedure"], name, slot, kind, moving)
                known.setdefault(key, set()).add(number)
        for (procedure, name, slot, kind, moving), numbers in known.items():
            text = f"{name.replace('_', ' ')} in {procedure}"
            size = self._add(name, (procedure,), kind, _cell(slot, moving), everybody, text)
            self._live += [frozenset(numbers)] * size

    def _places(self) -> list[tuple[int, Slot, int, int]]:
        """Fields for the numbers of cards in every place: start, slot, cards and places."""
        found = []
        sights = self.game.sights
        for table, (slot, cards, watchers) in zip(sights.names, sights.tables, strict=True):
            found.append((self.size, slot, cards, len(watchers)))
            for place in range(len(watchers)):
                text = f"cards of {table} in place {place}"
                self._extra_field(table, (place,), "scaled", 1, cards, text)
        return found

    def _extra(self, name: str, values: Iterable[str], text: str) -> int:
        """A flag for every value of something that is not a cell."""
        start = self.size
        for value in values:
            self._extra_field(name, (value,), "flag", 1, 1, f"{text}: {value}")
        return start

    def _extra_field(
        self, name: str, index: tuple[Any, ...], coding: Coding, size: int, high: int, text: str
    ) -> None:
        self._fields.append(
            ObservationField(name, index, "int", coding, self.size, size, 0, high, text)
        )
        self.size += size

    # ---- encoding --------------------------------------------------------------------------------

    def of(
        self, cells: bytes | bytearray, player: int, chosen: Iterable[int] = ()
    ) -> NDArray[np.float32]:
        """What a player sees of one position, with the parts of a move the player has chosen."""
        rows = np.frombuffer(bytes(cells), np.uint8)[None, :]
        found: NDArray[np.float32] = self.batch(rows, np.array([player]))[0]
        self.add_parts(found, chosen)
        return found

    def add_parts(self, observation: NDArray[np.float32], chosen: Iterable[int]) -> None:
        """Write into an observation which parts of a move its player has chosen."""
        for number in chosen:
            observation[self._part_at[number]] = 1

    def batch(self, rows: NDArray[np.uint8], viewers: NDArray[Any]) -> NDArray[np.float32]:
        """What one player sees of each of many positions."""
        machine = self.game.machine
        out = np.zeros((len(rows), self.size), np.float32)
        own = len(self._seen)
        pointer = machine.meta["frame_pointer"]
        base = 0 if pointer is None else int(rows[0, pointer]) + 256 * int(rows[0, pointer + 1])
        self._gather.read(rows, base, out[:, :own])
        if self._visible is not None:
            out[:, :own] *= self._visible[viewers]
        at, width, *_ = machine.meta["pc"]
        points = rows[:, at].astype(np.int64)
        if width > 1:
            points += rows[:, at + 1].astype(np.int64) << 8
        if self._live:
            out[:, self._locals_at : own] *= self._live_at[points]
        for start, slot, cards, places in self._counts:
            offset, wide, *_ = slot
            values = _raw(rows, np.arange(cards) * wide + offset, wide)
            out[:, start : start + places] = (values[:, :, None] == np.arange(places)).sum(
                axis=1
            ) / max(1, cards)
        each = np.arange(len(rows))
        out[each, self._seat + viewers] = 1
        who = rows[:, machine.who_at].astype(np.int64)
        deciding = who < self.players
        out[each[deciding], self._mover + who[deciding]] = 1
        out[each, self._point + points] = 1
        return out


class _Gather:
    """Reads all cells at once: cells of one byte through tables, wider ones by arithmetic."""

    def __init__(self, cells: list[_Cell]) -> None:
        tables: dict[tuple[Any, ...], int] = {}
        narrow: list[tuple[int, int, int, bool]] = []
        self._wide: list[tuple[int, _Cell, int | None]] = []
        number = 0
        rows: list[list[float]] = []
        for cell in cells:
            for code in cell.codes():
                if cell.slot[1] == 1:
                    key = (cell.slot[2:], cell.coding, cell.low, cell.high, code)
                    if key not in tables:
                        tables[key] = len(rows)
                        rows.append([_number(cell, code, raw) for raw in range(256)])
                    narrow.append((number, cell.slot[0], tables[key], cell.moving))
                else:
                    self._wide.append((number, cell, code))
                number += 1
        self._table = np.array(rows, np.float32).reshape(-1)
        self._to = np.array([n[0] for n in narrow], np.int64)
        self._from = np.array([n[1] for n in narrow], np.int64)
        self._at = np.array([n[2] * 256 for n in narrow], np.int64)
        self._moving = np.array([n[3] for n in narrow], np.int64)

    def read(self, rows: NDArray[np.uint8], base: int, out: NDArray[np.float32]) -> None:
        """Write all numbers; cells in moving frames lie after `base`."""
        source = self._from
        if base:  # a local that is not valid here may lie beyond the end
            source = np.minimum(source + self._moving * base, rows.shape[1] - 1)
        out[:, self._to] = self._table[self._at + rows[:, source]]
        for number, cell, code in self._wide:
            at = cell.slot[0] + (base if cell.moving else 0)
            if at + cell.slot[1] <= rows.shape[1]:
                raw = _raw(rows, np.array([at]), cell.slot[1])[:, 0]
                out[:, number] = _numbers(cell, code, raw)


def _raw(rows: NDArray[np.uint8], at: NDArray[Any], width: int) -> NDArray[np.int64]:
    """The stored numbers of cells of one width."""
    found = rows[:, at].astype(np.int64)
    for byte in range(1, width):
        found += rows[:, at + byte].astype(np.int64) << (8 * byte)
    return found


def _number(cell: _Cell, code: int | None, raw: int) -> float:
    """The observation of a stored byte."""
    return float(_numbers(cell, code, np.array([raw]))[0])


def _numbers(cell: _Cell, code: int | None, raw: NDArray[np.int64]) -> NDArray[Any]:
    _, width, encoding, low, _ = cell.slot
    value = raw + low if encoding == "offset" else raw
    if encoding == "none":
        value = np.where(raw == 256**width - 1, -1, raw)
    if code is not None:
        same: NDArray[np.bool_] = value == code
        return same
    part = np.clip(value, cell.low, cell.high) - cell.low
    span = cell.high - cell.low
    scaled: NDArray[Any] = (
        np.log1p(part) / math.log1p(span) if cell.coding == "log" else part / max(1, span)
    )
    return scaled


def _cell(slot: Slot, moving: bool = False) -> _Cell:
    """The encoding of the values of a slot."""
    low, high = slot[3], slot[4]
    values = high - low + 1
    coding: Coding = (
        "flag"
        if values == 2
        else "one-hot"
        if values <= MAX_ONE_HOT
        else "scaled"
        if values <= MAX_LINEAR
        else "log"
    )
    return _Cell(slot, coding, low, high, moving)


def _indices(game: Game, array: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """The index of every cell of an array, in order, as the rules name it."""
    from itertools import product

    names = game.reader.names
    keys = []
    for number, (low, size, kind) in enumerate(array["dimensions"]):
        if array["kind"] == "pool" and number == len(array["dimensions"]) - 1:
            keys.append(list(array["goods"]))
        else:
            keys.append([names.value(kind, low + k) for k in range(size)])
    return product(*keys)


def _point(point: dict[str, Any]) -> str:
    if not point:
        return "the end"
    if "verb" in point:
        return f"{point['verb']} {point['name']}"
    from compiler.rule_id import decision_name

    return decision_name(point["procedure"], point["label"])
