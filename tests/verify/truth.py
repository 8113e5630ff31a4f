"""Verdicts against the truth: every small random game is explored to its end and verified.

What is PROVED must be true of every position of the game; what is REFUTED must be false in one.
Run it for long with `python -m tests.verify.truth --programs 20000`; the seed is printed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from attrs import define, field

import rules_dsl as rd
import verify
from compiler import ir
from compiler.contracts import with_contracts
from compiler.interpret import IRFault
from compiler.reference import Frame, ReferenceMachine
from tests.verify.truth_games import Counts, program
from tests.verify.truth_views import LookAlikes, TooManyGamesError
from verify.proof.results import Report
from verify.proof.settings import STEPWISE

# Games with more positions are left out.
MOST_POSITIONS = 4_000
CHECKED = STEPWISE | {"views"}

Position = tuple[object, ...]


class TooLargeError(Exception):
    """A game with too many positions."""


@define
class Truth:
    """What is true of all positions of a game."""

    # What goes wrong in some game: obligations, with the invariant that is broken.
    wrong: set[tuple[str, str]] = field(factory=set)
    # The most decisions of a game; none if positions come back.
    longest: int | None = 0
    positions: int = 0
    # Whether all games were looked at for what players can tell.
    looked: bool = False


class Explorer:
    """All positions of a game, with its contracts as assertions, on the plain interpreter."""

    def __init__(self, module: ir.Module) -> None:
        self.module = with_contracts(module)
        self.truth = Truth()
        self.lengths: dict[Position, int | None] = {}
        self.machine: ReferenceMachine

    def explore(self) -> Truth:
        try:
            self.machine = ReferenceMachine(self.module)
        except IRFault:
            self.truth.wrong.add(("safety", ""))
            return self.truth
        self.truth.longest = self.length(self.position())
        self.truth.positions = len(self.lengths)
        return self.truth

    def position(self) -> Position:
        machine = self.machine
        return (
            tuple((name, tuple(cells)) for name, cells in machine.values.items()),
            tuple((f.procedure.name, f.block, tuple(sorted(f.env.items()))) for f in machine.stack),
            machine.over,
        )

    def restore(self, position: Position) -> None:
        values, stack, over = position
        self.machine.values = {name: list(cells) for name, cells in values}  # type: ignore[attr-defined]
        self.machine.stack = [
            Frame(self.module.procedures[name], block, dict(env))
            for name, block, env in stack  # type: ignore[attr-defined]
        ]
        self.machine.over = bool(over)

    def length(self, position: Position) -> int | None:
        """The most decisions from a position on; none if it may come back."""
        if position in self.lengths:
            return self.lengths[position]
        if len(self.lengths) > MOST_POSITIONS:
            raise TooLargeError
        self.lengths[position] = None  # while it is open, coming back is going round
        most: int | None = 0
        self.look(position)
        for option, values in self.moves(position):
            self.restore(position)
            decides = self.machine.player >= 0
            try:
                self.machine.play(option, values)
            except IRFault:
                self.truth.wrong.add(("safety", ""))
                continue
            rest = self.length(self.position())
            most = None if rest is None or most is None else max(most, rest + decides)
        self.lengths[position] = most
        return most

    def moves(self, position: Position) -> list[tuple[int, tuple[int, ...]]]:
        self.restore(position)
        if self.machine.over:
            return []
        try:
            found = self.machine.moves()
        except IRFault:
            self.truth.wrong.add(("safety", ""))
            return []
        if not found:
            self.truth.wrong.add(("progress" if self.machine.player >= 0 else "safety", ""))
        return found

    def look(self, position: Position) -> None:
        """The invariants, and the scores at the end."""
        self.restore(position)
        value = self.machine.interpreter.value
        for law in self.module.invariants:
            try:
                holds = bool(value(law.condition, {}))
            except IRFault:
                holds = False
            if not holds:
                self.truth.wrong.add(("invariant", law.name))
        if self.machine.over:
            scoring = self.module.scoring
            for player in range(self.module.players):
                try:
                    for expr in (scoring.numerator, *(tie.value for tie in scoring.ties)):
                        value(expr, {scoring.player: player})
                except IRFault:
                    self.truth.wrong.add(("scoring", ""))


def false_verdicts(report: Report, truth: Truth) -> Iterator[str]:
    """What a report says that is not true."""
    if report.contradictions:
        yield f"contradictions: {report.contradictions[0]}"
    for kind, subject in sorted(truth.wrong):
        kinds = {
            "invariant": ("init", "invariant", "scoring"),
            "safety": ("safety", "conservation"),
        }.get(kind, (kind,))
        about = [
            r
            for r in report.results
            if r.obligation in kinds and (not subject or r.subject == subject)
        ]
        if all(r.status == "PROVED" for r in about) and not any(
            r.status != "PROVED" for r in report.results if not about
        ):
            yield f"{kind} {subject} is called PROVED and goes wrong"
    for bound in report.bounds.values():
        if truth.longest is None or truth.longest > bound:
            yield f"at most {bound} decisions are promised, {truth.longest} happen"
    kinds_wrong = {kind for kind, _ in truth.wrong}
    for result in report.results:
        if result.status == "REFUTED":
            kind = "invariant" if result.obligation == "init" else result.obligation
            told = kind in kinds_wrong or (kind == "termination" and truth.longest is None)
            if not told and kind != "conservation":
                yield f"{result.obligation} {result.subject} is called REFUTED and is true"


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
        wrong = {kind for kind, _ in truth.wrong}
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
        game = rd.load(str(folder / files.main), players=2)
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
        if LookAlikes(module).explore():
            truth.wrong.add(("views", ""))
            tally.leaks += 1
        truth.looked = True
    except TooManyGamesError:
        tally.too_many_games += 1


def run(first: int, programs: int, seconds: float = 10**9) -> Tally:
    """Programs of consecutive seeds, for so long."""
    tally = Tally()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + programs):
            if time.monotonic() - began > seconds:
                break
            known = len(tally.false)
            compare(seed, Path(folder), tally)
            for _, text in tally.false[known:]:
                print(f"FALSE: seed {seed}: {text}", flush=True)
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=int(time.time()) % 10**6 * 1000)
    parser.add_argument("--seconds", type=float, default=10**9)
    chosen = parser.parse_args()
    print(f"seed {chosen.seed}, {chosen.programs} programs", flush=True)
    tally = run(chosen.seed, chosen.programs, chosen.seconds)
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
