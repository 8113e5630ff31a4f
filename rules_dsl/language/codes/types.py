"""E03: values of the wrong kind."""

from __future__ import annotations

from rules_dsl.language.codes.explanation import Explanation

TYPES = (
    Explanation(
        "E0301",
        "A value of the wrong kind",
        "A value of one kind is used where another is needed: a player instead of a fruit, a "
        "number instead of a condition. Both branches of `if … then … else` must be of one kind.",
        "function favourite(p: Player): Fruit = p",
        "function favourite(p: Player): Fruit = if p = ann then apple else pear",
    ),
    Explanation(
        "E0302",
        "The wrong number of values",
        "A call gives one value for each parameter, a row of a table one for each column (columns "
        "with a default may be left out at the end or given by name, after the others).",
        "function rich(p: Player, n: 0..9): bool = points[p] > n\n\n"
        "function poor(p: Player): bool = not rich(p)",
        "function rich(p: Player, n: 0..9): bool = points[p] > n\n\n"
        "function poor(p: Player): bool = not rich(p, 3)",
    ),
    Explanation(
        "E0303",
        "Missing or superfluous indices",
        "A variable that is declared with indices is used with as many: `points[p]` is the points "
        "of one player, and `points` alone means nothing. After a secret choice every player has "
        "a value: `bid[p]`.",
        "procedure reset(p: Player)\n    points = 0",
        "procedure reset(p: Player)\n    points[p] = 0",
    ),
    Explanation(
        "E0304",
        "Not to be indexed",
        "Indices are numbers of a range, players, or values of an enum or table, and only state "
        "variables, constants, pools, zones and columns have them.",
        "state\n    flags[bool]: 0..3",
        "state\n    flags[0..1]: 0..3",
    ),
    Explanation(
        "E0305",
        "Used as something that it is not",
        "A type is not a value, a function must be called with its arguments in `( )`, and "
        "variables have their indices in `[ ]`.",
        "procedure copy(p: Player)\n    points[p] = points(next(p))",
        "procedure copy(p: Player)\n    points[p] = points[next(p)]",
    ),
    Explanation(
        "E0306",
        "Not a condition",
        "`if`, `where`, `require`, `and`, `or` and `not` are followed by something that is true or "
        "false. A number must be compared with another.",
        "procedure reset(p: Player)\n    if points[p]\n        points[p] = 0",
        "procedure reset(p: Player)\n    if points[p] > 0\n        points[p] = 0",
    ),
    Explanation(
        "E0307",
        "Not a number",
        "Only numbers are added, subtracted and multiplied. `ord(x)` gives the position of a "
        "value in its enum, from 0; `next(x)` the value after it.",
        "const price = apple + 1",
        "const price = ord(apple) + 1",
    ),
    Explanation(
        "E0308",
        "Not to be compared",
        "Only values of the same kind can be equal or different, and only numbers and values of "
        "one enum have an order.",
        "procedure reset(p: Player)\n    if best = apple\n        points[p] = 0",
        "procedure reset(p: Player)\n    if best = ann\n        points[p] = 0",
    ),
    Explanation(
        "E0309",
        "A number outside its range",
        "The number can never be in the range that is declared. Ranges that may be left only in "
        "some cases are not reported here; the verifier checks those.",
        "procedure reset(p: Player)\n    points[p] = 60",
        "procedure reset(p: Player)\n    points[p] = 50",
    ),
    Explanation(
        "E0310",
        "A range without numbers",
        "A range goes from the smaller number to the larger one.",
        "state\n    round: 9..1",
        "state\n    round: 1..9",
    ),
    Explanation(
        "E0311",
        "Not known before the game starts",
        "Constants, bounds of ranges, cells of tables and initial values are computed once, "
        "before any game. They may use numbers, options, other constants, `players`, tables and "
        "functions of these, but nothing that changes in the course of a game.",
        "const lead = points[ann]",
        "const lead = players * 3",
    ),
    Explanation(
        "E0312",
        "A list of the wrong length, or in the wrong place",
        "A constant or column with indices has one value for each of them, in brackets. Elsewhere "
        "a list is the set of what it names, so it names values of an enum or numbers, and of an "
        "empty one it must be clear what it could hold.",
        "const prices[Fruit] = [1, 2]",
        "const prices[Fruit] = [1, 2, 3]",
    ),
    Explanation(
        "E0313",
        "Exact division outside scoring",
        "In the game all numbers are whole. `div` divides and rounds down, `mod` gives the rest. "
        "Exact fractions, with `/`, exist in `scoring` only.",
        "const half = 7 / 2",
        "const half = 7 div 2",
    ),
    Explanation(
        "E0314",
        "A fraction that cannot be computed",
        "`/` is followed by a constant of at least 1. Fractions can be added, subtracted and "
        "multiplied by whole numbers; `div`, `mod`, `min` and `max` are for whole numbers.",
        "game fair\n    players 2\n\nstate\n    points[Player]: 0..9\n\nplay\n    end\n\n"
        "scoring\n    score p = points[p] / 0",
        "game fair\n    players 2\n\nstate\n    points[Player]: 0..9\n\nplay\n    end\n\n"
        "scoring\n    score p = points[p] / 4",
        "file",
    ),
    Explanation(
        "E0315",
        "`none` where a value is required",
        "Only a type with `?` can be `none`: `Player?` is a player or `none`. Add the `?` where "
        "the variable is declared, or do without `none`.",
        "procedure reset(p: Player)\n    points[p] = none",
        "procedure reset(p: Player)\n    best = none",
    ),
    Explanation(
        "E0316",
        "A type that does not exist",
        "Sets are of numbers or values of an enum. They are state variables, or have a local name "
        "in a procedure; parameters and results are single values. Only single values can be "
        "optional.",
        "function taken(p: Player): set of Fruit = seen",
        "function taken(f: Fruit): bool = f in seen",
    ),
    Explanation(
        "E0317",
        "Too many possibilities",
        "Everything that is enumerated (the elements of a domain, the cells of a variable, the "
        "moves of an action) must stay within some ten thousand. Use smaller ranges, or split one "
        "decision into several.",
        "action bid(a: 0..999, b: 0..999) by p\n    points[p] = 0",
        "action bid(a: 0..9, b: 0..9) by p\n    points[p] = 0",
    ),
    Explanation(
        "E0318",
        "Division by zero",
        "Nothing can be divided by zero.",
        "const price = 3 div 0",
        "const price = 3 div 2",
    ),
    Explanation(
        "E0319",
        "A constant that takes too long",
        "Constants are computed when the game is loaded, and this one needs too many steps. Put "
        "fewer loops inside each other, or compute it in parts.",
        "const big = sum(a in 0..99, b in 0..99: sum(c in 0..99, d in 0..99: 1))",
        "const big = 100 * 100 * 100 * 100",
    ),
    Explanation(
        "E0320",
        "Goods, cards and pieces are not assigned",
        "What a pool or a zone holds changes only by `move`, so that nothing is made or lost by "
        "mistake. The same is true of the places of a `piece`. Sets change by `add` and `remove`.",
        "procedure reward(p: Player)\n    purse[p].coin = 3",
        "procedure reward(p: Player)\n    move 3 coin from bank to purse[p]",
    ),
    Explanation(
        "E0321",
        "Not to be changed",
        "State variables and local variables (`var`) can be assigned. Constants, options, "
        "parameters and names bound by `let` never change.",
        "procedure reset(p: Player)\n    let n = 3\n    n = 4\n    points[p] = n",
        "procedure reset(p: Player)\n    var n: 0..9 = 3\n    n = 4\n    points[p] = n",
    ),
    Explanation(
        "E0322",
        "A zone or a set is needed",
        "`x in …` asks whether a card is in a zone or an element in a set; cards are moved to "
        "zones, `add`, `remove`, `fill` and `clear` work on sets. A zone, a set or a pool `is "
        "empty`. For numbers in a range, compare.",
        "procedure reset(p: Player)\n    if 3 in points[p]\n        points[p] = 0",
        "procedure reset(p: Player)\n    if points[p] = 3\n        points[p] = 0",
    ),
    Explanation(
        "E0323",
        "A pool is needed, or a kind of goods",
        "Goods are moved from one pool to another. A draw from a pool with several kinds of goods "
        "says which kind: `draw t: Treasure from pile`.",
        "procedure pay(p: Player)\n    move 1 coin from points[p] to bank",
        "procedure pay(p: Player)\n    move 1 coin from purse[p] to bank",
    ),
    Explanation(
        "E0324",
        "A way that is not described",
        "`reaches`, `distance` and `component` need a function after `by` that says, for two "
        "places, whether one may step from the first to the second (or at what price; 0 means no "
        "way). `distance` also needs `within` and a limit. `spread`, `steps`, `legs` and "
        "`component of` need a relation, whose steps cost 0 or more; where there is no step, a "
        "`where` says so.",
        "function beside(p: Player): Player = next(p)\n\n"
        "function near(p: Player): bool = p in spread from ann by beside within 1",
        "relation beside on p in Player\n    to next(p)\n\n"
        "function near(p: Player): bool = p in spread from ann by beside within 1",
    ),
    Explanation(
        "E0325",
        "Not a set of elements",
        "`in` is followed by a type, a range such as `1..5`, a zone or a set. A single number is "
        "not a range.",
        "procedure count_up(p: Player)\n    for n in 5\n        points[p] = n",
        "procedure count_up(p: Player)\n    for n in 1..5\n        points[p] = n",
    ),
    Explanation(
        "E0326",
        "A start in something that is not a round",
        "`from` starts in the middle and goes round, which makes sense for the players and the "
        "values of an enum. For numbers write the range that is meant.",
        "procedure count_up(p: Player)\n    for n in 0..5 from 3\n        points[p] = n",
        "procedure count_up(p: Player)\n    for n in 3..5\n        points[p] = n",
    ),
    Explanation(
        "E0327",
        "Names for some indices only",
        "In a formula for a constant or for initial values every index has a name (`k in 0..3`), "
        "or none has. `first(…)` looks for one thing and binds one name.",
        "const doubled[a in 0..2, Fruit] = a * 2",
        "const doubled[a in 0..2, f in Fruit] = a * 2",
    ),
    Explanation(
        "E0328",
        "A name for a whole pool, zone or set",
        "`let` gives a name to a value, and `reveal` shows one. A pool, a zone or a set is a "
        "place; write it out where it is needed, or reveal its elements one by one.",
        "procedure pay(p: Player)\n    let mine = purse[p]\n    move 1 coin from mine to bank",
        "procedure pay(p: Player)\n    move 1 coin from purse[p] to bank",
    ),
)
