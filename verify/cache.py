"""Proofs that were found before: kept by what they depend on, used only if they are intact.

A step is kept under a digest of everything that its proof reads: the rules that it may carry out,
the laws, the state, the facts where it starts, the effort, and the verifier itself. So a variant
proves again only what it touches. Only proofs are kept; what failed is tried again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import z3
from attrs import asdict, define, field

from compiler import ir
from compiler.cache import compiler_digest, folder
from verify.facts import FactBase
from verify.results import Part
from verify.steps import ENTRY, Start

FORMAT = "rules-proof/1"
# The modules that have a say in a verdict.
PROVING = (
    "agreement", "bound", "cache", "checking", "discharge", "effects", "examples", "facts",
    "liveness", "obligations", "play", "positions", "refuting", "replica", "results", "running",
    "search", "smt/*", "splitting", "steps", "structure", "views",
)  # fmt: skip


def verifier_digest() -> str:
    """A digest of the verifier and the solver: changed tools never read old proofs."""
    sha = hashlib.sha256(f"{compiler_digest()} {z3.get_version_string()}".encode())
    root = Path(__file__).resolve().parent
    for name in PROVING:
        for path in sorted(root.glob(f"{name}.py")):
            sha.update(path.read_bytes())
    return sha.hexdigest()


def digest(*parts: object) -> str:
    """A digest of parts of the IR: their text says all that matters."""
    sha = hashlib.sha256()
    for part in parts:
        sha.update(repr(part).encode() + b"\0")
    return sha.hexdigest()


@define(eq=False)
class Keys:
    """The keys of the steps of a module."""

    module: ir.Module
    facts: FactBase
    effort: str
    _tools: str = field(factory=verifier_digest)
    _common: str = ""
    _procedures: dict[str, str] = field(factory=dict)
    _reach: dict[str, str] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        module = self.module
        # Functions and routines are small; all of them together are one part of every key.
        self._common = digest(
            self._tools, self.effort, module.players, module.arrays, module.zones, module.goods,
            module.tables, module.functions, module.routines, module.invariants, module.main,
        )  # fmt: skip
        self._procedures = {name: digest(p) for name, p in module.procedures.items()}

    def key(self, start: Start, kinds: frozenset[str]) -> str:
        """Everything that the proof of a step depends on."""
        known = self.facts.procedures[start.procedure]
        block = known.procedure.blocks[start.block]
        if start.way is None:
            facts = self.facts.at_start(known, block)
        elif start.way == ENTRY:
            facts = known.entry
        else:
            facts = known.edges.get((start.block, start.way), {})
        return digest(
            self._common, self.reach(start.procedure), start, sorted(kinds),
            sorted(repr(f) for f in facts.values()),
        )  # fmt: skip

    def reach(self, name: str) -> str:
        """A digest of a procedure and all that it may call."""
        if name not in self._reach:
            found: set[str] = set()
            todo = [name]
            while todo:
                at = todo.pop()
                if at not in found:
                    found.add(at)
                    todo += self.facts.effects.calls[at]
            self._reach[name] = digest(*(self._procedures[n] for n in sorted(found)))
        return self._reach[name]

    def whole(self, *parts: object) -> str:
        """The key of something that depends on the whole module."""
        return digest(
            self._common, sorted(self._procedures.items()), self.module.scoring,
            self.module.actions, self.module.options, self.module.digest, *parts,
        )  # fmt: skip


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


def step_to_data(parts: list[Part], following: list[Start]) -> object:
    """A proved step, for keeping."""
    return {
        "parts": [asdict(p) for p in parts],
        "next": [[s.procedure, s.block, s.way] for s in following],
    }


def step_from_data(data: Any) -> tuple[list[Part], list[Start]] | None:
    """A step that was kept."""
    try:
        parts = [Part(**{**p, "cites": tuple(p["cites"])}) for p in data["parts"]]
        following = [Start(*s) for s in data["next"]]
    except (KeyError, TypeError):
        return None
    return parts, following
