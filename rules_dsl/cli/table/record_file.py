"""Records of games in files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from compiler.runtime.saving import RECORD_FORMAT, DataError, Record
from rules_dsl.language.files import read_at_most, write_text

if TYPE_CHECKING:
    from compiler.runtime.state import State

# Many times the size of the longest game's record.
MAX_BYTES = 50_000_000


def read_record(name: str) -> Record:
    """The record in a file; raises `DataError` if it has none."""
    try:
        raw = read_at_most(Path(name).expanduser(), MAX_BYTES)
    except (OSError, RuntimeError, ValueError) as error:
        raise DataError(f"cannot read {name}: {_reason(error)}") from None
    if len(raw) > MAX_BYTES:
        raise DataError(f"{name} has more than {MAX_BYTES:,} bytes: that is not a record")
    try:
        return Record.from_json(raw.decode("utf-8"))
    except UnicodeDecodeError:
        raise DataError(f"{name} is not a text") from None
    except DataError as error:
        raise DataError(f"{name}: {error}") from None


def write_record(state: State, name: str, seed: bool = True) -> Path:
    """Write how a position was reached; only a record is ever overwritten.

    Without the seed it reveals no outcome that is still to come.
    """
    try:
        path = Path(name).expanduser()
        if path.exists() and RECORD_FORMAT.encode() not in read_at_most(path, 200):
            raise DataError(f"{name} is there already and is not a record; it was left as it is")
        write_text(path, state.game.record(state, seed).to_json() + "\n")
    except (OSError, RuntimeError, UnicodeError) as error:
        raise DataError(f"cannot write {name}: {_reason(error)}") from None
    return path


def _reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)
