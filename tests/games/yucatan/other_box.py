"""Another box: values with what no shipped row has, as texts of the legend and as a variant."""

from __future__ import annotations

from .components import ABILITIES, CREATURES, REINFORCEMENTS, SPECIAL, STARTING, Box, effects

# Options of creatures, two options on one component, abilities and cells that sell something.
OTHER = Box(
    starting={
        **STARTING,
        "ST1": "STRENGTH 2; (SPEND_CORN 1 = STRENGTH 2); (SPEND_JADE 1 = CAPTURE_STEP1 1)",
        "ST2": "STRENGTH 3; (SPEND_JADE 1 = CAPTURE_STEP3 1); [IF_ATTACKER] GAIN_CORN 1",
    },
    special={
        **SPECIAL,
        "SP06": "STRENGTH 4; (SPEND_CORN 1 = RETURN_CARD); (SPEND_CORN 1 = TAKE_OPP_CARD)",
        "SP10": "STRENGTH 4; [ON_VICTORY] GAIN_VP 2; [IF_ATTACKER] STRENGTH 1",
        "SP11": "STRENGTH 1; (SPEND_CORN 1 = IGNORE_OPP_CREATURE); "
        "(RETURN_PRISONER 1 = DRAW_3_KEEP_1)",
    },
    creatures={
        **CREATURES,
        "CR11": ("(SPEND_CORN 1 = STRENGTH 3); (SPEND_CORN 1 = GAIN_VP 2)", "STRENGTH 3"),
        "CR12": ("STRENGTH 1; (SPEND_JADE 1 = RECRUIT); [ON_MOVE] GAIN_CORN 1", "STRENGTH 5"),
        "CR13": ("(RETURN_PRISONER 1 = CAPTURE_STEP1 2)", "STRENGTH 2; (SPEND_CORN 1 = DRAW_1)"),
    },
    reinforcements={
        **REINFORCEMENTS,
        "RF11": "[ON_MOVE] GAIN_CORN 1; [IF_ATTACKER] STRENGTH 1",
        "RF12": "[ON_VICTORY] DRAW_1; [ON_MOVE] RECRUIT",
    },
    advisors={
        "AD1": "[ON_CITY_CORN] GAIN_JADE 1; [ON_CITY_JADE] GAIN_CORN 1",
        "AD2": "[CONSTRUCT] GAIN_VP 1; [SUMMON] DISCOUNT_CORN 1",
        "AD3": "[BUY_REINFORCEMENT] GAIN_JADE 1; [CLAN_LEADER_OPTION_1] GAIN_VP 1",
        "AD4": "[SUMMON] GAIN_CORN 1; [CONSTRUCT] DISCOUNT_JADE 1",
    },
    abilities={
        "CL1": "CONSTRUCT 2 1",
        "CL2": "(SPEND_CORN 1 = ACTIVATE_CITY)",
        "CL3": "(SPEND_JADE 1 = GAIN_CORN 3); (RETURN_PRISONER 1 = GAIN_VP 2)",
    },
    modifications=(
        "[CLAN_LEADER_OPTION_1] GAIN_CORN 2; [CLAN_LEADER_OPTION_2] GAIN_JADE 1",
        "[ON_MOVE] DISCOUNT_CORN 1; [IF_ATTACKER] STRENGTH 1",
        "STRENGTH 1; [ON_VICTORY] GAIN_CORN 1",
    ),
    cells={
        ("construction", 2): "GAIN_CORN 2; GAIN_VP 1",
        ("construction", 3): "CONSTRUCT 2 1",
        ("construction", 4): "RECRUIT",
        ("training", 2): "DRAW_1",
        ("training", 3): "BUY_REINFORCEMENT 3 1",
        ("training", 4): "DRAW_3_KEEP_1",
        ("summoning", 2): "SUMMON 2 0",
        ("summoning", 3): "ACTIVATE_CITY",
        ("summoning", 4): "GAIN_JADE 2",
    },
)

