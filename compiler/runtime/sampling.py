"""Positions that a player cannot tell from the real one.

The player has seen some things in the course of the game: their own moves, the moves of others that
are public, and everything that became visible. A sample is a position that agrees with it. Among
those it is drawn as if chance had acted as the rules say and the others had chosen uniformly among
their legal moves.

There are two ways. *Replay* plays the game again from the opening with many guesses side by side;
a guess that shows the player something else is discarded, the others are weighted by probability.
*Shuffling* (`shuffling`) lets cards that the player has never seen change places. It is far quicker
and gives the same distribution where everything hidden is such a card; the conditions are checked,
and replay is used where they do not hold. Both are functions of what the player has seen and of the
seed: the real position does not show through. Where the history does not start at the opening, the
hidden part of its start is guessed first (`unplayed`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from compiler.runtime.knowledge import CHANCE, Knowledge, before_open_round, knowledge_of
from compiler.runtime.randomness import MASK, Stream, mix
from compiler.runtime.saving import NOT_PLAYED, DataError
from compiler.runtime.shuffling import (
    Swap,
    code_of,
    exchangeable,
    groups_of,
    likeliest,
    never_seen,
    places_of,
    relabelled,
    shuffled,
    swapped,
)
from compiler.runtime.unplayed import SampleError

if TYPE_CHECKING:
    from compiler.runtime.elementary import ElementaryStep
    from compiler.runtime.sight import Sight
    from compiler.runtime.state import State

# Number of guesses played side by side, and the maximum number tried before giving up.
GUESSES, MOST_GUESSES = 32, 4096


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
        self.settled = before_open_round(self.knowledge)
        self.groups = exchangeable(self.settled)
        # The likelihood of the likeliest shuffle.
        self.bound = 0.0
        if self.groups:
            bound = likeliest(self.settled, self.groups)
            if bound is None:
                self.groups = None
            else:
                self.bound = bound

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
        return [code_of(self.settled.game, step, swap) for step in self.settled.steps] + last

    def _swap(self, stream: Stream) -> Swap | None:
        if self.groups is None:
            return None
        return shuffled(self.settled, self.groups, self.bound, stream)

    def _chosen_again(self, swap: Swap, stream: Stream) -> tuple[bytes, list[int]]:
        """Play a round of secret choices: the player's own as they were, the others anew."""
        machine, player = self.knowledge.game.machine, self.knowledge.player
        result = bytearray(swapped(self.knowledge.game, self.settled.end, swap))
        codes = []
        for step in self.knowledge.steps[len(self.settled.steps) :]:
            legal = machine.moves(result)
            codes.append(step.code if step.who == player else legal[stream.below(len(legal))])
            machine.play(result, codes[-1])
        return bytes(result), codes


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
    groups = groups_of(there, never_seen(there) or [])
    return knowledge.hidden.guess(swapped(game, start, relabelled(there, groups, stream)), stream)


def _turned_up(knowledge: Knowledge) -> frozenset[int]:
    """Draws of cards that the player did not see then and has seen since."""
    game = knowledge.game
    found = set()
    for table, (slot, cards, watchers) in zip(game.sights.names, game.sights.tables, strict=True):
        seen: set[int] = set()
        for at in range(len(knowledge.steps) - 1, -1, -1):
            step = knowledge.steps[at]
            for card, place in enumerate(places_of(step.after, slot, cards)):
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
