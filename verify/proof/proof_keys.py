"""The keys of proofs: what the proof of a step depends on.

A step is kept under a digest of where it starts, the settings and the verifier itself, together
with its dependencies: the procedures on its paths, each with a digest of everything that it names;
the cells that each invariant reads; the invariants about cells that the step writes; and the
invariants, facts and totals of goods that its proofs used.
The proof holds as long as these have not changed, so a variant proves again only what it touches.
Only proofs are kept; what failed is tried again.
"""

from __future__ import annotations

from typing import Any

from attrs import asdict, define, field, frozen

from compiler import ir
from verify.analysis.dependencies import Dependencies, piece, uncounted
from verify.analysis.fact_places import NONE_REFUSED, FactPlace, Refused
from verify.analysis.facts import FactBase
from verify.analysis.goods import good_total, short_of_room
from verify.encode.hypotheses import INVARIANT
from verify.proof.disk_cache import digest, verifier_digest
from verify.proof.obligation import OF_INVARIANTS
from verify.proof.proof_core import requirements
from verify.proof.results import Part
from verify.proof.settings import Settings
from verify.proof.step_parts import ENTRY, Start

# Versions of a step kept side by side, so that variants do not evict each other.
MOST_VERSIONS = 8
# Prefix of the names of goods among the procedures and invariants that a step needs.
_GOOD = "good "
# Name of the scoring, for the steps that lead to the end.
SCORING = "how scores are counted"


@frozen
class CheckedStep:
    """A step that was checked: its results, where others start, and the procedures it entered."""

    parts: list[Part]
    following: list[Start]
    followed: list[str]
    # The goods whose totals its proofs used; the invariants and facts that they used.
    goods: list[str] = field(factory=list)
    invariants: list[str] = field(factory=list)
    facts: list[ir.Expr] = field(factory=list)
    # What it claims at each place where it ends, and the rules whose contracts it relies on.
    claims: dict[FactPlace, list[ir.Expr]] = field(factory=dict)
    relied_on: list[str] = field(factory=list)
    # What it claims and does not prove: then nothing else was checked.
    unproved: Refused = NONE_REFUSED


