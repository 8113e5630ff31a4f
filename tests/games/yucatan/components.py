"""What is printed on the components of Yucatan, in the words of the legend, effect by effect.

The values are provisional: they are not public. `[…]` is a condition or an occasion, `(… = …)` an
effect that is paid for. Written apart from the rule files, from the same list of values.
"""

from __future__ import annotations

import re

from attrs import field, frozen

STARTING = {
    "ST1": "STRENGTH 4",
    "ST2": "STRENGTH 3; GAIN_JADE 1",
    "ST3": "STRENGTH 2; DRAW_1",
    "ST4": "STRENGTH 1; CAPTURE_STEP1 1",
    "ST5": "STRENGTH 0; CAPTURE_STEP3 2",
}
SPECIAL = {
    "SP01": "STRENGTH 6",
    "SP02": "STRENGTH 4; CAPTURE_STEP3 1",
    "SP03": "STRENGTH 3; CAPTURE_STEP1 1",
    "SP04": "STRENGTH 2; CAPTURE_STEP3 2",
    "SP05": "STRENGTH 0; CAPTURE_STEP1 2",
    "SP06": "STRENGTH 4; (SPEND_CORN 2 = STRENGTH 3)",
    "SP07": "STRENGTH 4; IGNORE_OPP_CREATURE",
    "SP08": "STRENGTH 3; RETURN_CARD",
    "SP09": "STRENGTH 4; TAKE_OPP_CARD",
    "SP10": "STRENGTH 4; [ON_VICTORY] GAIN_VP 2",
    "SP11": "STRENGTH 3; LOST_ATTACK_EVICT_ACTIVATE",
    "SP12": "STRENGTH 3; (RETURN_PRISONER 1 = STRENGTH 5)",
}
COPIES = {name: 1 if name == "SP12" else 2 for name in SPECIAL}
CREATURES = {
    "CR11": ("STRENGTH 1; [ON_MOVE] DISCOUNT_CORN 1", "STRENGTH 3; CAPTURE_STEP3 1"),
    "CR12": ("STRENGTH 1; [IF_ATTACKER] STRENGTH 1", "STRENGTH 5"),
    "CR13": ("STRENGTH 1; [ON_VICTORY] GAIN_CORN 2", "STRENGTH 2; CAPTURE_STEP1 1"),
    "CR21": ("STRENGTH 2; CAPTURE_STEP3 1", "STRENGTH 7"),
    "CR22": ("STRENGTH 2; IGNORE_OPP_CREATURE", "STRENGTH 3; CAPTURE_STEP3 2"),
    "CR23": ("STRENGTH 2; [ON_MOVE] RECRUIT", "STRENGTH 4; CAPTURE_STEP1 1"),
    "CR31": ("STRENGTH 3; CAPTURE_STEP1 1", "STRENGTH 9"),
    "CR32": ("STRENGTH 3; LOST_ATTACK_EVICT_ACTIVATE", "STRENGTH 5; CAPTURE_STEP3 2"),
    "CR33": ("STRENGTH 3; [ON_VICTORY] GAIN_VP 2", "STRENGTH 3; CAPTURE_STEP1 2"),
}
REINFORCEMENTS = {
    "RF11": "STRENGTH 1",
    "RF12": "[ON_MOVE] DISCOUNT_CORN 2",
    "RF13": "[IF_ATTACKER] STRENGTH 2",
    "RF21": "STRENGTH 2",
    "RF22": "CAPTURE_STEP3 1",
    "RF23": "STRENGTH 1; IGNORE_OPP_CREATURE",
    "RF31": "STRENGTH 4",
    "RF32": "STRENGTH 1; CAPTURE_STEP1 1",
    "RF33": "STRENGTH 1; RETURN_CARD",
}
ADVISORS = {
    "AD1": "[ON_CITY_CORN] GAIN_CORN 2",
    "AD2": "[ON_CITY_JADE] GAIN_JADE 1",
    "AD3": "[CONSTRUCT] DISCOUNT_JADE 1",
    "AD4": "[BUY_REINFORCEMENT] DISCOUNT_CORN 2",
}
ABILITIES = {
    "CL1": "(SPEND_CORN 1 = GAIN_JADE 1)",
    "CL2": "(SPEND_JADE 1 = DRAW_3_KEEP_1)",
    "CL3": "(SPEND_CORN 1 = RECRUIT)",
}
MODIFICATIONS = (
    "[CLAN_LEADER_OPTION_1] GAIN_CORN 2; [CLAN_LEADER_OPTION_2] GAIN_JADE 1",
    "[ON_MOVE] DISCOUNT_CORN 1",
    "STRENGTH 1",
)
# By city: round, notation, effect. A deal has a price for each level and a discount.
STANDS = {
    "yellow": [
        (1, "3 corn", "GAIN_CORN 3"),
        (1, "1 jade", "GAIN_JADE 1"),
        (1, "recruits", "RECRUIT"),
        (2, "construction", "CONSTRUCT 2 1"),
        (3, "2 jade and a card", "GAIN_JADE 2; DRAW_1"),
        (4, "2 points", "GAIN_VP 2"),
    ],
    "red": [
        (1, "3 corn", "GAIN_CORN 3"),
        (1, "1 jade", "GAIN_JADE 1"),
        (1, "a card", "DRAW_1"),
        (2, "training", "BUY_REINFORCEMENT 4 2"),
        (3, "one of three cards and 3 corn", "GAIN_CORN 3; DRAW_3_KEEP_1"),
        (4, "2 points", "GAIN_VP 2"),
    ],
    "blue": [
        (1, "3 corn", "GAIN_CORN 3"),
        (1, "1 jade", "GAIN_JADE 1"),
        (1, "summoning", "SUMMON 3 0"),
        (2, "cheap summoning", "SUMMON 3 2"),
        (3, "3 jade", "GAIN_JADE 3"),
        (4, "2 points", "GAIN_VP 2"),
    ],
}
# By level: price for each level, discount.
PRICES = {
    "construction": [(2, 0), (2, 1), (1, 0), (1, 1)],
    "military camp": [(4, 0), (3, 0), (2, 0), (1, 0)],
    "temple": [(3, 0), (2, 0), (2, 1), (1, 0)],
}
FULL = [3, 4, 5, 6]
# Above level 0 only if the granary can be raised.
HARVEST = [3, 4, 5, 6]


