"""Liveness: every option, draw and effect happens in some game, or it is reported as dead."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from compiler import ir
from verify.discharge import Prover
from verify.results import Part, Status
from verify.smt.world import World
from verify.steps import Explorer, Start, rule_name


def options_of(module: ir.Module) -> set[tuple[str, int, int]]:
    """All options of all decisions: procedure, block, which way."""
    return {
        (name, block.id, way)
        for name, procedure in module.procedures.items()
        for block in procedure.blocks
        if isinstance(block.terminator, ir.Decide)
        for way in range(len(block.terminator.options))
    }


def effects_of(module: ir.Module) -> set[str]:
    """The rules of single cards in which nobody decides."""
    return {name for name in module.routines if name.count(".") >= 2}


@define(eq=False)
class Liveness:
    """Which ways out of decisions and which effects were seen, and what is left."""

    module: ir.Module
    # Seen in play: ways out of points, blocks and rules that were carried out.
    ways: set[tuple[str, int, int]]
    blocks: set[tuple[str, int]]
    rules: set[str]
    tried: int
    explorer: Explorer = field(init=False)
    prover: Prover = field(init=False)

    def __attrs_post_init__(self) -> None:
        world = World(self.module)
        self.explorer = Explorer(world)
        self.prover = Prover(world, "low")

    def parts(self) -> list[Part]:
        """One part for each option of each decision, and for each effect of a card."""
        found: dict[str, list[Part]] = {}
        for procedure in self.module.procedures.values():
            for block in procedure.blocks:
                if isinstance(block.terminator, ir.Decide):
                    for way, option in enumerate(block.terminator.options):
                        part = self.option(procedure, block, way, option)
                        found.setdefault(part.subject, []).append(part)
        # An action that is offered in several places happens if it does in one of them.
        offered = [best(parts) for parts in found.values()]
        return offered + list(self.effects()) + list(self.never_offered(set(found)))

    def never_offered(self, offered: set[str]) -> Iterator[Part]:
        """Actions that no decision offers, though no option of the game rules them out."""
        if self.module.options:
            return  # an option may be why
        for name, action in self.module.actions.items():
            if name not in offered:
                yield Part(
                    "liveness", name, name, "", "can never happen", "UNPROVED", "structure", 0.0,
                    str(action.span), action.cites,
                )  # fmt: skip

    def effects(self) -> Iterator[Part]:
        """The rules of single cards: each is carried out in some game."""
        rules: list[ir.Routine | ir.Procedure] = [
            *self.module.routines.values(), *self.module.procedures.values(),
        ]  # fmt: skip
        for rule in rules:
            name = rule.name
            if name.count(".") < 2:
                continue
            seen = name in self.rules or any(way[0] == name for way in self.ways)
            seen = seen or any(block[0] == name for block in self.blocks)
            status: Status = "PROVED" if seen else "UNKNOWN"
            what = "seen in play" if seen else f"not seen in {self.tried} moves"
            subject = name.rpartition(".")[0]
            yield Part(
                "liveness", subject, name, "", what, status, "witness", 0.0, str(rule.span),
                rule.cites,
            )  # fmt: skip

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
        base = self.explorer.facts.procedures[procedure.name]
        dead = ("UNPROVED", "laws", "can never happen")
        if base.arriving is None or (block.id, way) not in base.edges:
            return dead  # type: ignore[return-value]
        run = self.explorer.explore(Start(procedure.name, block.id, way))
        query = [p for p in (*run.assumed, *self.prover.laws) if p is not True]
        if any(p is False for p in query):
            return dead  # type: ignore[return-value]
        answer, _, _ = self.prover.ask(self.prover.spelled_out(query), 1_000_000)
        if answer == "unsat":
            return dead  # type: ignore[return-value]
        return "UNKNOWN", "search", f"not seen in {self.tried} moves"


def best(parts: list[Part]) -> Part:
    """The part that says most for a rule."""
    order: tuple[Status, ...] = ("PROVED", "UNKNOWN", "UNPROVED")
    return min(parts, key=lambda p: order.index(p.status))
