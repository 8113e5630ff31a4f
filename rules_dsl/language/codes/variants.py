"""E05 and E06: variants and examples."""

from __future__ import annotations

from rules_dsl.language.codes.explanation import Explanation

VARIANTS = (
    Explanation(
        "E0502",
        "A variant of an unknown game",
        "`of` is followed by the game or variant that is varied: one that is shipped, or a file of "
        "that name in the same folder or the one above.",
        "variant dear of countign\n    const price = 4",
        "variant dear of counting\n    const price = 4",
        "file",
    ),
    Explanation(
        "E0503",
        "Variants in a circle",
        "A variant may build on another variant, but in the end there must be a game.",
        kind="nothing",
    ),
    Explanation(
        "E0504",
        "A game and a variant in one file",
        "A file holds a game or a variant. Put the variant into a separate file; it finds its "
        "game by name.",
        "variant dear of fair\n    const price = 4",
        "# the variant is in a file of its own",
    ),
    Explanation(
        "E0505",
        "A declaration outside the variant",
        "In a variant file everything belongs to `variant`, indented, as a change: new things "
        "with `add`, others with `replace`, `amend` or `drop`.",
        "variant dear of counting\n    const price = 4\n\nconst other = 3",
        "variant dear of counting\n    const price = 4\n    add const other = 3",
        "file",
    ),
    Explanation(
        "E0506",
        "A file without a variant",
        "The file was given as a variant, but has no `variant` declaration.",
        kind="nothing",
    ),
    Explanation(
        "E0507",
        "A variant of another game",
        "The variant was written for one game and is used with another. Use it with its own game.",
        kind="nothing",
    ),
    Explanation(
        "E0510",
        "Changed twice",
        "Two changes touch the same thing, in one variant or in two that are used together. Which "
        "of them should count? Make one of both, or let one variant build on the other.",
        "const price = 4\nconst price = 5",
        "const price = 5",
        "changes",
    ),
    Explanation(
        "E0511",
        "The game has nothing of this name",
        "A change names something of the game, of the right kind. Check the spelling, and that "
        "an option is not called a ruling or a function an action.",
        "const prize = 4",
        "const price = 4",
        "changes",
    ),
    Explanation(
        "E0512",
        "Not a value of this option",
        "An option or ruling can be set to one of the values that it lists.",
        "ruling leftovers = burnt",
        "ruling leftovers = lost",
        "changes",
    ),
    Explanation(
        "E0513",
        "Nothing can come after it",
        "The rule ends with `return` or `end`, so the lines of `after` would never happen. Use "
        "`before`, or replace the rule.",
        "amend procedure closing\n    after\n        spent[ann] = 0",
        "amend procedure closing\n    before\n        spent[ann] = 0",
        "changes",
    ),
    Explanation(
        "E0514",
        "No requirement, or not exactly one",
        "A requirement is named by a part of its reason, enough of it to tell it from the others "
        "of the action.",
        'amend action buy\n    drop require "too dear"',
        'amend action buy\n    drop require "on a Sunday"',
        "changes",
    ),
    Explanation(
        "E0515",
        "No such choice, or not offered by it",
        "Options are added to (or dropped from) a choice that has a name: `choose p as main: …` "
        "in the procedure `turn` is `turn.main`.",
        "add option leave to turn.mian",
        "drop option leave from turn.main",
        "changes",
    ),
    Explanation(
        "E0516",
        "A procedure has no requirements",
        "Requirements decide whether a player may choose an action. A procedure just happens; it "
        "can be amended by what comes `before` and `after` it.",
        'amend procedure turn\n    require false "never"',
        "amend procedure turn\n    before\n        spent[p] = 0",
        "changes",
    ),
    Explanation(
        "E0601",
        "Something that cannot be given",
        "`given` puts the position of an example in order: it sets a variable or an amount of "
        "goods (`given x = 3`), places a card (`given c in hand[p]`) or calls a procedure in which "
        "no decision is made (`given build(ann)`). What must hold afterwards is `expect`.",
        'example "Rich"\n    given points[ann] > 3\n    expect points[ann] = 4',
        'example "Rich"\n    given points[ann] = 4\n    expect points[ann] = 4',
    ),
    Explanation(
        "E0602",
        "Not for this number of players",
        "An example is played with a number of players that the game allows.",
        'example "Crowd"\n    players 9\n    expect points[ann] = 0',
        'example "Crowd"\n    players 3\n    expect points[ann] = 0',
    ),
)
