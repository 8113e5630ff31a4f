"""Random small rule files, well typed by construction: every construct, in odd combinations."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.compiler.expression_strategy import (
    Draw,
    Scope,
    bound_names,
    colour,
    colours,
    condition,
    number,
    place,
    player,
)

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
        assumes row in held[p] or total >= 0
        ensures total >= before(total) - row.worth
        total += row.worth
        mark[row.suit] = none
    procedure echoed(p: Player) whenever act0
    procedure answered(p: Player) whenever act0
        total += ord(p)
    row ace: 1, red
        echoed
            total += 3
        bonus = total + ord(p)
        played
            total += 1
    row two copies 2: 5, blue, [0, 2]
        answered
            if row in held[p]
                total -= row.worth
    own row levy for each p in Player: provisional 3, red, dealt = next(p)
    row six: 9, green, extra = [3, 0]
        echoed
            if total mod 2 = 0
                owner = p
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
    wealth: -100000..900000000 = 70000
    mark[Colour]: Place? = none
    grid[Colour, Place]: -3..9 = 1
    owner: Player? = none
    tally[p in Player]: 0..12 = ord(p) + 2
    flags: set of Colour = [green]
    felt[q in Player]: set of Colour = each c in Colour where ord(c) = ord(q) visible to others
    lent[q in Player]: 0..20 visible to [q, next(q)]
    ranks: order of Colour
    seats: order of Player
    marks: set of 0..19
    idle[Player]: 0..3 = 2
    spare[Player]: 0..1 = 1
    out[Player]: 0..3
    spot[Colour, Place]: Player? = none
    post: Player? = none
    ghost seen: 0..40 clamped
    ghost times[q in Player]: 0..9 = ord(q)
    ghost met: set of Colour = [red]
    pool bank_pool bank
    pool hand_of[Player]
    zone deck of Card holds c where c.dealt = none hidden
    zone held[p in Player] of Card holds c where c.dealt = p visible to owner
    zone done of Card
    zone back[q in Player] of Card visible to each r in Player where r != next(q)
    pile heap[Player] of Card hidden
    pile shown of Card

piece scout[Player] limit 3 "scout"
    in idle, spare
    on spot counted by out, post

function linked(a: Colour, b: Colour): bool = a != b and (a in flags or grid[b, north] > 0)
function told(a: Colour): 0..50 = seen + sum(q in Player where a in met: times[q]) mod 11
function price(a: Colour, b: Colour): 0..4 = if a = b then 0 else max(0, grid[a, south])

function heavy(a: Colour) = grid[a, north] + weight[a] * (a in flags) - (owner = none)
function streak(low: 0..9): 0..20
    let edge = low + fixed
    let near = flags + [blue] - (each a in Colour where grid[a, south] > low)
    var run: 0..20 = 2
    for a in Colour where a != blue or total > 3
        if grid[a, south] > 0
            let more = ord(a) + (a in flags)
            run = min(20, run + more + (a in near))
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

procedure afterwards(p: Player) whenever act0
    tally[p] = (tally[p] + total) mod 13

scoring
    score p = tally[p] + hand_of[p].wood / 3
    tie most hand_of[p].coin
    tie fewest ord(p)
"""


def effects(draw: Draw, scope: Scope, depth: int, indent: str) -> list[str]:
    """A few statements without decisions."""
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        lines += effect(draw, scope, depth, indent)
    return lines


