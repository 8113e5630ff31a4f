"""Random expressions, well typed by construction."""

from __future__ import annotations

from attrs import define, field
from hypothesis import strategies as st

Draw = st.DrawFn


@define
class Scope:
    """The local names in sight, by type."""

    ints: list[str] = field(factory=list)
    players: list[str] = field(factory=list)
    colours: list[str] = field(factory=list)
    places: list[str] = field(factory=list)
    cards: list[str] = field(factory=list)
    sets: list[str] = field(factory=list)
    fresh: int = 0

    def name(self) -> str:
        self.fresh += 1
        return f"n{self.fresh}"

    def inner(self) -> Scope:
        return Scope(
            list(self.ints),
            list(self.players),
            list(self.colours),
            list(self.places),
            list(self.cards),
            list(self.sets),
            self.fresh + 20,
        )


def player(draw: Draw, scope: Scope) -> str:
    """An expression for a player."""
    base = draw(st.sampled_from(scope.players)) if scope.players else "p1"
    return draw(st.sampled_from([base, base, f"next({base})", f"next({base}, 2)"]))


def colour(draw: Draw, scope: Scope) -> str:
    """An expression for a colour."""
    options = ["red", "blue", *scope.colours, *scope.colours]
    options += [f"{c}.suit" for c in scope.cards]
    base = draw(st.sampled_from(options))
    return draw(st.sampled_from([base, base, base, f"next({base})"]))


def colours(draw: Draw, scope: Scope, depth: int) -> str:
    """An expression for a set of colours."""
    if depth <= 0:
        named = [f"felt[{player(draw, scope)}]", "flags", *scope.sets, *scope.sets]
        listed = f"[{colour(draw, scope)}, {colour(draw, scope)}]"
        return draw(st.sampled_from([*named, listed, "[red]"]))
    if draw(st.integers(0, 3)) == 0:
        inner = scope.inner()
        name = inner.name()
        inner.colours.append(name)
        domain = draw(st.sampled_from(["Colour", "ranks", colours(draw, scope, depth - 1)]))
        return f"(each {name} in {domain} where {condition(draw, inner, 1)})"
    one, two = colours(draw, scope, depth - 1), colours(draw, scope, depth - 1)
    if draw(st.integers(0, 4)) == 0:
        return f"(if {condition(draw, scope, 1)} then {one} else {two})"
    return f"({one} {draw(st.sampled_from(['+', '-', '*']))} {two})"


def place(draw: Draw, scope: Scope) -> str:
    """An expression for a place."""
    return draw(st.sampled_from(["north", "south", *scope.places]))


def number(draw: Draw, scope: Scope, depth: int) -> str:
    """An expression for a number."""
    if depth <= 0 or draw(st.integers(0, 3)) == 0:
        leaves = [str(draw(st.integers(0, 9))), "total", "fixed", "players", *scope.ints]
        leaves += ["wealth div 30000"]
        leaves += [f"grid[{colour(draw, scope)}, {place(draw, scope)}]"]
        leaves += [f"tally[{player(draw, scope)}]", f"hand_of[{player(draw, scope)}].wood"]
        leaves += [f"heavy({colour(draw, scope)})", f"streak({draw(st.integers(0, 9))})"]
        leaves += [f"(total > 9) + ({colour(draw, scope)} in flags)"]
        leaves += [f"ranks[{colour(draw, scope)}]", f"seats[{player(draw, scope)}]"]
        leaves += [f"weight[{colour(draw, scope)}]", f"ord({colour(draw, scope)})"]
        leaves += [f"{c}.worth" for c in scope.cards]
        leaves += [f"{c}.extra[{place(draw, scope)}]" for c in scope.cards]
        leaves += [f"{c}.bonus({player(draw, scope)})" for c in scope.cards]
        return draw(st.sampled_from(leaves))
    kind = draw(st.integers(0, 11))
    a = number(draw, scope, depth - 1)
    if kind <= 2:
        return f"({a} {draw(st.sampled_from(['+', '-', '*']))} {number(draw, scope, depth - 1)})"
    if kind == 3:
        return f"({a}) {draw(st.sampled_from(['div', 'mod']))} {draw(st.integers(1, 5))}"
    if kind == 4:
        return f"{draw(st.sampled_from(['min', 'max']))}({a}, {number(draw, scope, depth - 1)})"
    if kind == 5:
        return f"abs({a})" if draw(st.booleans()) else f"-({a})"
    if kind == 6:
        test = condition(draw, scope, depth - 1)
        return f"(if {test} then {a} else {number(draw, scope, depth - 1)})"
    if kind == 7:
        return f"distance({colour(draw, scope)}, {colour(draw, scope)} by price within 5)"
    if kind == 8:
        return _field(draw, scope)
    inner = scope.inner()
    binder, kind_of = bound_names(draw, scope, inner)
    where = f" where {condition(draw, inner, depth - 2)}" if draw(st.booleans()) else ""
    if kind == 9:
        return f"count({binder}{where})"
    del kind_of
    what = draw(st.sampled_from(["sum", "min", "max"]))
    return f"{what}({binder}{where}: {number(draw, inner, depth - 2)})"


