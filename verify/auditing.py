"""What is noted about proofs while they are made: second opinions, and what each proof used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define, field, frozen

from verify.recheck import SecondOpinion
from verify.results import total
from verify.settings import Settings

if TYPE_CHECKING:
    import z3


@frozen
class Notes:
    """What was noted since the last time somebody asked."""

    # How many proofs a second solver agreed with, or not.
    opinions: dict[str, int]

    @property
    def disputed(self) -> bool:
        """Whether the solvers contradict each other."""
        return "disagreed" in self.opinions

    def with_those(self, other: Notes) -> Notes:
        """These notes and some more."""
        return Notes(total((self.opinions, other.opinions)))


@define(eq=False)
class Audit:
    """Looks at every set of formulas that the solver found to contradict each other."""

    second: SecondOpinion | None = None
    _opinions: dict[str, int] = field(factory=dict)

    @staticmethod
    def of(settings: Settings) -> Audit:
        """The audit that a check asks for."""
        return Audit(SecondOpinion(settings.effort) if settings.recheck else None)

    def refuted(self, solver: z3.Solver) -> None:
        """The assertions of a solver contradict each other."""
        if self.second is not None:
            opinion = self.second.ask(solver.to_smt2())
            self._opinions[opinion] = self._opinions.get(opinion, 0) + 1

    def taken(self) -> Notes:
        """The notes on one obligation; the next one starts afresh."""
        notes = Notes(self._opinions)
        self._opinions = {}
        return notes
