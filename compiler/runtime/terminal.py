"""The terminal view of a game: its board in letters, and the names not worth showing.

A shipped game may come with the module `games.NAME.terminal`: `board(state, viewer) -> list[str]`
gives the lines of its board, `told(state, viewer)` the names that need no list beside them, and
`BOOKKEEPING` the names that the rules keep for themselves, whose changes no player follows. Or it
lays out the whole position by itself: `screen(state, viewer, language) -> list[str]`, in lines of
80 characters, with `legend(language)` for its signs and `about(state, name, language)` for the
meaning of a name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler.runtime.drawing import beside_the_rules

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.state import State


def board_in_letters(state: State, viewer: int | None = None) -> tuple[list[str], frozenset[str]]:
    """The lines of the board, and the names of what need not be listed beside them.

    Where a variant lacks what the board shows there are no lines, and everything is listed.

    >>> import rules_dsl as rd
    >>> lines, told = board_in_letters(rd.load("zimbabwe", players=2).start(seed=1))
    >>> lines[0].split()[:3], "kind" in told
    (['a', 'b', 'c'], True)
    >>> board_in_letters(rd.load("pig").start(seed=1))
    ([], frozenset())
    """
    module = beside_the_rules(state.game, "terminal")
    if module is None:
        return [], frozenset()
    try:
        return list(module.board(state, viewer)), frozenset(module.told(state, viewer))
    except Exception:
        return [], frozenset()


def bookkeeping(game: Game) -> frozenset[str]:
    """The names that the rules keep for themselves."""
    module = beside_the_rules(game, "terminal")
    return frozenset() if module is None else frozenset(module.BOOKKEEPING)
