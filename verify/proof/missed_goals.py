"""Goals about two runs that may fail: tried all at once, then one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import z3

from verify.encode import terms as v
from verify.encode.terms import Truth
from verify.proof.pairs import LEVELS, Goal, PathPair
from verify.proof.player_cases import refuted_by_player


def missed(
    pair: PathPair, goals: Iterable[Goal], more: list[Truth]
) -> Iterator[tuple[Goal, z3.ModelRef | None]]:
    """The goals that two runs may break, each with two such runs, or none if that is unknown.

    A goal is dropped only when the solver refutes it, alone or as one of several. The others
    are asked again with more premises.
    """
    open_goals = [goal for goal in goals if goal.differs is not False]
    left: list[tuple[Goal, z3.ModelRef | None]] = []
    if pair.quick:
        answer, _ = pair.possible(v.or_(goal.differs for goal in open_goals), more)
        left = [] if answer == "unsat" else [(open_goals[0], None)]
    else:
        for level in LEVELS:
            left = list(_left(pair, open_goals, more, level))
            open_goals = [goal for goal, _ in left]
        # A goal that is too hard as a whole may be easy for each possible player.
        left = [
            (goal, model)
            for goal, model in left
            if model is not None or not refuted_by_player(pair, goal.differs, more)
        ]
    yield from left


def _left(
    pair: PathPair, goals: list[Goal], more: list[Truth], level: str
) -> Iterator[tuple[Goal, z3.ModelRef | None]]:
    """The goals that are not refuted with one level of knowledge."""
    while goals:
        answer, model = pair.possible(v.or_(goal.differs for goal in goals), more, (level,))
        if answer == "unsat":
            return
        if model is None:
            # Each of many cards alone is easy, all of them at once may be hard.
            if len(goals) == 1:
                yield goals[0], None
            else:
                for goal in goals:
                    yield from _left(pair, [goal], more, level)
            return
        shown = [goal for goal in goals if _holds(model, goal.differs)] or goals
        yield from ((goal, model) for goal in shown)
        goals = [goal for goal in goals if goal not in shown]


def _holds(model: z3.ModelRef, truth: Truth) -> bool:
    return bool(z3.is_true(model.eval(v.term(truth), model_completion=True)))
