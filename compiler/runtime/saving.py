"""Positions and games as JSON: written with a checksum, read with suspicion."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING, Any

from attrs import asdict, frozen

from compiler.runtime.elementary import elementary_steps, seeds_given
from compiler.runtime.fault import Fault
from compiler.runtime.frames import check_frames
from compiler.runtime.moves import IllegalMove, Move
from compiler.runtime.state import State
from compiler.runtime.values import distinct_values
from compiler.runtime.view import plain, values_of

if TYPE_CHECKING:
    from compiler.runtime.game import Game

STATE_FORMAT = "rules-state/1"
RECORD_FORMAT = "rules-record/1"
NOT_PLAYED = "this position was set up, not played from the opening: there is nothing to record"
# The seeds that a position was given, each with the number of moves before it.
Seeds = tuple[tuple[int, int | None], ...]


class DataError(ValueError):
    """A saved position or record that is damaged, was edited, or belongs to another game."""


class ReplayError(DataError):
    """A record that does not hold under these rules: `.ply` is the first move that differs."""

    def __init__(self, message: str, ply: int, move: str) -> None:
        super().__init__(message)
        self.ply = ply
        self.move = move


@frozen
class Record:
    """A game as played: the configuration, the seed, the moves, and a digest after each move.

    `rules` is the digest of the rules it was played under.
    """

    game: str
    players: int
    options: dict[str, Any]
    variants: tuple[str, ...]
    rules: str
    seed: int | None
    moves: tuple[str, ...]
    digests: tuple[str, ...]
    # The numbers of the moves, for two moves that are written alike; older records have none.
    codes: tuple[int, ...] = ()

    def to_json(self) -> str:
        """The record as text."""
        return _sealed({"format": RECORD_FORMAT, **asdict(self)})

    @staticmethod
    def from_json(text: str) -> Record:
        """Read a record; raises `DataError` if it is damaged or was edited."""
        data = _opened(text, RECORD_FORMAT)
        try:
            return Record(
                game=_typed(data["game"], str),
                players=_typed(data["players"], int),
                options=_typed(data["options"], dict),
                variants=tuple(_typed(v, str) for v in data["variants"]),
                rules=_typed(data["rules"], str),
                seed=None if data["seed"] is None else _typed(data["seed"], int),
                moves=tuple(_typed(m, str) for m in data["moves"]),
                digests=tuple(_typed(d, str) for d in data["digests"]),
                codes=tuple(_typed(c, int) for c in data.get("codes", ())),
            )
        except (KeyError, TypeError) as error:
            raise DataError(f"the record is incomplete: {error}") from None


def _typed(value: Any, kind: type[Any]) -> Any:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise TypeError(f"{value!r} is not {kind.__name__}")
    return value


def _checksum(data: dict[str, Any]) -> str:
    text = json.dumps(data, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _sealed(data: dict[str, Any]) -> str:
    return _in_lines({**data, "checksum": _checksum(data)}, 1)


def _in_lines(data: dict[str, Any], inner: int) -> str:
    """JSON with a line for each part and each of its parts; Python's own layout is slow."""
    margin = "\n" + " " * (2 - inner)
    parts = (
        f"{margin} {json.dumps(key, ensure_ascii=False)}: "
        + (
            _in_lines(value, inner - 1)
            if inner and value and isinstance(value, dict)
            else json.dumps(value, ensure_ascii=False)
        )
        for key, value in data.items()
    )
    return f"{{{','.join(parts)}{margin}}}"