def effect(draw: Draw, scope: Scope, depth: int, indent: str) -> list[str]:
    """One statement without decisions."""
    kind = draw(st.integers(0, 22))
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
        ends = [f"{end} of {pile}" for end in ("top", "bottom") for pile in (f"heap[{p}]", "shown")]
        places = ["done", f"held[{p}]", f"back[{p}]", "deck", *ends]
        return [f"{indent}move {card} to {draw(st.sampled_from(places))}"]
    if kind == 8 and depth > 0:
        inner = scope.inner()
        lines = [f"{indent}if {condition(draw, scope, 2)}"]
        lines += effects(draw, inner, depth - 1, indent + "    ")
        if draw(st.booleans()):
            lines += [f"{indent}else", *effects(draw, scope.inner(), depth - 1, indent + "    ")]
        return lines
    if kind == 9 and depth > 0:
        inner = scope.inner()
        binder, _ = bound_names(draw, scope, inner)
        kept = draw(st.sampled_from(["total >= 0", "seen >= 0 or red in met"]))
        keeps = [f"{indent}    keeps {kept}"] if draw(st.booleans()) else []
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
    if kind == 17:
        change = f"min(20, max(-3, {n})) * 40000"
        return [f"{indent}wealth = max(-100000, min(900000000, wealth + {change}))"]
    if kind == 16:
        return [f"{indent}{_whole(draw, p)}"]
    if kind == 18:
        target = draw(st.sampled_from(["flags", "flags", f"felt[{p}]"]))
        sign = draw(st.sampled_from(["=", "=", "+=", "-="]))
        return [f"{indent}{target} {sign} {colours(draw, scope, 2)}"]
    if kind == 19:
        return _local_set(draw, scope, indent)
    if kind == 20:
        return _piece(draw, scope, indent)
    if kind == 21:
        return [f"{indent}{_ghost(draw, scope, c, p)}"]
    return [f"{indent}total += 1"]


def _ghost(draw: Draw, scope: Scope, c: str, p: str) -> str:
    """Something that only proofs know of."""
    n = number(draw, scope, 1)
    ways = [f"seen += {n}", f"seen = times[{p}]", f"times[{p}] = min(9, max(0, told({c}) - {n}))"]
    ways += [f"add {c} to met", f"met -= {colours(draw, scope, 1)}", "clear met", "met += flags"]
    ways += ["met = each y in Colour where next(y) not in met or ord(y) < seen"]
    ways += [f"assert told({c}) >= 0 or {condition(draw, scope, 1)}"]
    return draw(st.sampled_from(ways))


def _local_set(draw: Draw, scope: Scope, indent: str) -> list[str]:
    """A set with a local name, which may change."""
    name = scope.name()
    first, then = colours(draw, scope, 2), colours(draw, scope, 1)
    if draw(st.booleans()):
        scope.sets.append(name)
        return [f"{indent}let {name} = {first}", f"{indent}total += count(y in {name} - {then})"]
    changes = [
        f"add {colour(draw, scope)} to {name}",
        f"remove {colour(draw, scope)} from {name}",
        f"clear {name}",
        f"fill {name}",
        f"{name} += {then}",
        f"{name} = each y in Colour where next(y) in {name} or y in {then}",
    ]
    changed = draw(st.lists(st.sampled_from(changes), min_size=1, max_size=3))
    scope.sets.append(name)
    return [
        f"{indent}var {name}: set of Colour = {first}",
        *(f"{indent}{change}" for change in changed),
        f"{indent}for y in {name}",
        f"{indent}    total += ord(y)",
        f"{indent}    remove next(y) from {name}",
        f"{indent}flags = {name}",
    ]


def _whole(draw: Draw, p: str) -> str:
    """A change of a whole set, zone or pool, whose choice may depend on the changed cells."""
    least = "fewest(x in Player: count(y in held[x]))"
    ways = [f"{verb} {name}" for verb in ("fill", "clear") for name in ("flags", "marks")]
    ways += [f"move all from held[{p}] to deck", f"move all from hand_of[{p}] to bank_pool"]
    ways += [f"shuffle heap[{p}]", f"shuffle deck into heap[{p}]", f"shuffle heap[{p}] into shown"]
    ways += [f"move all from heap[{p}] to done", f"move all from held[{least}] to done"]
    ways += [f"move all from deck to held[{least}]", f"move all from held[{least}] to done"]
    ways += [f"move all from back[{p}] to done", f"lent[{p}] = min(20, total)"]
    ways += ["move all from hand_of[most(x in Player: hand_of[x].coin)] to bank_pool"]
    return draw(st.sampled_from(ways))


