"""Positions that a player cannot tell from the real one.

The player has seen some things in the course of the game: their own moves, the moves of others that
are public, and everything that became visible. A sample is a position that agrees with it. Among
those it is drawn as if chance had acted as the rules say and the others had chosen uniformly among
their legal moves.

There are two ways. *Replay* plays the game again from the opening with many guesses side by side;
a guess that shows the player something else is discarded, the others are weighted by probability.
*Shuffling* lets cards that the player has never seen change places. It is far quicker and gives the
same distribution where everything hidden is such a card; the conditions are checked, and replay is
used where they do not hold. Both are functions of what the player has seen and of the seed: the
real position does not show through. Where the history does not start at the opening, the hidden
part of its start is guessed first (`unplayed`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field, frozen

from compiler.runtime.elementary import ElementaryStep, elementary_steps, face_down, open_round
from compiler.runtime.randomness import MASK, Stream, mix
from compiler.runtime.saving import NOT_PLAYED, DataError
from compiler.runtime.sight import Sight
from compiler.runtime.unplayed import HiddenStart, SampleError
from compiler.runtime.values import read_slot, write_slot

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.state import State

# Number of guesses played side by side, and the maximum number tried before giving up.
GUESSES, MOST_GUESSES = 32, 4096
# Number of shuffles tried before falling back to replay.
SHUFFLES = 20
# Maximum number of draws remembered for a game.
MOST_SEEN_DRAWS = 4096
# Who decides where chance does.
CHANCE = -2


def sample(state: State, player: int, seed: int) -> State:
    """A position that a player cannot tell from the real one, with other chance to come."""

    own = mix((seed ^ 0x5A3C96) & MASK)
    cells = Sampler(state, player).cells(seed)
    return state.game.states(state.game, cells, None if state.seed is None else own, 0, None)


def retold(state: State, player: int, seed: int) -> State:
    """A sample with its history: a game that was, for all that the player knows, this one.

    Chance is left to the caller. Raises `DataError` if the history starts elsewhere.

    >>> import rules_dsl as rd
    >>> s = rd.load("kuhn_poker").start(seed=1).play("bet")
    >>> again = retold(s, 0, seed=2)
    >>> len(again.history()), again == s.sample(0, seed=2)
    (4, True)
    """
    sampler = Sampler(state, player)
    if sampler.knowledge.hidden is not None:
        raise DataError(NOT_PLAYED)
    result = state.game.start()
    for code in sampler.codes(seed):
        result = result._after(code)
    return result


class Sampler:
    """Draws many samples of one position for one player."""

    def __init__(self, state: State, player: int) -> None:
        self.knowledge = knowledge_of(state, player)
        self.settled = _before_open_round(self.knowledge)
        self.groups = exchangeable(self.settled)

    def cells(self, seed: int) -> bytes:
        """The cells of the sample with a seed."""
        stream = Stream(seed)
        swap = self._swap(stream)
        if swap is None:
            return replayed(self.knowledge, stream)[0]
        return self._chosen_again(swap, stream)[0]

    def codes(self, seed: int) -> list[int]:
        """The moves and outcomes of chance that lead to the sample with a seed."""
        stream = Stream(seed)
        swap = self._swap(stream)
        if swap is None:
            return replayed(self.knowledge, stream)[1]
        last = self._chosen_again(swap, stream)[1]
        return [_code_of(self.settled.game, step, swap) for step in self.settled.steps] + last

    def _swap(self, stream: Stream) -> Swap | None:
        return None if self.groups is None else shuffled(self.settled, self.groups, stream)

    def _chosen_again(self, swap: Swap, stream: Stream) -> tuple[bytes, list[int]]:
        """Play a round of secret choices: the player's own as they were, the others anew."""
        machine, player = self.knowledge.game.machine, self.knowledge.player
        result = bytearray(_swapped(self.knowledge.game, self.settled.end, swap))
        codes = []
        for step in self.knowledge.steps[len(self.settled.steps) :]:
            legal = machine.moves(result)
            codes.append(step.code if step.who == player else legal[stream.below(len(legal))])
            machine.play(result, codes[-1])
        return bytes(result), codes


# ---- what a player knows -------------------------------------------------------------------------


@define
class Knowledge:
    """What a player has seen up to a position, step by step."""

    game: Game
    player: int
    steps: list[ElementaryStep]
    # What the player saw after every step; the first entry is the start.
    sights: list[Sight]
    start: bytes
    end: bytes
    # Steps of others that are still face down: their codes are not known.
    face_down: frozenset[int] = field(factory=frozenset)
    # What is hidden at the start, if that is not the opening.
    hidden: HiddenStart | None = None


def knowledge_of(state: State, player: int) -> Knowledge:
    """The knowledge of a player at a position."""
    game = state.game
    steps = elementary_steps(state)
    start = steps[0].before if steps else state.cells
    sights = game.sights
    seen = [sights.of(start, player), *(sights.of(step.after, player) for step in steps)]
    secret = {
        number for number in face_down(game, steps, state.cells) if steps[number].who != player
    }
    hidden = None if start == sights.opening else HiddenStart(game, player, start)
    return Knowledge(game, player, steps, seen, start, state.cells, frozenset(secret), hidden)


