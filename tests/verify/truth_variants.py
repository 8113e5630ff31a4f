"""What stands around the rules of a small random game: texts, cites, examples, variants."""

from __future__ import annotations

from tests.verify.truth_games import Files, Writer

HEADER = 'game small "Small" ru "Малая"\n    players {players}\n'

EXAMPLE = (
    "    players 2\n", "    with dusk = false\n", "    given a = 1\n", "    start menu_it()\n",
    '    do "rest"\n', '    allow "sink", "rest"\n', '    refuse "go" because "not"\n',
    "    expect winners p1\n", "    expect scores p1 1, p2 1\n", "    expect over\n",
    "    expect turns >= 0\n",
)  # fmt: skip

# Items of a variant: each is used in some variants, in this order.
ITEMS = (
    "const rate = 2\n",
    "option dusk = false\n",
    "ruling edge = hard\n",
    'label coin "Coin" ru "Монета"\n',
    'amend action sink\n    drop require "low"\n',
    (
        'amend action rest\n    require turns < 3 "late"\n'
        '    except "early" to "late" when turns < 2\n    after\n        a = 0\n'
    ),
    "amend procedure note_it\n    before\n        a = {i}\n",
    "amend action act_more\n    before\n        x[0] = 1\n    after\n        {effect}\n",
    "replace function total(): 0..9 = y[0] + a\n",
    "replace row Card.one: 2\n    used\n        y[1] = 1\n",
    "add row Card.three: 1\n",
    "drop row Card.four\n",
    "row Card.two.worth = 1\n",
    "state a = 1\n",
    "pool box holds 1 coin\n",
    "zone deck holds c where c.who = none\n",
    "amend play\n    before\n        x[0] = {i}\n    after\n        a = 0\n",
    "add action hum by p\n    {effect}\n",
    "add option hum to menu_it.menu\n",
    "drop option sink from menu_it.menu\n",
    "drop invariant law_0\n",
    'drop example "The opening"\n',
    "add invariant added\n    {t}\n",
    "add state\n        fresh: 0..2 = 0\n",
    "add relation path on b in 0..2\n    to (b + 1) mod 3\n",
    "add const bonus = 2\n",
    "replace scoring\n    score p = {n} / 2\n    tie most a when dusk\n",
    "replace procedure deep(left: 0..2)\n    decreases left\n    choose p1: rest\n",
    'example "A variant"\n    players 2\n    expect turns >= 0\n',
)


def decorated(writer: Writer, varied: bool) -> Files:
    """A game with what belongs around it."""
    texts: dict[str, str] = {}
    rules = writer.game()
    header = HEADER.replace("{players}", writer.pick("players", "2", "2", "2..3 named p1, p2, p3"))
    cited = writer.maybe("source", 0.3)
    if cited:
        header += '    source R "Rules"\n'
        rules = rules.replace("action rest by p", 'action rest by p "rest" [R 1 "Rest"]')
    if writer.maybe("include", 0.1):
        rules = rules.replace("const rate = 1\n", 'include "rate.rules"\n')
        texts["rate.rules"] = "const rate = 1\n"
    if writer.maybe("label", 0.1):
        rules += '\nlabel p1 "First" ru "Первый"\n'
    if writer.maybe("waive", 0.1):
        invariants = ("invariant law_0",) if "invariant law_0" in rules else ()
        waived = writer.pick("waived", "progress play", "safety go", *invariants)
        rules += f'\nwaive {waived} "it is left open"\n'
    if writer.maybe("when", 0.2) and "option dusk" in rules:
        rules = rules.replace("invariant law_1", "invariant law_1 when dusk")
    exemplary = varied or writer.maybe("example", 0.4)
    if exemplary:
        lines = [line for line in EXAMPLE[:1] + EXAMPLE[2:] if writer.random.random() < 0.4]
        if "option dusk" in rules and writer.random.random() < 0.6:
            lines = [EXAMPLE[1], *lines]
        rules += '\nexample "The opening"\n' + "".join([*lines, EXAMPLE[-1]])
        if writer.random.random() < 0.3:
            rules += '\nexample "With a seed"\n    seed 7\n    expect turns >= 0\n'
    game = f"{header}\n{rules}"
    secret = any(feature.secret for feature in writer.features)
    if not varied:
        return Files({"small.rules": game, **texts}, secret)
    return Files({"variant.rules": variant(writer, rules), "small.rules": game, **texts}, secret)


def variant(writer: Writer, rules: str) -> str:
    """A variant of the game with some items."""
    items: list[str] = []
    for item in ITEMS:
        needed = {
            "drop invariant law_0": "invariant law_0",
            "drop example": 'example "The opening"',
            "amend action act_more": "action act_more",
        }
        wanted = next((text for start, text in needed.items() if item.startswith(start)), "")
        if wanted not in rules or not writer.maybe(f"item {item.splitlines()[0][:30]}", 0.35):
            continue
        if item.startswith("add option hum") and not any(
            i.startswith("add action hum") for i in items
        ):
            continue
        lines = writer.effect(0).strip().split("\n")
        lead = item.partition("{effect}")[0].rpartition("\n")[2]
        text = item.replace("{effect}", f"\n{lead}".join(lines))
        items.append(writer.filled(text))
    if not items:
        items = ["const rate = 2\n"]
    body = "\n".join(writer.inset(item.rstrip("\n")) + "\n" for item in items)
    return f'variant other of small "Another"\n{body}'
