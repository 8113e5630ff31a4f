"""Running a check: all steps of a game on several workers, gathered into a report."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from compiler import ir
from verify import bound, cache, structure
from verify.agreement import SAMPLES, Agreement
from verify.cache import Keys
from verify.checking import Checker
from verify.effects import Effects
from verify.examples import run_examples
from verify.facts import FactBase
from verify.liveness import Liveness
from verify.obligations import KINDS
from verify.pool import Pool, Work
from verify.refuting import refute
from verify.results import FAILING, Part, Report, Result, Status, gather
from verify.steps import ENTRY, Start, rule_name
from verify.views import Views

if TYPE_CHECKING:
    from compiler.runtime.game import Game

# Obligations that are proved step by step.
STEPWISE = frozenset({"init", "invariant", "safety", "conservation", "progress", "termination"})
# A step that has not answered after this is given up; solvers stop long before, by their own count.
PATIENCE: dict[str, float] = {"low": 120.0, "normal": 600.0, "high": 3600.0}

Progress = Callable[["Event"], None]


@frozen
class Event:
    """How far a check is."""

    done: int
    total: int
    what: str
    failed: int = 0


def run(
    game: Game, checks: Iterable[str] | None = None, jobs: int = 2, effort: str = "normal",
    progress: Progress | None = None, fresh: bool = False,
) -> Report:  # fmt: skip
    """Check a game; see the design of the proof obligations for what is checked.

    Proofs that were found before are used again unless `fresh` is set.
    """
    wanted = frozenset(KINDS if checks is None else checks)
    unknown = wanted - frozenset(KINDS)
    if unknown:
        raise ValueError(f"no such check: {', '.join(sorted(unknown))}")
    began = perf_counter()
    module = game.ir
    keys = Keys(module, FactBase(module, Effects(module)), effort)
    whole = keys.whole(sorted(wanted))
    if not fresh:
        kept = Report.from_data(cache.load(whole))
        if kept is not None:
            kept.seconds = perf_counter() - began
            return kept
    parts: list[Part] = []
    report = Report()
    stepwise = wanted & STEPWISE
    if stepwise:
        try:
            parts += prove(keys, stepwise, jobs, progress, fresh)
        except KeyboardInterrupt:
            report.interrupted = True
    if "conservation" in wanted:
        parts += structure.conserved(module)
    if "termination" in wanted:
        parts += structure.recursion(module)
    if "examples" in wanted:
        parts += run_examples(game)
    agreement = None
    if "agreement" in wanted:
        agreement = Agreement(game, SAMPLES[effort])
        parts.append(agree(agreement))
    if "views" in wanted:
        parts += Views(module).parts()
    options = dict(module.options)
    report.results = gather(parts, module.name, module.players, options)
    search = None
    if "liveness" in wanted or any(r.status in FAILING for r in report.results):
        search = refute(game, report, effort)
    if "liveness" in wanted and search is not None:
        blocks = agreement.covered if agreement is not None else set()
        seen = set(search.reached)
        lawful = stepwise == STEPWISE and not report.interrupted
        lawful = lawful and not any(
            r.status in FAILING for r in report.results if r.obligation in STEPWISE
        )
        alive = Liveness(
            module, seen, blocks, search.carried_out, search.tried, search.complete, lawful
        ).parts()
        report.results += gather(alive, module.name, module.players, options)
    if "termination" in wanted:
        report.bounds[configuration(module)] = bound.decisions(module)
    for result in report.results:
        waive(module, result)
    report.seconds = perf_counter() - began
    if report.ok:
        cache.store(whole, report.to_data())
    return report


def agree(agreement: Agreement) -> Part:
    """The comparison of the compiled rules with the formulas."""
    began = perf_counter()
    agreement.run()
    seconds = perf_counter() - began
    what = agreement.differs or f"{agreement.compared} moves"
    status: Status = "REFUTED" if agreement.differs else "TESTED"
    name = "compiled rules and formulas"
    return Part("agreement", name, "", "", what, status, "play", seconds)


def configuration(module: ir.Module) -> str:
    """A game, its players and its options, in a few words."""
    options = "".join(f" {name}={value}" for name, value in module.options)
    return f"{module.name} {module.players} players{options}"


def waive(module: ir.Module, result: Result) -> None:
    """A rule file may accept a failure by name, with its reason."""
    for waiver in module.waivers:
        names = {result.subject, result.rule, result.subject.partition(".")[0]}
        if waiver.obligation == result.obligation and waiver.subject in names:
            result.waived = waiver.reason


# ---- steps ---------------------------------------------------------------------------------------


def _checker(module: ir.Module, effort: str, kinds: frozenset[str]) -> Work:
    checker = Checker(module, effort, kinds)
    return checker.check


def prove(
    keys: Keys, kinds: frozenset[str], jobs: int, progress: Progress | None = None,
    fresh: bool = False,
) -> list[Part]:  # fmt: skip
    """Prove everything that is proved step by step, starting from the opening position."""
    steps = _Steps(keys, kinds, progress, fresh)
    prepare = partial(_checker, keys.module, keys.effort, kinds)
    if jobs <= 1:
        work: Work | None = None
        while steps.waiting:
            start = steps.waiting.pop(0)
            work = work or prepare()
            steps.note(start, work(start))
    elif steps.waiting:
        with Pool(prepare, jobs, PATIENCE[keys.effort]) as pool:
            steps.hand_to(pool)
            for start, answer in pool.results():
                steps.note(start, answer)
                steps.hand_to(pool)
    return steps.parts()


class _Steps:
    """The steps of a game: which are done, which wait to be proved."""

    def __init__(
        self, keys: Keys, kinds: frozenset[str], progress: Progress | None, fresh: bool
    ) -> None:
        self.keys = keys
        self.kinds = kinds
        self.progress = progress
        self.fresh = fresh
        self.found: dict[Start, list[Part]] = {}
        self.seen: set[Start] = set()
        self.waiting: list[Start] = []
        self.failed = 0
        main = keys.module.procedures[keys.module.main]
        self.reach([Start(main.name, main.blocks[0].id, ENTRY)])

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
                kept = cache.step_from_data(cache.load(self.keys.key(start, self.kinds)))
            if kept is None:
                self.waiting.append(start)
            else:
                self.found[start] = [evolve(p, by="kept", seconds=0.0) for p in kept[0]]
                todo += kept[1]

    def hand_to(self, pool: Pool) -> None:
        """Give what waits to the workers."""
        for start in self.waiting:
            pool.add(start)
        self.waiting = []

    def note(self, start: Start, answer: Any) -> None:
        """The result of a step; none if it was given up."""
        if answer is None:
            rule = rule_name(start.procedure)
            seconds = PATIENCE[self.keys.effort]
            reason = f"no answer after {seconds:.0f} s"
            part = Part("safety", rule, rule, "", "", "UNKNOWN", "", seconds, reason=reason)
            self.found[start] = [part]
            self.failed += 1
            return
        parts, following = answer
        self.found[start] = parts
        failed = sum(p.status != "PROVED" for p in parts)
        self.failed += failed
        if not failed:
            key = self.keys.key(start, self.kinds)
            cache.store(key, cache.step_to_data(parts, following))
        self.reach(following)
        if self.progress is not None:
            what = rule_name(start.procedure)
            self.progress(Event(len(self.found), len(self.seen), what, self.failed))

    def parts(self) -> list[Part]:
        """All results, in a fixed order."""
        ordered = sorted(
            self.found, key=lambda s: (s.procedure, s.block, -2 if s.way is None else s.way)
        )
        return [part for start in ordered for part in self.found[start]]
