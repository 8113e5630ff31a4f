"""Results in the user's cache: used only if the same tools made them."""

from __future__ import annotations

import hashlib
import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

from compiler.cache import compiler_digest
from rules_dsl.language.user_cache import CacheSection

PROOFS = CacheSection("proofs", "proof 2")

_verifier_digest: list[str] = []


def verifier_digest() -> str:
    """A digest of the verifier and the solver: changed tools never read old proofs.

    Every module counts, so that none that can influence a verdict is forgotten.
    """
    if not _verifier_digest:
        sha = hashlib.sha256(f"{compiler_digest()} {version('z3-solver')}".encode())
        root = Path(__file__).resolve().parents[1]
        for path in sorted(root.rglob("*.py")):
            sha.update(path.read_bytes())
        _verifier_digest.append(sha.hexdigest())
    return _verifier_digest[0]


def digest(*parts: object) -> str:
    """A digest of parts of the IR, by their text."""
    sha = hashlib.sha256()
    for part in parts:
        sha.update(repr(part).encode() + b"\0")
    return sha.hexdigest()


# ---- the files -----------------------------------------------------------------------------------


def load(key: str) -> Any:
    """The entry for a key, if there is an intact one."""
    body = PROOFS.load(key)
    return None if body is None else json.loads(body)


def store(key: str, value: object) -> None:
    """Write an entry; I/O errors are ignored."""
    PROOFS.store(key, json.dumps(value).encode("ascii"))