def _before_open_round(knowledge: Knowledge) -> Knowledge:
    """The knowledge before the current round of secret choices, if there is one."""
    steps = knowledge.steps
    unfinished = open_round(knowledge.game, steps, knowledge.end) & knowledge.face_down
    if not unfinished:
        return knowledge
    start = min(unfinished)
    return Knowledge(
        knowledge.game,
        knowledge.player,
        steps[:start],
        knowledge.sights[: start + 1],
        knowledge.start,
        steps[start].before,
        frozenset(number for number in knowledge.face_down if number < start),
        knowledge.hidden,
    )


# ---- replay --------------------------------------------------------------------------------------


def replayed(knowledge: Knowledge, stream: Stream) -> tuple[bytes, list[int]]:
    """Replay from the opening with guesses that agree with what the player has seen.

    Gives the position and how it was reached.
    """
    # Where nothing has happened since the start, every guess agrees.
    guesses = GUESSES if knowledge.steps else 1
    while guesses <= MOST_GUESSES:
        # What was drawn unseen and turned up later is rarely guessed: the last attempts draw it.
        found = _attempt(knowledge, stream, guesses, forced=guesses > 4 * GUESSES)
        if found is not None:
            return found
        guesses *= 4
    raise SampleError(
        f"none of {MOST_GUESSES} guesses agrees with what player {knowledge.player} has seen"
    )


@frozen
class _Guess:
    """A game that agrees with what the player has seen, and its weight."""

    cells: bytearray
    weight: float
    # The last code, and those before it in the same way.
    way: Any = None

    def codes(self) -> list[int]:
        """The history of the position."""
        found, way = [], self.way
        while way is not None:
            way, code = way
            found.append(code)
        return found[::-1]


def _attempt(
    knowledge: Knowledge, stream: Stream, number_of_guesses: int, forced: bool
) -> tuple[bytes, list[int]] | None:
    turned_up = _turned_up(knowledge) if forced else frozenset()
    guesses = [_Guess(bytearray(_start(knowledge, stream)), 1.0) for _ in range(number_of_guesses)]
    for number, step in enumerate(knowledge.steps):
        wanted = knowledge.sights[number + 1]
        after = []
        for guess in guesses:
            cells = guess.cells
            share, code = _advance(
                knowledge, number, step, wanted, cells, stream, number in turned_up
            )
            if share:
                after.append(_Guess(cells, guess.weight * share, (guess.way, code)))
        if not after:
            return None
        guesses = _balanced(after, number_of_guesses, stream)
    chosen = guesses[stream.pick([guess.weight for guess in guesses])]
    return bytes(chosen.cells), chosen.codes()


def _start(knowledge: Knowledge, stream: Stream) -> bytes:
    """The start of the history; one that was set up with other hidden things."""
    if knowledge.hidden is None:
        return knowledge.start
    game, player, start = knowledge.game, knowledge.player, knowledge.start
    there = Knowledge(game, player, [], knowledge.sights[:1], start, start, hidden=knowledge.hidden)
    groups = _groups(there, _never_seen(there) or [])
    return knowledge.hidden.guess(_swapped(game, start, _relabelled(there, groups, stream)), stream)


def _turned_up(knowledge: Knowledge) -> frozenset[int]:
    """Draws of cards that the player did not see then and has seen since."""
    game = knowledge.game
    found = set()
    for table, (slot, cards, watchers) in zip(game.sights.names, game.sights.tables, strict=True):
        seen: set[int] = set()
        for at in range(len(knowledge.steps) - 1, -1, -1):
            step = knowledge.steps[at]
            for card, place in enumerate(_places(step.after, slot, cards)):
                if knowledge.player in watchers[place]:
                    seen.add(card)
            point = game.machine.meta["points"][game.machine.point(step.before)]
            if step.who == CHANCE and point["kind"] == table and step.code in seen:
                found.add(at)
    return frozenset(found)


def _advance(
    knowledge: Knowledge,
    number: int,
    step: ElementaryStep,
    wanted: Sight,
    cells: bytearray,
    stream: Stream,
    forced: bool,
) -> tuple[float, int]:
    """Take a step in a guess, in place; gives the probability of what was seen, and the step."""
    machine, sights, player = knowledge.game.machine, knowledge.game.sights, knowledge.player
    if machine.point(cells) != machine.point(step.before):
        return 0.0, step.code
    if step.who == CHANCE:
        outcomes = machine.outcomes(cells)
        fitting: list[tuple[bytearray, int, int]] = []
        for code, weight in outcomes:
            if forced and code != step.code:
                continue
            trial = bytearray(cells)
            machine.play(trial, code)
            if sights.of(trial, player) == wanted:
                fitting.append((trial, weight, code))
        if not fitting:
            return 0.0, step.code
        cells[:], _, chosen = fitting[stream.pick([float(weight) for _, weight, _ in fitting])]
        seen = sum(weight for _, weight, _ in fitting)
        return seen / sum(weight for _, weight in outcomes), chosen
    legal = machine.moves(cells)
    if number in knowledge.face_down:
        code = legal[stream.below(len(legal))] if legal else -1
        share = 1.0
    else:
        code = step.code
        share = 1.0 if step.who == player else 1.0 / max(1, len(legal))
    if code not in legal:
        return 0.0, code
    machine.play(cells, code)
    return share if sights.of(cells, player) == wanted else 0.0, code


