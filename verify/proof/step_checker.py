"""Checking one step: its obligations, proved one by one, split into cases where that helps."""

from __future__ import annotations

from time import process_time

import z3
from attrs import define, evolve, field

from compiler import ir
from compiler.rule_id import rule_name
from verify.analysis.fact_places import NONE_REFUSED, Refused
from verify.encode.hypotheses import FACT, INVARIANT, named
from verify.encode.loop_cuts import KeptByRounds, LoopCuts
from verify.encode.terms import Truth
from verify.encode.unknowns import World
from verify.proof.audit import Audit, Notes
from verify.proof.case_split import cases
from verify.proof.claims import Claim
from verify.proof.counterexample import describe, smallest
from verify.proof.obligation import Obligation
from verify.proof.proof_core import Origins
from verify.proof.proof_keys import SCORING, CheckedStep
from verify.proof.prover import EFFORTS, Prover, Verdict
from verify.proof.results import TOO_WIDE, Part, Status
from verify.proof.second_solver import DISAGREED
from verify.proof.settings import Settings
from verify.proof.step_parts import Start, TooManyPathsError
from verify.proof.symbolic_step import Explorer, StepRun
from verify.proof.waivers import hypotheses

_STATUS: dict[str, Status] = {
    "proved": "PROVED",
    "open": "UNPROVED",
    "unknown": "UNKNOWN",
    "disputed": "UNKNOWN",
}


