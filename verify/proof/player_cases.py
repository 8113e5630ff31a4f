"""Conditions about two runs, one for each player that a local may mean.

Whose cards a step moves says much about where they can be: with the player fixed, most of what is
counted is the same by itself.
"""

from __future__ import annotations

import z3

from verify.encode import terms as v
from verify.encode.terms import Truth
from verify.proof.pairs import Pair


def by_player(pair: Pair, wrong: Truth) -> list[Truth]:
    """Conditions one of which holds if `wrong` does: it is split by who is meant in both runs."""
    who = _known_player(pair, wrong)
    if who is None or isinstance(wrong, bool):
        return [wrong]
    return [
        v.and_((v.eq(who, player), z3.simplify(z3.substitute(wrong, (who, _as(who, player))))))
        for player in range(pair.sight.module.players)
    ]


def _as(unknown: z3.ExprRef, number: int) -> z3.ExprRef:
    """A number of the sort of an unknown: one of two values is a truth value."""
    return z3.BoolVal(number == 1) if z3.is_bool(unknown) else v.term(number)


def _known_player(pair: Pair, wrong: Truth) -> z3.ExprRef | None:
    """The first local of the rule that is a player, the same in both runs, and spoken of."""
    spoken_of = pair.run.terms.of(wrong)
    procedure = pair.step.module.procedures[pair.step.start.procedure]
    for variable in (*procedure.params, *procedure.variables):
        value = pair.step.locals.get(variable.name)
        if (
            variable.kind == "Player"
            and isinstance(value, z3.ExprRef)
            and value.get_id() in spoken_of
            and z3.is_const(value)
            and not pair.run.changed(value)
        ):
            return value
    return None
