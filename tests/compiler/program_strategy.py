"""Random small rule files, well typed by construction: every construct, in odd combinations."""

from __future__ import annotations

from attrs import define, field
from hypothesis import strategies as st

Draw = st.DrawFn

HEADER = """\
game made "Made at random"
    players 2..3

enum Colour: red, green, blue
enum Place: north, south

goods Stuff: wood, iron
good coin limit 7

table Card
    columns worth: 0..9, suit: Colour, extra[Place]: 0..3 = 1, dealt: Player? = none
    function bonus(p: Player): -5..20 = row.worth - ord(row)
    procedure played(p: Player)
        requires row in held[p] or total >= 0
        ensures total >= before(total) - row.worth
        total += row.worth
        mark[row.suit] = none
    row ace: 1, red
        bonus = total + ord(p)
        played
            total += 1
    row two copies 2: 5, blue, [0, 2]
    own row levy for each p in Player: provisional 3, red, dealt = next(p)
    row six: 9, green, extra = [3, 0]
        played
            grid[row.suit, north] = 2
            for k in Place
                keeps ord(k) <= 2
                total += row.extra[k]

const weight[Colour] = [2, 5, 1]
const square[k in 0..6] = k * k mod 7
const fixed = 4

state
    total: 0..40 clamped
    turn_count: 0..200
    mark[Colour]: Place? = none
    grid[Colour, Place]: -3..9 = 1
    owner: Player? = none
    tally[p in Player]: 0..12 = ord(p) + 2
    flags: set of Colour
    ranks: order of Colour
    seats: order of Player
    marks: set of 0..19
    pool bank_pool bank
    pool hand_of[Player]
    zone deck of Card holds c where c.dealt = none hidden
    zone held[p in Player] of Card holds c where c.dealt = p visible to owner
    zone done of Card

function linked(a: Colour, b: Colour): bool = a != b and (a in flags or grid[b, north] > 0)
function price(a: Colour, b: Colour): 0..4 = if a = b then 0 else max(0, grid[a, south])

function heavy(a: Colour) = grid[a, north] + weight[a] * (a in flags) - (owner = none)
function streak(low: 0..9): 0..20
    let edge = low + fixed
    var run: 0..20 = 2
    for a in Colour where a != blue or total > 3
        if grid[a, south] > 0
            let more = ord(a) + (a in flags)
            run = min(20, run + more)
            for w in Place
                run = max(0, run - (mark[a] = w))
        else if total > edge
            run = 0
    for k in 0..tally[p1] mod 5
        run = min(20, run + k)
    if run > 12
        return 12
    return run

relation link(w: Place) on a in Colour
    to b for b in Colour where a != b and (a in flags or grid[b, w] > 0)
    to (if total > 9 then next(a) else none) as b where mark[b] = none costs max(0, grid[a, south])
    joined with blue where a = red and total mod 3 = 1

relation ring on a in 0..19
    to (a + 1) mod 20 as b where (a in marks) or b < total
    to (a + 13) mod 20 where turn_count mod 2 = 0 costs 2
"""

FOOTER = """\

scoring
    score p = tally[p] + hand_of[p].wood / 3
    tie most hand_of[p].coin
    tie fewest ord(p)
"""


@define
class Scope:
    """The local names in sight, by type."""

    ints: list[str] = field(factory=list)
    players: list[str] = field(factory=list)
    colours: list[str] = field(factory=list)
    places: list[str] = field(factory=list)
    cards: list[str] = field(factory=list)
    fresh: int = 0

    def name(self) -> str:
        self.fresh += 1
        return f"n{self.fresh}"

    def inner(self) -> Scope:
        return Scope(
            list(self.ints), list(self.players), list(self.colours), list(self.places),
            list(self.cards), self.fresh + 20,
        )  # fmt: skip


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


def place(draw: Draw, scope: Scope) -> str:
    """An expression for a place."""
    return draw(st.sampled_from(["north", "south", *scope.places]))


def number(draw: Draw, scope: Scope, depth: int) -> str:
    """An expression for a number."""
    if depth <= 0 or draw(st.integers(0, 3)) == 0:
        leaves = [str(draw(st.integers(0, 9))), "total", "fixed", "players", *scope.ints]
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
    binder, kind_of = _binder(draw, scope, inner)
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