def _opened(text: str, kind: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:  # also numbers with thousands of digits
        raise DataError(f"this is not valid JSON: {error}") from None
    if not isinstance(data, dict):
        raise DataError("this is not a saved position or record")
    if data.get("format") != kind:
        raise DataError(f"the format is {data.get('format')!r}; {kind!r} is needed")
    checksum = data.pop("checksum", None)
    try:
        fits = checksum == _checksum(data)
    except ValueError:  # a lone surrogate, which no text may contain
        fits = False
    if not fits:
        raise DataError("the checksum does not fit: the text was cut off or edited")
    return data


# ---- positions -----------------------------------------------------------------------------------


def state_to_json(state: State) -> str:
    """A position as text: by the names of the rules for people, as cells for `state_from_json`."""
    game = state.game
    return _sealed(
        {
            "format": STATE_FORMAT,
            "game": game.name,
            "players": game.players,
            "options": game.options,
            "variants": list(game.variants),
            "rules": game.digest,
            "to_move": None if state.player is None else game.player_names[state.player],
            "state": plain(values_of(state)),
            "played": [str(move) for move in state.played()],
            "cells": state.cells.hex(),
            "seed": state.seed,
            "draws": state.draws,
            **_way(state),
        }
    )


def _way(state: State) -> dict[str, Any]:
    """How a position was reached: where its history starts if not at the opening, the moves, and
    the seeds that it was given on the way."""
    first, *rest = state.history()
    opening = first.cells == state.game.start(seed=first.seed).cells
    return {
        "start": None if opening else {"cells": first.cells.hex(), "draws": first.draws},
        "moves": [after.last_code for after in rest],
        "seeds": seeds_given((first, *rest)),
    }


def _went(first: State, codes: Iterable[int], seeds: Seeds, trusted: bool) -> State:
    """The position after some moves that were kept; raises `DataError` for one that is not legal,
    unless they are trusted."""
    given = dict(seeds[1:])
    state = first
    for place, code in enumerate(codes, 1):
        if not trusted and code not in state.game.machine.moves(state.cells):
            raise DataError("the moves of the position are not legal")
        state = state._after(code)
        seed = given.get(place)
        if seed is not None:
            state = state.reseed(seed)
    return state


def pickled(state: State) -> tuple[Any, ...]:
    """A position as pickle keeps it: where its history starts, and what was done since."""
    first, *rest = state.history()
    codes = tuple(after.last_code for after in rest)
    seeds = seeds_given((first, *rest))
    return _unpickled, (state.game, first.cells, first.draws, seeds, codes, state.cells)


def _unpickled(
    game: Game, cells: bytes, draws: int, seeds: Seeds, codes: tuple[int, ...], last: bytes
) -> State:
    first = game.states(game, cells, seeds[0][1], draws, None)
    state = _went(first, codes, seeds, trusted=True)
    if state.cells != last:
        raise DataError(f"a pickled position of {game.name} is not what its moves lead to")
    return state


def state_from_json(game: Game, text: str) -> State:
    """Read a position of a game; raises `DataError` if it is damaged or of another game."""
    data = _opened(text, STATE_FORMAT)
    _same_game(game, data)
    if data.get("rules") != game.digest:
        raise DataError(
            f"the position was saved under other rules of {game.name}; replay its record instead"
        )
    try:
        cells = bytes.fromhex(_typed(data["cells"], str))
        seed = None if data["seed"] is None else _typed(data["seed"], int)
        draws = _typed(data["draws"], int)
        moves = [_typed(m, int) for m in data["moves"]]
        seeds = _seeds(data, seed)
        first = _start(game, data.get("start"), seeds[0][1])
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"the position is incomplete: {error}") from None
    check_cells(game, cells)
    try:
        state = _went(first, moves, seeds, trusted=False)
    except Fault as error:
        raise DataError(f"the moves of the position fail: {error}") from None
    if state.cells == cells and state.draws == draws:
        return state
    # A position that was set up, not played: it has no history.
    return game.states(game, cells, seed, draws, None)


def _seeds(data: dict[str, Any], seed: int | None) -> Seeds:
    """The seeds of a saved position; older ones have only one."""
    found = [(_typed(k, int), s if s is None else _typed(s, int)) for k, s in data.get("seeds", ())]
    return tuple(found) or ((0, seed),)


def _start(game: Game, start: dict[str, Any] | None, seed: int | None) -> State:
    """Where the history of a saved position starts."""
    if start is None:
        return game.start(seed=seed)
    cells = bytes.fromhex(_typed(start["cells"], str))
    check_cells(game, cells)
    return game.states(game, cells, seed, _typed(start["draws"], int), None)


def check_cells(game: Game, cells: bytes) -> None:
    """Every cell must lie in its range, and the game must wait somewhere."""
    machine = game.machine
    moving = machine.meta["frame_pointer"] is not None
    fixed = len(machine.code["INITIAL"])
    if len(cells) < fixed or (len(cells) > fixed and not moving):
        raise DataError(f"the position has {len(cells)} bytes, not those of {game.name}")
    for name, array in machine.meta["arrays"].items():
        _, _, _, low, high = array["slot"]
        count = prod(size for _, size, _ in array["dimensions"])
        for value in sorted(distinct_values(array["slot"], cells, count)):
            if not low <= value <= high:
                raise DataError(f"`{name}` is {value}, outside {low}..{high}")
    point = machine.point(cells)
    who = machine.player(cells)
    points = machine.meta["points"]
    if point >= len(points) or (point == 0) != (who == -1):
        raise DataError("the position waits at no point of the game")
    if point and ("verb" in points[point]) != (who == -2):
        raise DataError("the position waits for a player where chance decides, or for chance")
    if who >= game.players:
        raise DataError(f"there is no player {who}")
    try:
        check_frames(machine.meta, cells, len(machine.code["BLOCKS"]))
        machine.moves(cells)
    except (ValueError, TypeError, IndexError, Fault) as error:
        raise DataError(f"the position cannot occur in the game: {error}") from None


