"""A second opinion: cvc5 proves again what z3 proved, from the text of the formulas.

The two solvers share no code, and cvc5 reads the text with its own parser. Its work is limited by
its own count of resources, not by time, so that its answers do not depend on the machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Literal

from attrs import define, field

Opinion = Literal["agreed", "undecided", "disagreed"]
OPINIONS: tuple[Opinion, ...] = ("agreed", "undecided", "disagreed")
DISAGREED = "z3 proves it, but cvc5 finds values that break it: one of the solvers is wrong"

# Limit on one proof, in cvc5's unit of work.
LIMITS: dict[str, int] = {"low": 100_000, "normal": 500_000, "high": 5_000_000}


def opinions_text(counts: Mapping[str, int]) -> str:
    """The opinion of the second solver on the proofs of the first.

    >>> opinions_text({"agreed": 7})
    'cvc5 on 7 proofs of z3: 7 agreed, 0 undecided, 0 disagreed'
    """
    shown = ", ".join(f"{counts.get(opinion, 0)} {opinion}" for opinion in OPINIONS)
    return f"cvc5 on {sum(counts.values())} proofs of z3: {shown}"


class MissingSolverError(Exception):
    """The second solver is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "a second opinion needs the solver cvc5; install it with "
            "`pip install 'rules-dsl[recheck]'`"
        )


def solver_module() -> Any:
    """The Python interface of cvc5; raises `MissingSolverError` if there is none."""
    try:
        return import_module("cvc5")
    except ImportError:
        raise MissingSolverError from None


def solver_version() -> str:
    """Which cvc5 is installed; raises `MissingSolverError` if none is."""
    return str(solver_module().__version__)


@define(eq=False)
class SecondOpinion:
    """Asks cvc5 about formulas that z3 found to contradict each other.

    >>> second = SecondOpinion("low")
    >>> second.ask("(declare-const x Int) (assert (< x x))")
    'agreed'
    >>> second.ask("(declare-const x Int) (assert (< 0 x))")
    'disagreed'
    """

    effort: str
    _cvc5: Any = field(factory=solver_module)

    def ask(self, text: str) -> Opinion:
        """Whether the assertions of an SMT-LIB text contradict each other in cvc5's opinion."""
        cvc5 = self._cvc5
        solver = cvc5.Solver()
        solver.setOption("rlimit-per", str(LIMITS[self.effort]))
        solver.setLogic("ALL")
        parser = cvc5.InputParser(solver)
        # Only declarations and assertions are parsed; the query is made below.
        parser.setStringInput(
            cvc5.InputLanguage.SMT_LIB_2_6, text.replace("(check-sat)", ""), "obligation"
        )
        symbols = parser.getSymbolManager()
        while not (command := parser.nextCommand()).isNull():
            command.invoke(solver, symbols)
        answer = solver.checkSat()
        if answer.isUnsat():
            return "agreed"
        return "disagreed" if answer.isSat() else "undecided"
