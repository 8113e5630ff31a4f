"""Words for the drawing: what spaces, technologies, buildings and monuments do, in short."""

from __future__ import annotations

SPACES: dict[str, dict[int, tuple[str, ...]]] = {
    "tikal": {
        1: ("1 level",),
        2: ("build",),
        3: ("2 levels",),
        4: ("build 2 /", "monument"),
        5: ("2 temples",),
    },
    "uxmal": {
        1: ("temple",),
        2: ("exchange",),
        3: ("worker",),
        4: ("build", "for maize"),
        5: ("any", "action"),
    },
}

# What the actions of Yaxchilan give.
GIFTS: dict[int, tuple[tuple[str, int], ...]] = {
    1: (("wood", 1),),
    2: (("stone", 1), ("maize", 1)),
    3: (("gold", 1), ("maize", 2)),
    4: (("skull", 1),),
    5: (("gold", 1), ("stone", 1), ("maize", 2)),
}

# Levels 1 to 3 of each technology, and the bonus for going on.
TECHNOLOGIES: dict[str, tuple[tuple[str, ...], ...]] = {
    "agriculture": (
        ("+1 maize", "a harvest"),
        ("irrigation,", "fishing +1"),
        ("+2 maize", "a harvest"),
        ("1 step in", "a temple"),
    ),
    "extraction": (("+1 wood",), ("+1 stone",), ("+1 gold",), ("2 resources",)),
    "architecture": (
        ("+1 maize", "a building"),
        ("+2 points", "a building"),
        ("1 resource", "saved"),
        ("3 points",),
    ),
    "theology": (
        ("next space", "of Chichen"),
        ("offering:", "1 step"),
        ("+1 skull at", "Yaxchilan"),
        ("1 skull",),
    ),
}

BUILDINGS: dict[str, tuple[str, ...]] = {
    "a1_06": ("Chaac +1", "Quetzalcoatl +1"),
    "a1_07": ("Chaac +1", "Kukulcan +1"),
    "a1_08": ("any temple +1", "build one more"),
    "a1_09": ("agriculture +1",),
    "a1_10": ("agriculture +1", "1 stone"),
    "a1_11": ("extraction +1", "1 maize"),
    "a1_12": ("extraction +1", "1 gold"),
    "a1_13": ("architecture +1",),
    "a1_14": ("theology +1", "Kukulcan +1"),
    "a2_04": ("exchange",),
    "a2_05": ("one more worker",),
    "a2_07": ("1 maize:", "any action"),
    "a2_08": ("each temple +1",),
    "a2_09": ("any level +1", "1 stone"),
    "a2_10": ("any level +1", "1 gold"),
    "a2_11": ("any level +1", "6 maize"),
    "a2_12": ("any level +1", "1 skull"),
    "a2_13": ("Chaac +2",),
    "a2_14": ("architecture +1",),
    "a2_15": ("Kukulcan +2",),
    "a2_16": ("theology +1", "Chaac, Kukulcan +1"),
    "a2_17": ("any two levels +1",),
    "a2_18": ("Quetzalcoatl +2",),
}

MONUMENTS: dict[str, tuple[str, ...]] = {
    "m_01": ("4 points for each", "tomb you have"),
    "m_02": ("2 for each building", "and monument"),
    "m_03": ("4 for each maize", "tile you have"),
    "m_04": ("4 for each wood", "tile you have"),
    "m_05": ("{each} for each of all", "players' monuments"),
    "m_06": ("4 for each civil", "building"),
    "m_07": ("9, 20, 33 for 1, 2,", "3 full technologies"),
    "m_08": ("3 for each level", "of technology"),
    "m_09": ("6, 12, 18 for 4,", "5, 6 workers"),
    "m_10": ("4 points for each", "shrine you have"),
    "m_11": ("points of your", "temple steps"),
    "m_12": ("3 for each step in", "your best temple"),
    "m_13": ("3 for each skull", "in Chichen Itza"),
}
MONUMENT_POINTS = {2: 6, 3: 5, 4: 4}


def monument(name: str, players: int) -> tuple[str, ...]:
    """What a monument is worth to its owner, in two lines."""
    each = MONUMENT_POINTS.get(players, 4)
    return tuple(line.format(each=each) for line in MONUMENTS.get(name, ()))


def building(name: str, feeds: int, saves: int) -> tuple[str, ...]:
    """What a building gives, in two lines at most; farms say so by their numbers."""
    if feeds:
        return (f"feeds {feeds} worker{'s' if feeds > 1 else ''}",)
    if saves:
        return ("each worker eats", f"{saves} maize less")
    return BUILDINGS.get(name, ())
