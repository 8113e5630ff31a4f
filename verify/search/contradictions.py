"""Contradictions: events in play that a PROVED result of the same report rules out.

Play does not depend on proofs. So every failure in a game that the verifier plays, for any reason,
is compared with the results: if they say that it cannot occur, one of the two is wrong, and that is
an error of the verifier.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from compiler.runtime.fault import Fault
from verify.proof.assumptions import runs_dry
from verify.proof.conditions import RESTING
from verify.proof.obligation import OF_INVARIANTS
from verify.proof.results import FAILING, Contradiction, Part, Report, Result
from verify.search.player import Broken
from verify.search.random_games import BrokenGame

if TYPE_CHECKING:
    from compiler.runtime.game import Game


def contradictions(
    game: Game, configuration: str, report: Report, met: Iterable[BrokenGame]
) -> Iterator[Contradiction]:
    """Faults met in play at places that are called PROVED, each with its game."""
    for found in met:
        # Proofs assume that no bank runs dry; a game in which one does refutes that assumption.
        if denied(report, found.broken) and not runs_dry(game.ir, found.broken.message):
            moves, record = _played(game, found)
            broken = found.broken
            yield Contradiction(
                configuration, broken.obligation, broken.subject, broken.message, moves, record
            )


def dry_banks(game: Game, met: Iterable[BrokenGame]) -> Iterator[Part]:
    """Games in which a bank runs out of goods without a limit."""
    module = game.ir
    for found in met:
        broken = found.broken
        if runs_dry(module, broken.message):
            what = f"{broken.message}, although it is assumed that there always are"
            rule = broken.subject
            yield Part("safety", rule, rule, "", what, "REFUTED", "play", 0.0, f"{broken.place}:1")


def against_tests(
    configuration: str, report: Report, tested: Iterable[Result]
) -> Iterator[Contradiction]:
    """Results that tests have refuted and the proofs call PROVED."""
    for result in tested:
        broken = Broken(result.obligation, result.subject, result.detail)
        if result.status == "REFUTED" and denied(report, broken):
            yield Contradiction(
                configuration,
                result.obligation,
                result.subject,
                result.detail,
                tuple(result.moves),
                result.record,
            )


def denied(report: Report, broken: Broken) -> bool:
    """Whether a report says that something never happens.

    >>> proved = Result("g", 2, {}, "progress", "play", "PROVED", 0.0)
    >>> denied(Report([proved]), Broken("progress", "play", "nothing can be chosen"))
    True
    """
    proofs = [r for r in report.results if r.obligation in RESTING]
    if not proofs:
        return False
    about = _about(proofs, broken) or proofs
    return not any(r.status in FAILING for r in about)


def _about(proofs: list[Result], broken: Broken) -> list[Result]:
    """The results that speak of what went wrong."""
    match broken.obligation:
        case "invariant":
            return [
                r for r in proofs if r.obligation in OF_INVARIANTS and r.subject == broken.subject
            ]
        case "safety" if not broken.message.endswith(" assumes"):
            return [
                r
                for r in proofs
                if r.obligation in ("safety", "conservation")
                and broken.subject in (r.rule, r.subject)
            ]
        case "progress":
            return [r for r in proofs if (r.obligation, r.subject) == ("progress", broken.subject)]
        case "termination" | "conservation" | "scoring":
            return [r for r in proofs if r.obligation == broken.obligation]
    return []


def _played(game: Game, found: BrokenGame) -> tuple[tuple[str, ...], str]:
    """The moves of a game, and its record up to where it can be played."""
    state = None
    try:
        state = game.start()
        for code in found.moves:
            state = state.play(game.notation.move(state.cells, code))
    except Fault:
        pass
    if state is None:
        return (), ""
    return tuple(str(move) for move in state.played()), game.record(state).to_json()
