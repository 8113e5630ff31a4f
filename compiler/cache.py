"""Compiled games in the user's cache, for the same compiler and the same Python only."""

from __future__ import annotations

import hashlib
import marshal
import sys
from pathlib import Path
from types import CodeType

from rules_dsl.language.user_cache import CacheSection

CODE = CacheSection("code", f"code 1 {sys.implementation.cache_tag} {sys.hexversion:x}")


def key_of(*parts: str) -> str:
    """The key of an entry: everything that the code depends on, the compiler included."""
    sha = hashlib.sha256(compiler_digest().encode())
    for part in parts:
        sha.update(b"\0" + part.encode(errors="surrogateescape"))
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
                if path.suffix in (".py", ".lark", ".h"):
                    stat = path.stat()
                    sha.update(f"{path.name} {stat.st_size} {stat.st_mtime_ns}\n".encode())
        _compiler_digest.append(sha.hexdigest())
    return _compiler_digest[0]


def load(key: str) -> CodeType | None:
    """The code stored under a key, if it is there and intact."""
    payload = CODE.load(key)
    if payload is None:
        return None
    try:
        code = marshal.loads(payload)
    except (ValueError, EOFError, TypeError):
        return None
    return code if isinstance(code, CodeType) else None


def store(key: str, code: CodeType) -> None:
    """Keep code under a key; I/O errors are ignored."""
    CODE.store(key, marshal.dumps(code))
