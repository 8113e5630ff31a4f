"""Tasks that verify one configuration; idle workers take the next.

Nothing heavy is imported before it is needed: a check whose report is kept needs neither the rules'
IR nor a solver.
"""

from __future__ import annotations

from collections.abc import Iterable
from time import process_time
from typing import TYPE_CHECKING, Literal

from attrs import define, field, frozen

from verify.proof.conditions import make_conditional, waive
from verify.proof.results import FAILING, Part, Report, Result, Status, gather
from verify.proof.settings import STEPWISE, Settings
from verify.running.configurations import configuration_text

if TYPE_CHECKING:
    from compiler import ir
    from compiler.runtime.game import Game
    from verify.analysis.fact_places import Refused
    from verify.proof.proof_store import Proofs, Walk
    from verify.proof.step_parts import Start
    from verify.search.random_games import BrokenGame

Kind = Literal["steps", "examples", "agreement", "views", "play", "report"]


@frozen
class Played:
    """Coverage in play: ways out of points and rules that were carried out."""

    ways: frozenset[tuple[str, int, int]] = frozenset()
    rules: frozenset[str] = frozenset()
    tried: int = 0
    # Whether every position was seen.
    complete: bool = False
    # Differences that were found.
    met: tuple[BrokenGame, ...] = ()


@define
class FoundSoFar:
    """The results on a configuration so far."""

    steps: dict[Start, list[Part]] = field(factory=dict)
    parts: list[Part] = field(factory=list)
    # The blocks that were carried out when the compiled rules were compared with the formulas.
    blocks: set[tuple[str, int]] = field(factory=set)
    # What was seen in play, if the games were played before all proofs were done.
    played: Played | None = None
    # Faults met in play, in any search.
    met: list[BrokenGame] = field(factory=list)

    def all_parts(self) -> list[Part]:
        """All parts of results, in a fixed order."""
        ordered = sorted(
            self.steps, key=lambda s: (s.procedure, s.block, -2 if s.way is None else s.way)
        )
        return [*(part for start in ordered for part in self.steps[start]), *self.parts]


@define(eq=False)
class Pieces:
    """The tasks for one configuration of a game."""

    game: Game
    settings: Settings
    fresh: bool = False
    _proofs: Proofs | None = None

    @property
    def module(self) -> ir.Module:
        """The rules."""
        return self.game.ir

    def steps(self, start: Start | None, refused: Refused) -> Walk:
        """A step, by default the first, and its successors; refused facts are not used."""
        from verify.proof.proof_store import Proofs

        if self._proofs is None or self._proofs.refused != refused:
            self._proofs = Proofs(self.module, self.settings, self.fresh, refused)
        return self._proofs.walk(start or self._proofs.opening)

    def examples(self) -> list[Part]:
        """The examples of the rule files."""
        from verify.running.examples import run_examples

        return run_examples(self.game)

    def agreement(self) -> tuple[Part, set[tuple[str, int]], list[BrokenGame]]:
        """The comparison of the compiled rules with the formulas, the blocks that it covered,
        and what went wrong on the way."""
        from verify.agreement.sampled_games import SAMPLES, Agreement

        began = process_time()
        agreement = Agreement(self.game, SAMPLES[self.settings.effort])
        agreement.run()
        seconds = process_time() - began
        what = agreement.differs or f"{agreement.compared} moves"
        status: Status = "REFUTED" if agreement.differs else "TESTED"
        name = "compiled rules and formulas"
        part = Part("agreement", name, "", "", what, status, "play", seconds)
        return part, agreement.covered, agreement.met

    def views(self) -> list[Part]:
        """Check what players can see."""
        from verify.proof.audit import Audit
        from verify.proof.finishing import unexamined
        from verify.proof.views import Views

        views = Views(self.module, Audit.of(self.settings), self.settings.effort)
        return views.parts() + unexamined(self.module)

    def play(self, report: Report | None = None) -> Played:
        """Play for coverage or, with a report, to break the obligations that are not proved."""
        from verify.search.refute import refute

        search = refute(self.game, report or Report(), self.settings.effort)
        return Played(
            frozenset(search.reached),
            frozenset(search.carried_out),
            search.tried,
            search.complete,
            tuple(search.found.values()),
        )

    def report(self, found: FoundSoFar, judged: bool = True) -> Report:
        """The report; partial after Ctrl-C."""
        report = Report()
        report.results = self.gathered([*found.all_parts(), *self.read_off()])
        try:
            if judged:
                self.judge(report, found)
        except KeyboardInterrupt:
            report.interrupted = True
        configuration = configuration_text(self.game)
        if self.settings.kinds & STEPWISE:
            from verify.proof.assumptions import assumptions, supposed

            report.assumed = [*assumptions(self.module), *supposed(self.game)]
        if found.met:
            from verify.search.contradictions import contradictions, dry_banks

            report.results += self.gathered(list(dry_banks(self.game, found.met)))
        waive(self.module, report)
        make_conditional(report)
        if found.met:
            report.contradictions += contradictions(self.game, configuration, report, found.met)
        if "termination" in self.settings.kinds and not report.interrupted:
            self.limit(report, configuration)
        report.results = [r for r in report.results if r.obligation in self.settings.kinds]
        for result in report.results:
            result.configuration, result.variants = configuration, list(self.game.variants)
            if result.status in FAILING and not result.sentence:
                from verify.search.telling import tell_sentence

                tell_sentence(self.game, result)
        return report

    def limit(self, report: Report, configuration: str) -> None:
        """The bound on the length of a game, if it is proved."""
        from verify.analysis import length_bound as bound

        most = bound.decisions(self.module)
        if most is None:
            from verify.search.rounds import unclaimed

            report.unclaimed = unclaimed(self.game, configuration)
        elif all(r.status == "PROVED" for r in report.results if r.obligation == "termination"):
            report.bounds[configuration] = most

    def read_off(self) -> Iterable[Part]:
        """Obligations that are decided from the rules alone."""
        from verify.proof import structure

        yield from structure.conserved(self.module)
        yield from structure.recursion(self.module)
        yield from structure.nesting(self.module)

    def judge(self, report: Report, found: FoundSoFar) -> None:
        """Search for games that break unproved obligations; decide liveness."""
        kinds = self.settings.kinds
        # No game breaks an example.
        failing = any(r.status in FAILING for r in report.results if r.obligation != "examples")
        if not failing and "liveness" not in kinds:
            return
        played = self.play(report) if failing or found.played is None else found.played
        found.met += played.met
        if failing:
            from verify.search.two_games import show_leaks

            show_leaks(self.game, report, self.settings.effort)
        if "liveness" not in kinds:
            return
        from verify.search.rule_coverage import Liveness

        proved = not any(r.status in FAILING for r in report.results if r.obligation in STEPWISE)
        alive = Liveness(
            self.module,
            self.game.origin.program(),
            set(played.ways),
            found.blocks,
            set(played.rules),
            played.tried,
            played.complete,
            proved,
        )
        report.results += self.gathered(alive.parts())

    def gathered(self, parts: list[Part]) -> list[Result]:
        """Parts as results."""
        module = self.module
        return gather(parts, module.name, module.players, dict(module.options))
