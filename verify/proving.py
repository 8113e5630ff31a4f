"""Proving all steps of a game on several workers, using what was proved before."""

from __future__ import annotations

from functools import partial

from attrs import evolve

from compiler import ir
from verify import cache
from verify.checking import Checker
from verify.keys import Checked, Keys
from verify.pool import Pool, Work
from verify.progress import Event, Progress
from verify.results import GIVEN_UP, Part
from verify.settings import Settings
from verify.steps import ENTRY, Start, rule_name

# A step that has used so many seconds of processor time is given up; solvers stop long before, by
# their own count.
PATIENCE: dict[str, float] = {"low": 120.0, "normal": 600.0, "high": 3600.0}


def _checker(module: ir.Module, settings: Settings) -> Work:
    return Checker(module, settings).check


class Steps:
    """The steps of a game, starting from the opening: which are done, which wait to be proved."""

    def __init__(self, keys: Keys, progress: Progress | None = None, fresh: bool = False) -> None:
        self.keys = keys
        self.progress = progress
        self.fresh = fresh
        self.found: dict[Start, list[Part]] = {}
        self.seen: set[Start] = set()
        self.waiting: list[Start] = []
        self.failed = 0
        main = keys.module.procedures[keys.module.main]
        self.reach([Start(main.name, main.blocks[0].id, ENTRY)])

    def prove(self, jobs: int) -> None:
        """Prove everything that waits, and what is found on the way."""
        prepare = partial(_checker, self.keys.module, self.keys.settings)
        if jobs <= 1:
            work: Work | None = None
            while self.waiting:
                start = self.waiting.pop(0)
                work = work or prepare()
                self.note(start, work(start))
        elif self.waiting:
            with Pool(prepare, jobs, PATIENCE[self.keys.settings.effort]) as pool:
                self.hand_to(pool)
                for start, answer in pool.results():
                    self.note(start, answer)
                    self.hand_to(pool)

    def reach(self, starts: list[Start]) -> None:
        """Steps that are to be proved; those that were before are done."""
        todo = list(starts)
        while todo:
            start = todo.pop(0)
            if start in self.seen:
                continue
            self.seen.add(start)
            kept = None
            if not self.fresh:
                kept = self.keys.from_data(cache.load(self.keys.key(start)))
            if kept is None:
                self.waiting.append(start)
            else:
                self.found[start] = [evolve(p, by="kept", seconds=0.0) for p in kept.parts]
                todo += kept.following

    def hand_to(self, pool: Pool) -> None:
        """Give what waits to the workers."""
        for start in self.waiting:
            pool.add(start)
        self.waiting = []

    def note(self, start: Start, answer: Checked | None) -> None:
        """The result of a step; none if it was given up."""
        if answer is None:
            rule = rule_name(start.procedure)
            seconds = PATIENCE[self.keys.settings.effort]
            reason = f"no answer: its worker died or used {seconds:.0f} s of processor time"
            part = Part("safety", rule, rule, "", "", "UNKNOWN", GIVEN_UP, seconds, reason=reason)
            self.found[start] = [part]
            self.failed += 1
            return
        self.found[start] = answer.parts
        failed = sum(p.status != "PROVED" for p in answer.parts)
        self.failed += failed
        if not failed:
            key = self.keys.key(start)
            cache.store(key, self.keys.to_data(answer, cache.load(key)))
        self.reach(answer.following)
        if self.progress is not None:
            what = rule_name(start.procedure)
            self.progress(Event(len(self.found), len(self.seen), what, self.failed))

    def parts(self) -> list[Part]:
        """All results, in a fixed order."""
        ordered = sorted(
            self.found, key=lambda s: (s.procedure, s.block, -2 if s.way is None else s.way)
        )
        return [part for start in ordered for part in self.found[start]]
