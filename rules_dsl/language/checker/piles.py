"""Piles: zones with an order, whose cards come and go at the top and the bottom."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.checker.context import Context, Scope
from rules_dsl.language.checker.inference import infer
from rules_dsl.language.checker.wording import described
from rules_dsl.language.program import walk
from rules_dsl.language.symbols import ZoneSymbol
from rules_dsl.language.types import ERROR, ErrorType, OptionalType, Type, ZoneType

# Maximum number of cards of a pile: each may need a separate place above and below the others.
MAX_PILED = 120


def known_places(ctx: Context, item: s.Zone, cards: int) -> tuple[int, int]:
    """Number of places for single cards below and above the shuffled ones of a pile.

    A game that puts no card on an end of a pile has no use for places there.
    """
    if not item.ordered:
        return 0, 0
    if cards > MAX_PILED:
        ctx.error(
            "E0451",
            f"`{item.table}` has {cards} rows; a pile has at most {MAX_PILED} cards",
            item.span,
            hint="a zone has no such limit: one draws from it at random",
        )
        return 0, 0
    ends = _ends_in_use(ctx, item.name.name)
    return cards * ("bottom" in ends), cards * ("top" in ends)


def _ends_in_use(ctx: Context, pile: str) -> set[s.PileEnd]:
    """The ends of a pile on which the rules put cards."""
    found: set[s.PileEnd] = set()
    for declaration in ctx.program.declarations:
        for node in walk(declaration):
            match node:
                case s.MoveCard(_, _, target, end) if end is not None and _base(target) == pile:
                    found.add(end)
                case s.DrawFrom(target=s.Expr() as target, target_end=end):
                    if end is not None and _base(target) == pile:
                        found.add(end)
    return found


def _base(place: s.Expr) -> str:
    while isinstance(place, s.Index | s.Group):
        place = place.base if isinstance(place, s.Index) else place.inner
    return place.name if isinstance(place, s.Name) else ""


def _how_to_declare(place: ZoneType) -> str:
    return f"declare it with `pile {place.zone.name} of {place.zone.table.name}`"


def check_pile(ctx: Context, node: s.Expr, place: Type) -> ZoneSymbol | None:
    """Check that a place is a pile."""
    if isinstance(place, ZoneType) and place.zone.is_pile:
        return place.zone
    if isinstance(place, ZoneType):
        message = f"`{place.zone.name}` has no order, so it has no top and no bottom"
        ctx.error("E0451", message, node.span, hint=_how_to_declare(place))
    elif not isinstance(place, ErrorType):
        zones = [x for x in ctx.globals.values() if isinstance(x, ZoneSymbol) and x.is_pile]
        piles = ", ".join(f"`{zone.name}`" for zone in zones)
        hint = f"piles of this game: {piles}" if piles else ""
        ctx.error("E0451", f"a pile is needed here; this is {described(place)}", node.span, hint)
    return None


def check_target(ctx: Context, node: s.Expr, place: Type, end: s.PileEnd | None) -> None:
    """Check that cards come to an end of a pile, and to no end of anything else."""
    if end is not None:
        check_pile(ctx, node, place)
    elif isinstance(place, ZoneType) and place.zone.is_pile:
        name = place.zone.name
        ctx.error(
            "E0451",
            f"it is not said where in the pile `{name}` the card goes",
            node.span,
            hint=f"`to top of {name}`, `to bottom of {name}`, or `shuffle … into {name}`",
        )


def check_source(ctx: Context, node: s.DrawFrom, place: Type) -> None:
    """Check that one draws from an end of a pile, and from no end of anything else."""
    if node.end is not None:
        check_pile(ctx, node.source, place)
    elif isinstance(place, ZoneType) and place.zone.is_pile:
        name = place.zone.name
        ctx.error(
            "E0451",
            f"it is not said from which end of the pile `{name}` to draw",
            node.source.span,
            hint=f"`draw {node.name} from top of {name} to …`",
        )


def check_shuffle(ctx: Context, scope: Scope, node: s.Shuffle) -> None:
    """Check `shuffle deck` and `shuffle discard into deck`."""
    place = infer(ctx, scope, node.pile)
    pile = check_pile(ctx, node.pile, place)
    if node.added is None:
        return
    added = infer(ctx, scope, node.added)
    if isinstance(added, ZoneType):
        if pile is not None and added.zone.table is not pile.table:
            message = f"`{added.zone.name}` holds cards of `{added.zone.table.name}`"
            ctx.error("E0322", message, node.added.span)
    elif not isinstance(added, ErrorType):
        message = f"a zone is needed here; this is {described(added)}"
        ctx.error("E0322", message, node.added.span)


def end_type(ctx: Context, scope: Scope, node: s.EndOfPile) -> Type:
    """The type of `top of discard`: a card, or none."""
    pile = check_pile(ctx, node.pile, infer(ctx, scope, node.pile))
    return ERROR if pile is None else OptionalType(pile.table.type)


def check_given_end(ctx: Context, node: s.EndOfPile) -> None:
    """Check that a card can lie at an end of a pile with its place known, as an example says."""
    place = ctx.facts.types.get(node.pile)
    if isinstance(place, ZoneType) and place.zone.is_pile:
        pile = place.zone
        if not (pile.above if node.end == "top" else pile.below):
            ctx.error(
                "E0601",
                f"the rules put no card on the {node.end} of `{pile.name}`",
                node.span,
                hint=f"`given c in {pile.name}` puts it among the shuffled cards",
            )
