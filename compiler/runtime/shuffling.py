"""Samples by letting cards that a player has never seen change places.

Every shuffle is another game that looks the same to the player, weighted by its probability: where
something hidden decides how many moves the others have, games that give them fewer are likelier to
have gone this way. A few trial shuffles give the greatest probability, a bound for the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log
from typing import TYPE_CHECKING, Any

from compiler.runtime.knowledge import CHANCE, Knowledge
from compiler.runtime.randomness import Stream
from compiler.runtime.values import read_slot, write_slot

if TYPE_CHECKING:
    from compiler.runtime.elementary import ElementaryStep
    from compiler.runtime.game import Game

# Number of shuffles tried before falling back to replay.
SHUFFLES = 20
# Number of shuffles that tell how likely the likeliest is.
TRIAL_SHUFFLES = 16
# Maximum number of draws remembered for a game.
MOST_SEEN_DRAWS = 4096
# Precision of a random share.
SHARE_BITS = 53

# Cards that may change places: the number of their table, and the cards.
Group = tuple[int, list[int]]


def exchangeable(knowledge: Knowledge) -> list[Group] | None:
    """The cards that may change places; None if shuffling is not exact."""
    if not all(_among_strangers(knowledge, number) for number in knowledge.face_down):
        return None
    hidden_cells = knowledge.game.sights.hidden_cells
    if knowledge.face_down and hidden_cells:
        return None
    if knowledge.hidden is None and hidden_cells:
        return [] if _all_chance_was_seen(knowledge) else None
    if knowledge.hidden is not None and not knowledge.hidden.certain:
        return None
    unseen = never_seen(knowledge)
    found = None if unseen is None else groups_of(knowledge, unseen)
    if hidden_cells:
        return [] if found == [] and _all_chance_was_seen(knowledge) else None
    return found


def _among_strangers(knowledge: Knowledge, number: int) -> bool:
    """Whether a secret choice was one of cards that the player could not tell apart.

    All that could be chosen lay in one place, began the game in one place and had never been seen:
    the choice decides only which parts such cards play.
    """
    game, step = knowledge.game, knowledge.steps[number]
    point: Mapping[str, Any] = game.machine.meta["points"][game.machine.point(step.before)]
    chosen = [game.notation.decode(point, code) for code in game.machine.moves(step.before)]
    if len({index for index, _ in chosen}) != 1:
        return False
    _, params, _, _, _, elements = point["options"][chosen[0][0]]
    if elements is not None or len(params) != 1 or params[0][3] not in game.sights.names:
        return False
    table = list(game.sights.names).index(params[0][3])
    slot, cards, watchers = game.sights.tables[table]
    options = {values[0] for _, values in chosen}
    if not options <= set(range(cards)):
        return False
    places = {
        (read_slot(slot, game.sights.opening, card), read_slot(slot, step.before, card))
        for card in options
    }
    earlier = (knowledge.start, *(step.after for step in knowledge.steps[:number]))
    return len(places) == 1 and not any(
        knowledge.player in watchers[read_slot(slot, cells, card)]
        for cells in earlier
        for card in options
    )


def _all_chance_was_seen(knowledge: Knowledge) -> bool:
    """Whether no other outcome of any draw would have looked the same to the player.

    Then only one game agrees with what the player has seen, and the position is the only sample.
    """
    return all(
        _chance_was_seen(knowledge, number)
        for number, step in enumerate(knowledge.steps)
        if step.who == CHANCE
    )


def _chance_was_seen(knowledge: Knowledge, number: int) -> bool:
    """The same for one draw; remembered, since every decision of a game asks again."""
    game, player, step = knowledge.game, knowledge.player, knowledge.steps[number]
    key = (step.before, step.code, player)
    known: bool | None = game.sights.seen_draws.get(key)
    if known is None:
        fitting = 0
        for code, _ in game.machine.outcomes(step.before):
            trial = bytearray(step.before)
            game.machine.play(trial, code)
            fitting += game.sights.of(trial, player) == knowledge.sights[number + 1]
        known = fitting == 1
        if len(game.sights.seen_draws) >= MOST_SEEN_DRAWS:
            game.sights.seen_draws.clear()
        game.sights.seen_draws[key] = known
    return known


# For each table of cards: the card whose role each card takes.
Swap = list[dict[int, int]]


def likeliest(knowledge: Knowledge, groups: list[Group]) -> float | None:
    """The likelihood of the likeliest of a few shuffles, as a logarithm; see `_likelihood`.

    None if likelihoods differ where others chose in secret: what else they may have chosen would
    have to be added up. The trial shuffles are drawn from a stream of their own, and nothing of the
    real position shows through.
    """
    stream = Stream(0)
    tried = (
        _likelihood(knowledge, relabelled(knowledge, groups, stream)) for _ in range(TRIAL_SHUFFLES)
    )
    found = [one for one in tried if one is not None]
    if not found or (knowledge.face_down and min(found) < max(found)):
        return None
    return max(found)


def shuffled(
    knowledge: Knowledge, groups: list[Group], bound: float, stream: Stream
) -> Swap | None:
    """Let cards that the player has never seen change places; nothing if that fails.

    A shuffle is kept in proportion to its likelihood; `bound` is that of the likeliest.
    """
    if not groups:
        return [{} for _ in knowledge.game.sights.tables]
    for _ in range(SHUFFLES):
        swap = relabelled(knowledge, groups, stream)
        found = _likelihood(knowledge, swap)
        if found is None:
            continue
        share = stream.below(1 << SHARE_BITS) / (1 << SHARE_BITS)
        if share <= exp(min(0.0, found - bound)) and _same_game(knowledge, swap):
            return swap
    return None


def never_seen(knowledge: Knowledge) -> list[set[int]] | None:
    """The cards of each table that the player never saw.

    A card that was seen and lies hidden now is where the player thinks it is, unless another card
    has left that place unseen since; then nothing is given.
    """
    tables = knowledge.game.sights.tables
    unseen = [set(range(cards)) for _, cards, _ in tables]
    for number, (slot, cards, watchers) in enumerate(tables):
        before = places_of(knowledge.start, slot, cards)
        # Places where a card lies that the player has seen and that is hidden now.
        doubtful: set[int] = set()
        for cells in (knowledge.start, *(step.after for step in knowledge.steps)):
            places = places_of(cells, slot, cards)
            for card, place in enumerate(places):
                if knowledge.player in watchers[place]:
                    unseen[number].discard(card)
                    continue
                if before[card] != place and before[card] in doubtful:
                    return None
                if card not in unseen[number]:
                    doubtful.add(place)
            before = places
    return unseen


def places_of(cells: bytes, slot: Any, cards: int) -> list[int]:
    offset, width, *_ = slot
    if width == 1 and slot[2] == "plain":
        return list(cells[offset : offset + cards])
    return [read_slot(slot, cells, card) for card in range(cards)]


def groups_of(knowledge: Knowledge, unseen: list[set[int]]) -> list[Group]:
    """Cards that began in the same place and have parted since, in the order of the table."""
    found = []
    opening = knowledge.game.sights.opening
    for number, (slot, _, _) in enumerate(knowledge.game.sights.tables):
        by_start: dict[int, list[int]] = {}
        for card in sorted(unseen[number]):
            by_start.setdefault(read_slot(slot, opening, card), []).append(card)
        found += [
            (number, cards)
            for cards in by_start.values()
            if len({read_slot(slot, knowledge.end, card) for card in cards}) > 1
        ]
    return found


def relabelled(knowledge: Knowledge, groups: list[Group], stream: Stream) -> Swap:
    """Let the cards of each group take each other's parts at random.

    The parts are sorted by where they end, so that the outcome does not depend on which card really
    lies where.
    """
    tables = knowledge.game.sights.tables
    swap: Swap = [{} for _ in tables]
    for number, cards in groups:
        slot = tables[number][0]
        parts = sorted(cards, key=lambda card: (read_slot(slot, knowledge.end, card), card))
        left = list(cards)
        for part in parts:
            swap[number][part] = left.pop(stream.below(len(left)))
    return swap


def swapped(game: Game, cells: bytes, swap: Swap) -> bytes:
    """A position in which every card lies where the one whose part it takes lay."""
    result = bytearray(cells)
    for (slot, _, _), partners in zip(game.sights.tables, swap, strict=True):
        for part, card in partners.items():
            write_slot(slot, result, card, read_slot(slot, cells, part))
    return bytes(result)


def _likelihood(knowledge: Knowledge, swap: Swap) -> float | None:
    """The likelihood of the steps that something hidden may decide, as a logarithm.

    None if the game with cards in each other's parts cannot go the same way. Steps that nothing
    hidden decides are as likely in every shuffle.
    """
    game = knowledge.game
    machine = game.machine
    found = 0.0
    for step in knowledge.steps:
        point = machine.meta["points"][machine.point(step.before)]
        if not point["hidden"] or step.who == knowledge.player:
            continue
        cells = swapped(game, step.before, swap)
        code = code_of(game, step, swap)
        if step.who == CHANCE:
            outcomes = dict(machine.outcomes(cells))
            weight, of = outcomes.get(code, 0), sum(outcomes.values())
        else:
            legal = machine.moves(cells)
            weight, of = int(code in legal), len(legal)
        if not weight:
            return None
        found += log(weight / of)
    return found


def _same_game(knowledge: Knowledge, swap: Swap) -> bool:
    """Whether the game with cards in each other's parts goes the same way.

    It is played again: every position must be the recorded one but for the cards.
    """
    game = knowledge.game
    for step in knowledge.steps:
        cells = bytearray(swapped(game, step.before, swap))
        game.machine.play(cells, code_of(game, step, swap))
        if cells != swapped(game, step.after, swap):
            return False
    return True


def code_of(game: Game, step: ElementaryStep, swap: Swap) -> int:
    """The move that a move becomes when cards take each other's parts."""
    code = step.code
    point: Mapping[str, Any] = game.machine.meta["points"][game.machine.point(step.before)]
    partners = dict(zip(game.sights.names, swap, strict=True))
    if "verb" in point:
        return partners.get(point["kind"], {}).get(code, code)
    index, values = game.notation.decode(point, code)
    _, params, base, _, _, elements = point["options"][index]
    if elements is not None:  # a set: whether an element is in it moves to its partner
        kind, first = elements
        moved = partners.get(kind, {})
        chosen = {moved.get(first + k, first + k) for k, there in enumerate(values) if there}
        values = tuple(int(first + k in chosen) for k in range(len(values)))
    rest = 0
    for value, (_, low, high, kind) in zip(values, params, strict=True):
        value = partners.get(kind, {}).get(value, value)
        rest = rest * (high - low + 1) + value - low
    return int(base) + rest
