"""The effects of a move: in a few words for its player, then a line for each other player."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from attrs import frozen

from compiler.runtime.events import Event, place_text
from compiler.runtime.terminal import bookkeeping
from rules_dsl.cli.table.gist import Gist

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.state import State

MOST = 8
# Number of changes of one ownerless thing that are listed; of more, only the number is shown.
MOST_OF_A_KIND = 3


@frozen
class MoveEffects:
    """The effects of the last move on its player, in words; other effects, in lines."""

    mover: str
    lines: list[str]


def effects(state: State, viewer: int | None) -> MoveEffects:
    """The effects of the last move, and of chance after it, as a viewer sees them.

    >>> import rules_dsl as rd
    >>> effects(rd.load("mancala").start().play("4"), None).lines
    ['turns: 0 → 1', 'mover: south → north', 'pit: changed at 5 places']
    """
    before, game = state.previous, state.game
    if before is None:
        return MoveEffects("", [])
    events, untold = state.events(viewer), bookkeeping(game)
    mover = before.player
    goes_on = state.player == mover and not state.over
    own = ""
    if mover is not None:
        said = next((event.text for event in events if event.kind == "move"), "")
        own = Gist(game, mover, placing=goes_on, shared=goes_on).of(events, said)
    lines = []
    for player in range(game.players):
        if player != mover:
            told = Gist(game, player, placing=False, shared=False).of(events)
            lines += [f"{game.player_names[player]}: {told}"] if told else []
    if not goes_on:
        lines += _shared(game, events, untold)
    if len(lines) > MOST:
        lines = [*lines[: MOST - 1], f"… and {len(lines) - MOST + 1} more (`view` shows all)"]
    return MoveEffects(own, lines)


def _shared(game: Game, events: tuple[Event, ...], untold: frozenset[str]) -> list[str]:
    """Changes of things without an owner; numbers first, then goods and cards."""
    told = [e for e in events if e.kind in ("goods", "cards", "change", "draw")]
    kinds = Counter(_name(event) for event in told)
    lines = []
    for event in sorted(told, key=lambda event: event.kind != "change"):
        name = _name(event)
        if (
            untold.issuperset(_about(event))
            or _of_players(game, event)
            or _held_by_players(game, event)
        ):
            continue
        line = event.text
        if name and kinds[name] > MOST_OF_A_KIND:
            line = f"{place_text(game, name, ())}: changed at {kinds[name]} places"
        if line not in lines:
            lines.append(line)
    return lines


def _name(event: Event) -> str:
    """The variable, pool or zone that changed; nothing for what moved between two."""
    return str(event.data.get("name", ""))


def _about(event: Event) -> set[str]:
    """The variables, pools and zones that changed; what was drawn is none of them."""
    sides = {event.data[side][0] for side in ("from", "to") if side in event.data}
    return sides or {_name(event)}


def _of_players(game: Game, event: Event) -> bool:
    """Whether a possession of a player changed, so that it is shown with the player."""
    meta = game.machine.meta
    for name in _about(event) - {""}:
        known = meta["zones"][name][2] if name in meta["zones"] else None
        dimensions = known if known is not None else meta["arrays"][name]["dimensions"]
        if any(kind == "Player" for _, _, kind in dimensions):
            return True
    return False


def _held_by_players(game: Game, event: Event) -> bool:
    """Whether a place changed hands, which is shown with its new owner."""
    if event.kind != "change" or not event.data["index"]:
        return False
    kind = game.machine.meta["arrays"][_name(event)]["value"]
    return str(kind).partition("?")[0] == "Player"
