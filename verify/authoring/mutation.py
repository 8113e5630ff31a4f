"""Mutation: are mistakes in the rules caught by the examples, by play and by proofs?

What nothing catches shows which invariants and examples are missing.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from time import process_time
from typing import Literal

from attrs import define, field, frozen

from compiler.pipeline import to_ir
from compiler.rebuild import assemble, with_ghosts
from compiler.runtime.fault import Fault
from compiler.runtime.game import Game
from rules_dsl.language.diagnostics import RuleError
from rules_dsl.language.program import Program
from verify.authoring.kept_mutants import KeptMutants
from verify.authoring.mutants import Mutant, mutants
from verify.authoring.strategies import LONGEST, BrokenRules, open_game, step
from verify.authoring.telling_examples import TellingExamples
from verify.compare.bisimulation import compare
from verify.compare.blockwise import Blockwise
from verify.compare.differences import diff
from verify.compare.ir_shape import without_places
from verify.running.scheduler import run
from verify.running.worker_pool import workers
from verify.search.invariant_check import Breach, PositionChecks

# Name of the mutation that leaves out a requirement.
DROPPED = "drop requirement"
Fate = Literal["killed", "survived", "equivalent", "invalid"]
# Fate, what decided it, and why.
Judgement = tuple[Fate, str, str]

# The obligations that can catch a mutant; whether rules can fire is not one of them.
CHECKS = ("init", "invariant", "safety", "conservation", "progress", "termination", "views")
POSITIONS = 6_000
GAMES = 30
# CPU seconds that a worker may spend on one mutant.
SECONDS = 1_800.0
GIVEN_UP: Judgement = ("survived", "", "given up: more time or memory was needed than a worker has")
Progress = Callable[["MutantOutcome"], None]


@frozen
class MutantOutcome:
    """The fate of a mutant: what killed it, or the witness of the difference if it survived."""

    mutant: Mutant
    fate: Fate
    by: str
    detail: str
    seconds: float

    def __str__(self) -> str:
        by = f" by {self.by}" if self.by else ""
        detail = f": {self.detail}" if self.detail else ""
        return f"{self.fate}{by} — {self.mutant}{detail}"


@define
class MutationReport:
    """The fate of each mutant."""

    game: str
    players: int
    outcomes: list[MutantOutcome] = field(factory=list)
    # Number of all mutants; the budget may be smaller.
    possible: int = 0

    def of(self, fate: Fate) -> list[MutantOutcome]:
        """The mutants that met a fate."""
        return [o for o in self.outcomes if o.fate == fate]

    @property
    def share(self) -> float:
        """The share of mutants that were killed, of those that make a difference."""
        killed, survived = len(self.of("killed")), len(self.of("survived"))
        return killed / (killed + survived) if killed + survived else 1.0

    def unprotected(self) -> list[Mutant]:
        """Requirements whose loss nothing notices."""
        return [o.mutant for o in self.of("survived") if o.mutant.operator == DROPPED]

    def text(self) -> str:
        """A short table, and every survivor with its place."""
        counts = Counter(o.fate for o in self.outcomes)
        by = Counter(o.by for o in self.of("killed"))
        lines = [
            f"{self.game}, {self.players} players: {len(self.outcomes)} of {self.possible} mutants",
            f"  killed {counts['killed']} ({', '.join(f'{n} {k}' for k, n in sorted(by.items()))})",
            "  " + ", ".join(f"{f} {counts[f]}" for f in ("survived", "equivalent", "invalid")),
            f"  {self.share:.1%} of those that make a difference are caught",
        ]
        lines += [f"  survived: {o.mutant}: {o.detail}" for o in self.of("survived")]
        return "\n".join(lines)


def mutate(
    game: Game,
    budget: int | None = None,
    seed: int = 0,
    decisions: int = 300,
    proofs: bool = True,
    progress: Progress | None = None,
    only: Callable[[Mutant], bool] | None = None,
    jobs: int = 1,
    kept: Path | None = None,
) -> MutationReport:
    """Make mistakes in the rules of a game, at most `budget` of them, and see what catches them.

    `only` selects the mistakes. With several `jobs` they are tried side by
    side. The fate of each is written to the file `kept`, and not tried again by the next call.
    """
    game = with_ghosts(game)
    program = game.origin.program()
    found = [m for m in mutants(program) if only is None or only(m)]
    chosen = list(range(len(found)))
    if budget is not None and budget < len(found):
        chosen = sorted(random.Random(seed).sample(chosen, budget))
    memory = KeptMutants.of(kept, game, decisions, proofs)
    outcomes: dict[int, MutantOutcome] = {}
    waiting: list[int] = []
    for number in chosen:
        known = memory.known(found[number])
        if known is None:
            waiting.append(number)
        else:
            outcomes[number] = MutantOutcome(found[number], *known)
    trial = _Trial(game, program, decisions, proofs)

    def prepare() -> Callable[[int], tuple[Judgement, float]]:
        return lambda number: trial.timed(found[number])

    if waiting:
        trial.get_ready()  # once, before workers are forked
    with workers(prepare, jobs, SECONDS, lambda number: None) as pool:
        for number in waiting:
            pool.add(number)
        for number, answer in pool.results():
            (fate, by, detail), seconds = answer or (GIVEN_UP, SECONDS)
            outcome = MutantOutcome(found[number], fate, by, detail, seconds)
            outcomes[number] = outcome
            memory.keep(found[number], (fate, by, detail, seconds))
            if progress is not None:
                progress(outcome)
    ordered = [outcomes[number] for number in chosen]
    return MutationReport(game.name, game.players, ordered, len(found))


@define(eq=False)
class _Trial:
    """Tries mutants of one game: cheap and certain checks first."""

    game: Game
    program: Program
    decisions: int
    proofs: bool

    def timed(self, mutant: Mutant) -> tuple[Judgement, float]:
        """The fate of a mutant, and the seconds of processor time it took."""
        began = process_time()
        judgement = self.judge(mutant)
        return judgement, round(process_time() - began, 3)

    def get_ready(self) -> None:
        """Compute the baseline for all mutants."""
        _ = self.original, self.examples, self.proofs and self.failing

    def judge(self, mutant: Mutant) -> Judgement:
        """The fate of a mutant."""
        program = mutant.program(self.program)
        try:
            module = to_ir(program, self.game.players, dict(self.game.options))
        except RuleError as error:
            return "invalid", "checker", error.diagnostics[0].message
        except Fault as fault:
            return "invalid", "checker", str(fault)
        if without_places(module) == self.original:
            return "equivalent", "same code", ""
        failed = self.examples.failing(mutant, program)
        if failed:
            return "killed", "examples", failed
        try:
            other = assemble(self.game, program, module)
        except RuleError as error:
            return "invalid", "checker", error.diagnostics[0].message
        breach = played(other, self.decisions)
        if breach is not None:
            return "killed", "play", f"{breach.obligation} {breach.subject}"
        comparison = compare(self.game, other, POSITIONS, GAMES)
        if comparison.equivalent:
            return "equivalent", "all positions", f"{comparison.positions} positions agree"
        witness = comparison.witness
        if witness is None and self.lawful and Blockwise(self.game.ir, other.ir).same():
            return "equivalent", "proof", "every step means the same"
        if witness is None and diff(self.game, other, positions=0, games=0).equivalent:
            return "equivalent", "proof", "the changed rules mean the same"
        proof = self.prove(other) if self.proofs else ""
        if proof:
            return "killed", "proof", proof
        if witness is None:
            return "survived", "", f"no difference seen in {comparison.positions} positions"
        moves = ", ".join(witness.moves[-3:])
        return "survived", "", f"{witness.text} (after {moves or 'the opening'})"

    @cached_property
    def original(self) -> object:
        """The unchanged rules, as far as they matter in play."""
        return without_places(self.game.ir)

    @cached_property
    def examples(self) -> TellingExamples:
        """The examples of the game."""
        return TellingExamples.of(self.program)

    @cached_property
    def failing(self) -> set[tuple[str, str, str]]:
        """Failures of the unchanged rules: they catch nothing."""
        return _failing(self.game)

    @property
    def lawful(self) -> bool:
        """Whether the invariants of the game are proved."""
        return self.proofs and not self.failing

    def prove(self, other: Game) -> str:
        """An obligation that fails, and did not fail before."""
        new = sorted(_failing(other) - self.failing)
        return f"{new[0][0]} {new[0][1]}" if new else ""


def played(game: Game, decisions: int) -> Breach | None:
    """A fault met in random games within a budget of decisions."""
    checks = PositionChecks.of(game)
    rng = random.Random(0)
    try:
        while decisions > 0:
            before = decisions
            state = open_game(game, checks)
            for _ in range(LONGEST):
                count = 0 if state.over else len(game.machine.moves(state.cells))
                if count == 0 or decisions <= 0:
                    break
                decisions -= state.player is not None
                state = step(checks, state, rng.randrange(count))
            if decisions == before:  # a game without decisions
                break
    except BrokenRules as broken:
        return broken.breach
    return None


def _failing(game: Game) -> set[tuple[str, str, str]]:
    report = run(game, checks=CHECKS, jobs=1, effort="low")
    return {(r.obligation, r.subject, r.rule) for r in report.results if r.fails}
