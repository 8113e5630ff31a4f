"""E02: names that stand for nothing, or for too much."""

from __future__ import annotations

from rules_dsl.language.codes.explanation import Explanation

NAMES = (
    Explanation(
        "E0201",
        "An unknown name",
        "Nothing in the game has this name. If it is misspelt, the hint says what may be meant. "
        "Names that are declared inside a rule (`let`, parameters, the name of a `for`) are known "
        "only there.",
        "procedure reset(p: Player)\n    pionts[p] = 0",
        "procedure reset(p: Player)\n    points[p] = 0",
    ),
    Explanation(
        "E0202",
        "Declared twice",
        "Every name belongs to one thing, so that a reader, and a variant, knows which is meant. "
        "Only values of different enums may share a name. There is one `setup`, one `play` and "
        "one `scoring`.",
        "const price = 3\nconst price = 4",
        "const price = 3\nconst other_price = 4",
    ),
    Explanation(
        "E0203",
        "An unknown type",
        "A type is a range of numbers (`0..10`), `bool`, `Player`, or the name of an enum, a "
        "table or a kind of goods. There is no type for numbers without bounds.",
        "state\n    round: int",
        "state\n    round: 1..10",
    ),
    Explanation(
        "E0204",
        "A value that could be of two kinds",
        "Two enums have a value of this name, and the place does not decide which is meant. Write "
        "the enum in front of it.",
        "enum Phone: apple, nokia\n\nconst favourite = apple",
        "enum Phone: apple, nokia\n\nconst favourite = Fruit.apple",
    ),
    Explanation(
        "E0205",
        "A cite of an unknown source",
        "The sources that cites refer to are declared below `game`, each with a short name: "
        '`source R "Rulebook, 2018"`.',
        "const price = 3 [S 4]",
        "const price = 3 [R 4]",
    ),
    Explanation(
        "E0206",
        "No such part",
        "What follows the dot is not part of what precedes it: an enum has values, a "
        "row of a table has the columns, functions and procedures of its table, a pool has goods.",
        "const favourite = Fruit.aple",
        "const favourite = Fruit.apple",
    ),
    Explanation(
        "E0207",
        "Not a good of this pool",
        "Goods are declared with `good` or `goods`. A pool holds all of them, or those that are "
        "named after `of`.",
        "procedure reset(p: Player)\n    if purse[p].coins > 3\n        points[p] = 0",
        "procedure reset(p: Player)\n    if purse[p].coin > 3\n        points[p] = 0",
    ),
    Explanation(
        "E0208",
        "A word of the language as a name",
        "Words such as `next`, `count` or `pass` have a meaning of their own and cannot name "
        "something else.",
        "const next = 3",
        "const next_price = 3",
    ),
    Explanation(
        "E0209",
        "No such player",
        "Seats have the names given after `named`, or `p1`, `p2` and so on. In a game with fewer "
        "players the last seats are empty: say for how many `players` an example is.",
        'example "Winning"\n    players 2\n    expect winners cem',
        'example "Winning"\n    players 3\n    expect winners cem',
    ),
    Explanation(
        "E0210",
        "No such action",
        "A choice offers actions, which are declared with `action`. To let a player choose a "
        "value, write `choose p: x in …`.",
        "procedure turn(p: Player)\n    choose p: gian",
        "procedure turn(p: Player)\n    choose p: gain",
    ),
    Explanation(
        "E0211",
        "Not a procedure",
        "A line with a name and arguments calls a procedure. An action is not called but chosen "
        "by a player; a function gives a value and does nothing.",
        "procedure turn(p: Player)\n    gain(p)",
        "procedure turn(p: Player)\n    choose p: gain",
    ),
    Explanation(
        "E0212",
        "No such option or ruling",
        "`with` in an example sets an option or a ruling of the game, by its name.",
        'option open: bool = false\n\nexample "Open"\n    with opn = true\n'
        "    expect points[ann] = 0",
        'option open: bool = false\n\nexample "Open"\n    with open = true\n'
        "    expect points[ann] = 0",
    ),
    Explanation(
        "E0213",
        "A label for nothing",
        "`label` gives something that is declared elsewhere a text for people. Nothing has this "
        "name.",
        'label appel "Apple"',
        'label apple "Apple"',
    ),
    Explanation(
        "E0214",
        "A name that is in use",
        "A name inside a rule must differ from the other names in sight: those of the rule and "
        "those of the game. Otherwise a reader could take one for the other.",
        "procedure reset(p: Player)\n    let best = 3\n    points[p] = best",
        "procedure reset(p: Player)\n    let most = 3\n    points[p] = most",
    ),
)
