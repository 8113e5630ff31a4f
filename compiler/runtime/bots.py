"""Bots: programs that play a seat, seeing only what that seat may see.

A bot's choice is a function of its seed and of what its player sees: two positions that look alike
to the player get the same choice. Hidden values are sampled, never read.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from attrs import define, field, frozen

from compiler.runtime.moves import Move
from compiler.runtime.randomness import MASK, Stream, mix
from compiler.runtime.sampling import Sampler

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from compiler.runtime.machine import Machine
    from compiler.runtime.state import State


@runtime_checkable
class Bot(Protocol):
    """A player that chooses moves."""

    def choose(self, state: State) -> Move:
        """A legal move for the player who decides."""


Policy = str | Bot | Callable[["State"], Move | str]
NAMES = ("random", "greedy", "mcts")
# The aim of a bot: to win, or to have as large a lead as possible.
Aim = Literal["win", "score"]


def decider(state: State) -> int:
    """The player to decide; raises `ValueError` where nobody is."""
    if state.player is None:
        raise ValueError(f"no player decides here: {'it is over' if state.over else 'chance does'}")
    return state.player


def stream_of(state: State, seed: int) -> Stream:
    """Random numbers that depend on a seed and on what the deciding player sees."""
    player = decider(state)
    sight = state.game.sights.of(state.cells, player)
    digest = hashlib.blake2b(repr(sight).encode(), digest_size=8).digest()
    return Stream(mix(seed & MASK) ^ int.from_bytes(digest, "little"))


@frozen
class RandomBot:
    """Any legal move, all equally likely.

    >>> import rules_dsl as rd
    >>> s = rd.load("tic_tac_toe").start()
    >>> RandomBot(1).choose(s) in s.moves()
    True
    """

    seed: int = 0

    def choose(self, state: State) -> Move:
        """A legal move."""
        stream, codes = stream_of(state, self.seed), state.game.machine.moves(state.cells)
        code = codes[stream.below(len(codes))]
        return state.game.notation.move(state.cells, code)


@frozen
class GreedyBot:
    """The move after which one's lead in the score is largest, on average over samples.

    >>> import rules_dsl as rd
    >>> state = rd.load("tic_tac_toe").position(mark={0: 0, 1: 0, 3: 1, 4: 1}, placed=4)
    >>> str(GreedyBot().choose(state))
    'c1'
    """

    seed: int = 0
    samples: int = 4

    def choose(self, state: State) -> Move:
        """The move that looks best one step ahead."""
        game = state.game
        machine, me = game.machine, decider(state)
        codes = machine.moves(state.cells)
        stream = stream_of(state, self.seed)
        if len(codes) > 1:
            sampler = Sampler(state, me)
            leads = [0.0] * len(codes)
            for number in range(self.samples):
                cells = sampler.cells(stream.below(1 << 62))
                luck = mix(number + 1)
                for at, code in enumerate(codes):
                    after = bytearray(cells)
                    machine.play(after, code)
                    machine.settle(after, luck, 0)
                    leads[at] += lead(game, after, me)
            best = max(leads)
            codes = [code for code, value in zip(codes, leads, strict=True) if value == best]
        return game.notation.move(state.cells, codes[stream.below(len(codes))])


def lead(game: Game, cells: bytes | bytearray, player: int) -> float:
    """The lead of a player over the best of the others."""
    score = game.machine.code["score"]
    others = [score(cells, p) for p in range(game.players) if p != player]
    return float(score(cells, player) - max(others, default=0))


# ---- Monte Carlo tree search ---------------------------------------------------------------------


@define
class _Node:
    """The statistics of a decision, by what its player sees."""

    visits: dict[int, int] = field(factory=dict)
    values: dict[int, float] = field(factory=dict)
    # Number of times that a move was on offer: in some samples hidden cards rule it out.
    offered: dict[int, int] = field(factory=dict)

    def select(self, codes: list[int], curiosity: float, stream: Stream) -> int:
        """The move to try next: one that was never tried, or the most promising."""
        for code in codes:
            self.offered[code] = self.offered.get(code, 0) + 1
        fresh = [code for code in codes if code not in self.visits]
        if fresh:
            return fresh[stream.below(len(fresh))]
        return max(codes, key=lambda code: self.promise(code, curiosity))

    def promise(self, code: int, curiosity: float) -> float:
        """The mean value of a move, plus a bonus for moves that were rarely tried."""
        tried = self.visits[code]
        mean = self.values[code] / tried
        return mean + curiosity * math.sqrt(math.log(self.offered[code] + 1) / tried)

    def learn(self, code: int, value: float) -> None:
        """Take in the outcome of a game in which a move was made."""
        self.visits[code] = self.visits.get(code, 0) + 1
        self.values[code] = self.values.get(code, 0.0) + value


@frozen
class MctsBot:
    """Monte Carlo tree search over what players see (information-set MCTS).

    Every playout starts from a fair sample of the position; a node of the tree belongs to what the
    player who decides there can see. `playouts` games are played to the end for each decision.
    With the aim "score" it plays for a large lead, as for chips, instead of for the win.

    >>> import rules_dsl as rd
    >>> state = rd.load("tic_tac_toe").position(mark={0: 0, 1: 0, 3: 1, 4: 1}, placed=4)
    >>> str(MctsBot(playouts=200).choose(state))
    'c1'
    """

    playouts: int = 200
    seed: int = 0
    curiosity: float = 0.7
    aim: Aim = "win"

    def choose(self, state: State) -> Move:
        """The move that was tried most often."""
        game, me = state.game, decider(state)
        machine = game.backends.choose("auto", self.playouts)
        codes = machine.moves(state.cells)
        stream = stream_of(state, self.seed)
        if len(codes) == 1:
            return game.notation.move(state.cells, codes[0])
        sampler = Sampler(state, me)
        tree: dict[object, _Node] = {}
        worth = _Worth(self.aim)
        for _ in range(self.playouts):
            cells = bytearray(sampler.cells(stream.below(1 << 62)))
            self._playout(game, machine, tree, cells, stream, worth)
        root = tree[game.sights.of(state.cells, me)]
        best = max(codes, key=lambda code: (root.visits.get(code, 0), -code))
        return game.notation.move(state.cells, best)

    def _playout(
        self,
        game: Game,
        machine: Machine,
        tree: dict[object, _Node],
        cells: bytearray,
        stream: Stream,
        worth: _Worth,
    ) -> None:
        path: list[tuple[_Node, int, int]] = []
        luck, draws = stream.below(1 << 62), 0
        while not machine.over(cells):
            if machine.is_chance(cells):
                draws = machine.settle(cells, luck, draws)
                continue
            who = machine.player(cells)
            sight = game.sights.of(cells, who)
            node = tree.get(sight)
            fresh = node is None
            if node is None:
                node = tree[sight] = _Node()
            code = node.select(machine.moves(cells), self.curiosity, stream)
            path.append((node, code, who))
            machine.play(cells, code)
            if fresh and len(path) > 1:  # the rest of the game is played at random
                break
        scores, winners = rollout(game, machine, bytes(cells), stream.below(1 << 62))
        values = [worth.of(scores, winners, player) for player in range(game.players)]
        for node, code, who in path:
            node.learn(code, values[who])


def rollout(
    game: Game, machine: Machine, cells: bytes, seed: int
) -> tuple[list[int], tuple[int, ...]]:
    """Play at random to the end, natively if the machine does; the scores and the winners."""
    from compiler.native.machine import NativeMachine
    from compiler.runtime.state import State

    if isinstance(machine, NativeMachine):
        played = machine.random_games(cells, seed, 1)
        scores = list(played.scores)
        winners = tuple(p for p in range(game.players) if played.winners[0] >> p & 1)
    else:
        end = bytes(machine.random_game(cells, seed)[0])
        scores = [int(machine.code["score"](end, p)) for p in range(game.players)]
        winners = State(game, end, None, 0, None).winners()
    return scores, winners


@define
class _Worth:
    """The value of an end to a player, from 0 to 1."""

    aim: Aim
    # The largest lead of any end so far, by which leads are measured.
    largest: int = 1

    def of(self, scores: list[int], winners: tuple[int, ...], player: int) -> float:
        """The win and a little for a lead, or the lead alone."""
        ahead = scores[player] - max((s for p, s in enumerate(scores) if p != player), default=0)
        if self.aim == "score":
            self.largest = max(self.largest, abs(ahead))
            return 0.5 + 0.5 * ahead / self.largest
        win = 1 / len(winners) if player in winners else 0.0
        return 0.9 * win + 0.1 * (0.5 + 0.5 * ahead / (1 + abs(ahead)))


# ---- by name and by seat -------------------------------------------------------------------------


def bot_by_name(name: str, seed: int = 0) -> Bot:
    """The bot that a name stands for."""
    match name:
        case "random":
            return RandomBot(seed)
        case "greedy":
            return GreedyBot(seed)
        case "mcts":
            return MctsBot(seed=seed)
    raise ValueError(f"there is no policy {name!r}; there are: {', '.join(NAMES)}")


@frozen
class _Function:
    """A function as a bot; it gives a move or its notation."""

    function: Callable[[State], Move | str]

    def choose(self, state: State) -> Move:
        found = self.function(state)
        if isinstance(found, str):
            return state.game.notation.find(state.cells, found)
        if not isinstance(found, Move):
            raise TypeError(f"a policy gives a Move or its notation, not {found!r}")
        return found


def bots_for(policy: Policy | Sequence[Policy], players: int, seed: int = 0) -> list[Bot]:
    """One bot for each seat, from one policy for all or one for each."""
    if isinstance(policy, Sequence) and not isinstance(policy, str):
        if len(policy) != players:
            raise ValueError(f"{players} policies are needed, one for each seat, not {len(policy)}")
        return [_bot(one, seed + seat) for seat, one in enumerate(policy)]
    return [_bot(policy, seed + seat) for seat in range(players)]


def _bot(policy: Policy, seed: int) -> Bot:
    if isinstance(policy, str):
        return bot_by_name(policy, seed)
    if isinstance(policy, Bot):
        return policy
    if callable(policy):
        return _Function(policy)
    raise ValueError(f"a policy is a name, a bot or a function, not {policy!r}")


def policy_text(policy: Policy | Sequence[Policy]) -> str:
    """A policy in short, for reports."""
    if isinstance(policy, str):
        return policy
    if isinstance(policy, Sequence):
        return ", ".join(policy_text(one) for one in policy)
    return getattr(policy, "__name__", None) or str(policy)
