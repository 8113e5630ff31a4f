"""Views: hidden information has no influence on what a player can do or see.

Proved for each player as a product of two runs of the same step. Two positions look alike to
a player if the game stands at the same point, every cell that the player may see is the same,
every card that the player sees in one of them lies at the same place in the other, and every zone
holds as many cards. From two such positions the same step, with the same public input, must give
the player the same to see: where the game waits, who decides, cells, cards and sizes, the scores
as they stand and, for the player who decides, every requirement and text. What a step may show is
which cards it moves where they are seen, what it reveals, and what chance decides openly.

The argument and its limits are in the design documentation, `docs/pages/verifying/views.md`.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from compiler import ir
from compiler.rule_id import rule_name
from verify.analysis.visibility import Sight, keeps_secrets
from verify.encode.unknowns import World
from verify.proof.audit import Audit
from verify.proof.prover import Prover
from verify.proof.results import Part
from verify.proof.second_solver import DISAGREED
from verify.proof.seen_steps import SeenExplorer, SeenStep, seen_step
from verify.proof.step_parts import Start, TooManyPathsError
from verify.proof.two_runs import Terms
from verify.proof.watcher import Leak, Watcher


@define(eq=False)
class Views:
    """The proofs of what players can see."""

    module: ir.Module
    audit: Audit = field(factory=Audit)
    effort: str = "normal"
    explorer: SeenExplorer = field(init=False)
    prover: Prover = field(init=False)
    terms: Terms = field(init=False)
    _steps: dict[Start, SeenStep | None] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.explorer = SeenExplorer(World(self.module))
        self.prover = Prover(self.explorer.world, self.effort, self.audit)
        self.terms = Terms(self.prover)

    def parts(self) -> list[Part]:
        """A part for each step and each player."""
        if not keeps_secrets(self.module):
            name = "nothing is hidden"
            return [Part("views", name, "", "", name, "PROVED", "structure", 0.0)]
        found: list[Part] = []
        names = self.module.enums["Player"].values
        for player in range(self.module.players):
            watcher = Watcher(self, Sight(self.module, player))
            for start, seconds in watcher.run():
                found += self.parts_of(start, names[player], watcher.leaks[start], seconds)
        return found

    def parts_of(
        self, start: Start, player: str, leaks: list[Leak], seconds: float
    ) -> Iterator[Part]:
        """The results for one step and one player."""
        procedure = self.module.procedures[start.procedure]
        step = self.step(start)
        label = "" if step is None else step.label.start
        rule = rule_name(start.procedure)
        opinions = self.audit.taken()
        if opinions.disputed:
            yield Part("views", rule, rule, label, player, "UNKNOWN", "two runs", seconds,
                       reason=DISAGREED, rechecked=opinions.opinions)  # fmt: skip
        for leak in leaks:
            yield Part(
                "views", rule, rule, label, f"{player} can tell: {leak.what}", leak.status,
                "two runs", seconds, str(leak.span), procedure.cites, cells=leak.cells,
                twin=leak.twin, reason="" if leak.status != "UNKNOWN" else "the solver gave up",
            )  # fmt: skip
        if not leaks:
            yield Part("views", rule, rule, label, player, "PROVED", "two runs", seconds)

    def step(self, start: Start) -> SeenStep | None:
        """A step, explored once; none if it has too many paths."""
        if start not in self._steps:
            try:
                self._steps[start] = seen_step(self.explorer, start)
            except TooManyPathsError:
                self._steps[start] = None
        return self._steps[start]
