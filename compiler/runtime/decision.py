"""The decision point where a game waits, for people and programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from compiler.rule_id import decision_name
from compiler.runtime.values import read_slot

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compiler.runtime.game import Game

Cells = bytes | bytearray
# Length up to which a name is an author's abbreviation, which tells a player nothing.
SHORT_NAME = 2


@frozen
class Parameter:
    """Something that a player chooses: its name, its type as the rules call it, its range."""

    name: str
    kind: str
    low: int
    high: int


@frozen
class Choice:
    """One of the options of a decision, legal now or not."""

    name: str
    parameters: tuple[Parameter, ...]
    cites: tuple[str, ...]


@frozen
class Decision:
    """A decision: its name in the rules, a sentence, who decides, and the options.

    The sentence is the question that the rules ask, or else the options in words.

    `about` holds the public values that the decision is about. When chance decides,
    `player` is None and the only option is the draw.

    >>> import rules_dsl as rd
    >>> decision = rd.load("tic_tac_toe").start().decision
    >>> decision.name, decision.prompt, [option.name for option in decision.options]
    ('play', 'cross: place', ['place'])
    """

    name: str
    prompt: str
    player: int | None
    options: tuple[Choice, ...]
    secret: bool = False
    about: dict[str, Any] = field(factory=dict)


def decision_at(game: Game, cells: Cells) -> Decision | None:
    """The decision that a position waits for; None at the end."""
    machine = game.machine
    if machine.over(cells):
        return None
    point: Mapping[str, Any] = machine.meta["points"][machine.point(cells)]
    if "verb" in point:
        text = f"{point['verb']} {point['name']}"
        return Decision(text, text, None, (Choice(text, (), ()),))
    player = machine.player(cells)
    options = tuple(
        Choice(name, tuple(Parameter(n, kind, low, high) for n, low, high, kind in params), cites)
        for name, params, _, _, cites, *_ in point["options"]
    )
    name = decision_name(point["procedure"], point["label"])
    words = point["prompt"] or listed([option.name.replace("_", " ") for option in options])
    about = about_decision(game, cells)
    told = ", ".join(filter(None, (_told(game, *known) for known in about)))
    prompt = f"{game.player_names[player]}: {words}{f' ({told})' if told else ''}"
    values = {key: game.reader.names.value(kind, value) for key, kind, value in about if kind}
    return Decision(name, prompt, player, options, point["secret"], values)


def listed(words: list[str]) -> str:
    """Alternatives as a sentence has them.

    >>> listed(["beg", "place", "pick up"])
    'beg, place or pick up'
    >>> listed([])  # a player is stuck: what was on offer is switched off
    'nothing to choose'
    """
    *first, last = words or ["nothing to choose"]
    return f"{', '.join(first)} or {last}" if first else last


def _told(game: Game, key: str, kind: str, value: int) -> str:
    """A local in words for players: a thing by its label; a number only under a name in words."""
    base = kind.partition("?")[0]
    if base in ("", "Player"):
        return ""
    label = game.reader.names.label(kind, value)
    if base not in ("int", "bool"):
        return label
    return f"{key.replace('_', ' ')} {label}" if len(key) > SHORT_NAME else ""


def about_decision(game: Game, cells: Cells) -> list[tuple[str, str, int]]:
    """The public locals of a decision: name, type and number."""
    machine = game.machine
    point = machine.meta["points"][machine.point(cells)]
    pointer = machine.meta["frame_pointer"]
    found = []
    for _, slot, kind, moving, written in point.get("known", ()):
        base = int.from_bytes(cells[pointer : pointer + 2], "little") if moving else 0
        found.append((written, kind, read_slot((slot[0] + base, *slot[1:]), cells)))
    return found