def _binder(draw: Draw, scope: Scope, inner: Scope) -> tuple[str, str]:
    name = inner.name()
    kinds = ["colour", "place", "player", "range", "deck", "held", "flags", "spread", "order"]
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
    if kind == "flags":
        inner.colours.append(name)
        return f"{name} in flags", kind
    inner.cards.append(name)
    where = "deck" if kind == "deck" else f"held[{player(draw, scope)}]"
    return f"{name} in {where}", kind


def condition(draw: Draw, scope: Scope, depth: int) -> str:
    """An expression for a condition."""
    if depth <= 0 or draw(st.integers(0, 4)) == 0:
        leaves = [
            f"{colour(draw, scope)} in flags", f"mark[{colour(draw, scope)}] = none",
            f"mark[{colour(draw, scope)}] = {place(draw, scope)}",
            f"owner != {player(draw, scope)}", "owner = none",
            f"{colour(draw, scope)} < {colour(draw, scope)}",
            f"reaches({colour(draw, scope)}, {colour(draw, scope)} by linked)",
            f"component({colour(draw, scope)} by linked) = {colour(draw, scope)}",
            f"component of {colour(draw, scope)} by link({place(draw, scope)}) = blue",
            _near(draw, scope),
            *(f"{c} in deck" for c in scope.cards),
            *(f"{c} not in held[{player(draw, scope)}]" for c in scope.cards),
        ]  # fmt: skip
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
    binder, _ = _binder(draw, scope, inner)
    word = draw(st.sampled_from(["every", "some"]))
    return f"({word} {binder}: {condition(draw, inner, depth - 2)})"


def effects(draw: Draw, scope: Scope, depth: int, indent: str) -> list[str]:
    """A few statements without decisions."""
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        lines += effect(draw, scope, depth, indent)
    return lines


def effect(draw: Draw, scope: Scope, depth: int, indent: str) -> list[str]:
    """One statement without decisions."""
    kind = draw(st.integers(0, 16))
    n = number(draw, scope, 2)
    c, p = colour(draw, scope), player(draw, scope)
    if kind == 0:
        return [f"{indent}total {draw(st.sampled_from(['+=', '-=', '=']))} {n}"]
    if kind == 1:
        return [f"{indent}grid[{c}, {place(draw, scope)}] = max(-3, min(9, {n}))"]
    if kind == 2:
        return [f"{indent}tally[{p}] += {draw(st.integers(0, 2))}"]
    if kind == 3:
        return [f"{indent}mark[{c}] = {draw(st.sampled_from(['none', 'north', 'south']))}"]
    if kind == 4:
        return [f"{indent}owner = {draw(st.sampled_from(['none', p]))}"]
    if kind == 5:
        return [_set_change(draw, c, indent)]
    if kind == 6:
        good = draw(st.sampled_from(["wood", "iron", "coin"]))
        amount = draw(st.sampled_from(["1", "2", "up to 3", "all"]))
        one, two = f"hand_of[{p}]", "bank_pool"
        if draw(st.booleans()) and amount != "all":
            one, two = two, one
        return [f"{indent}move {amount} {good} from {one} to {two}"]
    if kind == 7 and scope.cards:
        card = draw(st.sampled_from(scope.cards))
        return [f"{indent}move {card} to {draw(st.sampled_from(['done', f'held[{p}]', 'deck']))}"]
    if kind == 8 and depth > 0:
        inner = scope.inner()
        lines = [f"{indent}if {condition(draw, scope, 2)}"]
        lines += effects(draw, inner, depth - 1, indent + "    ")
        if draw(st.booleans()):
            lines += [f"{indent}else", *effects(draw, scope.inner(), depth - 1, indent + "    ")]
        return lines
    if kind == 9 and depth > 0:
        inner = scope.inner()
        binder, _ = _binder(draw, scope, inner)
        keeps = [f"{indent}    keeps total >= 0"] if draw(st.booleans()) else []
        body = effects(draw, inner, depth - 1, indent + "    ")
        return [f"{indent}for {binder}", *keeps, *body]
    if kind == 10:
        name = scope.name()
        line = f"{indent}let {name} = {n}"
        scope.ints.append(name)
        return [line, f"{indent}total += {name}"]
    if kind == 11 and scope.cards:
        return [f"{indent}{draw(st.sampled_from(scope.cards))}.played({p})"]
    if kind == 12:
        return [f"{indent}tidy({p})"]
    if kind == 13:
        shown = draw(st.sampled_from([n, c, f"mark[{c}]", f"ace in held[{p}]"]))
        return [f"{indent}reveal {shown}{draw(st.sampled_from(['', f' to {p}']))}"]
    if kind == 14:
        other = colour(draw, scope)
        ways = ["to front of", "to back of", f"behind {other} in", f"before {other} in"]
        return [f"{indent}move {c} {draw(st.sampled_from(ways))} ranks", f"{indent}owner = {p}"]
    if kind == 15 and depth > 0:
        return _sorted(draw, scope, depth, indent)
    return [f"{indent}total += 1"]


