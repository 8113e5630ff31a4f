"""Two games played side by side: the first position in which they differ, if one was found.

Small games are walked through completely: then finding no difference proves that there is none.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Any

from attrs import define, field, frozen

from compiler.runtime.fault import Fault
from compiler.runtime.game import Game
from compiler.runtime.state import State
from compiler.runtime.values import read_slot
from verify.compare.shown import Shown, in_words, overheard, sight

Cells = bytes
# Number of differing rules after which a survey of two games stops.
MOST_WITNESSES = 200
# Probability that players stop where they may, game by game: short games come first.
RESTRAINT = (0.8, 0.0, 0.5)
# An event: an option with its values, or an outcome of chance.
Event = tuple[str, tuple[Any, ...]]


@frozen
class DifferingPosition:
    """A position that both games reach by the same moves and in which they differ.

    `kind` is "legality" (a move is legal in one only), "outcome" (a move, the last of `moves`,
    leads elsewhere), "told" (something else is revealed, or a choice is secret in one only), "turn"
    (another player decides, or the game is over) or "score".
    """

    kind: str
    moves: tuple[str, ...]
    text: str
    # The name of the rule that was carried out last, or that is legal in one game only.
    rule: str
    # Records of both games up to the position, to be replayed.
    records: tuple[str, str]
    # Who made each of the moves; nothing for chance.
    movers: tuple[str, ...] = ()


@frozen
class Comparison:
    """The result: a witness, or the number of positions that agree and whether those are all."""

    witness: DifferingPosition | None
    positions: int
    complete: bool

    @property
    def equivalent(self) -> bool:
        """The games are the same in every position that can be reached."""
        return self.witness is None and self.complete


@frozen
class _Difference:
    kind: str
    text: str
    rule: str


@define(eq=False)
class GamePair:
    """Two games, and how to compare their positions."""

    one: Game
    two: Game
    _shared: list[tuple[str, Any, Any, int]] = field(init=False)
    _same_points: dict[tuple[int, int], bool] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        ours = self.one.machine.meta["arrays"]
        theirs = self.two.machine.meta["arrays"]
        self._shared = []
        for name, array in ours.items():
            if name in theirs and array["dimensions"] == theirs[name]["dimensions"]:
                count = 1
                for _, size, _ in array["dimensions"]:
                    count *= size
                self._shared.append((name, array["slot"], theirs[name]["slot"], count))
        # Cells of a player say more than other cells, and a bank says least.
        self._shared.sort(key=lambda shared: _remoteness(ours[shared[0]]))

    # ---- positions -----------------------------------------------------------------------------

    def differs(self, a: Cells, b: Cells, rule: str) -> _Difference | None:
        """The difference between two positions, apart from the moves that are legal in them."""
        who, whom = self.one.machine.player(a), self.two.machine.player(b)
        if who != whom:
            text = f"{self.named(who)} in one, {self.named(whom)} in two"
            return _Difference("turn", text, rule)
        for name, ours, theirs, count in self._shared:
            if ours[1:4] == theirs[1:4]:
                size = count * ours[1]
                if a[ours[0] : ours[0] + size] == b[theirs[0] : theirs[0] + size]:
                    continue
            for k in range(count):
                x, y = read_slot(ours, a, k), read_slot(theirs, b, k)
                if x != y:
                    where = self.place(name, k)
                    shown = [self.value(name, value) for value in (x, y)]
                    text = f"{where} is {shown[0]} in one, {shown[1]} in two"
                    return _Difference("outcome", text, rule)
        return self.judgement(a, b)

    def place(self, name: str, flat: int) -> str:
        """The name of a cell for people, and its owner."""
        array = self.one.machine.meta["arrays"][name]
        indices: list[str] = []
        dimensions = array["dimensions"]
        if array["goods"]:
            flat, good = divmod(flat, len(array["goods"]))
            dimensions = dimensions[:-1]
        for low, size, kind in reversed(dimensions):
            flat, at = divmod(flat, size)
            indices.insert(0, self.one.reader.names.label(kind, low + at))
        shown = self.one.label(name).replace("_", " ")
        if array["goods"]:
            of = ", ".join([shown[:1].lower() + shown[1:], *indices])
            return f"{self.one.label(array['goods'][good])} ({of})"
        return f"{shown} ({', '.join(indices)})" if indices else shown

    def judgement(self, a: Cells, b: Cells) -> _Difference | None:
        """The difference in winners or scores, if the games are over."""
        if not self.one.machine.over(a):
            return None
        ours = _result(State(self.one, a, None, 0, None))
        theirs = _result(State(self.two, b, None, 0, None))
        if ours == theirs:
            return None
        return _Difference("score", f"{ours} in one, {theirs} in two", "scoring")

    def named(self, who: int) -> str:
        """The player who decides, in words."""
        if who == -1:
            return "the game is over"
        return "chance decides" if who == -2 else f"{self.one.player_names[who]} decides"

    # ---- moves ---------------------------------------------------------------------------------

    def steps(self, a: Cells, b: Cells) -> tuple[list[tuple[int, int]], list[_Difference]]:
        """The moves that both allow, as numbers in either game, and those that only one allows."""
        mine, other = self.one.machine, self.two.machine
        here, there = mine.point(a), other.point(b)
        if here == 0:
            return [], []
        try:
            ours: list[int] = list(mine.moves(a))
            theirs: list[int] = list(other.moves(b))
        except Fault as fault:
            return [], [_Difference("legality", str(fault), "")]
        if self.same_point(here, there):
            if mine.is_chance(a) and mine.outcomes(a) != other.outcomes(b):
                return [], [_Difference("outcome", "chance has other odds", "")]
            if ours == theirs:
                return [(code, code) for code in ours], list(self.secrecy(here, there))
        left = {self.event(self.one, a, code): code for code in ours}
        right = {self.event(self.two, b, code): code for code in theirs}
        differences = {what.rule: what for what in self.secrecy(here, there)}
        for key in (*left, *right):
            if (key in left) != (key in right):
                where = "one" if key in left else "two"
                text = f"{self.shown(a, b, left.get(key), right.get(key))} in {where} only"
                differences.setdefault(key[0], _Difference("legality", text, key[0]))
        common = [(left[key], right[key]) for key in left if key in right]
        return common, list(differences.values())

    def shown(self, a: Cells, b: Cells, ours: int | None, theirs: int | None) -> str:
        """A move that one of the games allows, as players write it, and for whom it is legal."""
        if ours is not None:
            game, cells, code = self.one, a, ours
        else:
            assert theirs is not None
            game, cells, code = self.two, b, theirs
        who = game.machine.player(cells)
        player = f" for {game.player_names[who]}" if who >= 0 else ""
        verb = "is legal" if player else "is possible"
        return f"`{game.notation.move(cells, code)}` {verb}{player}"

    def value(self, name: str, value: int) -> str:
        """The value of a cell in words."""
        return self.one.reader.names.label(self.one.machine.meta["arrays"][name]["value"], value)

    def secrecy(self, here: int, there: int) -> Iterator[_Difference]:
        """The difference that a choice is secret in one game only."""
        ours, theirs = self.one.machine.meta["points"][here], self.two.machine.meta["points"][there]
        if ours.get("secret", False) != theirs.get("secret", False):
            where = "one" if ours.get("secret") else "two"
            text = f"what is chosen is secret in {where} only"
            yield _Difference("told", text, ours.get("procedure", ""))

    def same_point(self, here: int, there: int) -> bool:
        """Whether the numbers of moves mean the same at two points."""
        known = self._same_points.get((here, there))
        if known is None:
            ours = self.one.machine.meta["points"][here]
            theirs = self.two.machine.meta["points"][there]
            known = _numbering(ours) == _numbering(theirs)
            self._same_points[here, there] = known
        return known

    def event(self, game: Game, cells: Cells, code: int) -> Event:
        """A move as name and arguments."""
        point = game.machine.meta["points"][game.machine.point(cells)]
        if "verb" in point:
            return point["verb"], (game.reader.names.value(point["kind"], code),)
        index, values = game.notation.decode(point, code)
        name, params, *_ = point["options"][index]
        kinds = (kind for _, _, _, kind in params)
        return name, tuple(
            game.reader.names.value(k, v) for k, v in zip(kinds, values, strict=True)
        )

    def leaving(self, point: int) -> int | None:
        """The move that ends a choice which may be left out or repeated."""
        for name, _, base, *_ in self.one.machine.meta["points"][point].get("options", ()):
            if name in ("stop", "pass"):
                return int(base)
        return None

    def choice(
        self, cells: Cells, steps: list[tuple[int, int]], rng: random.Random, restraint: float
    ) -> tuple[int, int]:
        """One of some moves at random; players rather stop, the more restraint they show."""
        leaving = self.leaving(self.one.machine.point(cells))
        if leaving is not None and rng.random() < restraint:
            for codes in steps:
                if codes[0] == leaving:
                    return codes
        return rng.choice(steps)

    def rule(self, cells: Cells, code: int) -> str:
        """The name of a move."""
        return self.event(self.one, cells, code)[0]


def _numbering(point: dict[str, Any]) -> Any:
    if "verb" in point:
        return point["verb"], point["kind"]
    return tuple(
        (name, [p[1:] for p in params], base, count)
        for name, params, base, count, *_ in point["options"]
    )


def _result(state: State) -> str:
    """The result of a game."""
    try:
        scores = ", ".join(str(score) for score in state.scores())
        winners = ", ".join(state.game.player_names[p] for p in state.winners())
    except Fault as fault:
        return f"scoring fails ({fault})"
    return f"scores {scores} (won by {winners})"


# ---- walking -------------------------------------------------------------------------------------

# A way to a position: the one before, and the numbers of the move in both games.
_Way = tuple[Any, int, int] | None
_Place = tuple[Cells, Cells, _Way]


@frozen
class _Sight:
    """A difference that was seen: the way there and, if it fails there, the move that does."""

    way: _Way
    what: _Difference
    last: tuple[int, int] | None = None

    def codes(self) -> list[tuple[int, int]]:
        """The numbers of the moves in both games, from the opening."""
        codes = [] if self.last is None else [self.last]
        way = self.way
        while way is not None:
            way, code, other = way
            codes.append((code, other))
        return codes[::-1]


@define(eq=False)
class _Walk:
    """A walk through both games that keeps the first witness of each rule, up to a limit."""

    pair: GamePair
    most: int
    found: dict[str, _Sight] = field(factory=dict)
    walked: int = 0

    def done(self) -> bool:
        """Whether the limit of witnesses is reached."""
        return len(self.found) >= self.most

    def tell(self, way: _Way, what: _Difference, last: tuple[int, int] | None = None) -> None:
        """Note a difference."""
        if what.rule not in self.found:
            self.found[what.rule] = _Sight(way, what, last)

    def witnesses(self) -> dict[str, DifferingPosition]:
        """The witness, to be shown and replayed."""
        return {rule: _witness(self.pair, sight) for rule, sight in self.found.items()}

    def open(self) -> _Place | None:
        """The opening, if it is the same."""
        try:
            a = bytes(self.pair.one.machine.new())
            b = bytes(self.pair.two.machine.new())
        except Fault as fault:
            self.tell(None, _Difference("outcome", str(fault), "setup"))
            return None
        difference = self.pair.differs(a, b, "setup")
        if difference is not None:
            self.tell(None, difference)
            return None
        return a, b, None

    def steps(self, place: _Place) -> list[tuple[int, int]]:
        """The moves that both allow."""
        self.walked += 1
        common, differences = self.pair.steps(place[0], place[1])
        for difference in differences:
            self.tell(place[2], difference)
        return common

    def after(self, place: _Place, code: int, other: int) -> _Place | None:
        """The positions after a move in both games; nothing if they differ or fail."""
        a, b, way = place
        rule = self.pair.rule(a, code)
        x, ours, told = _played(self.pair.one, a, code)
        y, theirs, other_told = _played(self.pair.two, b, other)
        if ours and theirs:
            return None
        if ours or theirs:
            where = "one" if ours else "two"
            what = _Difference("outcome", f"the rules fail in {where} only: {ours or theirs}", rule)
            self.tell(way, what, (code, other))
            return None
        further: _Way = (way, code, other)
        difference = self.pair.differs(x, y, rule)
        if difference is not None:
            self.tell(further, difference)
            return None
        if told != other_told:
            text = f"{in_words(told)} is shown in one, {in_words(other_told)} in two"
            self.tell(further, _Difference("told", text, rule))
        return x, y, further

    def near(self, first: _Place, positions: int) -> bool:
        """Visit positions by distance from the opening; returns whether those were all."""
        seen = {first[:2]}
        queue = deque([first])
        while queue and self.walked < positions and not self.done():
            place = queue.popleft()
            for code, other in self.steps(place):
                after = self.after(place, code, other)
                if self.done():
                    break
                if after is not None and after[:2] not in seen:
                    seen.add(after[:2])
                    queue.append(after)
        return not queue and not self.done()

    def at_random(self, first: _Place, rng: random.Random, restraint: float) -> None:
        """One random game."""
        place: _Place | None = first
        while place is not None and not self.done():
            steps = self.steps(place)
            if not steps:
                break
            place = self.after(place, *self.pair.choice(place[0], steps, rng, restraint))


def compare(
    one: Game, two: Game, positions: int = 2_000, games: int = 20, seed: int = 0
) -> Comparison:
    """Walk through both games side by side: all positions near the opening, then random games.

    >>> import rules_dsl as rd
    >>> game = rd.load("kuhn_poker")
    >>> compare(game, game).equivalent
    True
    """
    walk, complete = _walk(GamePair(one, two), 1, positions, games, seed)
    witness = next(iter(walk.witnesses().values()), None)
    # Equal positions that look different to players do not count as the same.
    proved = complete and witness is None and sight(one) == sight(two)
    return Comparison(witness, walk.walked, proved)


def survey(
    one: Game, two: Game, positions: int = 2_000, games: int = 20, seed: int = 0
) -> dict[str, DifferingPosition]:
    """A witness for each rule that shows a difference, the nearest to the opening first."""
    walk, _ = _walk(GamePair(one, two), MOST_WITNESSES, positions, games, seed)
    return walk.witnesses()


def lines(
    one: Game, two: Game, positions: int = 2_000, games: int = 20, seed: int = 0
) -> list[tuple[int, ...]]:
    """Moves of game one that lead to a difference, one line for each rule that shows one."""
    walk, _ = _walk(GamePair(one, two), MOST_WITNESSES, positions, games, seed)
    return [tuple(code for code, _ in sight.codes()) for sight in walk.found.values()]


def along(one: Game, two: Game, codes: Sequence[int]) -> DifferingPosition | None:
    """The difference that the last of some moves of game one leads to.

    Nothing if the games part before, or not at all.
    """
    walk = _Walk(GamePair(one, two), MOST_WITNESSES)
    place = walk.open()
    for number, code in enumerate(codes, 1):
        if place is None:
            return None
        common = dict(walk.pair.steps(place[0], place[1])[0])
        if code not in common:
            return None
        before = place
        place = walk.after(before, code, common[code])
        if place is None and number < len(codes):
            return None
    if place is not None:
        walk.steps(place)
    return next(iter(walk.witnesses().values()), None)


def _walk(pair: GamePair, most: int, positions: int, games: int, seed: int) -> tuple[_Walk, bool]:
    walk = _Walk(pair, most)
    first = walk.open()
    if first is None:
        return walk, False
    if walk.near(first, positions):
        return walk, True
    rng = random.Random(seed)
    for _, restraint in zip(range(games), cycle(RESTRAINT), strict=False):
        if walk.done():
            break
        walk.at_random(first, rng, restraint)
    return walk, False


def _played(game: Game, cells: Cells, code: int) -> tuple[Cells, str, Shown]:
    after = bytearray(cells)
    with overheard(game) as shown:
        try:
            game.machine.play(after, code)
        except Fault as fault:
            return b"", str(fault), shown
    return bytes(after), "", shown


def _witness(pair: GamePair, sight: _Sight) -> DifferingPosition:
    try:
        one, two = pair.one.start(), pair.two.start()
    except Fault:
        return DifferingPosition(sight.what.kind, (), sight.what.text, sight.what.rule, ("", ""))
    codes = sight.codes()
    # A move that fails is shown, but no record can hold it.
    for code, other in codes if sight.last is None else codes[:-1]:
        one, two = one._after(code), two._after(other)
    moves = [str(move) for move in one.played()]
    deciding = [state.cells for state in one.history()]
    if sight.last is not None:
        moves.append(str(pair.one.notation.move(one.cells, sight.last[0])))
    machine, names = pair.one.machine, pair.one.player_names
    who = [machine.player(cells) for cells in deciding[: len(moves)]]
    movers = tuple(names[player] if player >= 0 else "" for player in who)
    records = (pair.one.record(one).to_json(), pair.two.record(two).to_json())
    return DifferingPosition(
        sight.what.kind, tuple(moves), sight.what.text, sight.what.rule, records, movers
    )


def _remoteness(array: dict[str, Any]) -> int:
    """The rank of a variable or pool, from the most to the least meaningful to players."""
    if array["kind"] == "pool" and array["bank"]:
        return 2
    return 0 if any(kind == "Player" for _, _, kind in array["dimensions"]) else 1
