"""Records of games in files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from compiler.runtime.saving import RECORD_FORMAT, DataError, Record
from rules_dsl.language.writing import write_text

if TYPE_CHECKING:
    from compiler.runtime.state import State


def read_record(name: str) -> Record:
    """The record in a file; raises `DataError` if there is none."""
    try:
        text = Path(name).expanduser().read_text(encoding="utf-8")
    except OSError as error:
        raise DataError(f"cannot read {name}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise DataError(f"{name} is not a text") from None
    try:
        return Record.from_json(text)
    except DataError as error:
        raise DataError(f"{name}: {error}") from None


def write_record(state: State, name: str) -> Path:
    """Write how a position was reached; only a record is ever overwritten."""
    path = Path(name).expanduser()
    try:
        if path.exists() and RECORD_FORMAT not in path.read_text(encoding="utf-8")[:200]:
            raise DataError(f"{name} is there already and is not a record; it was left as it is")
        write_text(path, state.game.record(state).to_json() + "\n")
    except OSError as error:
        raise DataError(f"cannot write {name}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise DataError(f"{name} is there already and is not a record") from None
    return path