def _sorted(draw: Draw, scope: Scope, depth: int, indent: str) -> list[str]:
    """A loop by a number, or in an order, and who has the most."""
    inner = scope.inner()
    name = inner.name()
    inner.players.append(name)
    domain = draw(st.sampled_from(["Player", "Player from p2", "seats"]))
    way = draw(st.sampled_from(["", " downwards"]))
    by = f" by ({number(draw, inner, 1)}){way}" if domain != "seats" or draw(st.booleans()) else ""
    best = f"{draw(st.sampled_from(['most', 'fewest']))}({name} in {domain}: tally[{name}])"
    return [
        f"{indent}for {name} in {domain}{by}",
        f"{indent}    total += tally[{name}] * turn_count mod 3",
        f"{indent}    move {name} to back of seats",
        *effects(draw, inner, depth - 1, indent + "    "),
        f"{indent}owner = {best}",
    ]


def _set_change(draw: Draw, element: str, indent: str) -> str:
    if draw(st.booleans()):
        return f"{indent}add {element} to flags"
    if draw(st.booleans()):
        return f"{indent}add ord({element}) * 7 to marks"
    return f"{indent}remove {element} from flags"


@st.composite
def programs(draw: Draw) -> str:
    """The text of a random game."""
    lines = [HEADER]
    scope = Scope(players=["p"])
    lines += ["procedure tidy(p: Player)", *_plain(effects(draw, scope, 1, "    ")), ""]
    params = {
        "a: Colour": "colours", "k: 0..3": "ints", "q: Player": "players", "c in deck": "cards",
        "c in held[p]": "cards", "n in 0..tally[p]": "ints", "w: Place": "places",
        "m: 0..19": "ints",
    }  # fmt: skip
    for index in range(draw(st.integers(1, 3))):
        scope = Scope(players=["p"])
        chosen = draw(
            st.lists(st.sampled_from(sorted(params)), max_size=2, unique_by=lambda x: x[0])
        )
        for param in chosen:
            getattr(scope, params[param]).append(param[0])
        shown = f"({', '.join(chosen)})" if chosen else ""
        lines.append(f"action act{index}{shown} by p")
        if draw(st.booleans()):
            lines.append(
                f"    ensures before({number(draw, scope, 1)}) >= {number(draw, scope, 1)}"
            )
        if draw(st.integers(0, 3)) == 0:
            lines.append(f"    cost {draw(st.integers(0, 2))} {_money(draw, scope)}")
        for _ in range(draw(st.integers(0, 2))):
            lines.append(f'    require {condition(draw, scope, 2)} "not now, {{total}}"')
        lines += effects(draw, scope, 2, "    ")
        if draw(st.integers(0, 3)) == 0:
            lines += [f"    choose p optionally: more in Colour where {condition(draw, scope, 1)}",
                      "    if more != none", "        total += 2"]  # fmt: skip
        lines.append("")
        last = index
    names = ", ".join(f"act{k}" for k in range(last + 1))
    lines += ["play", "    for p in Player", "        draw c in Card where c in deck",
              "        move c from deck to held[p]"]  # fmt: skip
    bound = draw(st.sampled_from(["decreases 12 - turn_count", 'without end "who knows"']))
    lines += [f"    while turn_count < 12 {bound}"]
    inner = Scope(players=["p"])
    lines += ["        turn_count += 1"]
    if draw(st.booleans()):
        lines += ["        for p in Player from next(p1)"]
    elif draw(st.booleans()):
        lines += ["        for p in seats by tally[p] downwards"]
    else:
        lines += ["        for p in Player where tally[p] < 12"]
    how = draw(st.sampled_from(["optionally", "optionally always", "optionally secretly"]))
    lines += [f"            choose p {how}: {names}"]
    lines += effects(draw, inner, 1, "            ")
    if draw(st.booleans()):
        lines += ["            roll d in 1..3", "            total += d"]
    if draw(st.booleans()):
        lines += ["        choose each q in Player secretly: bid in 0..tally[q]",
                  "        total += sum(q in Player: bid[q])"]  # fmt: skip
    if draw(st.booleans()):
        lines += _secret_block(draw, names)
    if draw(st.booleans()):
        lines += [f"        if possible(act{draw(st.integers(0, last))} by next(p1))",
                  "            total += 2"]  # fmt: skip
    if draw(st.booleans()):
        lines += _together(draw, Scope(players=["q"]))
    if draw(st.booleans()):
        lines += _subset(draw, Scope(players=["q"]))
    if draw(st.booleans()):
        lines += ["        choose each q in Player where tally[q] > 1 secretly: ask in 1..tally[q]",
                  "        total += count(q in Player where ask[q] != none)"]  # fmt: skip
    if draw(st.booleans()):
        lines += ["        if total > 30", "            end"]
    lines.append(FOOTER)
    return "\n".join(lines)


