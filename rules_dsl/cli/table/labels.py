"""Words and colours for the values of a game."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.text import Text

from compiler.runtime.values import Hidden

if TYPE_CHECKING:
    from compiler.runtime.game import Game

_OWN_COLOURS = {
    "red": "red", "green": "green", "blue": "bright_blue", "yellow": "yellow", "white": "white",
    "black": "bright_black", "purple": "magenta", "pink": "bright_magenta", "orange": "dark_orange",
}  # fmt: skip
_COLOURS = ("bright_cyan", "bright_magenta", "bright_green", "yellow", "bright_blue", "red")
NOTHING = "-"


class Labels:
    """What the values of a game are called.

    >>> import rules_dsl as rd
    >>> labels = Labels(rd.load("tic_tac_toe"))
    >>> labels.seat(1), labels.initial(1), labels.item("placed")
    ('nought', 'n', 'placed')
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.meta = game.machine.meta
        self._enums: dict[str, dict[Any, str]] = {
            name: dict(zip(values, labels, strict=True))
            for name, (values, labels, _) in self.meta["enums"].items()
        }
        self._goods = {
            good: label
            for values, labels, kind in self.meta["enums"].values()
            if kind == "goods"
            for good, label in zip(values, labels, strict=True)
        }
        self._initials = _shortest_prefixes(game.player_names)

    def item(self, name: str) -> str:
        """The label of a variable, pool or zone."""
        label = self.meta["labels"].get(name)
        return str(label[0]) if label else name.replace("_", " ")

    def seat(self, player: int) -> str:
        """The name of a player."""
        return str(self.game.player_names[player])

    def initial(self, player: int) -> str:
        """The shortest text that tells a player from the others."""
        return self._initials[player]

    def colour(self, player: int) -> str:
        """The colour of a player: his own, if he is named after one."""
        return _OWN_COLOURS.get(self.seat(player), _COLOURS[player % len(_COLOURS)])

    def seat_text(self, player: int) -> Text:
        """The name of a player in his colour."""
        return Text(self.seat(player), style=f"bold {self.colour(player)}")

    def good(self, name: str) -> str:
        """The label of a good."""
        label = self.meta["labels"].get(name)
        return str(label[0]) if label else self._goods.get(name, name).replace("_", " ")

    def value(self, kind: str, value: Any) -> str:
        """A value as people read it."""
        base = kind.partition("?")[0]
        if value is None:
            return NOTHING
        if isinstance(value, Hidden):
            return "?" if value.count is None else f"{value.count} hidden"
        if base == "Player":
            return self.seat(value)
        if isinstance(value, bool):
            return "yes" if value else "no"
        return self._enums.get(base, {}).get(value, str(value))


def number_text(number: int | Fraction) -> str:
    """A score: a decimal number where that is exact.

    >>> number_text(7), number_text(Fraction(19, 4)), number_text(Fraction(1, 3))
    ('7', '4.75', '1/3')
    """
    if isinstance(number, Fraction) and 1000 % number.denominator == 0:
        return f"{float(number):g}"
    return str(number)


def _shortest_prefixes(names: tuple[str, ...]) -> tuple[str, ...]:
    length = 1
    while len({name[:length] for name in names}) < len(names) and length < 20:
        length += 1
    return tuple(name[:length] for name in names)
