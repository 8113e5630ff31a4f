"""Leaks to one player: every step of a game, taken by two runs that look alike to the player."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations_with_replacement, product
from time import process_time
from typing import TYPE_CHECKING

import z3
from attrs import define, evolve, field, frozen

from compiler import ir
from compiler.rule_id import rule_name
from rules_dsl.language.spans import NOWHERE, Span
from verify.analysis.visibility import Sight
from verify.encode import terms as v
from verify.encode.expressions import Evaluator
from verify.encode.terms import Truth, Value
from verify.proof.draws import drawn_unseen, may_come, unseen
from verify.proof.look_alike import Name, named, seen_atoms, shared_cells
from verify.proof.missed_goals import missed
from verify.proof.observation import Observer, Seen, numbered
from verify.proof.pairs import NEAR, Goal, PathPair, ShownCard
from verify.proof.player_cases import by_player
from verify.proof.results import Status
from verify.proof.seen_steps import SeenStep, Stop
from verify.proof.step_parts import ENTRY, Start
from verify.proof.two_positions import side_by_side
from verify.proof.two_runs import SecondRun

if TYPE_CHECKING:
    from verify.proof.views import Views

# A place in the rules whose locals are known to be the same in both runs, or not.
Place = tuple[str, int]


@frozen(eq=False)
class Leak:
    """Hidden information that a player learns, or may learn."""

    what: str
    span: Span
    status: Status
    # Two positions side by side: the cells that differ, in the first and in the second.
    cells: dict[str, str] = field(factory=dict)
    twin: dict[str, str] = field(factory=dict)


def _place(start: Start) -> Place:
    return start.procedure, ENTRY if start.way == ENTRY else start.block


@define(eq=False)
class Watcher:
    """Compares two runs of every step as one player sees them."""

    views: Views
    sight: Sight
    observer: Observer = field(init=False)
    # The locals that are the same in both runs at each start of a step: proposed, and withdrawn
    # where that cannot be proved.
    low: dict[Place, set[Name]] = field(factory=dict)
    # Draws that are made before the player's eyes.
    open_draws: set[Start] = field(factory=set)
    leaks: dict[Start, list[Leak]] = field(factory=dict)
    _todo: dict[Start, None] = field(factory=dict)
    _seconds: dict[Start, float] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.observer = Observer(self.views.explorer.world, self.sight)

    def run(self) -> list[tuple[Start, float]]:
        """Watch every step; yields the effort of each."""
        opening = self.views.explorer.opening
        self.low[_place(opening)] = set()
        self._todo[opening] = None
        while self._todo:
            start = next(iter(self._todo))
            del self._todo[start]
            with self.timed(start):
                self.settle(start)
        # The outcome of a draw matters to earlier steps only if the draw is open.
        steps = list(self._seconds)
        draws = [start for start in steps if self.drawn(self.views.step(start)) is not None]
        for start in (*draws, *steps):
            if start not in self.leaks or self.leads_to_open_draw(start):
                with self.timed(start):
                    self.leaks[start] = self.watch(start)
        return list(self._seconds.items())

    def leads_to_open_draw(self, start: Start) -> bool:
        """Whether a step ends where something is drawn before the player's eyes."""
        step = self.views.step(start)
        return step is not None and any(
            stop.kind == "draw" and stop.next[0][0] in self.open_draws for stop in step.stops
        )

    @contextmanager
    def timed(self, start: Start) -> Iterator[None]:
        """Add up what a step takes."""
        began = process_time()
        yield
        self._seconds[start] = self._seconds.get(start, 0.0) + process_time() - began

    def settle(self, start: Start) -> None:
        """Settle which locals are the same in both runs where a step ends."""
        step = self.views.step(start)
        if step is None:
            return
        for stop in (*step.stops, *(s for other in self.siblings(step) for s in other.stops)):
            self.arrive(stop)
        # A local is known only if it follows from what is seen, whatever else was drawn.
        for pair in self.pairs(step, shared_draw=self.named(step)):
            if pair.one.point == pair.two.point:
                self.keep_low(pair)

    # ---- one step ------------------------------------------------------------------------------

    def watch(self, start: Start) -> list[Leak]:
        """The leaks to the player in a step."""
        step = self.views.step(start)
        if step is None:
            return [Leak("too many paths from one decision to the next", NOWHERE, "UNKNOWN")]
        chance = self.drawn(step)
        named = self.named(step)
        if chance is None or (not named and self.unseen(step)):
            return self.compared(step, shared_draw=False)
        # The player sees what was drawn: it must be there for the player to see.
        found = [
            *self.compared(step, shared_draw=True),
            *self.kept_secret(step, chance),
            *self.not_shown(step),
        ]
        if found and not named and not self.compared(step, shared_draw=False):
            return []
        self.open_draws.add(start)
        return found

    def siblings(self, step: SeenStep) -> Iterator[SeenStep]:
        """Other steps that the second run may take, because another player chose in secret."""
        decide = self.terminator(step)
        if isinstance(decide, ir.Decide) and decide.secret:
            for way in range((step.start.way or 0) + 1, len(decide.options)):
                other = self.views.step(evolve(step.start, way=way))
                if other is not None:
                    yield other

    def unseen(self, step: SeenStep) -> bool:
        """True if it is easily shown that the player sees nothing of a draw."""
        return not any(
            leak
            for pair in self.pairs(step, shared_draw=False)
            for leak in self.differences(pair, True)
        )

    def named(self, step: SeenStep) -> bool:
        """Whether every player is told the outcome of the draw just before a step."""
        match self.terminator(step):
            case ir.Chance(_, range_):
                return self.observer.public.public(step.start.procedure, range_.name)
        return False

    def drawn(self, step: SeenStep | None) -> Value | None:
        """The outcome of chance just before a step, if there is one."""
        terminator = None if step is None else self.terminator(step)
        if step is not None and isinstance(terminator, ir.Chance):
            value = step.locals[terminator.range.name]
            assert not isinstance(value, tuple)
            return value
        return None

    def terminator(self, step: SeenStep) -> ir.Terminator | None:
        """The event just before a step: a decision or a draw."""
        if step.start.way is None or step.start.way == ENTRY:
            return None
        return step.module.procedures[step.start.procedure].blocks[step.start.block].terminator

    def second(self, step: SeenStep, shared_draw: bool) -> tuple[SecondRun, list[Truth]]:
        """The second run of a step, and what is the same in both besides cells in sight."""
        run = SecondRun(
            step.world,
            self.views.terms,
            shared_cells(self.sight, step.before),
            atoms=seen_atoms(self.sight, step.before),
        )
        given: list[Value] = []
        inputs: set[str] = set()
        match self.terminator(step):
            case ir.Decide() as decide if (step.start.way or 0) < len(decide.options):
                params = decide.options[step.start.way or 0].params
                inputs = {param.range.name for param in params}
                values = [step.locals[name] for name in sorted(inputs)]
                if decide.secret:
                    look = Evaluator(step.world, step.before)
                    mine = v.eq(look.value(decide.actor, step.locals), self.sight.player)
                    given = [v.implies(mine, v.eq(x, run.other(x))) for x in values]
                else:
                    self.share(run, values)
            case ir.Chance(_, range_):
                inputs = {range_.name}
                if shared_draw:
                    self.share(run, [step.locals[range_.name]])
        low = self.low[_place(step.start)]
        known = [x for name, x in named(step.locals) if name in low and name[0] not in inputs]
        self.share(run, known)
        # What is shared must be settled before anything is renamed.
        given += [v.eq(x, run.other(x)) for x in known]
        return run, given

    def share(self, run: SecondRun, values: list[Value]) -> None:
        """Unknowns that are the same in both runs."""
        for value in values:
            if isinstance(value, z3.ExprRef) and z3.is_const(value):
                self.views.terms.of(value)
                run.shared.add(value.get_id())

    # ---- both runs -----------------------------------------------------------------------------

    def compared(self, step: SeenStep, shared_draw: bool) -> list[Leak]:
        """The differences between the ends of two runs of a step."""
        found: dict[str, Leak] = {}
        for pair in self.pairs(step, shared_draw):
            for leak in self.differences(pair):
                known = found.get(leak.what)
                if known is None or known.status == "UNKNOWN":
                    found[leak.what] = leak
        return list(found.values())

    def pairs(self, step: SeenStep, shared_draw: bool) -> Iterator[PathPair]:
        """Two paths that two runs can take from positions that look alike."""
        run, given = self.second(step, shared_draw)
        for one, two in combinations_with_replacement(step.stops, 2):
            pair = PathPair(self.views.prover, self.sight, step, step, run, one, two, given)
            if pair.twice or not pair.exclusive:
                yield pair
        for sibling in self.siblings(step):
            run, given = self.parted(step, sibling)
            for one, two in product(step.stops, sibling.stops):
                yield PathPair(self.views.prover, self.sight, step, sibling, run, one, two, given)

    def parted(self, step: SeenStep, sibling: SeenStep) -> tuple[SecondRun, list[Truth]]:
        """Two runs that differ by another player's secret choice just before the step."""
        run, given = self.second(step, shared_draw=False)
        decide = self.terminator(step)
        assert isinstance(decide, ir.Decide)
        inputs = {p.range.name for option in decide.options for p in option.params}
        low = self.low[_place(step.start)]
        values = dict(named(sibling.locals))
        known = [
            (value, values[name])
            for name, value in named(step.locals)
            if name in low and name[0] not in inputs and name in values
        ]
        self.share(run, [value for pair in known for value in pair])
        given = [v.eq(one, run.other(two)) for one, two in known]
        who = Evaluator(step.world, step.before).value(decide.actor, step.locals)
        return run, [*given, v.not_(v.eq(who, self.sight.player))]

    def differences(self, pair: PathPair, quick: bool = False) -> Iterator[Leak]:
        """The leaks at the ends of two paths; a quick check may report too many."""
        pair.quick = quick
        told = list(pair.reveals())
        released = [same for same, _ in told]
        cards = list(pair.shown_cards())
        order = pair.order_of_reveals()
        yield from self.asked(pair, [*(goal for _, goal in told), *order], released)
        yield from self.counted(pair, released)
        if cards:
            # Cards that lay alike in both positions come into sight in both, or in neither, unless
            # another player has just chosen this very card in secret.
            same = [
                v.implies(
                    v.or_((v.not_(v.eq(c.one, -1)), v.not_(v.eq(pair.run.other(c.two), -1)))),
                    c.alike,
                )
                for c in cards
            ]
            goals = [
                Goal(
                    "which cards are shown",
                    v.and_((pair.differ(c.one, c.two), v.not_(self.chosen(pair, c)))),
                    pair.one.span,
                )
                for c in cards
            ]
            yield from self.asked(pair, goals, [*released, *same])
        released += [v.not_(pair.differ(c.one, c.two)) for c in cards]
        if pair.one.point != pair.two.point:
            what = f"what comes next: {_next(pair.one)} or {_next(pair.two)}"
            yield from self.asked(pair, [Goal(what, True, pair.one.span)], released)
            return
        goals = list(self.goals(pair))
        yield from self.asked(pair, goals, released)

    def chosen(self, pair: PathPair, card: ShownCard) -> Truth:
        """That the secret choice just before a step names a card in one run and not in the other.

        Then the step lays open the choice itself or its remainder; a card that comes into sight
        for another reason would reveal that reason.
        """
        decide = self.terminator(pair.step)
        if pair.step is not pair.step_two or not isinstance(decide, ir.Decide):
            return False
        if not decide.secret or (way := pair.step.start.way or 0) >= len(decide.options):
            return False
        option = decide.options[way]
        values = [pair.step.locals[param.range.name] for param in option.params]
        if option.subset is not None:
            at = card.number - option.subset.first
            fits = option.subset.kind == card.table and 0 <= at < len(values)
            named = [(values[at], 1)] if fits else []
        else:
            named = [
                (value, card.number)
                for param, value in zip(option.params, values, strict=True)
                if param.kind == card.table
            ]
        return v.or_(
            pair.differ(v.eq(chosen, wanted), v.eq(chosen, wanted))
            for chosen, wanted in named
            if not isinstance(chosen, tuple)
        )

    def counted(self, pair: PathPair, released: list[Truth]) -> Iterator[Leak]:
        """Number of cards in each place."""
        for goal, empty in pair.sizes():
            # Counting is hard, and most zones are empty in both.
            wrong = v.and_((v.not_(empty), goal.differs))
            cases = [evolve(goal, differs=case) for case in by_player(pair, wrong)]
            yield from self.asked(pair, cases, released)

    def goals(self, pair: PathPair) -> Iterator[Goal]:
        """Everything that the player sees where both paths end."""
        for seen, other in self.observer.cells(pair.step.before, pair.one, pair.two):
            yield Goal(seen.what, pair.differ(seen.value, other), seen.span)
        known = self.known(pair.one)
        first, second = (numbered(self.observer.rest(stop, known)) for stop in (pair.one, pair.two))
        pair.run.shared |= self.observer.inputs
        for key in dict.fromkeys((*first, *second)):
            yield self.goal(pair, first.get(key), second.get(key))
        if pair.one.kind == "draw":
            yield from self.outcomes(pair)

    def goal(self, pair: PathPair, one: Seen | None, two: Seen | None) -> Goal:
        """One value that the player is shown; if one path alone shows it, that must not happen."""
        if one is None or two is None:
            seen = one or two
            assert seen is not None
            alone = (seen.when, True) if two is None else (True, seen.when)
            return Goal(seen.what, pair.implied(*alone), seen.span)
        differs = pair.differ(one.value, two.value)
        if differs is not False:
            differs = v.and_((differs, pair.implied(one.when, two.when)))
        return Goal(one.what, differs, one.span)

    def known(self, stop: Stop) -> set[Name]:
        """The locals that are the same in both runs where a path ends."""
        if not stop.next:
            return set()
        return self.low[_place(stop.next[-1][0])]

    def outcomes(self, pair: PathPair) -> Iterator[Goal]:
        """Goals about the possible outcomes of the next draw, if the player sees it."""
        start = pair.one.next[0][0]
        if start in self.open_draws:
            yield from may_come(pair, self.views.terms)

    # ---- locals --------------------------------------------------------------------------------

    def arrive(self, stop: Stop) -> None:
        """Start steps at the end of a path; at first all its locals are assumed to be known."""
        for start, env in stop.next:
            names = {name for name, _ in named(env) if not name[0].startswith("measure.")}
            known = self.low.get(_place(start))
            if known is None or not known <= names:
                self.low[_place(start)] = names if known is None else known & names
                self.begin(start)
            elif start not in self._seconds:
                self._todo.setdefault(start, None)

    def begin(self, start: Start) -> None:
        """Withdraw knowledge at a place; steps that begin there are checked again."""
        self._todo.setdefault(start, None)
        for other in self._seconds:
            if _place(other) == _place(start):
                self._todo.setdefault(other, None)

    def keep_low(self, pair: PathPair) -> None:
        """Withdraw the locals that may differ although everything that the player sees is equal."""
        for (start, first), (_, second) in zip(pair.one.next, pair.two.next, strict=True):
            place = _place(start)
            values = dict(named(second))
            differing = {
                name: differs
                for name, value in named(first)
                if name in self.low[place]
                and (differs := pair.differ(value, values[name])) is not False
            }
            if not differing:
                continue
            same = [same for same, _ in pair.reveals()]
            same += [v.not_(pair.differ(c.one, c.two)) for c in pair.shown_cards()]
            same += [
                v.not_(pair.differ(seen.value, other))
                for seen, other in self.observer.cells(pair.step.before, pair.one, pair.two)
            ]
            while differing:
                answer, model = pair.possible(v.or_(differing.values()), same, NEAR)
                if answer == "unsat":
                    break
                gone = set(differing)
                if model is not None:
                    gone = {
                        name
                        for name, differs in differing.items()
                        if z3.is_true(model.eval(v.term(differs), model_completion=True))
                    } or gone
                for name in gone:
                    del differing[name]
                self.low[place] -= gone
                self.begin(start)

    # ---- draws ---------------------------------------------------------------------------------

    def kept_secret(self, step: SeenStep, chance: Value) -> Iterator[Leak]:
        """Leaks of a draw after which both the player's view and hidden cells may differ."""
        if isinstance(chance, int):
            return
        self.views.terms.of(chance)
        run = SecondRun(step.world, self.views.terms, differing=frozenset({chance.get_id()}))
        for one, two in combinations_with_replacement(step.stops, 2):
            pair = PathPair(self.views.prover, self.sight, step, step, run, one, two, [])
            if not pair.twice and pair.exclusive:
                continue
            released = [same for same, _ in pair.reveals()]
            seen: Truth = True
            if one.point == two.point and not self.named(step):
                seen = v.or_(goal.differs for goal in self.goals(pair))
            hidden = v.or_(unseen(pair, lambda start: self.low[_place(start)]))
            differs = v.and_((seen, hidden))
            what = "what was drawn, which is kept secret"
            goals = [Goal(what, case, one.span) for case in by_player(pair, differs)]
            yield from self.asked(pair, goals, released)

    def not_shown(self, step: SeenStep) -> Iterator[Leak]:
        """The player learns the outcome of a hidden draw that is never shown."""
        for pair in self.pairs(step, shared_draw=False):
            one, two = (
                drawn_unseen(self.sight, step, stop, self.views.prover)
                for stop in (pair.one, pair.two)
            )
            dark = v.or_((one, pair.run.other(two)))
            if dark is not False:
                pair.values[0].append(one)
                pair.values[1].append(two)
                pair.given = [*pair.given, dark]
                for leak in self.differences(pair):
                    yield evolve(leak, what="what was drawn, which is not shown")
                    return

    # ---- questions -----------------------------------------------------------------------------

    def asked(self, pair: PathPair, goals: list[Goal], more: list[Truth]) -> Iterator[Leak]:
        """The goals that two runs can miss."""
        for goal, model in missed(pair, goals, more):
            if pair.quick or model is None:
                yield Leak(goal.what, goal.span, "UNKNOWN")
            else:
                cells, twin = side_by_side(pair, model)
                yield Leak(goal.what, goal.span, "UNPROVED", cells, twin)


def _next(stop: Stop) -> str:
    """Where a path ends, in a few words."""
    rule = rule_name(stop.procedure.name)
    match stop.kind:
        case "decision":
            assert isinstance(stop.block.terminator, ir.Decide)
            label = stop.block.terminator.label
            return f"a decision in {rule}{f' ({label})' if label else ''}"
        case "draw":
            return f"a draw in {rule}"
        case "call":
            assert isinstance(stop.block.terminator, ir.Enter)
            return rule_name(stop.block.terminator.procedure)
        case "loop":
            return f"a loop in {rule}"
        case "return":
            return f"the end of {rule}"
        case "end":
            return "the end of the game"
    raise AssertionError(stop.kind)
