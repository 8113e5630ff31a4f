"""What was found before, on disk: used only if it is intact and made by the same tools.

An entry is JSON with a format, its own key and a checksum of its body; anything that does not fit
is ignored. Entries are written atomically; a folder that cannot be written to is no error.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

from compiler.cache import compiler_digest, folder

FORMAT = "rules-proof/2"

_verifier_digest: list[str] = []


def verifier_digest() -> str:
    """A digest of the verifier and the solver: changed tools never read old proofs.

    Every module counts, so that none that has a say in a verdict can be forgotten.
    """
    if not _verifier_digest:
        sha = hashlib.sha256(f"{compiler_digest()} {version('z3-solver')}".encode())
        root = Path(__file__).resolve().parents[1]
        for path in sorted(root.rglob("*.py")):
            sha.update(path.read_bytes())
        _verifier_digest.append(sha.hexdigest())
    return _verifier_digest[0]


def digest(*parts: object) -> str:
    """A digest of parts of the IR: their text says all that matters."""
    sha = hashlib.sha256()
    for part in parts:
        sha.update(repr(part).encode() + b"\0")
    return sha.hexdigest()


# ---- the files -----------------------------------------------------------------------------------


def load(key: str) -> Any:
    """What is kept under a key, if it is there and intact."""
    try:
        data = json.loads((_place() / f"{key}.json").read_text(encoding="utf-8"))
        body = data["body"]
        intact = data["format"] == FORMAT and data["key"] == key and data["sum"] == _sum(body)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return json.loads(body) if intact else None


def store(key: str, value: object) -> None:
    """Keep something; failing to is no error."""
    body = json.dumps(value, ensure_ascii=False)
    text = json.dumps({"format": FORMAT, "key": key, "sum": _sum(body), "body": body})
    try:
        place = _place()
        place.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=place, suffix=".part")
    except OSError:
        return
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(name, place / f"{key}.json")
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(name)


def _place() -> Path:
    return folder() / "proofs"


def _sum(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()
