"""Questions over relations as formulas, with axioms for answers whose steps are not all known.

The answer is a function of the question's arguments and of the cells that it reads: the same
question about the same cells has the same answer. Of that function a proof knows

- its range;
- that a source has distance 0 and 0 legs, and no other place has unless steps cost nothing;
- that a place is reached only if there is a source;
- that a place within some distance is within every larger one;
- that the least place of a component is not after the place in the question.

Where all cells and arguments are known, the answer is computed.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Literal

import z3
from attrs import evolve, frozen

from compiler import ir
from compiler.fields import component, distances, legs, steps_of
from verify.encode import terms as v
from verify.encode.faults import Guard, may_fault
from verify.encode.terms import Truth, Value
from verify.encode.unknowns import Cells

if TYPE_CHECKING:
    from verify.encode.expressions import Environment, Evaluator


@frozen
class Question:
    """The identity of a question, apart from its arguments."""

    kind: Literal["distance", "legs", "component"]
    relation: str
    sources: str
    stops: str
    most: int

    @property
    def name(self) -> str:
        start = f" from {self.sources}" if self.sources else ""
        stop = f" stopping at {self.stops} up to {self.most}" if self.stops else ""
        return f"{self.kind} by {self.relation}{start}{stop}"


@frozen
class Arguments:
    """The arguments of a question."""

    relation: tuple[Value, ...]
    sources: tuple[Value, ...]
    stops: tuple[Value, ...]
    within: tuple[Value, ...]
    place: Value

    @property
    def all(self) -> tuple[Value, ...]:
        return (*self.relation, *self.sources, *self.stops, *self.within, self.place)


@frozen
class AskedField:
    """A question and the cells that it was asked about."""

    question: Question
    arrays: list[str]
    cells: list[Cells]


def question_of(expr: ir.Field) -> Question:
    """The question that an expression asks; `spread` is about distances, too."""
    kind: Literal["distance", "legs", "component"] = (
        "distance"
        if expr.kind in ("spread", "steps")
        else "legs"
        if expr.kind == "legs"
        else "component"
    )
    return Question(kind, expr.relation, expr.sources, expr.stops, expr.most)


def farthest(relation: ir.Relation) -> int:
    """A distance that no path has: the value at places that are not reached."""
    return (relation.places - 1) * relation.dearest + 1


def field_value(look: Evaluator, expr: ir.Field, env: Environment) -> Value:
    """The answer about one place."""
    within = None if expr.within is None else look.value(expr.within, env)
    question = question_of(expr)
    arguments = Arguments(
        tuple(look.value(a, env) for a in expr.args),
        tuple(look.value(a, env) for a in expr.source_args),
        tuple(look.value(a, env) for a in expr.stop_args),
        () if within is None or question.kind == "distance" else (within,),
        look.value(expr.place, env),
    )
    if look.faults is not None:
        _faults(look, expr, arguments)
    arrays = look.world.effects.arrays.field(expr)
    if all(isinstance(a, int) for a in arguments.all) and look.known_state(arrays):
        found: Value = known_answer(look, question, tuple(int(a) for a in arguments.all))
    else:
        found = _unknown(look, question, arguments, arrays)
    far = farthest(look.world.module.relations[expr.relation])
    if expr.kind == "spread":
        return v.lt(found, far) if within is None else v.le(found, v.minimum(within, far - 1))
    if expr.kind == "steps":
        assert within is not None and expr.within is not None
        return found_within(found, within, None if expr.within.hi < far else far)
    return found


def found_within(found: Value, within: Value, far: int | None) -> Value:
    """A distance, if it is asked for; unreached places are farther than all reached ones.

    `far` is the distance of unreached places, if that may be asked for.
    """
    beyond = v.add(within, 1)
    reached = True if far is None else v.lt(found, far)
    return v.ite(reached, v.minimum(found, beyond), beyond)


def known_answer(look: Evaluator, question: Question, values: tuple[int, ...]) -> int:
    """The answer where all cells are known; the arguments in the order of `Arguments.all`."""
    module = look.world.module
    relation = module.relations[question.relation]
    silent = evolve(look, faults=None, guards=[])
    before = len(look.world.memo)

    def call(name: str, args: tuple[int, ...]) -> int:
        value = silent.applied(name, args)
        assert isinstance(value, int)
        return int(value)

    *given, place = values
    own = tuple(given[: len(relation.params)])
    steps = steps_of(relation, own, call)
    found: list[list[int]] = []
    at = len(own)
    for name in (question.sources, question.stops):
        if name:
            further = len(module.functions[name].params) - 1
            args = tuple(given[at : at + further])
            found.append([x for x in steps if call(name, (x, *args))])
            at += further
    while len(look.world.memo) > before:  # these cells are not asked about again
        look.world.memo.popitem()
    match question.kind:
        case "component":
            return component(steps, place)
        case "distance":
            return distances(steps, found[0]).get(place, farthest(relation))
        case "legs":
            reached = legs(steps, found[0], given[at], found[1])
            return min(reached.get(place, question.most + 1), question.most + 1)


def _unknown(
    look: Evaluator, question: Question, arguments: Arguments, arrays: frozenset[str]
) -> Value:
    """An unknown answer, the same for the same question about the same cells."""
    cells = [look.state.arrays[a] for a in sorted(arrays)]
    versions = ".".join(str(c.version) for c in cells) or f"world {look.world.number}"
    name = f"{question.name}@{versions}"
    look.world.memo["field", name] = (True, AskedField(question, sorted(arrays), cells))
    args = [v.term(v.number(a)) for a in arguments.all]
    result = z3.Function(name, *[z3.IntSort()] * len(args), z3.IntSort())(*args)
    if result.get_id() not in look.world.limits:
        look.world.limit(result, _contract(look, question, arguments, result))
    return result


def _contract(
    look: Evaluator, question: Question, arguments: Arguments, result: z3.ExprRef
) -> Truth:
    """The axioms of an answer."""
    silent = evolve(look, faults=None, guards=[])
    relation = look.world.module.relations[question.relation]
    place = arguments.place
    if question.kind == "component":
        return v.and_((v.in_range(result, relation.first, relation.last), v.le(result, place)))
    far = farthest(relation) if question.kind == "distance" else question.most + 1
    is_source = silent.applied(question.sources, (place, *arguments.sources))
    some = _some_source(silent, question, arguments)
    at_source = v.eq(result, 0)
    costly = question.kind == "legs" or all(_costs(look, way) for way in relation.ways)
    inside = v.in_range(place, relation.first, relation.last)
    return v.and_(
        (
            v.in_range(result, 0, far),
            v.implies(is_source, at_source),
            v.implies(v.and_((inside, v.lt(result, far))), some),
            v.implies(at_source, is_source) if costly else True,
        )
    )


def _some_source(look: Evaluator, question: Question, arguments: Arguments) -> Truth:
    """True if there is any source; the same for all places in question."""
    world = look.world
    relation = world.module.relations[question.relation]
    cells = [look.state.arrays[a] for a in sorted(world.effects.function(question.sources))]
    memo = (
        "source",
        question.sources,
        relation.first,
        relation.last,
        *(v.key(a) for a in arguments.sources),
        *(c.version for c in cells),
    )
    known = world.memo.get(memo)
    if known is None:
        found = v.or_(
            look.applied(question.sources, (x, *arguments.sources))
            for x in range(relation.first, relation.last + 1)
        )
        known = world.memo[memo] = (found, (arguments, cells))
    return known[0]


def _costs(look: Evaluator, way: ir.Way) -> bool:
    """Whether every step of a line has a price."""
    if way.joined:
        return False
    return not way.price or look.world.module.functions[way.price].lo > 0


def _faults(look: Evaluator, expr: ir.Field, arguments: Arguments) -> None:
    """The possible faults in steps and conditions of a question, at all places."""
    module = look.world.module
    relation = module.relations[expr.relation]
    places = range(relation.first, relation.last + 1)
    for name, given in ((expr.sources, arguments.sources), (expr.stops, arguments.stops)):
        if name and may_fault(look, name):
            for place in places:
                look.applied(name, (place, *given))
    for way in relation.ways:
        if not any(may_fault(look, name) for name in way.functions):
            continue
        for place, *chosen in product(places, *(range(a, b + 1) for a, b in way.ranges)):
            inputs = (place, *chosen, *arguments.relation)
            there = look.applied(way.target, inputs)
            with Guard(look, v.le(relation.first, there)):
                test: Value = True
                if way.where:
                    test = look.applied(way.where, (*inputs, there))
                if way.price:
                    with Guard(look, v.truth(test)):
                        look.applied(way.price, (*inputs, there))
