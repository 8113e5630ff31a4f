"""Evidence for changes between two games: a position, an example, or a proof of equality."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve, frozen

from compiler.rebuild import build
from compiler.rule_id import action_rule
from rules_dsl.language.diagnostics import RuleError
from rules_dsl.language.program import Program
from verify.compare.bisimulation import DifferingPosition, GamePair, along, lines, survey
from verify.compare.changes import Change, Diff
from verify.compare.endings import Endings
from verify.compare.equivalence import Equivalence
from verify.compare.hybrids import changed_example, hybrid, with_one_change
from verify.compare.ir_shape import without_places
from verify.compare.parts import Side, steps


@frozen(eq=False)
class Evidence:
    """Looks for positions, examples and proofs for the changes from one game to another.

    `positions`, `games` and `seed` say how far and where games are searched.
    """

    one: Side
    two: Side
    positions: int
    games: int
    seed: int

    def judged(
        self,
        change: Change,
        found: Mapping[str, DifferingPosition],
        prover: Equivalence | None,
        same_play: bool,
    ) -> Change:
        """The change with a witness, or proved to make no difference."""
        if change.what in ("invariant", "option"):
            return change
        if same_play:
            return evolve(change, equivalent=True)
        if change.how == "changed" and self.proved(change, prover):
            return evolve(change, equivalent=True)
        # A different judgement of an end does not tell which tie-break causes it.
        return (
            change if change.what == "tie" else evolve(change, witness=self.affected(change, found))
        )

    def proved(self, change: Change, prover: Equivalence | None) -> bool:
        """Whether a changed rule is proved to mean the same as before."""
        one, two = self.one.module, self.two.module
        name = action_rule(change.name) if change.what == "effect" else change.name
        if change.what == "procedure" and name in ("setup", "play"):
            name = one.main
        for rules, others in (
            (one.functions, two.functions),
            (one.routines, two.routines),
            (one.procedures, two.procedures),
        ):
            if name in rules and name in others and change.what in ("function", "procedure"):
                ours, theirs = rules[name], others[name]
                if without_places(ours, {}) == without_places(theirs, {}):
                    return True
        if prover is None or not prover.comparable:
            return False
        if change.what == "function":
            return prover.functions(name)
        if change.what == "relation":
            parts = steps(one)[name]
            same = without_places(one.relations[name]) == without_places(two.relations[name])
            return (
                same
                and parts.keys() == steps(two)[name].keys()
                and all(prover.functions(part) for part in parts)
            )
        if change.what == "requirement":
            action = change.rule
            return prover.requirements(self.one.options()[action], self.two.options()[action])
        if name in one.routines and name in two.routines:
            return prover.routines(name)
        return False

    def sought(
        self,
        change: Change,
        found: Mapping[str, DifferingPosition],
    ) -> DifferingPosition | None:
        """A witness of one change: one found before that it causes, or the result of a search."""
        one, two = self.one.game, self.two.game
        if change.what == "tie":
            return self.tied(change)
        part = hybrid(one, self.two.module, change.what, change.name)
        if part is None:
            return None
        for witness in sorted(found.values(), key=lambda w: len(w.moves)):
            line = [state.last_code for state in one.replay(witness.records[0]).history()[1:]]
            if along(one, part, line) is not None:
                return witness
        for codes in lines(one, part, self.positions, self.games, self.seed):
            sight = along(one, two, codes)
            if sight is not None:
                return sight
        return None

    def told_apart(self, result: Diff) -> None:
        """Give each written change its own position, or an example that shows it.

        A position in which two changes meet does not say which of them it shows: such a change
        is searched for in a game that has no other. Games that share few declarations are not
        versions of each other: no rule of one fits into the other.
        """
        if len(self.one.written.keys() & self.two.written.keys()) < len(self.one.written) / 2:
            return
        groups = result.groups()
        seen: set[tuple[str, ...]] = set()
        for change, following in groups:
            if change.what in ("invariant", "option", "players", "tie"):
                continue
            if change.equivalent or self.one.text(change.rule) == self.two.text(change.rule):
                continue  # nothing to show, or nothing that was written
            shown = [c.witness for c in (change, *following) if c.witness]
            nearest = min(shown, key=lambda w: len(w.moves), default=None)
            rule = change.rule
            rules = {rule, *(c.rule for c in following)}
            if nearest is not None and (
                len(groups) == 1 or (nearest.moves not in seen and nearest.rule in rules)
            ):
                seen.add(nearest.moves)
                result.replace(change, evolve(change, witness=nearest))
                continue
            program = with_one_change(self.one, self.two, rule)
            if program is None:
                continue
            own = self.own_witness(program)
            example = "" if own is not None else changed_example(self.one, program)
            result.replace(change, evolve(change, witness=own, example=example))

    def own_witness(self, program: Program) -> DifferingPosition | None:
        """A position in which rules with one change differ from the first game."""
        try:
            part = build(self.one.game, program)
        except RuleError:
            return None
        found = survey(self.one.game, part, self.positions, self.games, self.seed)
        for witness in sorted(found.values(), key=lambda w: len(w.moves)):
            line = [
                state.last_code for state in self.one.game.replay(witness.records[0]).history()[1:]
            ]
            if sight := along(self.one.game, self.two.game, line):
                return sight
        return None

    def tied(self, change: Change) -> DifferingPosition | None:
        """The end of a game that a tie-break decides in one of the games only."""
        one, two = self.one.game, self.two.game
        second = change.how == "added"
        names = (self.two if second else self.one).ties
        # Of ties in another order, the first that is not in its place decides.
        level = next(
            k for k, name in enumerate(names, 1) if name == change.name or change.how == "changed"
        )
        codes = Endings(GamePair(one, two), level, second, self.seed).find()
        return None if codes is None else along(one, two, codes)

    def affected(
        self, change: Change, found: Mapping[str, DifferingPosition]
    ) -> DifferingPosition | None:
        """A witness in the rule itself, or in one that makes use of it."""
        own = change.rule
        todo, seen = [own], {own}
        while todo:
            name = todo.pop(0)
            if name in found:
                return found[name]
            for rule, mentioned in self.two.mentions.items():
                if name in mentioned and rule not in seen:
                    seen.add(rule)
                    todo.append(rule)
        return None
