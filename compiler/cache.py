"""Compiled games on disk: written atomically, trusted only if the checksum fits.

An entry is a header (what it is, for which Python, the key), a checksum, and the marshalled code.
Anything that does not fit is ignored and rebuilt; a folder that cannot be written to is no error.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
import os
import sys
import tempfile
from pathlib import Path
from types import CodeType

VERSION = "1"
MAGIC = f"rules-cache {VERSION} {sys.implementation.cache_tag} {sys.hexversion:x}\n".encode()


def folder() -> Path:
    """Where compiled games are kept: RULES_CACHE_DIR, or the user's cache folder."""
    chosen = os.environ.get("RULES_CACHE_DIR")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "rules-dsl"


def key_of(*parts: str) -> str:
    """The key of an entry: everything that the code depends on, the compiler included."""
    sha = hashlib.sha256(compiler_digest().encode())
    for part in parts:
        sha.update(b"\0" + part.encode())
    return sha.hexdigest()


_compiler_digest: list[str] = []


def compiler_digest() -> str:
    """A digest of the compiler itself, so that a changed compiler never reads old code.

    File sizes and times stand for contents: reading everything would cost more than it saves.
    """
    if not _compiler_digest:
        root = Path(__file__).resolve().parent
        sha = hashlib.sha256()
        for package in (root, root.parent / "rules_dsl" / "language"):
            for path in sorted(package.rglob("*")):
                if path.suffix in (".py", ".lark"):
                    stat = path.stat()
                    sha.update(f"{path.name} {stat.st_size} {stat.st_mtime_ns}\n".encode())
        _compiler_digest.append(sha.hexdigest())
    return _compiler_digest[0]


def load(key: str) -> CodeType | None:
    """The code stored under a key, if there is any and it is sound."""
    try:
        raw = (folder() / f"{key}.bin").read_bytes()
    except OSError:
        return None
    header = MAGIC + key.encode() + b"\n"
    if not raw.startswith(header):
        return None
    digest, payload = raw[len(header) : len(header) + 32], raw[len(header) + 32 :]
    if hashlib.sha256(payload).digest() != digest:
        return None
    try:
        code = marshal.loads(payload)
    except (ValueError, EOFError, TypeError):
        return None
    return code if isinstance(code, CodeType) else None


def store(key: str, code: CodeType) -> None:
    """Keep code under a key; failing to is no error."""
    payload = marshal.dumps(code)
    raw = MAGIC + key.encode() + b"\n" + hashlib.sha256(payload).digest() + payload
    try:
        target = folder()
        target.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target, suffix=".part")
    except OSError:
        return
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
        os.replace(name, target / f"{key}.bin")
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(name)
