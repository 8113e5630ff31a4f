"""Rule sets that tell a player what is hidden, each with a repaired twin.

All are the same small game but for what is written here: two players have a card and a number that
only they see.
"""

from __future__ import annotations

from attrs import frozen

_BASE = """\
game leak
    players 2 named ann, bob

table Card
    columns worth: 1..4
    row ten: 1
    row jack: 2
    row queen: 3
    row king: 4

good coin limit 8

state
    zone deck of Card holds all hidden
    zone hand[Player] of Card visible to owner
    zone shown of Card
    secret[Player]: 0..3 = 0 visible to owner
    grid[0..3]: 0..3 = 0 hidden
    marker: 0..9 = 0
    board[0..3]: 0..9 = 0
    rounds: 0..3 = 0
    pool purse holds 8 coin
    pool pot

function linked(a: 0..3, b: 0..3): bool = a != b and grid[a] > 1 and grid[b] > 1

relation dark on k in 0..3
    to (k + 1) mod 4 where grid[k] > 1

relation lit on k in 0..3
    to (k + 1) mod 4 where board[k] > 1

action go by p
    rounds += 0

procedure note(n: 0..9)
    marker = n

procedure bump()
    marker = 1
{declarations}
setup
    for p in Player
        draw c from deck
        move c from deck to hand[p]
        draw s in 0..3
        secret[p] = s
    for k in 0..3
        draw g in 0..3
        grid[k] = g

play
    choose ann: go
{play}
    choose ann: go

scoring
    score p = {score}
"""


@frozen
class Leak:
    """A leak and its repair: what is added to the game in each."""

    name: str
    leaking: str
    mended: str
    declarations: tuple[str, str] = ("", "")
    score: tuple[str, str] = ("marker", "marker")
    # Whether two games show it that differ only in what is hidden; a mere chance does not.
    played: bool = True

    @property
    def bad(self) -> str:
        """The rules that leak."""
        return with_secrets(self.leaking, self.declarations[0], self.score[0])

    @property
    def good(self) -> str:
        """The rules that do not."""
        return with_secrets(self.mended, self.declarations[1], self.score[1])


def with_secrets(play: str, declarations: str, score: str) -> str:
    """The small game, with something to play, more declarations and a score."""
    lines = "".join(f"    {line}\n" for line in play.strip("\n").splitlines())
    more = f"\n{declarations.strip()}\n" if declarations else ""
    return _BASE.format(declarations=more, play=lines.rstrip("\n"), score=score)


def _actions(bad: str, good: str) -> tuple[str, str]:
    return bad, good


def _legs(relation: str, sources: str, stops: str, within: str = "1") -> str:
    """How many legs a way takes, from and to what is written in some cells."""
    return (
        f"(legs from each k in 0..3 where {sources}[k] = 1 to 3 by {relation} within {within}"
        f" stopping at each k in 0..3 where {stops}[k] = 2 up to 2)"
    )


def _hush(test: str) -> str:
    """A rule for a player or nobody, which gives away the deck if nobody is meant."""
    return (
        "procedure hush(q: Player?)\n    choose ann: go\n"
        f"    for c in deck where q = none and {test}\n        move c from deck to hand[bob]"
    )


_OPEN_TO_OTHERS = """\
state
    zone back[Player] of Card visible to others
    veiled[Player]: 0..3 = 0 visible to others
    lent[p in Player]: 0..3 = 0 visible to [next(p)]
"""


def _held(card: str) -> str:
    """A card that its holder does not look at, and what follows."""
    return f"draw c from deck\nmove c from deck to back[ann]\n{card}"


_TWO_REVEALS = """\
procedure first_line()
    reveal rounds

procedure second_line()
    reveal marker
"""


def _lines(one: str, two: str) -> str:
    """Two lines of the log, in one order or in the other."""
    never = "    if rounds = 3\n        choose ann: go"
    ways = (
        f"    {a}_line()\n    {b}_line()\n{never}" for a, b in ((one, two), ("second", "first"))
    )
    return "rounds = 0\nif secret[bob] > 1\n{}\nelse\n{}".format(*ways)


