"""What a move brought about, in a few lines: what concerns players first, long lists in one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from compiler.runtime.events import Event, place_text

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.state import State

MOST = 10
# Of more changes of one thing that belongs to nobody, only their number is told.
MOST_OF_A_KIND = 3


def effects(state: State, viewer: int | None) -> list[str]:
    """What the last move did, and what happened after it without a decision, as a viewer sees it.

    >>> import rules_dsl as rd
    >>> effects(rd.load("mancala").start().play("3"), None)[:2]
    ['pit: changed at 5 places', 'turns: 0 → 1']
    """
    game = state.game
    told = [e for e in state.events(viewer) if e.kind in ("goods", "cards", "change", "draw")]
    kinds = Counter(_name(event) for event in told)
    lines: list[tuple[int, str]] = []
    for event in told:
        name = _name(event)
        own = _of_players(game, event)
        if name and not own and kinds[name] > MOST_OF_A_KIND:
            line = (1, f"{place_text(game, name, ())}: changed at {kinds[name]} places")
        else:
            line = (0 if own else 1, event.text)
        if line not in lines:
            lines.append(line)
    shown = [text for _, text in sorted(lines, key=lambda line: line[0])]
    if len(shown) > MOST:
        shown = [*shown[: MOST - 1], f"… and {len(shown) - MOST + 1} more (`view` shows all)"]
    return shown


def _name(event: Event) -> str:
    """The variable, pool or zone that changed; nothing for what moved between two."""
    return str(event.data.get("name", ""))


def _of_players(game: Game, event: Event) -> bool:
    """Whether something of a player's changed."""
    meta = game.machine.meta
    places = [_name(event)] if _name(event) else []
    places += [event.data[side][0] for side in ("from", "to") if side in event.data]
    for name in places:
        known = meta["zones"][name][2] if name in meta["zones"] else None
        dimensions = known if known is not None else meta["arrays"][name]["dimensions"]
        if any(kind == "Player" for _, _, kind in dimensions):
            return True
    return False
