"""Notes on proofs as they are made: second opinions, and what each proof used."""

from __future__ import annotations

import z3
from attrs import define, field, frozen

from verify.proof.results import total
from verify.proof.second_solver import Opinion, SecondOpinion
from verify.proof.settings import Settings

# Limit on computing a core, in z3's unit of work: above that of a proof, as a core is minimised.
CORE_EFFORT = 20_000_000


@frozen
class Notes:
    """The notes since the last call."""

    # Number of proofs by the opinion of the second solver.
    opinions: dict[str, int]
    # The formulas that were needed.
    core: list[z3.BoolRef] = field(factory=list)

    @property
    def disputed(self) -> bool:
        """Whether the solvers contradict each other."""
        return "disagreed" in self.opinions

    def with_those(self, other: Notes) -> Notes:
        """These notes and some more."""
        return Notes(total((self.opinions, other.opinions)), [*self.core, *other.core])


@define(eq=False)
class Audit:
    """Sees every set of formulas that the solver found to be unsatisfiable."""

    second: SecondOpinion | None = None
    # Limit on computing a core; 0 keeps none.
    effort: int = 0
    _opinions: dict[str, int] = field(factory=dict)
    _core: list[z3.BoolRef] = field(factory=list)

    @staticmethod
    def of(settings: Settings) -> Audit:
        """The audit that a check asks for."""
        second = SecondOpinion(settings.effort) if settings.recheck else None
        return Audit(second, CORE_EFFORT if settings.cores else 0)

    def refuted(self, terms: list[z3.BoolRef]) -> None:
        """Note some formulas that the solver found unsatisfiable."""
        if self.second is not None:
            opinion = second_opinion(self.second, terms)
            self._opinions[opinion] = self._opinions.get(opinion, 0) + 1
        if self.effort:
            self._core += core_of(terms, self.effort)

    def taken(self) -> Notes:
        """The notes on one obligation; the next one starts afresh."""
        notes = Notes(self._opinions, self._core)
        self._opinions, self._core = {}, []
        return notes


def second_opinion(second: SecondOpinion, terms: list[z3.BoolRef]) -> Opinion:
    """The verdict of another solver on formulas that the first one found unsatisfiable.

    It is asked about those that the first proof used: if these are unsatisfiable, so are all.
    They are few; reading all of them may take it minutes, and its own limits do not apply to that.
    It is asked about all formulas only if it finds values for these.

    >>> x = z3.Int("x")
    >>> second_opinion(SecondOpinion("low"), [x > 3, x < 9, x < 2])
    'agreed'
    """
    used = core_of(terms, CORE_EFFORT, smallest=False) or terms
    opinion = second.ask(smt_lib(used))
    if opinion == "disagreed" and len(used) < len(terms):
        return second.ask(smt_lib(terms))
    return opinion


def smt_lib(terms: list[z3.BoolRef]) -> str:
    """Formulas as SMT-LIB text, before any simplification by the first solver.

    >>> x = z3.Int("x")
    >>> "(< x 9)" in smt_lib([x < 9, x + 0 > 3])
    True
    """
    *most, last = (term.as_ast() for term in terms)
    return str(
        z3.Z3_benchmark_to_smtlib_string(
            terms[0].ctx.ref(),
            "obligation",
            "",
            "unknown",
            "",
            len(most),
            (z3.Ast * len(most))(*most),
            last,
        )
    )


def core_of(terms: list[z3.BoolRef], effort: int, smallest: bool = True) -> list[z3.BoolRef]:
    """The formulas needed for a contradiction; all formulas if the search for a core is too hard.

    With `smallest`, none of them can be left out; without, they are those of the first proof found.

    >>> x = z3.Int("x")
    >>> core_of([x > 3, x < 9, x < 2], 100_000)
    [x > 3, x < 2]
    """
    solver = z3.SimpleSolver()
    solver.set("rlimit", effort)
    solver.set("random_seed", 1)
    solver.set("core.minimize", smallest)
    marks = {f"part {at}": term for at, term in enumerate(terms)}
    for mark, term in marks.items():
        solver.assert_and_track(term, mark)
    if solver.check() != z3.unsat:
        return terms
    needed = {mark.decl().name() for mark in solver.unsat_core()}
    return [term for mark, term in marks.items() if mark in needed]