LEAKS = [
    Leak(
        "order_of_what_is_revealed",
        _lines("first", "second"),
        _lines("second", "first"),
        (_TWO_REVEALS, _TWO_REVEALS),
    ),
    Leak(
        "only_the_others_see_it",
        _held("if c.worth > 2\n    marker = 1"),
        _held("reveal c to ann\nif c.worth > 2\n    marker = 1"),
        (_OPEN_TO_OTHERS, _OPEN_TO_OTHERS),
    ),
    Leak(
        "offered_to_who_does_not_see_it",
        _held("choose ann: d in back[ann] where d.worth > 1\nmarker = 1"),
        _held("choose bob optionally: d in back[ann] where d.worth > 4"),
        (_OPEN_TO_OTHERS, _OPEN_TO_OTHERS),
    ),
    Leak(
        "copied_to_the_wrong_neighbour",
        "veiled[bob] = secret[bob]\nlent[bob] = 1",
        "veiled[ann] = secret[bob]\nlent[ann] = secret[bob]",
        (_OPEN_TO_OTHERS, _OPEN_TO_OTHERS),
    ),
    Leak(
        "laid_down_unseen",
        _held("move c from back[ann] to shown\nif c = king\n    move c from shown to deck"),
        _held("move c from back[ann] to shown\nif c = king\n    marker = 1"),
        (_OPEN_TO_OTHERS, _OPEN_TO_OTHERS),
    ),
    Leak("assignment", "marker = secret[bob]", "reveal secret[bob]\nmarker = secret[bob]"),
    Leak("local", "let x = secret[bob]\nmarker = x + 1", "let x = secret[bob]\nmarker = 0 * x"),
    Leak(
        "local_across_a_decision",
        "let x = secret[bob]\nchoose ann: go\nmarker = x",
        "let x = secret[bob]\nchoose ann: go\nreveal x\nmarker = x",
    ),
    Leak(
        "variable",
        "var x: 0..3 = 0\nfor p in Player\n    x = secret[p]\nmarker = x",
        "var x: 0..3 = 0\nfor p in Player\n    x = secret[p]\nx = 2\nmarker = x",
    ),
    Leak("index", "board[secret[bob]] = 1", "reveal secret[bob]\nboard[secret[bob]] = 1"),
    Leak(
        "amount_of_goods",
        "move secret[bob] coin from purse to pot",
        "reveal secret[bob]\nmove secret[bob] coin from purse to pot",
    ),
    Leak(
        "loop_count",
        "for k in 1..secret[bob]\n    marker += 1",
        "for k in 1..secret[bob]\n    secret[bob] = 3",
    ),
    Leak("argument", "note(secret[bob])", "note(rounds)"),
    Leak("branch_that_calls", "if secret[bob] > 1\n    bump()", "if secret[bob] > 9\n    bump()"),
    Leak(
        "branch_that_moves_a_card",
        "if secret[bob] > 1\n    for c in deck\n        move c from deck to shown",
        "for c in deck\n    move c from deck to shown",
    ),
    Leak(
        "branch_that_rolls",
        "if secret[bob] > 1\n    roll d in 1..6\n    marker = d",
        "if rounds > 1\n    roll d in 1..6\n    marker = d",
    ),
    Leak(
        "branch_that_draws_unseen",
        "if secret[bob] > 1\n    draw d in 0..3\n    grid[0] = d",
        "draw d in 0..3\nif secret[bob] > 1\n    grid[0] = d",
        played=False,
    ),
    Leak(
        "branch_that_asks",
        "if secret[bob] > 1\n    choose bob: go",
        "if rounds < 1\n    choose bob: go",
    ),
    Leak(
        "who_is_asked",
        "choose (if secret[bob] > 1 then ann else bob): go",
        "choose (if rounds > 1 then ann else bob): go",
    ),
    Leak(
        "count_of_one_card",
        "marker = count(c in hand[bob] where c = king)",
        "marker = count(c in hand[bob])",
    ),
    Leak("best_card", "marker = max(c in hand[bob]: c.worth)", "marker = count(c in deck)"),
    Leak(
        "notation",
        'choose ann as take "take {n} of {secret[bob]}": n in 0..2',
        'choose ann as take "take {n} of {rounds}": n in 0..2',
    ),
    Leak(
        "reason",
        "choose ann: go, buy",
        "choose ann: go, buy",
        _actions(
            'action buy by p\n    require rounds > 0 "bob has {secret[next(p)]}"',
            'action buy by p\n    require rounds > 0 "you have {secret[p]}"',
        ),
    ),
    Leak(
        "value_that_explains",
        "choose ann: go, buy",
        "choose ann: go, buy",
        _actions(
            'action buy by p\n    require secret[next(p)] + rounds > rounds + 3 "never"',
            'action buy by p\n    require secret[p] + rounds > rounds + 3 "never"',
        ),
    ),
    Leak(
        "requirement",
        "choose ann: go, buy",
        "choose ann: go, buy",
        _actions(
            'action buy by p\n    require king in hand[next(p)] "no king"',
            'action buy by p\n    require king in hand[p] "no king"',
        ),
    ),
    Leak(
        "range_of_a_choice",
        "choose ann: n in 0..secret[bob]",
        "choose bob: n in 0..secret[bob]",
    ),
    Leak(
        "moves_in_the_text_of_others",
        'choose bob as say "say {n + secret[bob]}": n in 0..2',
        'choose bob as say "say {n}": n in 0..2',
    ),
    Leak(
        "skipped_question",
        "choose bob optionally: show",
        "choose bob: show, go",
        _actions(
            'action show by p\n    require king in hand[p] "no king"',
            'action show by p\n    require king in hand[p] "no king"',
        ),
    ),
    Leak("score", "rounds += 1", "rounds += 1", score=("secret[p]", "rounds")),
    Leak(
        "restricted_draw",
        "draw n in 0..3 where n <= secret[bob]\nmarker = n",
        "draw n in 0..3 where n <= rounds\nmarker = n",
    ),
    Leak(
        "weighted_draw",
        "draw n in 0..3 weight secret[bob] + 1\nmarker = n",
        "draw n in 0..3 weight rounds + 1\nmarker = n",
        played=False,
    ),
    Leak(
        "draw_shown_and_kept",
        "draw n in 0..3\nsecret[bob] = n\nmarker = n",
        "draw n in 0..3\nsecret[bob] = n\nmarker = 3",
    ),
    Leak(
        "marker_for_a_dealt_card",
        "draw c from deck\nmove c from deck to hand[bob]\nmarker = c.worth",
        "draw c from deck\nmove c from deck to shown\nmarker = c.worth",
    ),
    Leak(
        "which_card_is_shown",
        "let top = first(c in deck)\nfor c in deck where (c = top) = (secret[bob] > 1)\n"
        "    move c from deck to shown",
        "let top = first(c in deck)\nfor c in deck where c = top\n    move c from deck to shown",
    ),
    Leak(
        "a_card_tells_another",
        "let top = first(c in deck)\nfor c in deck where (c = top) = (king in hand[bob])\n"
        "    move c from deck to shown",
        "for c in hand[bob]\n    move c from hand[bob] to shown",
    ),
    Leak(
        "rounds_of_a_loop",
        "while rounds < secret[bob] decreases 3 - rounds\n    choose ann: go\n    rounds += 1",
        "while rounds < 2 decreases 3 - rounds\n    choose ann: go\n    rounds += 1",
    ),
    Leak(
        "secret_choice_from_another_hand",
        "choose each p in Player secretly: bid in 0..secret[next(p)]",
        "choose each p in Player secretly: bid in 0..secret[p]",
    ),
    Leak(
        "way_through_the_dark",
        "if reaches(0, 3 by linked)\n    marker = 1",
        "if reaches(0, 3 by linked)\n    grid[0] = 1",
    ),
    Leak(
        "steps_in_the_dark",
        f"marker = {_legs('dark', 'board', 'board')}",
        f"marker = {_legs('lit', 'board', 'board')}",
    ),
    Leak(
        "sources_in_the_dark",
        f"marker = {_legs('lit', 'grid', 'board')}",
        f"grid[0] = {_legs('lit', 'grid', 'board')}",
    ),
    Leak(
        "stops_in_the_dark",
        f"marker = {_legs('lit', 'board', 'grid')}",
        f"reveal {_legs('lit', 'board', 'grid')}\nmarker = {_legs('lit', 'board', 'grid')}",
    ),
    Leak(
        "whose_reach_is_asked_about",
        f"marker = {_legs('lit', 'board', 'board', '(1 + secret[bob])')}",
        f"marker = {_legs('lit', 'board', 'board', '(1 + board[3])')}",
    ),
    Leak(
        "revealed_to_another",
        "reveal secret[bob] to bob\nmarker = secret[bob]",
        "reveal secret[bob] to ann\nmarker = secret[bob]",
    ),
    Leak(
        "whether_it_is_revealed",
        "if secret[bob] > 1\n    reveal rounds",
        "reveal secret[bob] > 1\nif secret[bob] > 1\n    reveal rounds",
    ),
    Leak(
        "nobody_is_meant",
        "choose ann: go\nhush(none)",
        "choose ann: go\nhush(none)",
        (_hush("secret[bob] > 1"), _hush("rounds < 1")),
    ),
    Leak(
        "sizes_of_hidden_zones",
        "for c in deck where secret[bob] > 1\n    move c from deck to hand[bob]",
        "for c in deck where rounds < 1\n    move c from deck to hand[bob]",
    ),
]

# Not leaks, though they read what is hidden.
HARMLESS = {
    "an_empty_zone": "if every c in Card: c not in deck\n    marker = 1",
    "how_many_cards": "if count(c in deck) = 0\n    marker = 1",
    "own_secret": "secret[bob] = 3 - secret[bob]",
    "only_hidden": "if secret[bob] > 1\n    grid[0] = 3",
    "known_from_the_rest": "marker = 8 - pot.coin",
}


def harmless(name: str) -> str:
    """A rule set that reads what is hidden and tells nothing."""
    return with_secrets(HARMLESS[name], "", "marker")
