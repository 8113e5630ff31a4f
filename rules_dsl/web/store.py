"""Persistent data of the server: one file a table and one a draft, each written in one step."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rules_dsl.language.files import replace_file

KEY = re.compile(r"[A-Za-z0-9_-]{8,64}")


def default_folder() -> Path:
    """The folder for data of users: RULES_DATA_DIR, or the system's usual place."""
    chosen = os.environ.get("RULES_DATA_DIR")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_DATA_HOME")
    if not base:
        places = {"win32": ("AppData", "Local"), "darwin": ("Library", "Application Support")}
        home = os.path.expanduser("~")
        base = os.path.join(home, *places.get(sys.platform, (".local", "share")))
    return Path(base) / "rules-dsl" / "serve"


class Store:
    """Entries of one kind by their key, as JSON files that only this user may read.

    >>> import tempfile
    >>> store = Store(Path(tempfile.mkdtemp()), "tables")
    >>> store.write("abcdefgh", {"a": 1})
    >>> store.read("abcdefgh"), store.read("missing1")
    ({'a': 1}, None)
    """

    def __init__(self, folder: Path, kind: str) -> None:
        self.folder = folder / kind
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def path(self, key: str, suffix: str = "json") -> Path:
        """The file of an entry."""
        if not KEY.fullmatch(key):
            raise KeyError(key)
        return self.folder / f"{key}.{suffix}"

    def write(self, key: str, data: dict[str, Any]) -> None:
        """Write or replace an entry: after a crash it is the old one or the new one."""
        text = json.dumps(data, ensure_ascii=False)
        replace_file(self.path(key), text.encode(), 0o600)

    def read(self, key: str) -> dict[str, Any] | None:
        """An entry, if it is there and intact."""
        try:
            data = json.loads(self.path(key).read_text(encoding="utf-8"))
        except (OSError, ValueError, KeyError):
            return None
        return data if isinstance(data, dict) else None

    def remove(self, key: str) -> None:
        """Forget an entry."""
        self.path(key).unlink(missing_ok=True)

    def __iter__(self) -> Iterator[str]:
        """The keys of all entries, the oldest first."""
        found = sorted(self.folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
        return (path.stem for path in found if KEY.fullmatch(path.stem))
