"""Running a check: all steps of a game on several workers, gathered into a report."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

from attrs import frozen

from compiler import ir
from verify import bound, structure
from verify.agreement import SAMPLES, Agreement
from verify.checking import Checker
from verify.examples import run_examples
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
STEPWISE = frozenset(
    {"init", "invariant", "safety", "conservation", "progress", "termination"}
)
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
    progress: Progress | None = None,
) -> Report:  # fmt: skip
    """Check a game; see the design of the proof obligations for what is checked."""
    wanted = frozenset(KINDS if checks is None else checks)
    unknown = wanted - frozenset(KINDS)
    if unknown:
        raise ValueError(f"no such check: {', '.join(sorted(unknown))}")
    began = perf_counter()
    module = game.ir
    parts: list[Part] = []
    report = Report()
    stepwise = wanted & STEPWISE
    if stepwise:
        try:
            parts += prove(module, stepwise, jobs, effort, progress)
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
        alive = Liveness(module, seen, blocks, search.carried_out, search.tried).parts()
        report.results += gather(alive, module.name, module.players, options)
    if "termination" in wanted:
        report.bounds[configuration(module)] = bound.decisions(module)
    for result in report.results:
        waive(module, result)
    report.seconds = perf_counter() - began
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
    module: ir.Module, kinds: frozenset[str], jobs: int, effort: str,
    progress: Progress | None = None,
) -> list[Part]:  # fmt: skip
    """Prove everything that is proved step by step, starting from the opening position."""
    main = module.procedures[module.main]
    opening = Start(main.name, main.blocks[0].id, ENTRY)
    seen = {opening}
    found: dict[Start, list[Part]] = {}
    failed = 0

    def note(start: Start, answer: Any) -> list[Start]:
        nonlocal failed
        if answer is None:
            rule = rule_name(start.procedure)
            seconds = PATIENCE[effort]
            reason = f"no answer after {seconds:.0f} s"
            found[start] = [
                Part("safety", rule, rule, "", "", "UNKNOWN", "", seconds, reason=reason)
            ]
            return []
        found[start], following = answer
        failed += sum(p.status != "PROVED" for p in found[start])
        if progress is not None:
            progress(Event(len(found), len(seen), rule_name(start.procedure), failed))
        fresh = [s for s in following if s not in seen]
        seen.update(fresh)
        return fresh

    prepare = partial(_checker, module, effort, kinds)
    if jobs <= 1:
        work = prepare()
        todo = [opening]
        while todo:
            start = todo.pop(0)
            todo += note(start, work(start))
    else:
        with Pool(prepare, jobs, PATIENCE[effort]) as pool:
            pool.add(opening)
            for start, answer in pool.results():
                for other in note(start, answer):
                    pool.add(other)
    ordered = sorted(found, key=lambda s: (s.procedure, s.block, -2 if s.way is None else s.way))
    return [part for start in ordered for part in found[start]]
