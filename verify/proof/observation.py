"""What a player can observe at a decision point, as values to be compared between two runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from attrs import define, field, frozen

from compiler import ir
from compiler.plan.known_locals import PublicLocals, read_by
from rules_dsl.language.spans import Span
from verify.analysis.visibility import Sight
from verify.encode import terms as v
from verify.encode.choices import exactly_listed, head_holds, legal
from verify.encode.expressions import Evaluator, SafetyCondition
from verify.encode.statements import Locals
from verify.encode.terms import Truth, Value
from verify.encode.unknowns import SymbolicState, World, cell_name
from verify.proof.look_alike import Name, seen_place
from verify.proof.seen_steps import Stop


@frozen(eq=False)
class Seen:
    """A value that a player can observe, and the condition under which it is shown."""

    what: str
    value: Value
    span: Span
    # Shown only if this holds, in both runs.
    when: Truth = True
    # Whether it is shown to the player who decides alone.
    to_decider: bool = False


@define(eq=False)
class Observer:
    """What one player can observe at the end of a step.

    Values that follow from what the player sees anyway are left out. `known` are the locals that
    are the same in both runs, `inputs` the unknowns made for what might be chosen.
    """

    world: World
    sight: Sight
    inputs: set[int] = field(factory=set)

    @cached_property
    def public(self) -> PublicLocals:
        """The locals that the machine shows."""
        return PublicLocals(self.module)

    @property
    def module(self) -> ir.Module:
        """The rules."""
        return self.world.module

    def cells(self, before: SymbolicState, one: Stop, two: Stop) -> Iterator[tuple[Seen, Value]]:
        """The cells and the places of cards that the player sees, at the ends of two paths.

        What neither path wrote looks the same as before.
        """
        for array in self.module.arrays.values():
            states = [stop.machine.state.arrays[array.name] for stop in (one, two)]
            if all(cells.version == before.arrays[array.name].version for cells in states):
                continue
            pairs = zip(states[0].values, states[1].values, strict=True)
            for k, (first, second) in enumerate(pairs):
                if array.kind == "zone":
                    first, second = (
                        seen_place(self.sight, array.name, place) for place in (first, second)
                    )
                elif not self.sight.cell(array, k):
                    continue
                yield Seen(cell_name(self.module, array, k), first, one.span), second

    def rest(self, stop: Stop, known: set[Name]) -> Iterator[Seen]:
        """Everything shown besides cells: who decides, the moves on offer, their texts, scores."""
        terminator = stop.block.terminator
        if stop.kind == "decision":
            assert isinstance(terminator, ir.Decide)
            yield from self.decision(stop, terminator, known)
            yield from self.scores(stop)

    # ---- expressions ---------------------------------------------------------------------------

    def hides(self, exprs: Iterable[ir.Expr], known: set[Name], own: Iterable[str] = ()) -> bool:
        """Whether expressions read a value that the player may not know."""
        plain = {name for name, at in known if at is None} | set(own)
        for expr in exprs:
            reads = self.world.effects.reads(expr)
            if reads.arrays - self.sight.open_arrays or reads.locals - plain:
                return True
        return False

    def scores(self, stop: Stop) -> Iterator[Seen]:
        """The current scores."""
        scoring = self.module.scoring
        if scoring.hidden or not self.hides([scoring.numerator], set(), [scoring.player]):
            return
        look = stop.machine.silent()
        names = self.module.enums["Player"].values
        for player in range(self.module.players):
            value = look.value(scoring.numerator, {scoring.player: player})
            yield Seen(f"the score of {names[player]}", value, stop.span)

    # ---- decisions -----------------------------------------------------------------------------

    def decision(self, stop: Stop, decide: ir.Decide, known: set[Name]) -> Iterator[Seen]:
        """Who is asked, whether, and what may be chosen."""
        machine = stop.machine
        who = machine.silent().value(decide.actor, machine.locals)
        yield Seen("who decides", who, decide.span)
        # Every player is told the subject of a decision.
        for name in sorted(read_by(decide)):
            value = machine.locals.get(name)
            unsure = (name, None) not in known and not isinstance(value, tuple | None)
            if unsure and self.public.public(stop.procedure.name, name):
                yield Seen(f"{name}, which the decision is about", value, decide.span)
        if decide.skip is not None:
            others = tuple(o for o in decide.options if o.target != decide.skip)
            if any(self.hides(_legality(o), known, _bound(o)) for o in others):
                asked = v.or_(legal(others, machine))
                if not all(map(exactly_listed, others)):
                    # Whether anything can be chosen is unknown.
                    asked = self.world.fresh("asked", 0, 1)
                yield Seen("whether anything can be chosen", asked, decide.span)
        mine = v.eq(who, self.sight.player)
        for at, option in enumerate(decide.options):
            if mine is not False and self.hides(_texts(option), known, _bound(option)):
                yield from self.offer(stop, at, option, mine)
            shown = [part.expr for part in option.notation if isinstance(part, ir.Shown)]
            if not decide.secret and self.hides(shown, known, _bound(option)):
                yield from self.move(stop, at, option, shown)

    def chosen(self, stop: Stop, at: int, option: ir.Option) -> Locals:
        """The locals, with an arbitrary value for each parameter, the same in both runs."""
        env: Locals = dict(stop.machine.locals)
        for param in option.params:
            place = f"{stop.procedure.name}.{stop.block.id}.{at}"
            name = f"{param.range.name} offered at {place} {param.lo}..{param.hi}"
            value = self.world.unknown(name, param.lo, param.hi)
            if not isinstance(value, int):
                self.inputs.add(value.get_id())
            env[param.range.name] = value
        return env

    def offer(self, stop: Stop, at: int, option: ir.Option, mine: Truth) -> Iterator[Seen]:
        """Everything that an option shows to the player: each requirement and each value."""
        env = self.chosen(stop, at, option)
        faults: list[SafetyCondition] = []
        look = Evaluator(self.world, stop.machine.state, faults, sums=stop.machine.totals.evaluate)

        def seen(what: str, span: Span, evaluate: Callable[[], Value]) -> Iterator[Seen]:
            before = len(faults)
            value = evaluate()
            broken = v.and_(fault.condition for fault in faults[before:])
            yield Seen(what, value, span, mine, to_decider=True)
            if broken is not True:
                what_else = f"{what}, whether it makes sense"
                yield Seen(what_else, broken, span, mine, to_decider=True)

        name = option.name.replace("_", " ")
        for param in option.params:
            for end in (param.range.low, param.range.high):
                yield from seen(
                    f"the range of {param.range.name} in `{name}`",
                    option.span,
                    lambda end=end: look.value(end, env),  # type: ignore[misc]
                )
        for line in option.head:
            if isinstance(line, ir.Define):
                env[line.name] = look.value(line.value, env)
                continue
            yield from seen(
                f"whether `{name}` is allowed",
                line.span,
                lambda line=line: look.truth(line.condition, env),  # type: ignore[misc]
            )
            for shown in _values(line):
                yield from seen(
                    f"a value in the reason for `{name}`",
                    line.span,
                    lambda shown=shown: look.value(shown, env),  # type: ignore[misc]
                )
        for part in option.notation:
            if isinstance(part, ir.Shown):
                yield from seen(
                    f"a value in the text of `{name}`",
                    option.span,
                    lambda part=part: look.value(part.expr, env),  # type: ignore[misc]
                )

    def move(self, stop: Stop, at: int, option: ir.Option, shown: list[ir.Expr]) -> Iterator[Seen]:
        """The values in the text of a move, which all players read once it is made."""
        env = self.chosen(stop, at, option)
        look = stop.machine.silent()
        inside: list[Truth] = []
        for param in option.params:
            value = env[param.range.name]
            inside += [
                v.le(look.value(param.range.low, env), value),
                v.le(value, look.value(param.range.high, env)),
            ]
        possible = head_holds(option.head, look, env, v.and_(inside))
        name = option.name.replace("_", " ")
        for line in option.head:
            if isinstance(line, ir.Define):
                env[line.name] = look.value(line.value, env)
        for expr in shown:
            yield Seen(
                f"a value in the text of `{name}`", look.value(expr, env), option.span, possible
            )


def numbered(shown: Iterable[Seen]) -> dict[tuple[str, bool, int], Seen]:
    """Shown values by description, audience, and number of earlier values with the same two."""
    found: dict[tuple[str, bool, int], Seen] = {}
    counts: Counter[tuple[str, bool]] = Counter()
    for seen in shown:
        like = seen.what, seen.to_decider
        found[*like, counts[like]] = seen
        counts[like] += 1
    return found


def _bound(option: ir.Option) -> list[str]:
    """The names that an option binds; the expressions that give their values are compared too."""
    names = [param.range.name for param in option.params]
    return names + [line.name for line in option.head if isinstance(line, ir.Define)]


def _values(line: ir.Require) -> Iterator[ir.Expr]:
    for part in line.text:
        if isinstance(part, ir.Shown):
            yield part.expr
    for _, shown in line.values:
        yield shown.expr


def _legality(option: ir.Option) -> Iterator[ir.Expr]:
    """The expressions that decide whether an option can be chosen."""
    for param in option.params:
        yield param.range.low
        yield param.range.high
    for line in option.head:
        yield line.value if isinstance(line, ir.Define) else line.condition


def _texts(option: ir.Option) -> Iterator[ir.Expr]:
    """All values that an option shows."""
    yield from _legality(option)
    for line in option.head:
        if isinstance(line, ir.Require):
            yield from _values(line)
    for part in option.notation:
        if isinstance(part, ir.Shown):
            yield part.expr