_ALWAYS = {
    "STRENGTH": "strength", "CAPTURE_STEP1": "capture_1", "CAPTURE_STEP3": "capture_3",
    "GAIN_CORN": "corn", "GAIN_JADE": "jade", "GAIN_VP": "points", "DRAW_1": "cards",
    "DRAW_3_KEEP_1": "threes", "RECRUIT": "recruits", "RETURN_CARD": "returns",
    "TAKE_OPP_CARD": "takes", "IGNORE_OPP_CREATURE": "ignores",
    "LOST_ATTACK_EVICT_ACTIVATE": "evicts",
}  # fmt: skip
_SYMBOLS = {
    **{what: column for what, column in _ALWAYS.items() if column.startswith(("st", "capture_"))},
    "GAIN_CORN": "gain_corn", "GAIN_JADE": "gain_jade", "GAIN_VP": "gain_points",
    "DRAW_1": "draw_1", "DRAW_3_KEEP_1": "draw_3_keep_1", "RECRUIT": "recruit",
    "RETURN_CARD": "return_card", "TAKE_OPP_CARD": "capture_card",
    "IGNORE_OPP_CREATURE": "ignore_creature", "DISCOUNT_CORN": "discount_corn",
    "DISCOUNT_JADE": "discount_jade",
}  # fmt: skip
_OCCASIONS = {
    "IF_ATTACKER": "attacking", "ON_VICTORY": "victory", "ON_MOVE": "moving",
    "CONSTRUCT": "constructing", "BUY_REINFORCEMENT": "training_time", "SUMMON": "summoning_time",
    "ON_CITY_CORN": "city_corn", "ON_CITY_JADE": "city_jade",
    "CLAN_LEADER_OPTION_1": "clan_corn", "CLAN_LEADER_OPTION_2": "clan_jade",
    "SPEND_CORN": "for_corn", "SPEND_JADE": "for_jade", "RETURN_PRISONER": "for_prisoners",
}  # fmt: skip
_DEALS = {
    "CONSTRUCT": "construct_deal", "BUY_REINFORCEMENT": "train_deal", "SUMMON": "summon_deal",
    "ACTIVATE_CITY": "city_deal",
}  # fmt: skip
# The columns of the two lines of a component.
LINES = (("when", "cost", "gives", "amount"), ("also", "also_cost", "also_gives", "also_amount"))


def columns(text: str) -> str:
    """The columns of a row, from a text of the legend.

    >>> columns("STRENGTH 4; (SPEND_CORN 2 = STRENGTH 3)")
    'strength = 4, when = for_corn, cost = 2, gives = strength, amount = 3'
    >>> columns("CONSTRUCT 2 1")
    'deal = construct_deal, unit = 2, less = 1'
    """
    cells: dict[str, str | int] = {}
    lines = iter(LINES)
    for effect in effects(text):
        if effect.is_line:
            when, cost, gives, amount = next(lines)
            name, price = effect.cost or (effect.when, 0)
            cells[when] = _OCCASIONS[name]
            cells |= {cost: price} if price else {}
        if effect.what in _DEALS:
            cells["deal"] = _DEALS[effect.what]
            if effect.what != "ACTIVATE_CITY":
                cells |= {"unit": effect.amount, "less": effect.less}
        elif effect.is_line:
            cells |= {gives: _SYMBOLS[effect.what], amount: effect.amount}
        else:
            cells[_ALWAYS[effect.what]] = effect.amount
    return ", ".join(f"{name} = {value}" for name, value in cells.items())


def variant(box: Box) -> str:
    """A box as a variant of the rules."""
    texts = {
        **box.starting,
        **box.special,
        **{name: token for name, (token, _) in box.creatures.items()},
        **{f"{name} card": card for name, (_, card) in box.creatures.items()},
        **box.reinforcements,
        **box.advisors,
        **box.abilities,
        "MO1 corn": box.modifications[0],
        "MO1 jade": "STRENGTH 0",
        "MO2": box.modifications[1],
        "MO3": box.modifications[2],
    }
    rows = ['variant other_box of yucatan "Another box"']
    for label, text in texts.items():
        name = label.lower().replace(" ", "_")
        if label.endswith(" card"):
            name = f"cc{label[2:4]}"
        rows.append(f'    replace printed row Face.{name} "{label}": {columns(text)}')
    for (column, number), text in box.cells.items():
        column = "building" if column == "construction" else column
        cells = f"{column}, {number}, {columns(text)}"
        rows.append(f"    replace printed row Cell.{column}_{number}: {cells}")
    return "\n".join(rows) + "\n"


assert set(OTHER.abilities) == set(ABILITIES)
