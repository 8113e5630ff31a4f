"""The facts that a drawing may use: the position as its viewer sees it, and the constants."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from compiler.runtime.values import Hidden

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.state import State
    from rules_dsl.language.prose import ProseReader


@lru_cache(maxsize=16)
def _reader(game: Game, language: str) -> ProseReader:
    from rules_dsl.language.prose import ProseReader

    return ProseReader(game.origin.program(), language)


class Facts:
    """A position for drawing: hidden parts are masked, numbers of the rules come from the rules.

    A variant may change the constants of a game, so a drawing asks for them here; `default` is
    for tables that a variant has made superfluous.
    """

    def __init__(self, state: State, viewer: int | None = None, language: str = "en") -> None:
        self.game = state.game
        self.viewer = viewer
        self.view: dict[str, Any] = state.view(viewer)
        self.names: tuple[str, ...] = state.game.player_names
        self.players: int = state.game.players
        self.player = state.player
        self.over = state.over
        self.scores = state.scores() if state.over else ()
        self.winners = state.winners()
        self.language = language

    @property
    def rules(self) -> ProseReader:
        """The rules read aloud, for words on cards and spaces."""
        return _reader(self.game, self.language)

    def __getitem__(self, name: str) -> Any:
        return self.view[name]

    def get(self, name: str, default: Any = None) -> Any:
        """A part of the position that some variants do not have."""
        return self.view.get(name, default)

    def numbers(self, table: str, default: tuple[int, ...] = ()) -> tuple[int, ...]:
        """A constant table or a column of one, row by row."""
        found = self.game.machine.code.get("T_" + table.replace(".", "_"), default)
        return tuple(int(n) for n in found)

    def row(self, table: str, column: str, name: str, width: int = 1) -> tuple[int, ...]:
        """The numbers in a column of a row; none if the column is not used by the rules."""
        at = self.values(table).index(name) * width
        return self.numbers(f"{table}.{column}")[at : at + width]

    def entry(self, table: str, column: str, name: str) -> int:
        """The number in a column of a row, or 0 if the column is not used by the rules."""
        found = self.row(table, column, name)
        return found[0] if found else 0

    def most(self, name: str) -> int:
        """The greatest value that a variable of the state can have."""
        return int(self.game.machine.meta["arrays"][name]["slot"][4])

    def values(self, enum: str) -> tuple[str, ...]:
        """The names of an enum or of the rows of a table."""
        return tuple(self.game.reader.names.enums[enum][0])

    def label(self, enum: str, name: str) -> str:
        """The label of a value of an enum or of a row of a table."""
        values, labels, _ = self.game.reader.names.enums[enum]
        return labels[values.index(name)]

    def word(self, name: str) -> str:
        """The label of a name of the rules in the reader's language."""
        return self.rules.label(name)


def how_many(cards: Any) -> int:
    """The number of cards in a zone, whether they are seen or not."""
    if isinstance(cards, Hidden):
        return cards.count or 0
    return len(cards)


def amount(score: Any) -> str:
    """A score; quarters are written as people write them.

    >>> from fractions import Fraction
    >>> amount(7), amount(Fraction(31, 4)), amount(Fraction(-3, 4))
    ('7', '7¾', '−¾')
    """
    sign, size = ("−" if score < 0 else ""), abs(score)
    whole, rest = divmod(size, 1)
    part = {0: "", 1: "¼", 2: "½", 3: "¾"}.get(rest * 4)
    if part is None:
        return f"{sign}{float(size):.2f}"
    return f"{sign}{whole if whole or not part else ''}{part}"


def counted_points(score: Any) -> str:
    """A score with its unit.

    >>> counted_points(1), counted_points(-3)
    ('1 point', '−3 points')
    """
    return f"{amount(score)} point{'' if abs(score) == 1 else 's'}"