def _same_game(game: Game, data: dict[str, Any]) -> None:
    for key, own in (("game", game.name), ("players", game.players), ("options", game.options)):
        if data.get(key) != own:
            raise DataError(f"this was saved with {key} {data.get(key)!r}, not {own!r}")


# ---- records -------------------------------------------------------------------------------------


# A caller that saves after every move asks for the same digests again.
@lru_cache(maxsize=2048)
def _digest(state: State) -> str:
    """A digest of the values of all names in a position, apart from those that play leaves out."""
    arrays = state.game.machine.meta["arrays"]
    played = {
        k: _jsonable(v)
        for k, v in state.values().items()
        if not (k in arrays and arrays[k]["ghost"])
    }
    text = json.dumps(played, sort_keys=True, default=str)
    who = f"{state.player} {state.over} {state.is_chance}"
    return hashlib.sha256(f"{text}{who}".encode()).hexdigest()[:12]


def _jsonable(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(k): _jsonable(v) for k, v in value.items()}
    if isinstance(value, tuple):
        return [_jsonable(v) for v in value]
    return value


def make_record(state: State) -> Record:
    """The record of how a position was reached."""
    game = state.game
    chain = state.history()
    if len(seeds_given(chain)) > 1:
        return make_record(without_seed(state))  # one seed does not give all that chance did
    if chain[0].cells != game.start(seed=state.seed).cells:
        raise DataError(NOT_PLAYED)
    return Record(
        game.name,
        game.players,
        dict(game.options),
        tuple(game.variants),
        game.digest,
        state.seed,
        tuple(str(m) for m in state.played()),
        tuple(_digest(s) for s in chain),
        tuple(s.last_code for s in chain[1:]),
    )


def without_seed(state: State) -> State:
    """The same position, reached by the same moves, with what chance did among the moves."""
    if state.seed is None:
        return state
    steps = elementary_steps(state)
    result = state.game.start()
    if (steps[0].before if steps else state.cells) != result.cells:
        raise DataError(NOT_PLAYED)
    for step in steps:
        result = result._after(step.code)
    return result


def replay_record(game: Game, record: Record) -> State:
    """Play a record again; raises `ReplayError` at the first move that differs."""
    if record.game != game.name:
        raise DataError(f"this is a record of {record.game}, not of {game.name}")
    if record.players != game.players:
        raise DataError(f"this is a record of a game of {record.players}, not of {game.players}")
    if len(record.digests) != len(record.moves) + 1:
        raise DataError("the record is incomplete: a digest is missing")
    if record.codes and len(record.codes) != len(record.moves):
        raise DataError("the record is incomplete: the number of a move is missing")
    other = "" if record.rules == game.digest else "; it was made under other rules"
    if dict(record.options) != dict(game.options) and not other:
        raise DataError(f"this record was played with options {record.options}")
    state = game.start(seed=record.seed)
    _compare(state, record, 0, other)
    for ply, move in enumerate(record.moves):
        try:
            state = state.play(_written(state, record, ply))
        except (IllegalMove, Fault) as error:
            raise ReplayError(
                f"move {ply + 1}, `{move}`, is not possible: {error}{other}", ply + 1, move
            ) from None
        _compare(state, record, ply + 1, other)
    return state


def _written(state: State, record: Record, ply: int) -> Move | str:
    """The move that a record means: by its number where that is a move of this text."""
    text = record.moves[ply]
    if record.codes and record.codes[ply] in state.game.machine.moves(state.cells):
        move = state.game.notation.move(state.cells, record.codes[ply])
        if str(move) == text:
            return move
    return text


def _compare(state: State, record: Record, ply: int, other: str) -> None:
    if _digest(state) != record.digests[ply]:
        move = record.moves[ply - 1] if ply else ""
        where = f"after move {ply}, `{move}`," if ply else "before the first move"
        raise ReplayError(f"the position {where} differs from the record{other}", ply, move)