def _piece(draw: Draw, scope: Scope, indent: str) -> list[str]:
    """A move of a piece; some find no piece, or a spot that is taken."""
    p, spot = player(draw, scope), f"spot[{colour(draw, scope)}, {place(draw, scope)}]"
    there = draw(st.sampled_from([spot, "post"]))
    test, move = draw(
        st.sampled_from(
            [
                (f"idle[{p}] > 0 and {there} = none", f"scout[{p}] from idle to {there}"),
                (f"{there} = {p}", f"scout[{p}] from {there} to spare"),
                (f"spare[{p}] > 0", f"scout[{p}] from spare to idle"),
                ("post = none", f"{spot} to post"),
                (f"{spot} = none", f"post to {spot}"),
                ("total > 5", f"{there} to idle"),
            ]
        )
    )
    if draw(st.integers(0, 5)) == 0:
        return [f"{indent}move {move}"]
    return [f"{indent}if {test}", f"{indent}    move {move}"]


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
        "a: Colour": "colours",
        "k: 0..3": "ints",
        "q: Player": "players",
        "c in deck": "cards",
        "c in held[p]": "cards",
        "n in 0..tally[p]": "ints",
        "w: Place": "places",
        "m: 0..19": "ints",
    }
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
            lines += [
                f"    choose p optionally: more in Colour where {condition(draw, scope, 1)}",
                "    if more != none",
                "        total += 2",
            ]
        lines.append("")
        last = index
    names = ", ".join(f"act{k}" for k in range(last + 1))
    lines += [
        "play",
        "    for p in Player",
        "        draw c in Card where c in deck",
        "        move c from deck to held[p]",
    ]
    measures = ["decreases 12 - turn_count", "decreases 12 - turn_count, seen"]
    bound = draw(st.sampled_from([*measures, 'without end "who knows"']))
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
        lines += _from_pile(draw)
    if draw(st.booleans()):
        lines += ["            roll d in 1..3", "            total += d"]
    if draw(st.booleans()):
        lines += [
            "        choose each q in Player secretly: bid in 0..tally[q]",
            "        total += sum(q in Player: bid[q])",
        ]
    if draw(st.booleans()):
        lines += _secret_block(draw, names)
    if draw(st.booleans()):
        lines += [
            f"        if possible(act{draw(st.integers(0, last))} by next(p1))",
            "            total += 2",
        ]
    if draw(st.booleans()):
        lines += _together(draw, Scope(players=["q"]))
    if draw(st.booleans()):
        lines += _subset(draw, Scope(players=["q"]))
    if draw(st.booleans()):
        lines += [
            "        choose each q in Player where tally[q] > 1 secretly: ask in 1..tally[q]",
            "        total += count(q in Player where ask[q] != none)",
        ]
    if draw(st.booleans()):
        lines += ["        if total > 30", "            end"]
    lines.append(FOOTER)
    return "\n".join(lines)


def _from_pile(draw: Draw) -> list[str]:
    """A card is taken from an end of a pile, possibly unknown to all players."""
    end, other = draw(st.sampled_from(["top", "bottom"])), draw(st.sampled_from(["top", "bottom"]))
    pile = draw(st.sampled_from(["heap[p]", "shown"]))
    goal = draw(st.sampled_from(["held[p]", "done", f"{other} of shown", f"{other} of heap[p]"]))
    return [
        f"            if {pile} is not empty",
        f"                draw c from {end} of {pile} to {goal}",
        f"                if {other} of {pile} != none",
        "                    total += 1",
    ]


def _money(draw: Draw, scope: Scope) -> str:
    """The cost of an action."""
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
