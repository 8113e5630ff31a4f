"""Running a check: what was found before is looked up, the rest is proved, tried and gathered.

Nothing heavy is imported before it is needed: a check whose report is kept needs neither the rules'
IR nor a solver.
"""

from __future__ import annotations

from collections.abc import Iterable
from time import perf_counter
from typing import TYPE_CHECKING

from verify import kept
from verify.forms import form_text
from verify.obligations import KINDS
from verify.progress import Event, Progress
from verify.results import FAILING, Report, Result, gather
from verify.settings import STEPWISE, Settings

if TYPE_CHECKING:
    from compiler import ir
    from compiler.runtime.game import Game
    from verify.agreement import Agreement
    from verify.results import Part, Status

__all__ = ["STEPWISE", "Event", "run"]


def run(
    game: Game, checks: Iterable[str] | None = None, jobs: int = 2, effort: str = "normal",
    progress: Progress | None = None, fresh: bool = False, recheck: bool = False,
    cores: bool = False,
) -> Report:  # fmt: skip
    """Check a game; see the design of the proof obligations for what is checked.

    Proofs that were found before are used again unless `fresh` is set. With `recheck` a second
    solver looks at every proof (raises `MissingSolverError` if it is not installed); with `cores`
    results say which laws, requirements and facts their proofs used.

    >>> import rules_dsl as rd
    >>> run(rd.load("pig"), ["init"], jobs=1).exit_code
    0
    """
    wanted = frozenset(KINDS if checks is None else checks)
    unknown = wanted - frozenset(KINDS)
    if unknown:
        raise ValueError(f"no such check: {', '.join(sorted(unknown))}")
    settings = Settings(wanted, effort, recheck, cores)
    began = perf_counter()
    key = kept.key_of(game, settings)
    report = None if fresh else kept.load(key, game)
    if report is None:
        report = _Check(game, settings, jobs, progress, fresh).report()
        kept.store(key, report)
    report.seconds = perf_counter() - began
    return report


class _Check:
    """One check of one game."""

    def __init__(
        self, game: Game, settings: Settings, jobs: int, progress: Progress | None, fresh: bool
    ) -> None:
        self.game = game
        self.module = game.ir
        self.settings = settings
        self.jobs = jobs
        self.progress = progress
        self.fresh = fresh

    def report(self) -> Report:
        """Everything that is wanted; less if it is interrupted."""
        report = Report()
        parts: list[Part] = []
        try:
            self.stepwise(parts)
            agreement = self.others(parts)
            report.results = self.gathered(parts)
            self.by_play(report, agreement)
        except KeyboardInterrupt:
            report.interrupted = True
            report.results = report.results or self.gathered(parts)
        form = form_text(self.game)
        if self.settings.kinds & STEPWISE:
            from verify.assumptions import assumptions

            report.assumed = assumptions(self.module)
        if "termination" in self.settings.kinds and not report.interrupted:
            from verify import bound

            report.bounds[form] = bound.decisions(self.module)
        for result in report.results:
            result.form = form
            waive(self.module, result)
        return report

    def gathered(self, parts: list[Part]) -> list[Result]:
        """Parts as results."""
        module = self.module
        return gather(parts, module.name, module.players, dict(module.options))

    def stepwise(self, parts: list[Part]) -> None:
        """What is proved step by step; after an interruption, what was proved until then."""
        if not self.settings.kinds & STEPWISE:
            return
        from verify.effects import Effects
        from verify.facts import facts_of
        from verify.keys import Keys
        from verify.proving import Steps

        keys = Keys(self.module, facts_of(self.module, Effects(self.module)), self.settings)
        steps = Steps(keys, self.progress, self.fresh)
        try:
            steps.prove(self.jobs)
        finally:
            parts += steps.parts()

    def others(self, parts: list[Part]) -> Agreement | None:
        """What is read off the rules, played and compared."""
        from verify import structure

        kinds = self.settings.kinds
        if "conservation" in kinds:
            parts += structure.conserved(self.module)
        if "termination" in kinds:
            parts += structure.recursion(self.module)
        if "examples" in kinds:
            from verify.examples import run_examples

            parts += run_examples(self.game)
        agreement = None
        if "agreement" in kinds:
            from verify.agreement import SAMPLES, Agreement

            agreement = Agreement(self.game, SAMPLES[self.settings.effort])
            parts.append(agree(agreement))
        if "views" in kinds:
            from verify.auditing import Audit
            from verify.views import Views

            parts += Views(self.module, Audit.of(self.settings)).parts()
        return agreement

    def by_play(self, report: Report, agreement: Agreement | None) -> None:
        """Games that break something, and the rules that were seen to happen."""
        live = "liveness" in self.settings.kinds
        if not live and not any(r.status in FAILING for r in report.results):
            return
        from verify.liveness import Liveness
        from verify.refuting import refute

        search = refute(self.game, report, self.settings.effort)
        if live:
            blocks = agreement.covered if agreement is not None else set()
            seen = set(search.reached)
            proved = self.settings.kinds >= STEPWISE and not any(
                r.status in FAILING for r in report.results if r.obligation in STEPWISE
            )
            alive = Liveness(
                self.module, seen, blocks, search.carried_out, search.tried, search.complete, proved
            ).parts()
            report.results += self.gathered(alive)


def agree(agreement: Agreement) -> Part:
    """The comparison of the compiled rules with the formulas."""
    from verify.results import Part

    began = perf_counter()
    agreement.run()
    seconds = perf_counter() - began
    what = agreement.differs or f"{agreement.compared} moves"
    status: Status = "REFUTED" if agreement.differs else "TESTED"
    name = "compiled rules and formulas"
    return Part("agreement", name, "", "", what, status, "play", seconds)


def waive(module: ir.Module, result: Result) -> None:
    """A rule file may accept a failure by name, with its reason."""
    for waiver in module.waivers:
        names = {result.subject, result.rule, result.subject.partition(".")[0]}
        if waiver.obligation == result.obligation and waiver.subject in names:
            result.waived = waiver.reason