def _field(draw: Draw, scope: Scope) -> str:
    """A question over a relation whose answer is a number."""
    way = f"by link({place(draw, scope)}) within {draw(st.integers(0, 4))}"
    match draw(st.integers(0, 2)):
        case 0:
            return f"(steps from {_chosen(draw, scope)} to {colour(draw, scope)} {way})"
        case 1:
            stops = _chosen(draw, scope)
            to = colour(draw, scope)
            return f"(legs from {_chosen(draw, scope)} to {to} {way} stopping at {stops} up to 3)"
        case _:
            each = scope.inner().name()
            return f"(steps from each {each} in marks to {_cell(draw, scope)} by ring within 9)"


def _near(draw: Draw, scope: Scope) -> str:
    each = scope.inner().name()
    return f"{_cell(draw, scope)} in spread from each {each} in marks by ring within 5"


def _chosen(draw: Draw, scope: Scope) -> str:
    """The colours from which a question starts or at which it stops."""
    if draw(st.booleans()):
        return draw(st.sampled_from(["red", *scope.colours]))
    inner = scope.inner()
    name = inner.name()
    inner.colours.append(name)
    return f"each {name} in Colour where {condition(draw, inner, 1)}"


def _cell(draw: Draw, scope: Scope) -> str:
    return f"(({number(draw, scope, 0)}) mod 20)"


def bound_names(draw: Draw, scope: Scope, inner: Scope) -> tuple[str, str]:
    name = inner.name()
    kinds = ["colour", "place", "player", "range", "deck", "held", "flags", "spread", "order"]
    kinds += ["set"]
    kind = draw(st.sampled_from(kinds))
    if kind == "spread":
        inner.colours.append(name)
        start = draw(st.sampled_from(["blue", *scope.colours]))
        return f"{name} in spread from {start} by link({place(draw, scope)})", kind
    if kind in ("colour", "order"):
        inner.colours.append(name)
        return f"{name} in {'ranks' if kind == 'order' else 'Colour'}", kind
    if kind == "place":
        inner.places.append(name)
        return f"{name} in Place", kind
    if kind == "player":
        inner.players.append(name)
        start = f" from {player(draw, scope)}" if draw(st.booleans()) else ""
        return f"{name} in Player{start}", kind
    if kind == "range":
        inner.ints.append(name)
        high = draw(st.sampled_from(["3", "players", *scope.ints]))
        return f"{name} in 0..{high}", kind
    if kind == "set":
        inner.colours.append(name)
        return f"{name} in {colours(draw, scope, 1)}", kind
    if kind == "flags":
        inner.colours.append(name)
        return f"{name} in flags", kind
    inner.cards.append(name)
    where = "deck" if kind == "deck" else f"held[{player(draw, scope)}]"
    return f"{name} in {where}", kind


def _emptiness(draw: Draw, scope: Scope) -> str:
    p = player(draw, scope)
    places = ["flags", "marks", "deck", "done", f"held[{p}]", f"hand_of[{p}]", "bank_pool"]
    verb = draw(st.sampled_from(["is empty", "is not empty"]))
    return f"{draw(st.sampled_from(places))} {verb}"


_COMPARED = ("=", "!=", "<", "<=", ">", ">=")


def condition(draw: Draw, scope: Scope, depth: int) -> str:
    """An expression for a condition."""
    if depth <= 0 or draw(st.integers(0, 4)) == 0:
        leaves = [
            f"{colour(draw, scope)} in flags",
            f"mark[{colour(draw, scope)}] = none",
            f"mark[{colour(draw, scope)}] = {place(draw, scope)}",
            f"owner != {player(draw, scope)}",
            "owner = none",
            _emptiness(draw, scope),
            f"{colour(draw, scope)} < {colour(draw, scope)}",
            f"reaches({colour(draw, scope)}, {colour(draw, scope)} by linked)",
            f"component({colour(draw, scope)} by linked) = {colour(draw, scope)}",
            f"component of {colour(draw, scope)} by link({place(draw, scope)}) = blue",
            _near(draw, scope),
            f"{colour(draw, scope)} in {colours(draw, scope, 1)}",
            f"{colours(draw, scope, 1)} {draw(st.sampled_from(_COMPARED))} (flags + [red])",
            *(f"{c} in deck" for c in scope.cards),
            *(f"{c} not in held[{player(draw, scope)}]" for c in scope.cards),
        ]
        return draw(st.sampled_from(leaves))
    kind = draw(st.integers(0, 6))
    if kind <= 2:
        sign = draw(st.sampled_from(["=", "!=", "<", "<=", ">", ">="]))
        return f"{number(draw, scope, depth - 1)} {sign} {number(draw, scope, depth - 1)}"
    if kind <= 4:
        word = draw(st.sampled_from(["and", "or", "implies"]))
        a, z = condition(draw, scope, depth - 1), condition(draw, scope, depth - 1)
        return f"(({a}) {word} ({z}))"
    if kind == 5:
        return f"not ({condition(draw, scope, depth - 1)})"
    inner = scope.inner()
    binder, _ = bound_names(draw, scope, inner)
    word = draw(st.sampled_from(["every", "some"]))
    return f"({word} {binder}: {condition(draw, inner, depth - 2)})"
