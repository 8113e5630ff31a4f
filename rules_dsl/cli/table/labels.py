"""Words and colours for the values of a game."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.text import Text

from compiler.runtime.values import Hidden
from rules_dsl.cli.table.words import Words

if TYPE_CHECKING:
    from compiler.runtime.game import Game

_OWN_COLOURS = {
    "red": "red", "green": "green", "blue": "bright_blue", "yellow": "yellow", "white": "white",
    "black": "bright_black", "purple": "magenta", "pink": "bright_magenta", "orange": "dark_orange",
}  # fmt: skip
_COLOURS = ("bright_cyan", "bright_magenta", "bright_green", "yellow", "bright_blue", "red")
NOTHING = "-"


class Labels:
    """The labels of the values of a game.

    >>> import rules_dsl as rd
    >>> labels = Labels(rd.load("tic_tac_toe"))
    >>> labels.seat(1), labels.initial(1), labels.item("placed")
    ('nought', 'n', 'placed')
    """

    def __init__(self, game: Game, words: Words | None = None) -> None:
        self.game = game
        self.words = words or Words(game, "en")
        self.meta = game.machine.meta
        self._enums: dict[str, dict[Any, str]] = {
            name: dict(zip(values, labels, strict=True))
            for name, (values, labels, _) in self.meta["enums"].items()
        }
        for size, names in self.meta["places"].items():
            self._enums[place_kind(size)] = dict(enumerate(names))
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
        return self._translated(label) if label else name.replace("_", " ")

    def _translated(self, label: tuple[str, dict[str, str]]) -> str:
        """A label in the reader's language, if the rules have it."""
        return str(label[1].get(self.words.language, label[0]))

    def seat(self, player: int) -> str:
        """The name of a player."""
        return self.words(str(self.game.player_names[player]))

    def initial(self, player: int) -> str:
        """The shortest text that identifies a player."""
        return self._initials[player]

    def colour(self, player: int) -> str:
        """The colour of a player, which may be the player's name."""
        return _OWN_COLOURS.get(self.game.player_names[player], _COLOURS[player % len(_COLOURS)])

    def seat_text(self, player: int) -> Text:
        """The name of a player in the player's colour."""
        return Text(self.seat(player), style=f"bold {self.colour(player)}")

    def good(self, name: str) -> str:
        """The label of a good."""
        label = self.meta["labels"].get(name)
        return self._translated(label) if label else self._goods.get(name, name).replace("_", " ")

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
        return self.words(self._enums.get(base, {}).get(value, str(value)))


def place_kind(size: int) -> str:
    """The kind of a number that leads to one of `count` named places."""
    return f"place of {size}"


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
