"""The keys of proofs: what the proof of a step depends on.

A step is kept under a digest of where it starts, the facts that are known there, what the laws are
about, the settings and the verifier itself. With it stands which procedures its paths led through,
each with a digest of all that they name, the laws that it touches or that its proofs used, and the
goods whose number they used: the proof holds as long as those have not changed. So a variant proves
again only what it touches. Only proofs are kept; what failed is tried again.
"""

from __future__ import annotations

from typing import Any

from attrs import asdict, define, field, frozen

from compiler import ir
from verify.cache import digest, verifier_digest
from verify.dependencies import Dependencies, Piece, piece, uncounted
from verify.facts import FactBase, Facts
from verify.results import Part
from verify.settings import Settings
from verify.smt.world import good_total, short_of_room
from verify.steps import ENTRY, Start

# So many versions of a step are kept at the same time: variants do not drive each other out.
MOST_VERSIONS = 6
# How goods and laws are told from procedures among what a step needs.
_GOOD, _LAW = "good ", "law "


def known_at(base: FactBase, start: Start) -> Facts:
    """What is known where a step starts, besides the laws."""
    known = base.procedures[start.procedure]
    if start.way is None:
        return base.at_start(known, known.procedure.blocks[start.block])
    if start.way == ENTRY:
        return known.entry
    return known.edges.get((start.block, start.way), {})


@frozen
class Checked:
    """A step that was checked: its results, where others start, and through what it led."""

    parts: list[Part]
    following: list[Start]
    followed: list[str]
    # The goods of which it matters how many there are, and the laws that matter.
    goods: list[str] = field(factory=list)
    laws: list[str] = field(factory=list)


@define(eq=False)
class Keys:
    """The keys of the steps of a module."""

    module: ir.Module
    facts: FactBase
    settings: Settings
    _dependencies: Dependencies = field(init=False)
    _common: str = field(init=False)
    _said: dict[int, Piece] = field(factory=dict)
    _laws: dict[str, str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        module = self.module
        self._dependencies = Dependencies(module)
        # Pools and zones have laws of their own, so that all of them are part of every proof.
        counted = [a for a in module.arrays.values() if a.kind in ("pool", "zone")]
        # Where nothing is written that a law reads, the law holds on, whatever it says.
        reads = self.facts.effects.reads
        about = [(i.name, i.cites, sorted(reads(i.condition).arrays)) for i in module.invariants]
        self._laws = {i.name: self._dependencies.closure(piece(i)) for i in module.invariants}
        common = piece(
            module.players, module.main, module.zones, module.cells,
            [uncounted(array) for array in counted],
            [(a.name, a.hi) for a in counted if short_of_room(module, a)],
            {name: uncounted(good) for name, good in module.goods.items()},
        )  # fmt: skip
        self._common = digest(
            verifier_digest(), self.settings.describe(), about, self._dependencies.closure(common)
        )

    def key(self, start: Start) -> str:
        """What is known where a step starts."""
        pieces = [self.fact(number, fact) for number, fact in known_at(self.facts, start).items()]
        names = frozenset().union(*(p.names for p in pieces))
        together = self._dependencies.together(sorted(p.digest for p in pieces), names)
        opening = start.procedure == self.module.main and start.way == ENTRY
        initial = [a.initial for a in self.module.arrays.values()] if opening else []
        return digest("step", self._common, start, together, initial)

    def fact(self, number: int, fact: ir.Expr) -> Piece:
        """A fact, which has a number, as a piece; most are known in many places."""
        if number not in self._said:
            self._said[number] = piece(fact)
        return self._said[number]

    def needs(self, checked: Checked) -> dict[str, str]:
        """What a step depends on besides its key."""
        goods = (_GOOD + good for good in checked.goods)
        laws = (_LAW + law for law in checked.laws)
        return {name: self.need(name) for name in (*checked.followed, *goods, *laws)}

    def need(self, name: str) -> str:
        """What a step depends on that leads through a procedure, that uses how many of a good
        there are or what a law says; nothing if there is none."""
        if name.startswith(_GOOD):
            return str(good_total(self.module, name.removeprefix(_GOOD)))
        if name.startswith(_LAW):
            return self._laws.get(name.removeprefix(_LAW), "")
        if name not in self.module.procedures:
            return ""
        return self._dependencies.procedure(name, self.facts.effects.waiting)

    # ---- kept steps ----------------------------------------------------------------------------

    def to_data(self, checked: Checked, others: Any) -> object:
        """A proved step for keeping, before the versions that were kept earlier."""
        entry = {
            "needs": self.needs(checked),
            "parts": [asdict(p) for p in checked.parts],
            "next": [[s.procedure, s.block, s.way] for s in checked.following],
        }
        kept = [e for e in _versions(others) if e["needs"] != entry["needs"]]
        return {"versions": [entry, *kept][:MOST_VERSIONS]}

    def from_data(self, data: Any) -> Checked | None:
        """The version of a step that fits these rules."""
        for entry in _versions(data):
            try:
                needs = entry["needs"]
                if not needs or any(self.need(name) != need for name, need in needs.items()):
                    continue
                parts = [_part(data) for data in entry["parts"]]
                return Checked(parts, [Start(*s) for s in entry["next"]], [])
            except (KeyError, TypeError, AttributeError):
                continue
        return None


def _part(data: Any) -> Part:
    return Part(**{**data, "cites": tuple(data["cites"]), "used": tuple(data["used"])})


def _versions(data: Any) -> list[Any]:
    found = data.get("versions") if isinstance(data, dict) else None
    return found if isinstance(found, list) else []
