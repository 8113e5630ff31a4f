"""The user's cache folder: the only place where data is kept between runs.

Its contents are executed or trusted, so no other user may have written them. The folder and those
in it are created for this user alone; one that belongs to another user, that others may write to,
or that is a symlink is not used, and neither is such a file. An entry is a header that says what it
is, its key, a checksum and its contents: one that does not fit is ignored. It is written in one
step, and a folder that cannot be written to is not an error: then nothing is kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
import sys
from pathlib import Path

from attrs import frozen

from rules_dsl.language.files import replace_file

_KEY = re.compile(r"[0-9a-zA-Z_]{1,100}")
_OTHERS_MAY_WRITE = 0o022


def folder() -> Path:
    """The cache folder: RULES_CACHE_DIR, or where the system keeps the caches of a user.

    That is XDG_CACHE_HOME or ~/.cache; on Windows LOCALAPPDATA, on macOS ~/Library/Caches.
    """
    chosen = os.environ.get("RULES_CACHE_DIR")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    if not base and sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
    if not base:
        places = {"win32": ("AppData", "Local"), "darwin": ("Library", "Caches")}
        base = os.path.join(os.path.expanduser("~"), *places.get(sys.platform, (".cache",)))
    return Path(base) / "rules-dsl"


@frozen
class CacheSection:
    """The entries of one kind: a folder in the cache, and what every entry in it begins with.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     os.environ["RULES_CACHE_DIR"] = place
    ...     section = CacheSection("examples", "example 1")
    ...     section.store("a1", b"contents")
    ...     section.load("a1"), section.load("a2")
    ...     del os.environ["RULES_CACHE_DIR"]
    (b'contents', None)
    """

    name: str
    header: str

    def load(self, key: str) -> bytes | None:
        """The contents of an entry, if it is there, intact and this user's own."""
        place = self.folder()
        raw = _read(place / _file(key, "bin")) if place else None
        opening = self._opening(key)
        if raw is None or not raw.startswith(opening):
            return None
        body = raw[len(opening) + 32 :]
        intact = hashlib.sha256(body).digest() == raw[len(opening) : len(opening) + 32]
        return body if intact else None

    def store(self, key: str, body: bytes) -> None:
        """Write an entry; I/O errors are ignored."""
        place = self.folder()
        if place is not None:
            raw = self._opening(key) + hashlib.sha256(body).digest() + body
            _write(place / _file(key, "bin"), raw)

    def load_file(self, key: str, suffix: str) -> Path | None:
        """A file that other programs read as it is, such as a shared library; see `store_file`."""
        place = self.folder()
        known = self.load(key)
        if place is None or known is None:
            return None
        path = place / _file(key, suffix)
        raw = _read(path)
        return path if raw is not None and hashlib.sha256(raw).digest() == known else None

    def store_file(self, key: str, suffix: str, body: bytes) -> Path | None:
        """Keep a file as it is, with its checksum in an entry; nothing if that is not possible."""
        place = self.folder()
        if place is None:
            return None
        _write(place / _file(key, suffix), body)
        self.store(key, hashlib.sha256(body).digest())
        return self.load_file(key, suffix)

    def folder(self) -> Path | None:
        """The folder of these entries, made if needed; nothing if it cannot be trusted."""
        base = folder()
        inner = base / self.name
        return inner if _is_private(base) and _is_private(inner) else None

    def _opening(self, key: str) -> bytes:
        return f"rules-cache {self.header}\n{key}\n".encode()


def _file(key: str, suffix: str) -> str:
    if not _KEY.fullmatch(key) or not _KEY.fullmatch(suffix):
        raise ValueError(f"not a key: {key!r} {suffix!r}")
    return f"{key}.{suffix}"


def _is_private(path: Path) -> bool:
    """Whether a folder, made if needed, is this user's own."""
    try:
        try:
            status = os.lstat(path)
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileExistsError):  # made by another process just now
                path.mkdir(mode=0o700)
            status = os.lstat(path)
    except (OSError, ValueError):
        return False
    return stat.S_ISDIR(status.st_mode) and _is_ours(status)


def _is_ours(status: os.stat_result) -> bool:
    """Whether no other user can have written this; it is not a link to another place."""
    if stat.S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", 0) != 0:
        return False
    if not hasattr(os, "geteuid"):
        # Windows keeps others out of a user's own folders, and its files have no such owner.
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & _OTHERS_MAY_WRITE


def _read(path: Path) -> bytes | None:
    try:
        if not _is_ours(os.lstat(path)):
            return None
        with open(path, "rb", opener=_opener) as file:
            # The opened file is checked, even if another file has the name by now.
            status = os.fstat(file.fileno())
            return file.read() if stat.S_ISREG(status.st_mode) and _is_ours(status) else None
    except (OSError, ValueError):
        return None


def _opener(path: str, flags: int) -> int:
    # A link is not followed, and a pipe is not waited for, where the system has such things.
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))


def _write(path: Path, raw: bytes) -> None:
    with contextlib.suppress(OSError):
        replace_file(path, raw, 0o600)
