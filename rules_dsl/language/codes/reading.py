"""E01: a file that cannot be read as rules."""

from __future__ import annotations

from rules_dsl.language.codes.explanation import Explanation

READING = (
    Explanation(
        "E0101",
        "Something else is expected here",
        "The line is fine up to the caret; what follows is unexpected or missing: it "
        "cannot follow. The hint says what could stand at that place. Often a word is misspelt, a "
        "comma or an operator is missing, or a notation of another language is used: equality is "
        "written with one `=`, blocks have no colon.",
        "const price = 3 4",
        "const price = 34",
    ),
    Explanation(
        "E0102",
        "A character without a meaning",
        "This character is not used in the rule language outside strings and comments. Strings "
        'stand in double quotes ("…"), lines need no semicolon, and the words `and`, `or`, `not` '
        "and `mod` stand for signs that other languages use.",
        "const price = 3;",
        "const price = 3",
    ),
    Explanation(
        "E0103",
        "A tab in the indentation",
        "Editors show tabs with different widths, so that it is unclear how deep a line is "
        "indented. Indent with four spaces for each level; most editors can do that when the tab "
        "key is pressed.",
        "procedure reset(p: Player)\n\tpoints[p] = 0",
        "procedure reset(p: Player)\n    points[p] = 0",
    ),
    Explanation(
        "E0104",
        "Uneven indentation",
        "Lines that belong together start in the same column. This line is indented less than "
        "those above it, but not as far out as any line that opened a block.",
        "procedure reset(p: Player)\n    if points[p] > 9\n            points[p] = 9\n"
        "        points[p] = 0",
        "procedure reset(p: Player)\n    if points[p] > 9\n        points[p] = 9\n"
        "    points[p] = 0",
    ),
    Explanation(
        "E0105",
        "A bracket that is never closed",
        "Every `(` needs its `)` and every `[` its `]`. Inside brackets a line may be broken "
        "freely, which is why the end is looked for in the following lines too.",
        "const price = (1 + 2",
        "const price = (1 + 2)",
    ),
    Explanation(
        "E0106",
        "A string that is not closed",
        'A string starts and ends with `"` on the same line. For a quote inside a string write '
        '`\\"`.',
        'label apple "Apple',
        'label apple "Apple"',
    ),
    Explanation(
        "E0107",
        "A character from another alphabet",
        "Names are written with the letters A to Z, digits and `_`. Some letters and signs look "
        "alike and are not the same: a Cyrillic `а`, a typographic minus or curly quotes, which "
        "word processors like to put in. All characters may be used in strings and comments.",
        "const \u0440rice = 3",
        "const price = 3",
    ),
    Explanation(
        "E0108",
        "Nested too deeply",
        "Brackets inside brackets, or blocks inside blocks, are allowed up to a limit that no "
        "readable rule comes near. Give the inner parts a name: with `let`, as a `function`, or "
        "as a `procedure`. A very long sum or list of conditions counts as nested, too.",
        "const price = " + "(" * 61 + "1" + ")" * 61,
        "const price = 1",
    ),
    Explanation(
        "E0109",
        "The file, or a line of it, is too long",
        "A rule file may have 60,000 characters, twice as many as the largest file of a shipped "
        "game. Split a longer one into modules and put them together with `include`. A line may "
        "have 5,000 characters; `rules fmt` breaks long lines in the usual places.",
        kind="nothing",
    ),
    Explanation(
        "E0110",
        "Not the start of a declaration",
        "A line at the left margin starts a declaration, and its first word says of what kind: "
        "`const`, `enum`, `state`, `action`, `procedure` and so on. In a variant each change "
        "starts with `const`, `option`, `ruling`, `amend`, `replace`, `add`, `drop`, `label` or "
        "`example`. What happens in the game belongs inside a declaration, indented.",
        "enmu Colour: red, green",
        "enum Colour: red, green",
    ),
    Explanation(
        "E0111",
        "A name that starts with an underscore",
        "Names start with a letter. Underscores may stand inside a name or at its end.",
        "const _price = 3",
        "const price = 3",
    ),
    Explanation(
        "E0112",
        "A number that is too large",
        "Numbers in rules go up to a thousand million, and what is calculated from constants up "
        "to a million millions.",
        "const price = 99999999999",
        "const price = 999",
    ),
    Explanation(
        "E0113",
        "Not a text file in UTF-8",
        "Rule files are plain text in the UTF-8 encoding. This one has bytes that do not occur in "
        "it: it may be in an older encoding (choose “Save as … UTF-8” in the editor) or no text "
        "at all. Characters that cannot be seen are refused, too: those that steer a terminal, and "
        "those that turn the direction of writing, so that a line reads other than it is.",
        kind="nothing",
    ),
    Explanation(
        "E0115",
        "A file that cannot be found or read",
        "`include` names a file relative to the folder of the file that includes it. Check the "
        "spelling, the folder and the `.rules` at the end.",
        'include "stalls.rules"',
        "# no include",
    ),
    Explanation(
        "E0116",
        "Not a cite",
        "A cite says where in the rulebook a rule stands: the short name of the source, one or "
        "more pages, and the heading in quotes. Page or heading may be left out. Several cites "
        "are separated by `;`.",
        "const price = 3 [R 4 prices]",
        'const price = 3 [R 4 "Prices"]',
    ),
    Explanation(
        "E0117",
        "A value where something should happen",
        "In the body of a procedure or an action every line does something. A value alone does "
        "nothing: assign it, compare it in an `if`, or call a procedure.",
        "procedure reset(p: Player)\n    points[p] + 1",
        "procedure reset(p: Player)\n    points[p] = points[p] + 1",
    ),
    Explanation(
        "E0118",
        "A closing bracket too many",
        "This `)` or `]` closes nothing: there is no opening bracket left that it could belong to.",
        "const price = (1 + 2))",
        "const price = (1 + 2)",
    ),
    Explanation(
        "E0119",
        "A line that needs a block has none",
        "This line opens a block: what belongs to it must follow, indented by four spaces. An "
        "action may do nothing at all; a procedure, an `if` or a loop may not.",
        "procedure reset(p: Player)",
        "procedure reset(p: Player)\n    points[p] = 0",
    ),
    Explanation(
        "E0120",
        "An indented line at the start",
        "Declarations start at the left margin. This line is indented although there is nothing "
        "above it that it could belong to.",
        "    const price = 3\n\nconst other = 4",
        "const price = 3\n\nconst other = 4",
        "file",
    ),
    Explanation(
        "E0121",
        "An indented line below one that opens no block",
        "Only lines such as `if …`, `for …`, `procedure …` or `state` have lines below them. "
        "Indent this line like the one above it. A long line may continue on the next one inside "
        "brackets, after a comma, or if the next one starts with a string or a cite.",
        "const price = 3\n    const other = 4",
        "const price = 3\nconst other = 4",
    ),
    Explanation(
        "E0122",
        "A pool holds goods, a zone holds cards",
        "A pool starts with amounts of goods (`holds 5 coin`), a zone with cards: all of them "
        "(`holds all`) or some (`holds c where …`). The pool in which goods start by themselves "
        "is marked `bank`.",
        "state\n    pool chest holds all",
        "state\n    pool chest holds 5 coin",
    ),
    Explanation(
        "E0123",
        "A reason after a list of actions",
        "A choice among actions needs no reason: each action says itself, in its `require` lines, "
        "why it may not be chosen. A reason belongs to a choice of values.",
        'procedure turn(p: Player)\n    choose p: gain "you may not gain"',
        "procedure turn(p: Player)\n    choose p: gain",
    ),
    Explanation(
        "E0124",
        "Choosing values again and again",
        "`choose … repeatedly` offers actions until the player stops. To choose several values, "
        "make an action with a parameter and offer it repeatedly, or write the choice in a loop.",
        "procedure turn(p: Player)\n    choose p repeatedly: f in Fruit",
        "procedure turn(p: Player)\n    choose p: f in Fruit",
    ),
    Explanation(
        "E0125",
        "A text with a faulty part in braces",
        "In notations and reasons, `{…}` shows the value of an expression: `{p}`, `{points[p]}`. "
        "Every `{` needs its `}`, and what is between must be a single value that can be "
        "shown. For a plain brace write `\\{` or `\\}`. A translation shows the same parts: "
        '`"give {f}" ru "отдать {f}"`.',
        'action give(f: Fruit) by p "give {f"\n    points[p] = 1',
        'action give(f: Fruit) by p "give {f}"\n    points[p] = 1',
    ),
    Explanation(
        "E0126",
        "`before` outside `ensures`",
        "`before(x)` is the number that `x` was when a rule began. Only what the rule ensures can "
        "look back like that; in the rule itself, keep the number in a `let`. It is computed "
        "once, at the start, so it cannot use names bound by an `every` or `sum` around it.",
        "procedure pay(p: Player)\n    points[p] -= 1\n    assert points[p] < before(points[p])",
        "procedure pay(p: Player)\n    ensures points[p] < before(points[p])\n    points[p] -= 1",
    ),
    Explanation(
        "E0130",
        "No such game or file",
        "A game is named by the name it is shipped under (see `rules list`) or by the path of its "
        "file, with `.rules` at the end.",
        kind="nothing",
    ),
)
