"""Relations: their places, their parameters and the steps that lead from a place."""

from __future__ import annotations

from collections.abc import Callable

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.bodies import params_scope
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.domains import domain
from rules_dsl.language.checker.inference import check_bool, check_int, infer
from rules_dsl.language.checker.signatures import parameters
from rules_dsl.language.checker.typing_rules import fits, plain
from rules_dsl.language.checker.written_types import index_domain
from rules_dsl.language.printer import expression_text
from rules_dsl.language.symbols import LocalSymbol, RelationSymbol, Symbol
from rules_dsl.language.types import NoneType, Type

# Maximum number of places, more than any board has.
MAX_PLACES = 1_000
# Maximum number of steps: neighbours are listed, never searched among all pairs of places.
MAX_STEPS = 20_000
# Maximum price of one step.
MAX_PRICE = 1_000


def relation_maker(ctx: Context, declaration: s.Relation) -> Callable[[], Symbol | None]:
    """The parameters and places of a relation."""

    def make() -> Symbol | None:
        params = parameters(ctx, declaration.params)
        node = declaration.place.domain
        places = index_domain(ctx, node, domain(ctx, Scope(), node))
        if places is None:
            return None
        if places.size > MAX_PLACES:
            ctx.error(
                "E0435",
                f"`{declaration.name}` is about {places.size:,} places",
                node.span,
                hint=f"at most {MAX_PLACES:,}; give it a smaller type",
            )
            return None
        return RelationSymbol(declaration, params, places)

    return make


def check_relation(ctx: Context, relation: RelationSymbol) -> None:
    """Check every line of a relation."""
    ctx.owner = relation
    scope = params_scope(relation.params)
    ctx.declare_local(scope, relation.declaration.place.name, relation.places)
    steps = 0
    for way in relation.declaration.ways:
        steps += _check_way(ctx, scope.inner(), relation, way)
    if steps > MAX_STEPS:
        ctx.error(
            "E0435",
            f"`{relation.name}` looks at {steps:,} pairs of places",
            relation.declaration.span,
            hint=f"at most {MAX_STEPS:,}: list the neighbours of a place, "
            "such as `to beside[c, d] for d in Dir`",
        )


def _target(ctx: Context, scope: Scope, relation: RelationSymbol, way: s.Way) -> Type:
    """The type of where a step leads to; a name that is not said to run through places is told."""
    node = way.target
    if isinstance(node, s.Name) and not ctx.knows(node.name, scope) and not way.binders:
        place = expression_text(relation.declaration.place.domain.low)
        if relation.declaration.place.domain.high is not None:
            place += f"..{expression_text(relation.declaration.place.domain.high)}"
        word = "joined with" if way.joined else "to"
        hint = f"say which places it runs through: `{word} {node.name} for {node.name} in {place}`"
        ctx.unknown(node.name, node.span, scope, hint=hint)
        scope.names[node.name] = LocalSymbol(node.name, relation.places, False, False)
        return relation.places
    return infer(ctx, scope, node)


def _check_way(ctx: Context, scope: Scope, relation: RelationSymbol, way: s.Way) -> int:
    """Check a line of a relation; returns the maximum number of its steps."""
    steps = relation.places.size
    for binder in way.binders:
        exact = index_domain(ctx, binder.domain, domain(ctx, scope, binder.domain))
        if exact is not None:
            ctx.facts.types[binder.domain] = exact
            steps *= exact.size
        ctx.declare_local(scope, binder.name, ctx.facts.types[binder.domain])
    target = _target(ctx, scope, relation, way)
    if isinstance(target, NoneType):
        ctx.error("E0324", "this step leads nowhere", way.target.span)
    else:
        fits(ctx, plain(target) or target, relation.places, way.target.span)
    if way.called is not None:
        ctx.declare_local(scope, way.called, relation.places)
    if way.where is not None:
        check_bool(ctx, scope, way.where)
    if way.costs is not None:
        price = check_int(ctx, scope, way.costs)
        if price.low < 0 or price.high > MAX_PRICE:
            ctx.error(
                "E0324",
                f"a step costs 0 to {MAX_PRICE:,}; this is {price}",
                way.costs.span,
                hint="for no step at all use `where`",
            )
    return steps
