"""Draws that a player sees: permitted information, and the final place of the drawn card.

The possible outcomes of a draw that a player sees must not depend on hidden information. If a card
is drawn from a place hidden from the player, they do: this is permitted if the card then becomes
visible or is revealed. If it is put back, the draw has leaked its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from compiler import ir
from rules_dsl.language.viewers import everybody
from verify.analysis.visibility import Sight
from verify.encode import terms as v
from verify.encode.expressions import Evaluator
from verify.encode.statements import Locals
from verify.encode.terms import Truth, Value
from verify.encode.unknowns import Write
from verify.proof.look_alike import Name, in_sight, named
from verify.proof.pairs import Goal, PathPair
from verify.proof.prover import Prover
from verify.proof.seen_steps import SeenStep, Stop
from verify.proof.step_parts import Start
from verify.proof.two_runs import Terms


def may_come(pair: PathPair, terms: Terms) -> Iterator[Goal]:
    """The possible outcomes of the next draw are the same in both runs.

    They may depend on whether a card lies where it is drawn from, and on the amount of a good: the
    draw itself shows that.
    """
    stop = pair.one
    chance = stop.block.terminator
    assert isinstance(chance, ir.Chance)
    range_ = chance.range
    start = stop.next[0][0]
    world = stop.machine.world
    name = f"{range_.name} drawn at {start.procedure}.{start.block}"
    value = world.unknown(name, range_.low.lo, range_.high.hi)
    if not isinstance(value, int):
        terms.of(value)
        pair.run.shared.add(value.get_id())
    own = _own_place(world.module, chance)
    weight = None if _counts_goods(chance, world.module) else chance.weight
    both: list[list[Value]] = []
    alike: list[Value] = []
    for end in (pair.one, pair.two):
        look = end.machine.silent()
        env: Locals = {**end.machine.locals, range_.name: value}
        parts = [look.value(range_.low, env), look.value(range_.high, env)]
        if chance.where is not None:
            parts.append(look.truth(chance.where, env))
        if weight is not None:
            parts.append(look.number(weight, env))
        both.append(parts)
        alike.append(0 if own is None else look.value(own, env))
    lies = v.not_(pair.differ(alike[0], alike[1]))
    for one, two in zip(*both, strict=True):
        differs = v.and_((pair.differ(one, two), lies))
        yield Goal(f"what may come of `{chance.verb} {range_.name}`", differs, chance.span)


def unseen(pair: PathPair, known: Callable[[Start], set[Name]]) -> Iterator[Truth]:
    """That something hidden differs: cells that the player sees in neither run, and locals that
    a later step reads and that do not follow from what the player sees."""
    sight, arrays = pair.sight, [end.machine.state.arrays for end in (pair.one, pair.two)]
    for name, at in sorted(sight.unknown):
        if sight.module.arrays[name].ghost:
            continue  # nobody will ever know it
        one, two = (cells[name].values[at] for cells in arrays)
        differs = pair.differ(one, two)
        if differs is False:
            continue
        if sight.module.arrays[name].kind == "zone":
            neither = (v.not_(in_sight(sight, name, place)) for place in (one, two))
            differs = v.and_((differs, pair.implied(*neither)))
        yield differs
    # At different places each local is compared with what it would be after the other draw.
    apart = pair.one.point != pair.two.point
    ends = [(pair.one, pair.one), (pair.two, pair.two)] if apart else [(pair.one, pair.two)]
    for first, second in ends:
        for (start, env), (_, other) in zip(first.next, second.next, strict=True):
            rule = sight.module.procedures[start.procedure]
            lasting = {kept.name for kept in (*rule.params, *rule.variables)}
            values = dict(named(other))
            for local, value in named(env):
                if local[0] in lasting and local not in known(start) and local in values:
                    yield pair.differ(value, values[local])


def drawn_unseen(sight: Sight, step: SeenStep, stop: Stop, prover: Prover) -> Truth:
    """That the player is never shown the card or good that was drawn from a hidden place."""
    chance = _drawn_by(step)
    drawn = step.locals[chance.range.name]
    assert not isinstance(drawn, tuple)
    dark: list[Truth] = []
    own = _own_place(sight.module, chance)
    if _counts_goods(chance, sight.module):
        assert isinstance(chance.weight, ir.Cell)
        if not any(array == chance.weight.array for array, _ in sight.unknown):
            return False
        dark += [
            v.not_(write.guard)
            for write in stop.machine.state.log
            if _arrives(sight, write, drawn, prover)
        ]
    elif own is None or not any(array == own.array for array, _ in sight.unknown):
        return False  # nothing that is hidden is drawn
    else:
        ends = (Evaluator(step.world, step.before), stop.machine.silent())
        env: Locals = {chance.range.name: drawn}
        dark += [v.not_(in_sight(sight, own.array, look.value(own, env))) for look in ends]
    for revealed in stop.machine.reveals:
        told = True if revealed.to is None else v.eq(revealed.to, sight.player)
        dark.append(v.not_(v.and_((revealed.guard, told, v.eq(revealed.value, drawn)))))
    return v.and_(dark)


def _arrives(sight: Sight, write: Write, drawn: Value, prover: Prover) -> bool:
    """True if the drawn good goes to a place that every player sees."""
    pool = sight.module.arrays[write.array]
    if pool.kind != "pool" or pool.viewers != everybody(sight.module.players):
        return False
    if isinstance(drawn, int):
        return True
    return drawn.get_id() in prover.unknowns(v.term(v.number(write.index[-1])))


def _drawn_by(step: SeenStep) -> ir.Chance:
    """The draw after which a step starts."""
    block = step.module.procedures[step.start.procedure].blocks[step.start.block]
    assert isinstance(block.terminator, ir.Chance)
    return block.terminator


def _own_place(module: ir.Module, chance: ir.Chance) -> ir.Cell | None:
    """Where a card that may be drawn lies."""
    array = module.arrays.get(f"{chance.kind}.place")
    if array is None:
        return None
    local = ir.Local(chance.range.name, lo=chance.range.low.lo, hi=chance.range.high.hi)
    return ir.Cell(array.name, (local,), lo=array.lo, hi=array.hi)


def _counts_goods(chance: ir.Chance, module: ir.Module) -> bool:
    """True if the probabilities of a draw are the amounts of goods."""
    weight = chance.weight
    return isinstance(weight, ir.Cell) and module.arrays[weight.array].kind == "pool"
