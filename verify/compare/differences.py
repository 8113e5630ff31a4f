"""The difference between two games: what was added, removed and changed, matched by name.

Rules are compared by meaning, not by text. Two texts with the same meaning are not a difference;
one text is, if an option or a constant gives it two meanings. For each change there is a position
in which the games differ, or a proof that they do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from attrs import define, evolve, field

from compiler import ir
from compiler.ir_text import expression
from compiler.rule_id import rule_name
from compiler.runtime.game import Game
from rules_dsl.language import syntax as s
from rules_dsl.language.printer import declaration_text, expression_text
from rules_dsl.language.program import walk
from rules_dsl.language.spans import Span
from verify.compare.bisimulation import DifferingPosition, compare, survey
from verify.compare.changes import Change, Diff, How
from verify.compare.equivalence import Equivalence
from verify.compare.evidence import Evidence
from verify.compare.ir_shape import without_places
from verify.compare.parts import (
    Side,
    array_summary,
    both,
    changed_lines,
    clip,
    constants,
    courses,
    effects,
    functions,
    kind_of_change,
    limit,
    relations,
    requirements,
    rows,
    value_text,
)

T = TypeVar("T")


def diff(
    one: Game,
    two: Game,
    positions: int = 400,
    games: int = 10,
    seed: int = 0,
    prove: bool = True,
    known: Sequence[Change] = (),
) -> Diff:
    """The differences between two games, apart from changes that are known already.

    >>> import rules_dsl as rd
    >>> game = rd.load("tic_tac_toe")
    >>> diff(game, game).same
    True
    """
    result = Diff(_title(one, two), _title(two, one))
    sides = Side.of(one), Side.of(two)
    comparer = _Comparer(*sides)
    result.changes = [
        change for change in comparer.changes() if not any(change.same_rule(k) for k in known)
    ]
    if result.same:
        result.same_play = True
        return result
    if one.players == two.players:
        comparison = compare(one, two, positions, 0, seed)
        result.judged = True
        result.same_play, result.positions = comparison.equivalent, comparison.positions
        found = {} if result.same_play else survey(one, two, positions, games, seed)
        equivalence = Equivalence(one.ir, two.ir) if prove else None
        evidence = Evidence(*sides, positions, games, seed)
        result.changes = [
            evidence.judged(change, found, equivalence, result.same_play)
            for change in result.changes
        ]
        result.changes = [
            evolve(c, witness=evidence.sought(c, found)) if c.open else c for c in result.changes
        ]
        if prove:
            evidence.told_apart(result)
        # An option shows in any change that follows from it: in the nearest position.
        result.changes = [
            evolve(c, witness=_nearest(result.changes, c.name)) if c.what == "option" else c
            for c in result.changes
        ]
    return result


def _nearest(changes: Iterable[Change], option: str) -> DifferingPosition | None:
    """The shortest way to a position that shows a change which comes from an option."""
    shown = [(option not in c.via, len(w.moves), w) for c in changes if (w := c.witness)]
    return min(shown, key=lambda found: found[:2])[2] if shown else None


def _title(game: Game, other: Game) -> str:
    """The name of a game, with the options that the other game does not have."""
    chosen = [f"{k}={value_text(v)}" for k, v in game.options.items() if other.options.get(k) != v]
    options = f"@{','.join(chosen)}" if chosen else ""
    variants = "".join(f" + {name}" for name in game.variants)
    return f"{game.name}{options}{variants}, {game.players} players"


@define(eq=False)
class _Comparer:
    """Finds the changes from one game to another."""

    one: Side
    two: Side
    # Changes so far: later changes may follow from them.
    changed: list[str] = field(factory=list)
    # Conditions and values as they are written, by the places of what they belong to.
    texts: dict[Span, str] = field(factory=dict)
    # The places of functions that are conditions.
    conditions: set[Span] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        for side in (self.one, self.two):
            for node in walk(side.program.declarations):
                if isinstance(node, s.Require | s.Invariant):
                    self.texts[node.span] = expression_text(node.condition)
                elif isinstance(node, s.Function):
                    if isinstance(node.body, s.Expr):
                        self.texts[node.span] = expression_text(node.body)
                    if isinstance(node.type, s.NamedType) and node.type.name == "bool":
                        self.conditions.add(node.span)

    def changes(self) -> Iterator[Change]:
        """All changes: first what others may come from."""
        if self.one.game.players != self.two.game.players:
            yield Change(
                "changed",
                "players",
                "players",
                str(self.one.game.players),
                str(self.two.game.players),
            )
            self.changed.append("players")
        yield from self.values("option", dict(self.one.game.options), dict(self.two.game.options))
        yield from self.values("constant", constants(self.one), constants(self.two))
        for name in both(ours := rows(self.one), theirs := rows(self.two)):
            if ours.get(name) != theirs.get(name):
                yield self.change("row", name, kind_of_change(name, ours, theirs))
        a, b = self.one.module, self.two.module
        yield from self.values(
            "good",
            {n: limit(g) for n, g in a.goods.items()},
            {n: limit(g) for n, g in b.goods.items()},
        )
        yield from self.nodes(
            "state",
            a.arrays,
            b.arrays,
            lambda array: array_summary(a if a.arrays.get(array.name) is array else b, array),
        )
        yield from self.nodes("zone", a.zones, b.zones, lambda z: f"of {z.table}")
        yield from self.nodes("function", functions(a), functions(b), self.computed)
        for name in both(old := relations(a), new := relations(b)):
            if old.get(name) != new.get(name):
                yield self.change("relation", name, kind_of_change(name, old, new))
        yield from self.actions()
        yield from self.procedures()
        yield from self.scoring()
        yield from self.nodes(
            "invariant",
            {i.name: i for i in a.invariants},
            {i.name: i for i in b.invariants},
            self.written,
        )

    def written(self, node: ir.Invariant | ir.Require) -> str:
        """A condition as its author wrote it."""
        return self.texts.get(node.span) or expression(node.condition)

    def computed(self, function: ir.Function) -> str:
        """The body of a function as its author wrote it; of a constant one its value."""
        if isinstance(function.body, ir.Int):
            number = function.body.value
            return value_text(bool(number) if function.span in self.conditions else number)
        return self.texts.get(function.span, "")

    # ---- kinds of things -------------------------------------------------------------------------

    def values(
        self, what: str, one: Mapping[str, object], two: Mapping[str, object]
    ) -> Iterator[Change]:
        """Things that have a value."""
        for name in both(one, two):
            before, after = one.get(name), two.get(name)
            if before != after or (name in one) != (name in two):
                yield self.change(
                    what,
                    name,
                    kind_of_change(name, one, two),
                    value_text(one[name]) if name in one else "",
                    value_text(two[name]) if name in two else "",
                )

    def nodes(
        self, what: str, one: Mapping[str, T], two: Mapping[str, T], text: Callable[[T], str]
    ) -> Iterator[Change]:
        """Pieces of the IR."""
        for name in both(one, two):
            before, after = one.get(name), two.get(name)
            if without_places(before) == without_places(after):
                continue
            told = ["" if node is None else text(node) for node in (before, after)]
            how = kind_of_change(name, one, two)
            if how == "changed" and (told[0] == told[1] or not all(told)):
                told = ["", ""]  # what they mean has changed, or they are shown line by line
            yield self.change(what, rule_name(name), how, told[0], told[1])

    def actions(self) -> Iterator[Change]:
        """Actions: their requirements one by one, and their effects."""
        ours, theirs = self.one.options(), self.two.options()
        a, b = self.one.module, self.two.module
        for name in both(a.actions, b.actions):
            how = kind_of_change(name, a.actions, b.actions)
            if how != "changed":
                yield self.change("action", name, how)
                continue
            before = requirements(ours.get(name))
            after = requirements(theirs.get(name))
            for reason in both(before, after):
                old, new = before.get(reason), after.get(reason)
                if without_places(old) != without_places(new):
                    told = ["" if one is None else self.written(one) for one in (old, new)]
                    if told[0] == told[1]:  # what they mean has changed
                        told = ["", ""]
                    place = new or old
                    yield self.change(
                        "requirement",
                        f'{name} "{reason}"',
                        kind_of_change(reason, before, after),
                        told[0],
                        told[1],
                        rule=name,
                        span=place.span if place else None,
                    )
            if (name in ours) != (name in theirs):
                yield self.change("action", name, "removed" if name in ours else "added")
            elif effects(a, name) != effects(b, name) and not self.only_requires(name):
                yield self.change("effect", name, "changed", rule=name)

    def only_requires(self, action: str) -> bool:
        """True if the texts of an action differ, but only in its requirements."""
        texts = []
        for side in (self.one, self.two):
            part = side.written.get(action)
            if part is None or not isinstance(part.node, s.Action):
                return False
            body = tuple(line for line in part.node.body if not isinstance(line, s.Require))
            texts.append(declaration_text(evolve(part.node, body=body)))
        return texts[0] == texts[1] and self.one.text(action) != self.two.text(action)

    def procedures(self) -> Iterator[Change]:
        """Procedures and the course of the game, apart from what actions require."""
        one, two = courses(self.one.module), courses(self.two.module)
        for name in both(one, two):
            if one.get(name) != two.get(name):
                how = kind_of_change(name, one, two)
                if name != self.one.module.main:
                    yield self.change("procedure", name, how)
                    continue
                # Set-up and play are one procedure; their texts tell which of them changed.
                parts = [p for p in ("setup", "play") if self.differs(p)]
                for part in parts or ["play"]:
                    yield self.change("procedure", part, how)

    def differs(self, section: str) -> bool:
        """Whether a section is written differently or mentions something that changed."""
        return self.one.text(section) != self.two.text(section) or bool(self.via(section))

    def scoring(self) -> Iterator[Change]:
        """Scores and ties."""
        a, b = self.one.module.scoring, self.two.module.scoring
        if without_places((a.numerator, a.denominator)) != without_places(
            (b.numerator, b.denominator)
        ):
            yield self.change("scoring", "scoring", "changed")
        before, after = self.one.ties, self.two.ties
        if before != after:
            for tie in before:
                if tie not in after:
                    yield self.change("tie", tie, "removed", rule="scoring")
            for tie in after:
                if tie not in before:
                    yield self.change("tie", tie, "added", rule="scoring")
            if sorted(before) == sorted(after):
                yield self.change("tie", "order of ties", "changed", rule="scoring")

    # ---- one change ------------------------------------------------------------------------------

    def change(
        self,
        what: str,
        name: str,
        how: How,
        before: str = "",
        after: str = "",
        rule: str = "",
        span: Span | None = None,
    ) -> Change:
        """A change of a rule: what it comes from, where it is written and which rulings act."""
        rule = rule or name
        via = self.via(rule)
        self.changed.append(rule)
        side = self.two if rule in self.two.written else self.one
        part = side.written.get(rule)
        lines: tuple[str, ...] = ()
        if how == "changed" and not before and not after:
            lines = changed_lines(self.one.text(rule), self.two.text(rule))
            if what == "requirement":
                lines = tuple(line for line in lines if line[2:].startswith("require"))
        if span is None and part is not None:
            span = self.first_new(rule) or part.node.span
        return Change(
            how, what, name, clip(before), clip(after), "" if span is None else str(span), via,
            cites=() if part is None else part.cites, rulings=side.rulings(rule), lines=lines,
        )  # fmt: skip

    def first_new(self, rule: str) -> Span | None:
        """The first line of a rule that the other game does not have."""
        sides = (self.one, self.two)
        if not all(rule in side.written for side in sides):
            return None
        spans = [
            {n.span: None for n in walk(side.written[rule].node) if isinstance(n, s.Statement)}
            for side in sides
        ]
        return next((span for span in spans[1] if span not in spans[0]), None)

    def via(self, rule: str) -> tuple[str, ...]:
        """The changed declarations that a rule of unchanged text mentions, directly or not."""
        if self.one.text(rule) != self.two.text(rule):
            return ()
        changed = {name.partition(".")[0]: name for name in reversed(self.changed) if "." in name}
        if rule not in self.two.written:  # a column or a procedure of a table
            rule = rule.partition(".")[0]
            if rule in changed:
                return (changed[rule],)
        mentioned = self.two.mentions.get(rule, frozenset())
        direct = [c for c in self.changed if c in mentioned and c != rule]
        if not direct:
            reached = self.reached(rule)
            direct = [changed[name] for name in changed if name in reached]
        return tuple(dict.fromkeys(direct))

    def reached(self, rule: str) -> set[str]:
        """The names that a rule mentions, directly or not."""
        todo, seen = [rule], {rule}
        while todo:
            for name in self.two.mentions.get(todo.pop(), ()):
                if name not in seen:
                    seen.add(name)
                    todo.append(name)
        return seen
