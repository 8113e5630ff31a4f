"""English nouns that agree with the number in front of them."""

from __future__ import annotations

# The noun that is counted stands before one of these words: "workers of a player".
_ENDS_THE_NOUN = frozenset(
    ["of", "in", "on", "at", "to", "from", "for", "by", "with", "that", "who", "which"]
)
# Endings of words that are no plural, as in "glass", "status" and "basis".
_NOT_PLURAL = ("ss", "us", "is", "'s")


def counted(number: int, label: str, sign: str = "") -> str:
    """A number of things: "1 warrior", "3 warriors"; `sign` is a format such as "+".

    A label without a plural stays as it is, for "maize" has none and "3 gold" is right.

    >>> counted(1, "warriors"), counted(3, "warriors"), counted(-1, "skulls", "+")
    ('1 warrior', '3 warriors', '-1 skull')
    >>> counted(1, "points fixed when the guard came"), counted(1, "day of rains")
    ('1 point fixed when the guard came', '1 day of rains')
    """
    return f"{number:{sign}d} {one_of(label) if abs(number) == 1 else label}"


def one_of(label: str) -> str:
    """A label for one thing instead of many.

    >>> one_of("supplies"), one_of("boxes in reserve"), one_of("glass")
    ('supply', 'box in reserve', 'glass')
    """
    words = label.split(" ")
    place = _plural(words)
    if place is not None:
        words[place] = _singular(words[place])
    return " ".join(words)


def counts_things(label: str) -> bool:
    """Whether a label names things that can be counted: "workers at hand", not "day of the year".

    >>> counts_things("workers at hand"), counts_things("day of the calendar")
    (True, False)
    """
    return _plural(label.split(" ")) is not None


def _plural(words: list[str]) -> int | None:
    """The place of the noun in the plural, if there is one."""
    for place, word in enumerate(words):
        if word.casefold() in _ENDS_THE_NOUN:
            return None
        if word.endswith("s") and len(word) > 2 and not word.endswith(_NOT_PLURAL):
            return place
    return None


def _singular(noun: str) -> str:
    if noun.endswith("ies") and len(noun) > 4:
        return noun.removesuffix("ies") + "y"
    if noun.endswith(("ches", "shes", "sses", "xes")):
        return noun.removesuffix("es")
    return noun.removesuffix("s")