def _balanced(guesses: list[_Guess], wanted: int, stream: Stream) -> list[_Guess]:
    """Drop unlikely guesses and repeat likely ones when too few carry the weight."""
    total = sum(guess.weight for guess in guesses)
    squares = sum((guess.weight / total) ** 2 for guess in guesses)
    if len(guesses) == wanted and squares * wanted < 2:
        return [evolve(guess, weight=guess.weight / total) for guess in guesses]
    weights = [guess.weight for guess in guesses]
    kept = [guesses[stream.pick(weights)] for _ in range(wanted)]
    return [_Guess(bytearray(guess.cells), 1.0, guess.way) for guess in kept]


# ---- shuffling -----------------------------------------------------------------------------------


# Cards that may change places: the number of their table, and the cards.
Group = tuple[int, list[int]]


def exchangeable(knowledge: Knowledge) -> list[Group] | None:
    """The cards that may change places; None if shuffling is not exact."""
    if knowledge.face_down:
        return None
    hidden_cells = knowledge.game.sights.hidden_cells
    if knowledge.hidden is None and hidden_cells:
        return [] if _all_chance_was_seen(knowledge) else None
    if knowledge.hidden is not None and not knowledge.hidden.certain:
        return None
    unseen = _never_seen(knowledge)
    groups = None if unseen is None else _groups(knowledge, unseen)
    if hidden_cells:
        return [] if groups == [] and _all_chance_was_seen(knowledge) else None
    return groups


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


def shuffled(knowledge: Knowledge, groups: list[Group], stream: Stream) -> Swap | None:
    """Let cards that the player has never seen change places; nothing if that fails."""
    if not groups:
        return [{} for _ in knowledge.game.sights.tables]
    for _ in range(SHUFFLES):
        swap = _relabelled(knowledge, groups, stream)
        if _same_game(knowledge, swap):
            return swap
    return None


def _never_seen(knowledge: Knowledge) -> list[set[int]] | None:
    """The cards of each table that the player never saw.

    A card that was seen and lies hidden now is where the player thinks it is, unless another card
    has left that place unseen since; then nothing is given.
    """
    tables = knowledge.game.sights.tables
    unseen = [set(range(cards)) for _, cards, _ in tables]
    for number, (slot, cards, watchers) in enumerate(tables):
        before = _places(knowledge.start, slot, cards)
        # Places where a card lies that the player has seen and that is hidden now.
        doubtful: set[int] = set()
        for cells in (knowledge.start, *(step.after for step in knowledge.steps)):
            places = _places(cells, slot, cards)
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


def _places(cells: bytes, slot: Any, cards: int) -> list[int]:
    offset, width, *_ = slot
    if width == 1 and slot[2] == "plain":
        return list(cells[offset : offset + cards])
    return [read_slot(slot, cells, card) for card in range(cards)]


def _groups(knowledge: Knowledge, unseen: list[set[int]]) -> list[Group]:
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


def _relabelled(knowledge: Knowledge, groups: list[Group], stream: Stream) -> Swap:
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


def _swapped(game: Game, cells: bytes, swap: Swap) -> bytes:
    """A position in which every card lies where the one whose part it takes lay."""
    result = bytearray(cells)
    for (slot, _, _), partners in zip(game.sights.tables, swap, strict=True):
        for part, card in partners.items():
            write_slot(slot, result, card, read_slot(slot, cells, part))
    return bytes(result)


def _same_game(knowledge: Knowledge, swap: Swap) -> bool:
    """Whether the game with cards in each other's parts would have gone the same way.

    It is played again: every position must be the recorded one but for the cards, and where
    something hidden may decide what is possible, the others must have had as many options.
    """
    game = knowledge.game
    machine = game.machine
    for step in knowledge.steps:
        cells = bytearray(_swapped(game, step.before, swap))
        point = machine.meta["points"][machine.point(step.before)]
        code = _code_of(game, step, swap)
        if point["hidden"] and step.who != knowledge.player:
            if step.who == CHANCE:
                if dict(machine.outcomes(cells)).get(code) != dict(
                    machine.outcomes(step.before)
                ).get(step.code):
                    return False
            elif code not in (legal := machine.moves(cells)) or len(legal) != len(
                machine.moves(step.before)
            ):
                return False
        machine.play(cells, code)
        if cells != _swapped(game, step.after, swap):
            return False
    return True


def _code_of(game: Game, step: ElementaryStep, swap: Swap) -> int:
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
