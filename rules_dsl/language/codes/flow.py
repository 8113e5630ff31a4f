"""E04: the course of the game and what a game must have."""

from __future__ import annotations

from rules_dsl.language.codes.explanation import Explanation

_STALL = "table Stall\n    columns price: 0..9\n    row corner: 3\n    row gate: 2\n\n"

FLOW = (
    Explanation(
        "E0401",
        "A loop or a repeated choice without a measure",
        "A loop with decisions in it, and a choice that is offered repeatedly, could go on for "
        "ever. `decreases` names one or more numbers that get smaller each time and never fall "
        "below zero; the verifier proves it. It belongs to these two only. Where a rulebook sets "
        'no limit, a loop says so and why: `while … without end "…"`; that it ends is then not '
        "claimed.",
        "procedure turn(p: Player)\n    choose p repeatedly: gain",
        "procedure turn(p: Player)\n    choose p repeatedly decreases 50 - points[p]: gain",
    ),
    Explanation(
        "E0402",
        "Defined by itself",
        "This value depends on itself: each of the names in the chain needs the next.",
        "const a = b + 1\nconst b = a + 1",
        "const a = 1\nconst b = a + 1",
    ),
    Explanation(
        "E0403",
        "A rule that calls itself",
        "A function never uses itself, directly or through others. A procedure may, if a decision "
        "is made on the way and it says what `decreases`. Without a decision, use `for`.",
        "procedure turn(p: Player)\n    choose p: gain\n    turn(next(p))",
        "procedure turn(p: Player)\n    decreases 150 - sum(q in Player: points[q])\n"
        "    choose p: gain\n    turn(next(p))",
    ),
    Explanation(
        "E0404",
        "A function without a value",
        "A function gives a value in every case. Here the end is reached without a `return`.",
        "function capped(n: 0..9): 0..9\n    if n > 3\n        return 3",
        "function capped(n: 0..9): 0..9\n    if n > 3\n        return 3\n    return n",
    ),
    Explanation(
        "E0405",
        "Never reached",
        "`return` leaves the rule and `end` ends the game: what follows them in the same "
        "block never happens.",
        "procedure reset(p: Player)\n    return\n    points[p] = 0",
        "procedure reset(p: Player)\n    points[p] = 0\n    return",
    ),
    Explanation(
        "E0406",
        "A function that changes the game",
        "A function only computes: it has `let`, `if`, `return`, and loops that change its `var`. "
        "Changes of the game belong in a procedure.",
        "function taken(n: 0..9): 0..9\n    points[ann] = n\n    return n",
        "procedure take(n: 0..9)\n    points[ann] = n",
    ),
    Explanation(
        "E0407",
        "A requirement that comes too late",
        "The requirements of an action decide whether it may be chosen, so they stand at its "
        "start; only `let` may come before or between them. Procedures have none; there an "
        "`if` decides.",
        'action spend(n: 1..9) by p\n    points[p] = 0\n    require n > 2 "too few"',
        'action spend(n: 1..9) by p\n    require n > 2 "too few"\n    points[p] = 0',
    ),
    Explanation(
        "E0408",
        "A value returned by a rule that gives none",
        "Only functions give values. In a procedure or an action `return` has no value and means: "
        "leave.",
        "procedure reset(p: Player)\n    return points[p]",
        "procedure reset(p: Player)\n    return",
    ),
    Explanation(
        "E0409",
        "No game",
        "The main file of a game starts with `game`, its name and title, and a line with the "
        "number of players. A file without it is a module, which a game includes.",
        "enum Fruit: apple, pear",
        "game fair\n    players 2\n\nplay\n    end\n\nscoring\n    score p = 0",
        "file",
    ),
    Explanation(
        "E0410",
        "The line with the players",
        "`game` is followed by one line `players 2..4` (or one number), from 1 to 20, "
        "the smaller first. If seats are named, there is a name for each of the largest number.",
        "game fair\n    players 4..2\n\nplay\n    end\n\nscoring\n    score p = 0",
        "game fair\n    players 2..4\n\nplay\n    end\n\nscoring\n    score p = 0",
        "file",
    ),
    Explanation(
        "E0411",
        "An option without a choice",
        "An option or ruling has at least two values. What cannot be chosen is a constant.",
        "option edition: second = second",
        "option edition: second, third = second",
    ),
    Explanation(
        "E0412",
        "A default that is not among the values",
        "The value after `=` is the default; it must be one of those listed.",
        "option edition: old, new = newer",
        "option edition: old, new = new",
    ),
    Explanation(
        "E0413",
        "Numbers and names mixed",
        "The values of an option are all numbers or all names, so that they can be compared.",
        "option edition: 1999, newest = 1999",
        "option edition: 1999, 2018 = 1999",
    ),
    Explanation(
        "E0414",
        "A table without rows",
        "The rows of a table are its values; a table without any has none.",
        "table Stall\n    columns price: 0..9",
        "table Stall\n    columns price: 0..9\n    row corner: 3",
    ),
    Explanation(
        "E0415",
        "Visible to an owner, but without one",
        "`visible to owner` means the player who is the first index: `hand[Player]`; `visible to "
        "others` means all but that one. What belongs to no player is seen by all, by players that "
        "are listed (`visible to [ann]`), or `hidden`.",
        "state\n    secret: 0..9 visible to owner",
        "state\n    secret[Player]: 0..9 visible to owner",
    ),
    Explanation(
        "E0416",
        "Clamped, but not a number",
        "A `clamped` number stops at the ends of its range instead of leaving it. Other values "
        "have no ends.",
        "state\n    leader: Player clamped",
        "state\n    lead: 0..9 clamped",
    ),
    Explanation(
        "E0417",
        "A set that starts with a single thing",
        "A set starts empty, with a list of its elements, or with any other set that is known "
        "before the game starts.",
        "state\n    tried: set of Fruit = apple",
        "state\n    tried: set of Fruit = [apple]",
    ),
    Explanation(
        "E0418",
        "A pool without goods",
        "A pool holds goods, and the game declares none.",
        "game fair\n    players 2\n\nstate\n    pool chest\n\nplay\n    end\n\n"
        "scoring\n    score p = 0",
        "game fair\n    players 2\n\ngood coin limit 5\n\nstate\n    pool chest bank\n\n"
        "play\n    end\n\nscoring\n    score p = 0",
        "file",
    ),
    Explanation(
        "E0419",
        "A bank for each index",
        "A bank is the one place in which a good starts. A pool with indices is many places.",
        "game fair\n    players 2\n\ngood coin limit 5\n\nstate\n    pool chest[Player] bank\n\n"
        "play\n    end\n\nscoring\n    score p = 0",
        "game fair\n    players 2\n\ngood coin limit 5\n\nstate\n    pool chest bank\n\n"
        "play\n    end\n\nscoring\n    score p = 0",
        "file",
    ),
    Explanation(
        "E0420",
        "Cards that start in one of several places",
        "Cards start in one place, such as a deck. Where a zone has indices, name them and say in "
        "which of its places a card starts, or deal the cards in `setup`.",
        _STALL + "state\n    zone hand[Player] of Stall holds all",
        _STALL + "state\n    zone deck of Stall holds all\n    zone hand[Player] of Stall",
    ),
    Explanation(
        "E0421",
        "A card that starts in two zones",
        "A card is in one place at a time. The conditions after `holds` overlap.",
        _STALL + "state\n    zone deck of Stall holds all\n"
        "    zone market of Stall holds x where x.price > 2",
        _STALL + "state\n    zone deck of Stall holds x where x.price <= 2\n"
        "    zone market of Stall holds x where x.price > 2",
    ),
    Explanation(
        "E0422",
        "A card that starts nowhere",
        "If a table has zones, each of its rows starts in one of them.",
        _STALL + "state\n    zone deck of Stall holds x where x.price > 2",
        _STALL + "state\n    zone deck of Stall holds all",
    ),
    Explanation(
        "E0423",
        "A good with two banks",
        "All goods that are in no other pool are in the bank; with two banks it is unclear in "
        "which. Name the goods of each bank with `of`.",
        "state\n    pool treasury bank",
        "state\n    pool treasury",
    ),
    Explanation(
        "E0424",
        "A good without a limit and without a bank",
        "Either a good has a limit (`limit 5`), or it comes from a bank, which never runs out.",
        "game fair\n    players 2\n\ngood coin\n\nstate\n    pool chest\n\n"
        "play\n    end\n\nscoring\n    score p = 0",
        "game fair\n    players 2\n\ngood coin\n\nstate\n    pool chest bank\n\n"
        "play\n    end\n\nscoring\n    score p = 0",
        "file",
    ),
    Explanation(
        "E0425",
        "The numbers of a good do not agree",
        "The pools start with more of a good than its limit, or, without a bank to take the rest, "
        "with fewer.",
        "state\n    pool chest holds 25 coin",
        "state\n    pool chest holds 15 coin",
    ),
    Explanation(
        "E0426",
        "The state is too large",
        "All variables and pools together have more cells than a game can have. Boards of a few "
        "hundred spaces are small enough; tables over several long ranges are not.",
        "state\n    a[0..40000]: 0..1\n    b[0..40000]: 0..1",
        "state\n    a[0..400]: 0..1\n    b[0..400]: 0..1",
    ),
    Explanation(
        "E0427",
        "A parameter that no player chooses",
        "The parameters of an action are chosen by a player and may come from a domain (`b in "
        "display`). Functions and procedures get theirs from their callers; they have a type.",
        "procedure give(n in 0..5)\n    points[ann] = n",
        "procedure give(n: 0..5)\n    points[ann] = n",
    ),
    Explanation(
        "E0429",
        "A waiver for nothing",
        "`waive` names an obligation and the rule that it is waived for: an action, a procedure, "
        "an invariant, a variable and so on. Nothing in the game has this name, so that the "
        "waiver would never be used.",
        'waive progress gian "it is a puzzle"',
        'waive progress gain "it is a puzzle"',
    ),
    Explanation(
        "E0430",
        "An unknown obligation",
        "`waive` names what need not be proved: init, invariant, safety, conservation, progress, "
        "termination, views, liveness, examples or agreement.",
        'waive progres gain "it is a puzzle"',
        'waive progress gain "it is a puzzle"',
    ),
    Explanation(
        "E0431",
        "Scoring is missing or does not have one score",
        "A game has one `scoring` section with one `score` line, which says how many points each "
        "player has at the end, and any number of `tie` lines.",
        "game fair\n    players 2\n\nplay\n    end",
        "game fair\n    players 2\n\nplay\n    end\n\nscoring\n    score p = 0",
        "file",
    ),
    Explanation(
        "E0432",
        "The `play` section is missing",
        "The `play` section says what happens from the first turn to the end of the game.",
        "game fair\n    players 2\n\nscoring\n    score p = 0",
        "game fair\n    players 2\n\nplay\n    end\n\nscoring\n    score p = 0",
        "file",
    ),
    Explanation(
        "E0433",
        "A `while` loop without a decision",
        "`while` is for the course of the game, where players or chance decide something in each "
        "round. To visit elements one by one, use `for`.",
        "procedure reset(p: Player)\n    while points[p] > 0 decreases points[p]\n"
        "        points[p] -= 1",
        "procedure reset(p: Player)\n    points[p] = 0",
    ),
    Explanation(
        "E0435",
        "A relation between too many nodes",
        "`reaches`, `distance` and `component` walk from node to node, and every node may be a "
        "neighbour of every other. The parameters of the relation must have a type of at most "
        "1,000 values, more than any board has fields. A `relation` lists the neighbours of each "
        "place and may test 20,000 pairs of places in all: keep them in a constant, one for "
        "each direction.",
        "function near(a: 0..9999, b: 0..9999): bool = a = b + 1\n\n"
        "function far(): bool = not reaches(0, 9 by near)",
        "function near(a: 0..99, b: 0..99): bool = a = b + 1\n\n"
        "function far(): bool = not reaches(0, 9 by near)",
    ),
    Explanation(
        "E0436",
        "A function with too many steps",
        "A function is one expression in the end: what follows an `if` belongs to each of its "
        "branches that does not return. Many such branches one after another make more paths "
        "than there is room for; 500 steps on all paths and 100 on one are allowed. Return "
        "early, or put parts into functions of their own.",
        kind="nothing",
    ),
    Explanation(
        "E0437",
        "The game is too large",
        "A game may have 500 decisions and draws, ten times as many as a large game has; an action "
        "with many requirements counts several times. The generated code may have 500,000 "
        "characters, and the work done at once, such as loops in loops, may take a thousand "
        "million steps. Let rules share procedures and actions instead of repeating them.",
        kind="nothing",
    ),
    Explanation(
        "E0438",
        "Rows for each of something else",
        "A row is repeated `for each p in Player`, so that every seat has one. For "
        "other kinds, write the rows one by one.",
        "table Stall\n    columns fruit: Fruit\n"
        "    row hut for each f in Fruit: f\n    row inn: pear",
        'table Stall\n    columns owner: Player\n    row hut "Hut" for each p in Player: p',
    ),
    Explanation(
        "E0439",
        "An impossible number of copies",
        "A row has at least one copy, and at most 200.",
        "table Stall\n    columns price: 0..9\n    row hut copies 0: 3\n    row inn: 2",
        "table Stall\n    columns price: 0..9\n    row hut copies 2: 3",
    ),
    Explanation(
        "E0441",
        "Not allowed in a secret block",
        "Below `choose each p in Player secretly` is what each player chooses before anything "
        "is revealed: choices of that player, and nothing else. What follows from them comes "
        "after the block; there `bid[p]` is what p has chosen.",
        "procedure auction()\n    choose each p in Player secretly\n"
        "        choose p: bid in 0..3\n        points[p] += bid",
        "procedure auction()\n    choose each p in Player secretly\n"
        "        choose p: bid in 0..3\n    for p in Player\n        points[p] += bid[p]",
    ),
    Explanation(
        "E0442",
        "Not allowed in `together`",
        "The choices below `together` are offered only if all of them can be made. That is found "
        "out by trying, so they are in one place: choices of players and what follows from them, "
        "with `if`, `for` and `while`; no chance, no secret choices of several players, nothing "
        "that leaves the rule, and no procedures or actions with decisions of their own.",
        "procedure pay(p: Player)\n    together\n        roll d in 1..6\n"
        "        choose p: n in 1..points[p] where n > d",
        "procedure pay(p: Player)\n    roll d in 1..6\n    together\n"
        "        choose p: n in 1..points[p] where n > d",
    ),
    Explanation(
        "E0443",
        "A set that cannot be chosen, named or changed like this",
        "`choose p: fruits among 1..2 of Fruit` chooses several things at once, in no order, from "
        "a type, a range, a zone or a set of at most 60 elements. The chosen set is read (`x in "
        "fruits`, `for x in fruits`) and does not change; nor does a set that `let` names. A `var` "
        "does. A local name stands for a set of at most 60 elements; a set of the state that is "
        "assigned has at most 1,000.",
        "procedure eat(p: Player)\n    choose p: fruits among Fruit\n    remove apple from fruits",
        "procedure eat(p: Player)\n    choose p: fruits among Fruit\n"
        "    for x in fruits where x != apple\n        add x to seen",
    ),
    Explanation(
        "E0444",
        "A question that cannot be asked",
        "`possible(gain by p)` says whether p could choose the action now: whether some choice of "
        "the arguments that are not given meets all its requirements. In an action, `by` may be "
        "left out. An action that begins with `together` cannot be asked about, and what an action "
        "requires cannot ask, in a circle, whether the action itself is possible.",
        "function busy(): bool = possible(gain)",
        "function busy(): bool = some p in Player: possible(gain by p)",
    ),
    Explanation(
        "E0445",
        "Not an order",
        "An order holds every value of an enum, each in a place of its own: `turn: order of "
        "Player` in the state. It starts as the values are declared, everybody sees it, and its "
        "elements move: `move p to back of turn`, `move p behind q in turn`. It has no indices "
        "of its own and at most 32 elements.",
        "state\n    turn: 1..3\n\nprocedure rest(p: Player)\n    move p to back of turn",
        "state\n    turn: order of Player\n\nprocedure rest(p: Player)\n    move p to back of turn",
    ),
    Explanation(
        "E0446",
        "A loop that a function cannot have",
        "A loop in a function runs over at most 64 elements and gathers a value in one "
        "`var`, declared at its start. It runs to its end (`return` follows it) and takes "
        "its elements as they are: no `keeps`, no `by`, no `from` and no order.",
        "function most_points(): 0..50\n    var high: 0..50 = 0\n    for p in Player\n"
        "        if points[p] > high\n            return points[p]\n    return high",
        "function most_points(): 0..50\n    var high: 0..50 = 0\n    for p in Player\n"
        "        if points[p] > high\n            high = points[p]\n    return high",
    ),
    Explanation(
        "E0447",
        "An action that leaves out what follows it",
        "`procedure joy(p: Player) whenever cheer` is carried out after everything that the action "
        "`cheer` does. A `return` in the action would pass it over.",
        "action cheer by p\n    if points[p] > 3\n        return\n    points[p] += 1\n\n"
        "procedure joy(p: Player) whenever cheer\n    best = p",
        "action cheer by p\n    if points[p] <= 3\n        points[p] += 1\n\n"
        "procedure joy(p: Player) whenever cheer\n    best = p",
    ),
    Explanation(
        "E0448",
        "Pieces and their places",
        "`piece worker[Player] limit 6` names variables of the state that hold the workers of each "
        "player together: after `in`, piles that count them (`hand[Player]: 0..6 = 6`); after "
        "`on`, spots that say whose worker stands there (`field[0..9]: Player? = none`). Everybody "
        "sees them, no variable serves twice, and at the start the piles hold all. A worker moves: "
        "`move worker[p] from hand to field[k]`, or any, `move field[k] to hand`.",
        "state\n    hand[Player]: 0..6 = 5\n    field[0..9]: Player? = none\n\n"
        "piece worker[Player] limit 6\n    in hand\n    on field",
        "state\n    hand[Player]: 0..6 = 6\n    field[0..9]: Player? = none\n\n"
        "piece worker[Player] limit 6\n    in hand\n    on field",
    ),
    Explanation(
        "E0451",
        "Not a pile, or no end of it",
        "A pile is a zone with an order: `pile deck of Card holds all hidden` in the state. "
        "Cards come to its top or its bottom and are drawn from there; `shuffle deck` makes "
        "its order unknown, and `shuffle discard into deck` adds cards. Other zones have no "
        "order. A pile has at most 120 cards.",
        "table Card\n    row ace\n    row king\n\nstate\n    pile deck of Card holds all hidden\n"
        "    zone hand[Player] of Card visible to owner\n\n"
        "procedure deal(p: Player)\n    draw c from deck\n    move c to hand[p]",
        "table Card\n    row ace\n    row king\n\nstate\n    pile deck of Card holds all hidden\n"
        "    zone hand[Player] of Card visible to owner\n\n"
        "procedure deal(p: Player)\n    draw c from top of deck to hand[p]",
    ),
    Explanation(
        "E0452",
        "A ghost that play would depend on",
        "`ghost dug[Player]: 0..12` in the state is for proofs: rules change it, and invariants, "
        "contracts, `assert`, measures and changes of ghosts read it. In play it does not exist, "
        "so nothing that players choose, see or score may depend on it, no piece stands there "
        "and no example mentions it.",
        "state\n    ghost dug[Player]: 0..12\n\naction rest by p\n    require dug[p] > 3",
        "state\n    dug[Player]: 0..12\n\naction rest by p\n    require dug[p] > 3",
    ),
    Explanation(
        "E0450",
        "Two moves that are written alike",
        "People who type or read a move must know which one is meant. `rules check` plays a "
        "few random games and compares the texts of all moves at each decision; the message "
        "names two that are the same and what differs after them. Most often a parameter is "
        'missing in the text of an action: write `"take {i}"` for `"take"`.',
        kind="nothing",
    ),
)