@define(eq=False)
class Checker:
    """Checks the steps of a module, one after another."""

    module: ir.Module
    settings: Settings
    refused: Refused = NONE_REFUSED
    explorer: Explorer = field(init=False)
    cuts: LoopCuts = field(init=False)
    prover: Prover = field(init=False)
    origins: Origins | None = None

    def __attrs_post_init__(self) -> None:
        world = World(self.module)
        self.cuts = LoopCuts(hypotheses(self.module))
        self.explorer = Explorer(world, self.refused, self.cuts)
        self.prover = Prover(world, self.settings.effort, Audit.of(self.settings))
        world.confirms = self.confirms
        if self.settings.cores:
            self.origins = Origins(self.prover)

    def check(self, start: Start) -> CheckedStep:
        """The results of a step, the starts of the next steps, and its dependencies."""
        began = process_time()
        self.prover.spoken_of.clear()
        self.prover.used.clear()
        try:
            run = self.explored(start)
        except TooManyPathsError:
            rule = rule_name(start.procedure)
            seconds = process_time() - began
            reason = "too many paths from one decision to the next"
            part = Part("safety", rule, rule, "", "", "UNKNOWN", TOO_WIDE, seconds, reason=reason)
            return CheckedStep([part], [], [])
        unproved = self.unproved(run)
        if unproved:
            return CheckedStep([], list(run.next), [], unproved=unproved)
        seconds = process_time() - began
        parts: list[Part] = []
        hard: list[_Hard] = []
        failed: dict[tuple[object, ...], Part] = {}
        for obligation in run.obligations:
            identity = _identity(obligation)
            if identity in failed:
                # The same place has failed on another path; once is enough.
                parts.append(failed[identity])
                continue
            verdict, notes = self.attempt(run, obligation)
            part = self.part(run, obligation, verdict, notes, seconds)
            seconds = 0.0
            if verdict.outcome == "open":
                failed[identity] = part
            elif verdict.outcome == "unknown":
                # A position that breaks an obligation stays valid; only hard obligations are split.
                hard.append(_Hard(len(parts), obligation, verdict, notes))
            parts.append(part)
        if hard:
            for one, part in zip(hard, self.split(run, hard), strict=True):
                parts[one.at] = part
        followed = run.followed | {start.procedure}
        if run.ends:
            followed |= {SCORING}
        used = self.prover.used | run.needed
        invariants = named(
            INVARIANT, used, (invariant.name for invariant in self.module.invariants)
        )
        known = {str(n): fact for n, fact in self.explorer.facts.at(start.place).items()}
        facts = [known[number] for number in named(FACT, used, known)]
        return CheckedStep(
            parts,
            list(run.next),
            sorted(followed),
            self.goods(),
            invariants,
            facts,
            claims=run.claims.by_place(),
            relied_on=sorted(run.claims.relied_on),
        )

    def explored(self, start: Start) -> StepRun:
        """A step whose proposed loop facts are proved; those that cannot be proved are dropped."""
        self.cuts.dropped.clear()
        while True:
            run = self.explorer.explore(start)
            failed = self.not_kept(run)
            if not failed:
                return run
            self.cuts.dropped |= failed

    def not_kept(self, run: StepRun) -> set[KeptByRounds]:
        """Proposed facts that the loops of a step do not keep."""
        failed: set[KeptByRounds] = set()
        for one in run.proposed:
            if one.proposal not in failed and not self.holds(run, [one.goal], one.path):
                failed.add(one.proposal)
        return failed

    def unproved(self, run: StepRun) -> Refused:
        """The claims of the step that cannot be proved."""
        found = set()
        for claim in run.claims.found:
            if (claim.place, claim.fact) in found:
                continue
            if not self.kept(run, claim):
                found.add((claim.place, claim.fact))
        return frozenset(found)

    def kept(self, run: StepRun, claim: Claim) -> bool:
        """Try to prove a claim, first with the premises at hand, then with all premises."""
        if claim.goals is None:
            return False
        if self.holds(run, claim.goals, claim.path):
            return True
        more = claim.more()
        return bool(more) and self.holds(run, claim.goals, [*claim.path, *more])

    def holds(self, run: StepRun, goals: list[Truth], path: list[Truth]) -> bool:
        """True if goals are proved with little effort."""
        if all(goal is True for goal in goals):
            return True
        claimed = Obligation("safety", "", run.label, "", goals, path)
        verdict = self.prover.prove(claimed, run.assumed, run.initial, patient=False)
        return verdict.outcome == "proved" and not self.prover.audit.taken().disputed

    def confirms(self, contradiction: list[z3.ExprRef]) -> bool:
        """True unless the second solver contradicts a proof that was made on the way."""
        self.prover.audit.refuted(contradiction)
        return not self.prover.audit.taken().disputed

    def goods(self) -> list[str]:
        """The goods whose totals the proofs of a step may have used: those of the cells in them."""
        counting = self.explorer.world.counting
        spoken_of = self.prover.spoken_of & counting.keys()
        return sorted(frozenset().union(*(counting[name] for name in spoken_of)))

    def attempt(self, run: StepRun, obligation: Obligation) -> tuple[Verdict, Notes]:
        """Try to prove an obligation; a proof that the second solver contradicts does not count."""
        # No long proof if the step can still be split by the places that it writes.
        patient = bool(run.fixed) or not run.places or next(cases(run), None) is None
        verdict = self.prover.prove(obligation, run.assumed, run.initial, patient)
        notes = self.prover.audit.taken()
        if notes.disputed:
            verdict = evolve(verdict, outcome="disputed", reason=DISAGREED, model=None)
        return verdict, notes

    def part(
        self,
        run: StepRun,
        obligation: Obligation,
        verdict: Verdict,
        notes: Notes,
        extra: float = 0.0,
    ) -> Part:
        """A verdict as a part of a result."""
        cells: dict[str, str] = {}
        chosen: dict[str, str] = {}
        if verdict.outcome == "open":
            cells, chosen = self.position(run, obligation, verdict)
        return Part(
            obligation.kind, obligation.subject, obligation.step.rule, obligation.step.start,
            obligation.what, _STATUS[verdict.outcome], verdict.by, verdict.seconds + extra,
            str(obligation.span), obligation.cites, verdict.reason, cells, chosen,
            notes.opinions, self.used(run, obligation, notes),
        )  # fmt: skip

    def used(self, run: StepRun, obligation: Obligation, notes: Notes) -> tuple[str, ...]:
        """The premises that a proof used; a goal that is itself a premise counts as used."""
        if self.origins is None:
            return ()
        known = [*run.assumed, *obligation.path, *([] if run.initial else self.prover.invariants)]
        given = {t.get_id() for t in known if not isinstance(t, bool)}
        goals = [g for g in obligation.goals if not isinstance(g, bool) and g.get_id() in given]
        return self.origins.names(run, [*notes.core, *goals])

    def position(
        self, run: StepRun, obligation: Obligation, verdict: Verdict
    ) -> tuple[dict[str, str], dict[str, str]]:
        """The position in which a step breaks something, with as few differences as possible."""
        assert verdict.model is not None
        query = self.prover.query(obligation, run.assumed, run.initial)
        model = smallest(self.prover, query, EFFORTS[self.settings.effort][1]) or verdict.model
        focus = [*obligation.goals, *obligation.path, *run.assumed]
        return describe(run, model, self.prover.names(focus))

    def split(self, run: StepRun, hard: list[_Hard]) -> list[Part]:
        """Prove the remaining goals case by case; the first case that fails is shown."""
        result = [self.part(run, one.obligation, one.verdict, one.notes) for one in hard]
        left: dict[tuple[object, ...], _Hard] = {}
        for one in hard:
            left.setdefault(_identity(one.obligation), one)
        failed: dict[tuple[object, ...], Part] = {}
        tried = 0
        for case in cases(run):
            if len(failed) == len(left):
                break
            tried += 1
            try:
                sub = self.explorer.case(run, case)
            except TooManyPathsError:
                return result
            if self.not_kept(sub):
                return result
            run.followed |= sub.followed
            run.needed |= sub.needed
            for obligation in sub.obligations:
                identity = _identity(obligation)
                if identity not in left or identity in failed:
                    continue
                verdict, notes = self.attempt(sub, obligation)
                one = left[identity]
                one.seconds += verdict.seconds
                one.notes = one.notes.with_those(notes)
                if verdict.outcome != "proved":
                    failed[identity] = self.part(sub, obligation, verdict, one.notes, one.seconds)
        if not tried:
            return result
        for at, one in enumerate(hard):
            identity = _identity(one.obligation)
            if identity in failed:
                result[at] = failed[identity]
            else:
                first = left[identity]
                proved = Verdict("proved", "cases", one.verdict.seconds + first.seconds)
                result[at] = self.part(run, one.obligation, proved, first.notes)
        return result


@define(eq=False)
class _Hard:
    """An obligation that was too hard as a whole, at its place among the parts of a step."""

    at: int
    obligation: Obligation
    verdict: Verdict
    notes: Notes
    # CPU time of its cases.
    seconds: float = 0.0


def _identity(obligation: Obligation) -> tuple[object, ...]:
    return (obligation.kind, obligation.subject, obligation.what, obligation.span)
