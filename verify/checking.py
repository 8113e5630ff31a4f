"""Checking one step: its obligations, proved one by one, split into cases where that helps."""

from __future__ import annotations

from time import perf_counter

from attrs import define, field

from compiler import ir
from verify.discharge import EFFORTS, Prover, Verdict
from verify.obligations import Obligation
from verify.positions import describe, smallest
from verify.results import Part, Status
from verify.smt.world import World
from verify.splitting import cases
from verify.steps import Explorer, Start, StepRun, TooManyPathsError, rule_name

_STATUS: dict[str, Status] = {"proved": "PROVED", "open": "UNPROVED", "unknown": "UNKNOWN"}


@define(eq=False)
class Checker:
    """Checks the steps of a module, one after another."""

    module: ir.Module
    effort: str = "normal"
    kinds: frozenset[str] | None = None
    explorer: Explorer = field(init=False)
    prover: Prover = field(init=False)

    def __attrs_post_init__(self) -> None:
        world = World(self.module)
        self.explorer = Explorer(world)
        self.prover = Prover(world, self.effort)

    def check(self, start: Start) -> tuple[list[Part], list[Start]]:
        """The results of a step, and where other steps start."""
        began = perf_counter()
        try:
            run = self.explorer.explore(start)
        except TooManyPathsError:
            rule = rule_name(start.procedure)
            seconds = perf_counter() - began
            reason = "too many paths from one decision to the next"
            part = Part("safety", rule, rule, "", "", "UNKNOWN", "", seconds, reason=reason)
            return [part], []
        seconds = perf_counter() - began
        parts: list[Part] = []
        hard: list[tuple[int, Obligation, Verdict]] = []
        failed: dict[tuple[object, ...], Part] = {}
        for obligation in run.obligations:
            if self.kinds is not None and obligation.kind not in self.kinds:
                continue
            identity = _identity(obligation)
            if identity in failed:
                # The same place failed on another path: once is enough.
                parts.append(failed[identity])
                continue
            verdict = self.prover.prove(obligation, run.assumed, run.initial)
            part = self.part(run, obligation, verdict, seconds)
            seconds = 0.0
            if verdict.outcome == "open":
                failed[identity] = part
            elif verdict.outcome == "unknown":
                # A position that was found stays one in every case; what was too hard is split.
                hard.append((len(parts), obligation, verdict))
            parts.append(part)
        if hard:
            for (at, _, _), part in zip(hard, self.split(run, hard), strict=True):
                parts[at] = part
        return parts, list(run.next)

    def part(
        self, run: StepRun, obligation: Obligation, verdict: Verdict, extra: float = 0.0
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
        )  # fmt: skip

    def position(
        self, run: StepRun, obligation: Obligation, verdict: Verdict
    ) -> tuple[dict[str, str], dict[str, str]]:
        """The position in which a step breaks something, with as little in it as possible."""
        assert verdict.model is not None
        query = self.prover.query(obligation, run.assumed, run.initial)
        model = smallest(self.prover, query, EFFORTS[self.effort][1]) or verdict.model
        focus = [*obligation.goals, *obligation.path, *run.assumed]
        return describe(run, model, self.prover.names(focus))

    def split(self, run: StepRun, hard: list[tuple[int, Obligation, Verdict]]) -> list[Part]:
        """Try what is left case by case; the first case that fails is shown."""
        left: dict[tuple[object, ...], tuple[int, float]] = {}
        result = [self.part(run, obligation, verdict) for _, obligation, verdict in hard]
        for at, (_, obligation, _) in enumerate(hard):
            left.setdefault(_identity(obligation), (at, 0.0))
        failed: dict[tuple[object, ...], Part] = {}
        tried = 0
        seconds: dict[tuple[object, ...], float] = dict.fromkeys(left, 0.0)
        for case in cases(run):
            if len(failed) == len(left):
                break
            tried += 1
            try:
                sub = self.explorer.explore(run.start, case)
            except TooManyPathsError:
                return result
            for obligation in sub.obligations:
                identity = _identity(obligation)
                if identity not in left or identity in failed:
                    continue
                verdict = self.prover.prove(obligation, sub.assumed, sub.initial)
                seconds[identity] += verdict.seconds
                if verdict.outcome != "proved":
                    failed[identity] = self.part(sub, obligation, verdict, seconds[identity])
        if not tried:
            return result
        for at, (_, obligation, verdict) in enumerate(hard):
            identity = _identity(obligation)
            if identity in failed:
                result[at] = failed[identity]
            else:
                proved = Verdict("proved", "cases", verdict.seconds + seconds[identity])
                result[at] = self.part(run, obligation, proved)
        return result


def _identity(obligation: Obligation) -> tuple[object, ...]:
    return (obligation.kind, obligation.subject, obligation.what, obligation.span)