@frozen
class Effect:
    """One effect: when, what it costs, what it does."""

    when: str
    cost: tuple[str, int] | None
    what: str
    amount: int
    # Off the price, where something is for sale.
    less: int = 0

    @property
    def is_line(self) -> bool:
        """Whether it holds on an occasion or is paid for, not always."""
        return bool(self.when or self.cost)


_EFFECT = re.compile(
    r"(?:\[(?P<when>\w+)\] )?(?:\((?P<cost>\w+) (?P<price>\d+) = )?"
    r"(?P<what>\w+)(?: (?P<n>\d+))?(?: (?P<less>\d+))?"
)


def effects(text: str) -> list[Effect]:
    """The effects of a component.

    >>> effects("STRENGTH 4; (SPEND_CORN 2 = STRENGTH 3)")[1]
    Effect(when='', cost=('SPEND_CORN', 2), what='STRENGTH', amount=3, less=0)
    """
    found = []
    for part in text.split("; ") if text else ():
        match = _EFFECT.match(part)
        assert match is not None
        cost = (match["cost"], int(match["price"])) if match["cost"] else None
        found.append(
            Effect(
                match["when"] or "",
                cost,
                match["what"],
                int(match["n"] or 1),
                int(match["less"] or 0),
            )
        )
    return found


@frozen
class Box:
    """What is printed in one box: texts by the names of components."""

    starting: dict[str, str] = field(factory=lambda: STARTING)
    special: dict[str, str] = field(factory=lambda: SPECIAL)
    creatures: dict[str, tuple[str, str]] = field(factory=lambda: CREATURES)
    reinforcements: dict[str, str] = field(factory=lambda: REINFORCEMENTS)
    advisors: dict[str, str] = field(factory=lambda: ADVISORS)
    abilities: dict[str, str] = field(factory=lambda: ABILITIES)
    modifications: tuple[str, ...] = MODIFICATIONS
    # By column and number of the cell; the shipped cells give nothing.
    cells: dict[tuple[str, int], str] = field(factory=dict)

    def of_card(self, card: str) -> str:
        """The text of a battle card."""
        name = card.split(" (")[0]
        if name.endswith(" card"):
            return self.creatures[name.removesuffix(" card")][1]
        return self.starting.get(name) or self.special[name]
