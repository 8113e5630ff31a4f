"""Whether a step shows a player something that could not be known before it was made.

A player who may take a step back, or preview it, must not learn anything by doing so. The
answer errs on the side of caution: a step shows something if chance was resolved, if anything was
revealed to anybody, if it was a secret choice, if a card came into sight, or if numbers that the
player does not see have changed. For rules whose views are proved, nothing else can show a secret;
in rules that are not known to be sound, hidden things make every step suspect.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler.runtime.values import read_slot
from rules_dsl.language.viewers import everybody

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.state import State


def shows_something(after: State, player: int, trusted: bool) -> bool:
    """Whether the last step of a position showed a player something new.

    `trusted` says that a step shows nothing but what it moves into sight.

    >>> import rules_dsl as rd
    >>> s = rd.load("pig").start(seed=1)
    >>> shows_something(s.play("roll"), 0, True), shows_something(s.play("stop"), 0, True)
    (True, False)
    """
    before = after.previous
    if before is None:
        return True
    game = after.game
    if not trusted and has_secrets(game):
        return True
    decision = before.decision
    if decision is None or decision.secret or after.draws != before.draws:
        return True
    if any(after.revealed(p) for p in range(game.players)):
        return True
    return _moved_unseen(game, before.cells, after.cells, player) or _came_into_sight(
        game, before.cells, after.cells, player
    )


def has_secrets(game: Game) -> bool:
    """Whether the rules hide something from a player, now or at some time.

    >>> import rules_dsl as rd
    >>> has_secrets(rd.load("tic_tac_toe")), has_secrets(rd.load("kuhn_poker"))
    (False, True)
    """
    meta = game.machine.meta
    shown = [a["viewers"] for a in meta["arrays"].values() if a["kind"] != "zone"]
    shown += [zone[-1] for zone in meta["zones"].values()]
    secret = any(point.get("secret") for point in meta["points"])
    return secret or any(viewers != everybody(game.players) for viewers in shown)


def _moved_unseen(game: Game, before: bytes, after: bytes, player: int) -> bool:
    return any(before[a:b] != after[a:b] for a, b in game.sights.unseen[player])


def _came_into_sight(game: Game, before: bytes, after: bytes, player: int) -> bool:
    for slot, cards, watchers in game.sights.tables:
        for card in range(cards):
            was, is_ = read_slot(slot, before, card), read_slot(slot, after, card)
            if player in watchers[is_] and player not in watchers[was]:
                return True
    return False
