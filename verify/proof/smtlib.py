"""The obligations of a game as SMT-LIB, for any solver to check again.

Each obligation is a query of its own between `push` and `pop`; the rules are sound where the answer
is `unsat`.
"""

from __future__ import annotations

from collections.abc import Iterator

import z3

from compiler import ir
from compiler.rule_id import rule_name
from verify.encode.unknowns import World
from verify.proof.obligation import Obligation
from verify.proof.prover import Prover
from verify.proof.step_parts import ENTRY, Start, TooManyPathsError
from verify.proof.symbolic_step import Explorer, StepRun


class TooWideError(ValueError):
    """A step with more paths than can be written down."""


def smt2_lines(module: ir.Module) -> Iterator[str]:
    """All obligations that are proved step by step, as they are found; raises `TooWideError`.

    >>> import rules_dsl as rd
    >>> lines = list(smt2_lines(rd.load("pig").ir))
    >>> lines.count("(push 1)") == lines.count("(check-sat)") > 0
    True
    """
    yield f"; {module.name} for {module.players} players: unsat is proved"
    for name, value in module.options:
        yield f"; {name} = {value}"
    yield "(set-logic ALL)"
    world = World(module)
    prover = Prover(world)
    for run in _steps(module, world):
        for obligation in run.obligations:
            # Goals settled by the writes alone need no solver.
            if not obligation.by:
                yield from _query(world, prover, run, obligation)


def _steps(module: ir.Module, world: World) -> Iterator[StepRun]:
    """The steps of the game, each once, starting with the opening."""
    explorer = Explorer(world)
    main = module.procedures[module.main]
    waiting = [Start(main.name, main.blocks[0].id, ENTRY)]
    seen = set(waiting)
    while waiting:
        start = waiting.pop(0)
        try:
            run = explorer.explore(start)
        except TooManyPathsError:
            rule = rule_name(start.procedure)
            raise TooWideError(f"{rule} has too many paths from one decision to the next") from None
        yield run
        new = [s for s in run.next if s not in seen]
        seen.update(new)
        waiting += new


def _query(world: World, prover: Prover, run: StepRun, obligation: Obligation) -> Iterator[str]:
    parts = prover.query(obligation, run.assumed, run.initial)
    solver = z3.Solver()
    for part in parts:
        solver.add(part)
    for name in sorted(prover.names(parts)):
        limit = world.limits.get(name)
        if limit is not None:
            solver.add(limit[1])
    cites = f" [{'; '.join(obligation.cites)}]" if obligation.cites else ""
    yield ""
    yield f"; {obligation.kind} {obligation.subject}: {obligation.what}{cites}"
    yield f"; in {obligation.step.rule}, {obligation.span}"
    yield "(push 1)"
    yield solver.sexpr().strip()
    yield "(check-sat)"
    yield "(pop 1)"
