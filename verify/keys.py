"""The keys of proofs: what the proof of a step depends on.

A step is kept under a digest of everything that its proof reads: the rules that it may carry out,
the laws, the state, the facts where it starts, the settings, and the verifier itself. So a variant
proves again only what it touches. Only proofs are kept; what failed is tried again.
"""

from __future__ import annotations

from typing import Any

from attrs import asdict, define, field

from compiler import ir
from verify.cache import digest, verifier_digest
from verify.facts import FactBase
from verify.results import Part
from verify.settings import Settings
from verify.steps import ENTRY, Start


@define(eq=False)
class Keys:
    """The keys of the steps of a module."""

    module: ir.Module
    facts: FactBase
    settings: Settings
    _tools: str = field(factory=verifier_digest)
    _common: str = ""
    _procedures: dict[str, str] = field(factory=dict)
    _reach: dict[str, str] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        module = self.module
        # Functions and routines are small; all of them together are one part of every key.
        self._common = digest(
            self._tools, self.settings.describe(), module.players, module.arrays, module.zones,
            module.goods, module.tables, module.functions, module.routines, module.invariants, module.main,
        )  # fmt: skip
        self._procedures = {name: digest(p) for name, p in module.procedures.items()}

    def key(self, start: Start) -> str:
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
            self._common, self.reach(start.procedure), start,
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
