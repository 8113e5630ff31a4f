"""Liveness: every option, branch and effect happens in some game, or it is reported as dead.

What play has shown is certain. Anything else is dead if play has seen every position, or if
the invariants, once they are proved, rule it out; else the report says that it is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from attrs import define, field

from compiler import ir
from compiler.rule_id import RuleId, is_row_rule, rule_name
from rules_dsl.language.program import Program, walk
from rules_dsl.language.syntax import OptionUse
from verify.analysis.branches import (
    CONDITION,
    Arm,
    arms_of,
    begun,
    called,
    conditions_of,
    marked_for_play,
    marked_for_proof,
)
from verify.analysis.reached import Reached, reached
from verify.analysis.unused_rows import SOME_ROWS, Rows
from verify.encode.unknowns import World
from verify.proof.prover import Prover
from verify.proof.results import Part, Status
from verify.proof.step_parts import Start, TooManyPathsError
from verify.proof.symbolic_step import Explorer


def options_of(module: ir.Module) -> set[tuple[str, int, int]]:
    """All options of all decisions that are played: procedure, block, which way."""
    played = called(module) if module.options else module.procedures
    return {
        (name, block.id, way)
        for name, procedure in module.procedures.items()
        if name in played
        for block in procedure.blocks
        if isinstance(block.terminator, ir.Decide)
        for way in range(len(block.terminator.options))
    }


def effects_of(module: ir.Module) -> set[str]:
    """The rules of single cards: those with decisions by the mark where they begin."""
    rules = {*module.routines, *module.procedures}
    played = called(module) if module.options else rules
    return {
        begun(name) if name in module.procedures else name
        for name in rules & played
        if is_row_rule(name)
    }


@define(eq=False)
class Liveness:
    """Options, branches and effects that were seen in play, and those still unseen."""

    module: ir.Module
    # The rules with all their options: one of them may be why something is not offered.
    program: Program
    # Seen in play: ways out of points, blocks and rules that were carried out.
    ways: set[tuple[str, int, int]]
    blocks: set[tuple[str, int]]
    rules: set[str]
    tried: int
    # Whether every position was seen.
    complete: bool = False
    # Whether the invariants are proved: only then do they show that a rule is dead.
    lawful: bool = False
    _called: set[str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._called = called(self.module)

    @cached_property
    def arms(self) -> dict[str, Arm]:
        """All arms of all branches."""
        return arms_of(self.module)

    @cached_property
    def rows(self) -> Rows:
        """The rows matter only for what was not seen."""
        return Rows(self.module, self.program)

    @cached_property
    def explorer(self) -> Explorer:
        """Only what was not seen needs a solver."""
        return Explorer(World(self.module))

    @cached_property
    def prover(self) -> Prover:
        """Asks whether the invariants allow what was not seen."""
        return Prover(self.explorer.world, "low")

    def parts(self) -> list[Part]:
        """One part for each option of each decision, and for each effect of a card."""
        found: dict[str, list[Part]] = {}
        for procedure in self.module.procedures.values():
            for block in procedure.blocks if self.in_play(procedure.name) else ():
                if isinstance(block.terminator, ir.Decide):
                    for way, option in enumerate(block.terminator.options):
                        part = self.option(procedure, block, way, option)
                        found.setdefault(part.subject, []).append(part)
        # An action that is offered in several places happens if it does in one of them.
        offered = [best(parts) for parts in found.values()]
        return [*offered, *self.effects(), *self.never_offered(set(found)), *self.branches()]

    @cached_property
    def outer(self) -> set[str]:
        """The arms that no game has shown, of those that stand in another the outer ones."""
        unseen = {name for name in self.arms if name not in self.rules}
        return {name for name in unseen if self.arms[name].outer not in unseen}

    @cached_property
    def unused(self) -> dict[str, str]:
        """The arms that no row uses, with the rows that would have to say something else."""
        when = conditions_of(self.module) if self.outer else {}
        kept_by = {name: self.rows.keep_from(when[name]) for name in self.outer}
        return {name: rows for name, rows in kept_by.items() if rows}

    @cached_property
    def behind_unused(self) -> set[Reached]:
        """The rules, arms and blocks that only arms lead to which no row uses."""
        if not self.unused:
            return set()
        marked = marked_for_play(self.module)
        without = reached(marked, frozenset(self.unused))
        return reached(marked, frozenset()) - without - self.unused.keys()

    def branches(self) -> Iterator[Part]:
        """The arms of branches that no game has shown; of those that stand in another, the outer.

        That all others were taken is said once, for each rule.
        """
        unseen = self.outer - self.behind_unused
        said = unseen | (self.arms.keys() & self.rules)
        undecided = unseen - self.unused.keys()
        ruled_out = set() if self.complete else never_reached(self.module, undecided)
        for arm in self.arms.values():
            if arm.name not in said:
                continue
            status: Status = "PROVED"
            by, what = "witness", "seen in play"
            if arm.name in unseen:
                unused = self.unused.get(arm.name, "")
                status, by, what = self.verdict(arm.name in ruled_out, unused)
                if status == "UNPROVED":
                    what = f"{CONDITION} {arm.what}"
                elif status == "UNKNOWN":
                    what = f"{CONDITION} {arm.what}, as far as was seen: {what}"
            yield Part("liveness", arm.rule, arm.rule, "", what, status, by, 0.0, str(arm.span))

    def verdict(self, ruled_out: bool, unused: str = "") -> tuple[Status, str, str]:
        """The verdict on something that was not seen; `unused` are the rows that prevent it."""
        if unused:
            return "UNUSED", "rows", f"no row uses this: {unused} would have to say something else"
        if self.complete:
            return "UNPROVED", "all positions", "can never happen"
        if ruled_out and self.lawful:
            return "UNPROVED", "invariants", "can never happen"
        also = " and ruled out by invariants that are not proved" if ruled_out else ""
        return "UNKNOWN", "search", f"not seen in {self.tried} moves{also}"

    def in_play(self, rule: str) -> bool:
        """Whether a rule should be played with these options; without options all should."""
        return not self.module.options or rule in self._called

    def never_offered(self, offered: set[str]) -> Iterator[Part]:
        """Actions that no decision offers, in any configuration of the game."""
        missing = self.module.actions.keys() - offered
        uses = walk(self.program.declarations) if missing else ()
        written = {node.name.name for node in uses if isinstance(node, OptionUse)}
        if self.module.options:
            missing -= written
        for name, action in self.module.actions.items():
            if name in missing:
                status: Status = "UNPROVED"
                by, what = "structure", "can never happen"
                unused = self.rows.keep_from_action(name) if name in written else ""
                if unused:
                    status, by, what = self.verdict(ruled_out=True, unused=unused)
                yield Part(
                    "liveness", name, name, "", what, status, by, 0.0, str(action.span),
                    action.cites,
                )  # fmt: skip

    def effects(self) -> Iterator[Part]:
        """The rules of single cards: each is carried out in some game."""
        rules: list[ir.Routine | ir.Procedure] = [
            *self.module.routines.values(),
            *self.module.procedures.values(),
        ]
        for rule in rules:
            name = rule.name
            if not is_row_rule(name) or not self.in_play(name):
                continue
            seen = bool(self.rules & {name, begun(name)})
            seen = seen or any(block[0] == name for block in self.blocks)
            status: Status = "PROVED"
            by, what = "witness", "seen in play"
            if not seen:
                status, by, what = self.verdict(ruled_out=False)
            subject = RuleId.of(name).name
            yield Part(
                "liveness", subject, name, "", what, status, by, 0.0, str(rule.span), rule.cites
            )

    def option(self, procedure: ir.Procedure, block: ir.Block, way: int, option: ir.Option) -> Part:
        """One option of a decision."""
        rule = rule_name(procedure.name)
        subject = option.action or f"{rule}.{option.name}"
        status: Status = "PROVED"
        by, what = "witness", "seen in play"
        if (procedure.name, block.id, way) not in self.ways:
            status, by, what = self.unseen(procedure, block, way)
        return Part(
            "liveness", subject, option.action or rule, "", what, status, by, 0.0,
            str(option.span), option.cites,
        )  # fmt: skip

    def unseen(self, procedure: ir.Procedure, block: ir.Block, way: int) -> tuple[Status, str, str]:
        """An option that no game has shown: can it happen at all?"""
        assert isinstance(block.terminator, ir.Decide)
        option = block.terminator.options[way]
        unused = self.rows.keep_from_option(option)
        if (procedure.name, block.id) in self.behind_unused and self.rows.allow(option):
            unused = unused or SOME_ROWS
        if unused:
            return self.verdict(ruled_out=True, unused=unused)
        return self.verdict(not self.complete and self.ruled_out(procedure, block, way))

    def ruled_out(self, procedure: ir.Procedure, block: ir.Block, way: int) -> bool:
        """Whether the invariants never allow an option."""
        base = self.explorer.facts.procedures[procedure.name]
        if base.arriving is None or (block.id, way) not in base.edges:
            return True
        run = self.explorer.explore(Start(procedure.name, block.id, way))
        query = [p for p in (*run.assumed, *self.prover.invariants) if p is not True]
        if any(p is False for p in query):
            return True
        answer, _, _ = self.prover.ask(self.prover.spelled_out(query), 1_000_000)
        return answer == "unsat"


def never_reached(module: ir.Module, arms: set[str]) -> set[str]:
    """The arms that no state which the invariants allow leads to, if the invariants hold.

    All claims are proved together, each knowing that those before it hold; if one fails, the others
    are proved again without it.
    """
    left = set(arms)
    while left:
        failed = _reached(marked_for_proof(module, left), left)
        if not failed:
            break
        left -= failed
    return left


def _reached(module: ir.Module, claims: set[str]) -> set[str]:
    """The claims that cannot be proved."""
    world = World(module)
    explorer, prover = Explorer(world), Prover(world, "low")
    failed: set[str] = set()
    todo = [explorer.opening]
    seen = set(todo)
    while todo and failed != claims:
        try:
            run = explorer.explore(todo.pop())
        except TooManyPathsError:
            return claims
        for obligation in run.obligations:
            name = obligation.what
            if name in claims and name not in failed:
                verdict = prover.prove(obligation, run.assumed, run.initial)
                if verdict.outcome != "proved":
                    failed.add(name)
        todo += [start for start in run.next if start not in seen]
        seen.update(run.next)
    return failed


def best(parts: list[Part]) -> Part:
    """The best part for a rule."""
    order: tuple[Status, ...] = ("PROVED", "UNKNOWN", "UNUSED", "UNPROVED")
    return min(parts, key=lambda p: order.index(p.status))