@define(eq=False)
class Keys:
    """The keys of the steps of a module."""

    module: ir.Module
    facts: FactBase
    settings: Settings
    _dependencies: Dependencies = field(init=False)
    _common: str = field(init=False)
    _worded: dict[int, str] = field(factory=dict)
    # A digest of each invariant, and one of the cells that it reads.
    _invariants: dict[str, str] = field(init=False)
    _about: dict[str, str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        module = self.module
        self._dependencies = Dependencies(module)
        # Pools and zones have invariants of their own, so that all of them are part of every proof.
        counted = [a for a in module.arrays.values() if a.kind in ("pool", "zone")]
        # A step that writes no cell of an invariant keeps it, whatever the invariant says.
        reads = self.facts.effects.reads
        self._about = {
            i.name: digest(i.cites, sorted(reads(i.condition).arrays)) for i in module.invariants
        }
        self._invariants = {i.name: self._dependencies.closure(piece(i)) for i in module.invariants}
        common = piece(
            module.players,
            module.main,
            module.zones,
            module.cells,
            [uncounted(array) for array in counted],
            [(a.name, a.hi) for a in counted if short_of_room(module, a)],
            {name: uncounted(good) for name, good in module.goods.items()},
            module.waivers,
        )
        # Cores name requirements by their place, so a moved rule changes the key.
        places = [str(line.span) for line in requirements(module)] if self.settings.cores else []
        self._common = digest(
            verifier_digest(), self.settings.describe(), self._dependencies.closure(common), places
        )

    def key(self, start: Start) -> str:
        """A digest of where a step starts and of the dependencies that all steps share."""
        opening = start.procedure == self.module.main and start.way == ENTRY
        initial = [a.initial for a in self.module.arrays.values()] if opening else []
        return digest("step", self._common, start, initial)

    def known(self, start: Start) -> set[str]:
        """Digests of the facts at the start of a step."""
        return self.proposed(start.place)

    def fact(self, fact: ir.Expr) -> str:
        """A digest of a fact and of everything that it names; most hold at many places."""
        number, _ = self.facts.number(fact)
        if number not in self._worded:
            self._worded[number] = self._dependencies.closure(piece(fact))
        return self._worded[number]

    def needs(self, checked: CheckedStep) -> dict[str, str]:
        """The dependencies of a step besides its key."""
        goods = (_GOOD + good for good in checked.goods)
        invariants = (INVARIANT + invariant for invariant in checked.invariants)
        return {name: self.need(name) for name in (*checked.followed, *goods, *invariants)}

    def need(self, name: str) -> str:
        """The dependency on a procedure, the total of a good, an invariant or the scoring,
        by its name; empty if the rules do not have it."""
        if name.startswith(_GOOD):
            return str(good_total(self.module, name.removeprefix(_GOOD)))
        if name.startswith(INVARIANT):
            return self._invariants.get(name.removeprefix(INVARIANT), "")
        if name == SCORING:
            return self._dependencies.closure(piece(self.module.scoring))
        if name not in self.module.procedures:
            return ""
        return self._dependencies.procedure(name, self.facts.effects.waiting)

    # ---- kept steps ----------------------------------------------------------------------------

    def to_data(self, start: Start, checked: CheckedStep, others: Any) -> object:
        """A proved step to keep, first among the versions kept earlier."""
        entry = {
            "needs": self.needs(checked),
            "invariants": self._about,
            "facts": sorted(self.fact(fact) for fact in checked.facts),
            "claims": [
                [
                    place.kind,
                    place.procedure,
                    place.block,
                    place.way,
                    sorted(self.fact(fact) for fact in facts),
                ]
                for place, facts in checked.claims.items()
            ],
            "relied on": {name: self.contract(name) for name in checked.relied_on},
            "parts": [asdict(p) for p in checked.parts],
            "next": [[s.procedure, s.block, s.way] for s in checked.following],
        }
        kept = [e for e in _versions(others) if not self.fits(start, e)]
        return {"versions": [entry, *kept][:MOST_VERSIONS]}

    def from_data(self, start: Start, data: Any) -> CheckedStep | None:
        """The version of a step that fits these rules."""
        for entry in _versions(data):
            try:
                if not self.fits(start, entry):
                    continue
                parts = [_part(data) for data in entry["parts"]]
                # An invariant that was dropped has no results any more.
                parts = [
                    p
                    for p in parts
                    if p.obligation not in OF_INVARIANTS or p.subject in self._invariants
                ]
                return CheckedStep(parts, [Start(*s) for s in entry["next"]], [])
            except (KeyError, TypeError, AttributeError):
                continue
        return None

    def fits(self, start: Start, entry: Any) -> bool:
        """Whether everything that a kept step depends on is unchanged."""
        needs, facts, invariants = entry["needs"], entry["facts"], entry["invariants"]
        return (
            bool(needs)
            and all(self.need(name) == need for name, need in needs.items())
            and self.known(start).issuperset(facts)
            and all(invariants.get(name) == about for name, about in self._about.items())
            and all(self.contract(name) == said for name, said in entry["relied on"].items())
            and all(
                set(proved).issuperset(self.proposed(FactPlace(kind, procedure, block, way)))
                for kind, procedure, block, way, proved in entry["claims"]
            )
        )

    def proposed(self, place: FactPlace) -> set[str]:
        """The facts of a place, each with all that it names."""
        return {self.fact(fact) for fact in self.facts.at(place).values()}

    def contract(self, name: str) -> str:
        """What a caller relies on after a call; nothing if there is no such rule."""
        procedure = self.module.procedures.get(name)
        if procedure is None:
            return ""
        contracts = self._dependencies.closure(piece(procedure.ensures, procedure.before))
        left = sorted(self.proposed(FactPlace("exit", name)))
        return digest(contracts, sorted(self.facts.effects.procedure(name)), left)


def _part(data: Any) -> Part:
    return Part(**{**data, "cites": tuple(data["cites"]), "used": tuple(data["used"])})


def _versions(data: Any) -> list[Any]:
    found = data.get("versions") if isinstance(data, dict) else None
    return found if isinstance(found, list) else []
