"""Verdicts against the truth: every small random game is explored to its end and verified.

What is PROVED must be true of every position of the game; what is REFUTED must be false in one.
Run it for long with `python -m tests.verify.truth --programs 20000 --kept FILE`; the seed is
printed, and a run that was stopped goes on from what FILE holds.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from attrs import asdict, define, field

import rules_dsl as rd
import verify
from compiler import ir
from compiler.rebuild import with_ghosts
from compiler.rule_id import rule_name
from tests.verify.truth_games import Counts, program
from tests.verify.truth_positions import Explorer, TooLargeError, Truth, Wrong
from verify.analysis.effects import Effects
from verify.proof.conditions import unexplored
from verify.proof.obligation import OF_INVARIANTS
from verify.proof.results import Report, Result
from verify.proof.settings import STEPWISE
from verify.proof.structure import reached
from verify.search.look_alikes import LookAlikes, TooManyGamesError

CHECKED = STEPWISE | {"views"}


def false_verdicts(report: Report, truth: Truth) -> Iterator[str]:
    """What a report says that is not true."""
    if report.contradictions:
        yield f"contradictions: {report.contradictions[0]}"
    dark = any(unexplored(r) for r in report.results)
    for wrong in sorted(truth.wrong, key=str):
        # Before an invariant is broken no premise is false: results about it must fail.
        # Behind that, and behind a step that was not looked at, something must.
        if wrong in truth.wrong_first and not dark:
            about = [r for r in report.results if speaks_of(r, wrong)]
            caught = any(r.status != "PROVED" and not r.given for r in about)
        else:
            caught = any(r.status != "PROVED" for r in report.results)
        if not caught and not (wrong.obligation == "termination" and report.unclaimed):
            yield f"{wrong} is called PROVED and goes wrong"
    ends = all(r.status == "PROVED" for r in report.results if r.obligation == "termination")
    if truth.longest is None and ends and not report.unclaimed:
        yield "termination is called PROVED and positions come back"
    views = [r for r in report.results if r.obligation == "views" and r.subject in truth.telling]
    if truth.telling and not any(r.status != "PROVED" for r in views):
        yield f"what {sorted(truth.telling)} tell is called PROVED not to be told"
    for bound in report.bounds.values():
        if truth.longest is None or truth.longest > bound:
            yield f"at most {bound} decisions are promised, {truth.longest} happen"
    for result in report.results:
        if result.status == "REFUTED" and not refuted(result, truth):
            yield f"{result.obligation} {result.subject} is called REFUTED and is true"


def speaks_of(result: Result, wrong: Wrong) -> bool:
    """Whether a result claims that just this never goes wrong."""
    match wrong.obligation:
        case "invariant":
            # An invariant without a value is not broken, but it does not hold either.
            return result.subject == wrong.subject and result.obligation in (
                *OF_INVARIANTS,
                "scoring",
            )
        case "termination":
            return result.obligation == "termination"
        case kind:
            return (result.obligation, result.subject) == (kind, wrong.subject)


def refuted(result: Result, truth: Truth) -> bool:
    """Whether what a report calls REFUTED does go wrong."""
    match result.obligation:
        case "init":
            return truth.happens("invariant", result.subject)
        case "termination":
            return truth.longest is None
        case "views":
            return bool(truth.telling) or not truth.looked
        case kind:
            return truth.happens(kind, result.subject)


@define
class Tally:
    """What a run has found."""

    programs: int = 0
    compared: int = 0
    too_large: int = 0
    refused: int = 0
    positions: int = 0
    leaks: int = 0
    too_many_games: int = 0
    false: list[tuple[int, str]] = field(factory=list)
    counts: Counts = field(factory=dict)
    # True claims, and how many of them were not proved, by kind.
    true: dict[str, int] = field(factory=dict)
    missed: dict[str, int] = field(factory=dict)

    def completeness(self, report: Report, truth: Truth) -> None:
        wrong = {w.obligation for w in truth.wrong}
        if truth.telling:
            wrong.add("views")
        for kind in ("safety", "progress", "termination", "invariant", "scoring", "views"):
            about = [r for r in report.results if r.obligation == kind]
            known = truth.longest is not None if kind == "termination" else True
            if kind == "views":
                known = truth.looked
            if about and kind not in wrong and known:
                self.true[kind] = self.true.get(kind, 0) + 1
                open_ = any(r.status != "PROVED" and not r.given for r in about)
                self.missed[kind] = self.missed.get(kind, 0) + open_


def compare(seed: int, folder: Path, tally: Tally) -> None:
    """One program: its verdicts against the truth."""
    tally.programs += 1
    files = program(seed, tally.counts)
    for name, text in files.texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    try:
        game = with_ghosts(rd.load(str(folder / files.main), players=2))
    except rd.RuleError:
        tally.refused += 1
        return
    try:
        truth = Explorer(game.ir).explore()
    except TooLargeError:
        tally.too_large += 1
        return
    if files.secret:
        look_at(game.ir, truth, tally)
    tally.compared += 1
    try:
        report = verify.run(game, CHECKED, jobs=1, effort="low", fresh=True)
    except Exception as error:  # whatever it is, a long run goes on and tells it
        tally.false.append((seed, f"the verifier breaks down: {error!r}"))
        return
    tally.positions += truth.positions
    tally.false += [(seed, text) for text in false_verdicts(report, truth)]
    tally.completeness(report, truth)


def look_at(module: ir.Module, truth: Truth, tally: Tally) -> None:
    """What players can tell, if there are not too many games to look at."""
    try:
        if told := LookAlikes(module).explore():
            truth.telling = led_to(module, told.rules)
            tally.leaks += 1
        truth.looked = True
    except TooManyGamesError:
        tally.too_many_games += 1


def led_to(module: ir.Module, rules: frozenset[str]) -> frozenset[str]:
    """Some rules with all that they call: a step may lead there and back, and tell it there."""
    effects = Effects(module)
    begun = [name for name in module.procedures if rule_name(name) in rules]
    return frozenset(rule_name(name) for first in begun for name in reached(effects, first))


def run(first: int, programs: int, seconds: float = 10**9, kept: Path | None = None) -> Tally:
    """Programs of consecutive seeds, until the time is up; what is kept in a file is not redone."""
    tally = Tally() if kept is None or not kept.exists() else Tally(**json.loads(kept.read_text()))
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first + tally.programs, first + programs):
            if time.monotonic() - began > seconds:
                break
            known = len(tally.false)
            compare(seed, Path(folder), tally)
            for _, text in tally.false[known:]:
                print(f"FALSE: seed {seed}: {text}", flush=True)
            if kept is not None:
                kept.write_text(json.dumps(asdict(tally)))
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=int(time.time()) % 10**6 * 1000)
    parser.add_argument("--seconds", type=float, default=10**9)
    parser.add_argument("--kept", type=Path)
    chosen = parser.parse_args()
    print(f"seed {chosen.seed}, {chosen.programs} programs", flush=True)
    tally = run(chosen.seed, chosen.programs, chosen.seconds, chosen.kept)
    print(
        f"{tally.compared} compared ({tally.positions} positions), {tally.too_large} too large, "
        f"{tally.refused} refused by the language, {tally.leaks} with a leak, "
        f"{tally.too_many_games} with too many games to look for leaks"
    )
    for kind, number in sorted(tally.true.items()):
        print(f"  {kind}: {number} true, {tally.missed[kind]} of them not proved")
    for name, number in sorted(tally.counts.items()):
        print(f"  {number:6} {name}")
    print(f"{len(tally.false)} false verdicts")
    return 1 if tally.false else 0


if __name__ == "__main__":
    sys.exit(main())
