"""Conditions about two runs, one for each player that a local may stand for.

The owner of the cards that a step moves determines much about their places: with the player fixed,
most counts are the same in both runs without further argument.
"""

from __future__ import annotations

import z3
from attrs import evolve

from compiler.plan.known_locals import ROUND
from verify.encode import terms as v
from verify.encode.terms import Truth
from verify.proof.pairs import PathPair


def by_player(pair: PathPair, wrong: Truth) -> list[Truth]:
    """Conditions one of which holds if `wrong` does: `wrong` split by player, in both runs."""
    known = _known_player(pair, wrong)
    if known is None or isinstance(wrong, bool):
        return [wrong]
    who, players = known
    return [
        v.and_((v.eq(who, player), z3.simplify(z3.substitute(wrong, (who, _as(who, player))))))
        for player in players
    ]


def refuted_by_player(pair: PathPair, wrong: Truth, more: list[Truth]) -> bool:
    """Whether two runs cannot take their paths so that something holds, for any player."""
    known = _known_player(pair, v.and_((wrong, *pair.one.path)))
    if known is None:
        return False
    who, players = known
    return all(
        evolve(pair, meant=(who, _as(who, player))).possible(wrong, more)[0] == "unsat"
        for player in players
    )


def _as(unknown: z3.ExprRef, number: int) -> z3.ExprRef:
    """A number as a value of an unknown's sort; an unknown with two values is a truth value."""
    return z3.BoolVal(number == 1) if z3.is_bool(unknown) else v.term(number)


def _known_player(pair: PathPair, wrong: Truth) -> tuple[z3.ExprRef, range] | None:
    """The first local of the rule that is a player, the same in both runs, and in the goals.

    With all its values; "no player" is one of them if it is optional. Where there is none, the
    local that counts the players in a round of secret choices.
    """
    spoken_of = pair.run.terms.of(wrong)
    procedure = pair.step.module.procedures[pair.step.start.procedure]
    variables = (*procedure.params, *procedure.variables)
    players = [variable for variable in variables if variable.kind == "Player"]
    rounds = [variable for variable in variables if variable.name.startswith(ROUND)]
    for variable in (*players, *rounds):
        value = pair.step.locals.get(variable.name)
        if (
            isinstance(value, z3.ExprRef)
            and value.get_id() in spoken_of
            and z3.is_const(value)
            and not pair.run.changed(value)
        ):
            return value, range(variable.lo, variable.hi + 1)
    return None
