"""Proving the steps of a game, using what was proved before."""

from __future__ import annotations

from attrs import define, evolve, field, frozen

from compiler import ir
from verify.analysis.effects import Effects
from verify.analysis.fact_places import NONE_REFUSED, Refused
from verify.analysis.facts import facts_of
from verify.proof import disk_cache as cache
from verify.proof.proof_keys import Keys
from verify.proof.results import Part
from verify.proof.settings import Settings
from verify.proof.step_checker import Checker
from verify.proof.step_parts import ENTRY, Start


@frozen
class Walk:
    """Steps with their results, and the steps that follow them and have none yet."""

    found: dict[Start, list[Part]]
    following: list[Start]
    # Facts that a step claims and does not prove: they are refused, and all is checked again.
    unproved: Refused = NONE_REFUSED


@define(eq=False)
class Proofs:
    """The proofs of a game's steps: those that were found before, and new ones."""

    module: ir.Module
    settings: Settings
    # Whether to prove everything again.
    fresh: bool = False
    refused: Refused = NONE_REFUSED
    keys: Keys = field(init=False)
    _checker: Checker | None = None

    def __attrs_post_init__(self) -> None:
        facts = facts_of(self.module, Effects(self.module), self.refused)
        self.keys = Keys(self.module, facts, self.settings)

    @property
    def opening(self) -> Start:
        """The first step of all."""
        main = self.module.procedures[self.module.main]
        return Start(main.name, main.blocks[0].id, ENTRY)

    def walk(self, start: Start) -> Walk:
        """Prove a step; if it is in the store, continue to the first steps that are not."""
        found: dict[Start, list[Part]] = {}
        missing: list[Start] = []
        todo = [] if self.fresh else [start]
        while todo:
            at = todo.pop(0)
            if at in found or at in missing:
                continue
            kept = self.keys.from_data(at, cache.load(self.keys.key(at)))
            if kept is None:
                missing.append(at)
            else:
                found[at] = [evolve(p, by="kept", seconds=0.0) for p in kept.parts]
                todo += kept.following
        return Walk(found, missing) if found else self.prove(start)

    def prove(self, start: Start) -> Walk:
        """Prove a step, and keep the proof."""
        if self._checker is None:
            self._checker = Checker(self.module, self.settings, self.refused)
        checked = self._checker.check(start)
        if checked.unproved:
            return Walk({start: checked.parts}, checked.following, checked.unproved)
        if all(part.status == "PROVED" for part in checked.parts):
            key = self.keys.key(start)
            cache.store(key, self.keys.to_data(start, checked, cache.load(key)))
        return Walk({start: checked.parts}, checked.following)
