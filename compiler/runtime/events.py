"""The effects of a move: the move itself, then every change that a viewer sees, as data and words.

Goods and cards are reported as moved where it is plain from where to where; what a viewer may not
see is left out, or counted where the numbers of cards are known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from attrs import field, frozen

from compiler.runtime.elementary import ElementaryStep, elementary_steps, face_down
from compiler.runtime.nouns import counted
from compiler.runtime.values import CellTable, Hidden

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.state import State

EventKind = Literal["move", "draw", "goods", "cards", "change", "reveal", "end"]
# The keys that lead to a value, and the value.
Leaf = tuple[tuple[Any, ...], Any]


@frozen
class Event:
    """An event: its kind, a sentence, and the same as data."""

    kind: EventKind
    text: str
    data: dict[str, Any] = field(factory=dict)

    def __str__(self) -> str:
        return self.text


def events_of(state: State, viewer: int | None) -> tuple[Event, ...]:
    """What the last move of a position did; nothing at the opening."""
    before = state.previous
    if before is None:
        return ()
    steps = elementary_steps(state)
    secret = face_down(state.game, steps, state.cells)
    number = len(steps) - 1
    while steps[number].before != before.cells:
        number -= 1
    told = [
        step_event(state.game, steps[k], viewer, k in secret) for k in range(number, len(steps))
    ]
    found = [event for event in told if event is not None]
    found += [Event("reveal", line, {}) for line in state.revealed(viewer)]
    for name in state.game.reader.known():
        found += _changes(state.game, name, before, state, viewer)
    return tuple(_joined(state.game, found)) + ((_end(state),) if state.over else ())


def step_event(game: Game, step: ElementaryStep, viewer: int | None, secret: bool) -> Event | None:
    """A decision or a draw, as a viewer knows it; nothing for a draw that not everybody sees."""
    machine = game.machine
    point = machine.meta["points"][machine.point(step.before)]
    if "verb" in point:
        if not point["public"]:
            return None
        text = str(game.notation.move(step.before, step.code))
        return Event("draw", f"chance: {text}", {"by": "chance", "move": text})
    name = game.player_names[step.who]
    if secret and step.who != viewer:
        return Event("move", f"{name} has chosen", {"by": name, "secret": True})
    text = str(game.notation.move(step.before, step.code))
    return Event("move", f"{name}: {text}", {"by": name, "move": text})


def _end(state: State) -> Event:
    names = state.game.player_names
    winners = [names[p] for p in state.winners()]
    return Event(
        "end", f"the game is over: {', '.join(winners) or 'nobody'} wins", {"winners": winners}
    )


def _changes(
    game: Game, name: str, before: State, after: State, viewer: int | None
) -> Iterator[Event]:
    reader = game.reader
    old = dict(_leaves(reader.read(before.cells, name, viewer, masked=True)))
    new = dict(_leaves(reader.read(after.cells, name, viewer, masked=True)))
    for keys, value in new.items():
        if value != old[keys]:
            yield from _change(game, name, keys, old[keys], value)


def _leaves(value: Any, keys: tuple[Any, ...] = ()) -> Iterator[Leaf]:
    if isinstance(value, CellTable):
        for key in value:
            yield from _leaves(value[key], (*keys, key))
    else:
        yield keys, value


def _change(game: Game, name: str, keys: tuple[Any, ...], old: Any, new: Any) -> Iterator[Event]:
    place = place_text(game, name, keys)
    data: dict[str, Any] = {"name": name, "index": list(keys)}
    if isinstance(old, Hidden) or isinstance(new, Hidden):
        if isinstance(old, Hidden) and isinstance(new, Hidden) and new.count is not None:
            difference = new.count - (old.count or 0)
            sign = "+" if difference > 0 else ""
            yield Event(
                "cards", f"{place}: {sign}{difference} unseen", {**data, "unseen": difference}
            )
        return
    if isinstance(new, dict):
        for good, amount in new.items():
            if amount != old[good] and not isinstance(amount, Hidden):
                change = amount - old[good]
                yield Event(
                    "goods",
                    f"{place}: {counted(change, game.label(good), '+')}",
                    {**data, "good": good, "change": change, "now": amount},
                )
        return
    if isinstance(new, tuple):
        kind = _card_kind(game, name)
        for sign, cards in (("-", set(old) - set(new)), ("+", set(new) - set(old))):
            for card in sorted(cards, key=str):
                yield Event(
                    "cards",
                    f"{place}: {sign}{value_text(game, kind, card)}",
                    {**data, "card": card, "change": sign},
                )
        return
    kind = game.machine.meta["arrays"][name]["value"]
    places = places_in(game, name)
    words = [
        value_text(game, kind, v) if places is None or v is None else places[v] for v in (old, new)
    ]
    shown = " → ".join(words)
    yield Event("change", f"{place}: {shown}", {**data, "before": old, "after": new})


def _card_kind(game: Game, name: str) -> str:
    meta = game.machine.meta
    if name in meta["zones"]:
        return str(meta["zones"][name][0])
    return str(meta["arrays"][name]["dimensions"][-1][2])


def _joined(game: Game, events: list[Event]) -> Iterator[Event]:
    """Two changes that are one thing moved from one place to another become one event."""
    lost: dict[tuple[str, Any, int], list[Event]] = {}
    gained: dict[tuple[str, Any, int], list[Event]] = {}
    for event in events:
        thing, change = _moved(event)
        if thing is not None:
            (lost if change < 0 else gained).setdefault((*thing, abs(change)), []).append(event)
    partner: dict[int, Event] = {}
    for key, sources in lost.items():
        targets = gained.get(key, [])
        if len(sources) == 1 and len(targets) == 1:
            partner[id(sources[0])] = targets[0]
    taken = {id(target) for target in partner.values()}
    for event in events:
        if id(event) in taken:
            continue
        if id(event) in partner:
            yield _movement(game, event, partner[id(event)])
        else:
            yield event


def _moved(event: Event) -> tuple[tuple[str, Any] | None, int]:
    if event.kind == "goods":
        return ("good", event.data["good"]), event.data["change"]
    if event.kind == "cards" and "card" in event.data:
        return ("card", event.data["card"]), 1 if event.data["change"] == "+" else -1
    return None, 0


def _movement(game: Game, source: Event, target: Event) -> Event:
    start = place_text(game, source.data["name"], tuple(source.data["index"]))
    end = place_text(game, target.data["name"], tuple(target.data["index"]))
    places = {
        "from": [source.data["name"], *source.data["index"]],
        "to": [target.data["name"], *target.data["index"]],
    }
    if source.kind == "goods":
        good, amount = source.data["good"], target.data["change"]
        return Event(
            "goods",
            f"{counted(amount, game.label(good))}: {start} → {end}",
            {"good": good, "amount": amount, **places},
        )
    card = source.data["card"]
    shown = value_text(game, _card_kind(game, source.data["name"]), card)
    return Event("cards", f"{shown}: {start} → {end}", {"card": card, **places})


# ---- words ---------------------------------------------------------------------------------------


def place_text(game: Game, name: str, keys: tuple[Any, ...]) -> str:
    """A variable, pool or zone with its index, as people read it."""
    meta = game.machine.meta
    dimensions = (
        meta["zones"][name][2] if name in meta["zones"] else (meta["arrays"][name]["dimensions"])
    )
    label = meta["labels"].get(name)
    words = [str(label[0]) if label else name.replace("_", " ")]
    words += [key_text(game, d, key) for d, key in zip(dimensions, keys, strict=False)]
    return " ".join(words)


def key_text(game: Game, dimension: tuple[int, int, str], key: Any) -> str:
    """An index as people read it: a numbered place by the name that moves give it."""
    first, size, kind = dimension
    places = game.machine.meta["places"].get(size)
    if places is not None and (first, kind) == (0, "int"):
        return str(places[key])
    return value_text(game, kind, key)


def places_in(game: Game, name: str) -> tuple[str, ...] | None:
    """The names of what a variable leads to, if it holds the number of a place or nothing."""
    meta = game.machine.meta
    array = meta["arrays"][name]
    found: tuple[str, ...] | None = None
    if array["kind"] == "variable" and array["value"] == "int?-1":
        found = meta["places"].get(array["slot"][-1] + 1)
    return found


def value_text(game: Game, kind: str, value: Any) -> str:
    """A value as people read it."""
    if value is None:
        return "none"
    base = kind.partition("?")[0]
    if base == "Player" and isinstance(value, int):
        return game.player_names[value]
    if isinstance(value, bool):
        return "yes" if value else "no"
    if base in game.reader.names.enums and isinstance(value, str):
        values, labels, _ = game.reader.names.enums[base]
        return labels[values.index(value)]
    return str(value)