def _money(draw: Draw, scope: Scope) -> str:
    """What an action costs."""
    p = player(draw, scope)
    return draw(st.sampled_from(["total", f"tally[{p}]", f"wood from hand_of[{p}] to bank_pool"]))


def _secret_block(draw: Draw, actions: str) -> list[str]:
    """Several secret choices, of all players or some."""
    among = draw(st.sampled_from(["", " where tally[q] > 2", " from p2"]))
    how = draw(st.sampled_from(["", " optionally", " optionally always"]))
    lines = [
        f"        choose each q in Player{among} secretly",
        "            choose q: hue in Colour where grid[hue, north] > -3",
        f"            choose q{how}: k1 in 0..2, k2 in 0..tally[q] where k1 <= k2",
    ]
    if draw(st.booleans()):
        lines.append(f"            choose q optionally: {actions}")
    return [*lines, "        total += count(q in Player where hue[q] = red and k1[q] = k2[q])"]


def _together(draw: Draw, scope: Scope) -> list[str]:
    """Choices that are made only if all of them can be made."""
    test = condition(draw, scope, 1)
    how = draw(st.sampled_from(["", " optionally", " secretly"]))
    lines = [
        "        for q in Player",
        "            together",
        f"                choose q{how}: h1 in Colour where grid[h1, south] > 0 and ({test})",
        "                total += 1",
        "                if total mod 2 = 0",
        "                    choose q: h2 in 0..3 where h2 * 5 > tally[q] + total mod 3",
        "                    tally[q] = max(0, tally[q] - h2)",
        "                choose q: h3 in Colour where h3 in flags or tally[q] > 4",
    ]
    if draw(st.booleans()):
        lines += ["            else", "                total += 2"]
    return lines


def _subset(draw: Draw, scope: Scope) -> list[str]:
    """Several things chosen at once."""
    size = draw(st.sampled_from(["", "1 of ", "0..2 of ", "0..tally[q] of "]))
    among = draw(st.sampled_from(["Colour", "held[q]", "flags", "0..tally[q] mod 4"]))
    test = draw(st.sampled_from(["", " where count(y in some_set) != 1"]))
    how = draw(st.sampled_from([" secretly", ""]))
    asked = draw(st.sampled_from(["", " where tally[q] > 3"]))
    return [
        "        for q in Player",
        f"            choose q{how}: few among 0..1 of Colour where red in few or total >= 0",
        "            for y in few",
        f"                total += ord(y) + {number(draw, scope, 1)}",
        f"        choose each q in Player{asked} secretly",
        f"            choose q: some_set among {size}{among}{test}",
        "            choose q: k3 in 0..2 where k3 >= count(y in some_set) or k3 = 0",
        "        total += sum(q in Player: count(y in some_set[q]))",
    ]


def _plain(lines: list[str]) -> list[str]:
    """A procedure cannot call itself."""
    indents = [line[: len(line) - len(line.lstrip())] for line in lines]
    return [
        f"{indent}total += 1" if "tidy(" in line or ".played(" in line else line
        for indent, line in zip(indents, lines, strict=True)
    ]
