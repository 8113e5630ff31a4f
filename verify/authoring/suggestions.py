"""Candidate invariants: found by watching play, proved where possible, printed to be pasted.

Play is sampled; an invariant that held in every state is only a guess. Guesses are added to the
rules and proved together; those that fail are dropped until the rest is proved.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Literal

import attrs
from attrs import define, field, frozen

from compiler import ir
from compiler.rebuild import build, with_ghosts
from compiler.runtime.fault import Fault
from compiler.runtime.game import Game
from compiler.runtime.values import read_slot
from rules_dsl.language.diagnostics import Reporter, RuleError
from rules_dsl.language.parser import parse_file
from rules_dsl.language.program import Program
from verify.authoring.mutants import Mutant
from verify.authoring.mutation import CHECKS, DROPPED, MutationReport, mutate
from verify.compare.ir_shape import without_places
from verify.proof.proof_core import named_requirements
from verify.running.scheduler import run

Status = Literal["PROVED", "TESTED"]
# Maximum number of states sampled in a game.
STATES_A_GAME = 400
# Number of rounds of dropping failed guesses and proving the rest; then the rest stay guesses.
ROUNDS = 4


@frozen
class Suggestion:
    """An invariant that held in every state that was seen."""

    kind: str
    name: str
    condition: str
    status: Status = "TESTED"

    @property
    def text(self) -> str:
        """The invariant as lines of a rule file."""
        return f"invariant {self.name}\n    {self.condition}\n"


@define
class Suggestions:
    """Suggested invariants, and requirements without protection."""

    game: str
    states: int
    invariants: list[Suggestion] = field(factory=list)
    # Requirements that could be lost without an invariant, example or proof failing.
    unprotected: list[Mutant] = field(factory=list)

    def text(self) -> str:
        """Lines to paste, each below a comment with its status."""
        parts = []
        for invariant in self.invariants:
            seen = f"not proved; held in {self.states} states of play"
            sure = "proved" if invariant.status == "PROVED" else seen
            parts.append(f"# {sure} ({invariant.kind})\n{invariant.text}")
        parts += [f"# nothing protects: {mutant}\n" for mutant in self.unprotected]
        return "\n".join(parts)


def suggest(
    game: Game,
    games: int = 20,
    seed: int = 0,
    prove: bool = True,
    requirements: bool = False,
    mutation: MutationReport | None = None,
) -> Suggestions:
    """Guess invariants from play; with `requirements`, also find those that nothing protects.

    Mutants that were tried already, in `mutation`, are not tried again.

    >>> import rules_dsl as rd
    >>> found = suggest(rd.load("connect_four"), games=5, prove=False)
    >>> found.states > 50
    True
    """
    game = with_ghosts(game)
    samples = _sample(game, games, seed)
    module = game.ir
    stated = {repr(without_places(i.condition, {})) for i in module.invariants}
    invariants = []
    for invariant in _guesses(module, samples):
        condition = _lowered(game, invariant)
        if condition is not None and repr(without_places(condition, {})) not in stated:
            invariants.append(invariant)
    result = Suggestions(game.name, len(samples), invariants)
    if prove and invariants:
        proved = _proved(game, invariants)
        result.invariants = [
            attrs.evolve(invariant, status="PROVED") if invariant.name in proved else invariant
            for invariant in invariants
        ]
    if requirements:
        result.unprotected = _unprotected(game, seed, prove, mutation)
    return result


def _unprotected(
    game: Game, seed: int, prove: bool, mutation: MutationReport | None
) -> list[Mutant]:
    """Requirements that no proof used and whose loss nothing notices, in the order of the rules.

    What the core of a proof names needs no trial. Something that is only used to work out what is
    known at some place is in no core; so the loss of all others is tried.
    """
    used: set[str] = set()
    if prove:
        report = run(game, CHECKS, effort="low", cores=True)
        used = named_requirements(name for r in report.results for name in r.used)
    tried = mutation or MutationReport(game.name, game.players)
    known = {(o.mutant.operator, str(o.mutant.span)) for o in tried.outcomes}
    trials = mutate(
        game,
        seed=seed,
        proofs=prove,
        only=lambda m: (
            m.operator == DROPPED
            and str(m.span) not in used
            and (m.operator, str(m.span)) not in known
        ),
    )
    found = [*tried.unprotected(), *trials.unprotected()]
    return sorted(found, key=lambda m: (m.span.file, m.span.line, m.span.column))


# ---- watching ------------------------------------------------------------------------------------

# The values of each array in one state.
_Sample = dict[str, list[int]]


def _sample(game: Game, games: int, seed: int) -> list[_Sample]:
    machine = game.machine
    rng = random.Random(seed)
    slots = {n: (machine.meta["arrays"][n]["slot"], a.size) for n, a in game.ir.arrays.items()}
    samples: list[_Sample] = []
    for _ in range(games):
        try:
            cells = machine.new()
            for _ in range(STATES_A_GAME):
                samples.append(
                    {n: [read_slot(s, cells, k) for k in range(c)] for n, (s, c) in slots.items()}
                )
                moves = [] if machine.over(cells) else machine.moves(cells)
                if not moves:
                    break
                machine.play(cells, rng.choice(moves))
        except Fault:
            continue
    return samples


# ---- guessing ------------------------------------------------------------------------------------


def _guesses(module: ir.Module, samples: list[_Sample]) -> Iterator[Suggestion]:
    if not samples:
        return
    for array in module.arrays.values():
        columns = [sample[array.name] for sample in samples]
        if all(column == columns[0] for column in columns):
            continue  # nothing ever happens here
        match array.kind:
            case "variable":
                yield from _bounds(array, columns)
                yield from _unique(module, array, columns)
                yield from _total(array, columns)
                yield from _counted(module, array, samples)
            case "set":
                yield from _total(array, columns)
            case "pool":
                yield from _pooled(array, columns)
            case _:
                continue


def _domain(dimension: ir.Dimension) -> str:
    if dimension.kind == "int":
        return f"{dimension.lo}..{dimension.lo + dimension.size - 1}"
    return dimension.kind


def _binders(dimensions: tuple[ir.Dimension, ...], letters: str = "ijkl") -> tuple[str, str]:
    """`i in Player, j in 0..3` and `[i, j]`."""
    names = letters[: len(dimensions)]
    bound = ", ".join(f"{n} in {_domain(d)}" for n, d in zip(names, dimensions, strict=True))
    return bound, f"[{', '.join(names)}]" if dimensions else ""


def _bounds(array: ir.Array, columns: list[list[int]]) -> Iterator[Suggestion]:
    if array.value_kind != "int" or array.clamped:
        return
    low, high = min(map(min, columns)), max(map(max, columns))
    bound, index = _binders(array.dimensions)
    every = f"every {bound}: " if bound else ""
    if high < array.hi:
        yield Suggestion(
            "bound",
            f"{array.name}_at_most_{high}".replace("-", "minus_"),
            f"{every}{array.name}{index} <= {high}",
        )
    if low > array.lo:
        yield Suggestion(
            "bound",
            f"{array.name}_at_least_{low}".replace("-", "minus_"),
            f"{every}{array.name}{index} >= {low}",
        )


def _unique(module: ir.Module, array: ir.Array, columns: list[list[int]]) -> Iterator[Suggestion]:
    """No value is in two places."""
    base, _, nothing = array.value_kind.partition("?")
    if array.size < 2 or base == "bool":
        return
    for column in columns:
        taken = [v for v in column if not nothing or v != int(nothing)]
        if len(taken) != len(set(taken)):
            return
    bound, index = _binders(array.dimensions)
    if base not in module.enums:
        if len(array.dimensions) == 1 and not nothing:
            domain = _domain(array.dimensions[0])
            yield Suggestion(
                "uniqueness",
                f"{array.name}_differ",
                f"every i in {domain}, j in {domain} where i != j:"
                f" {array.name}[i] != {array.name}[j]",
            )
        return
    yield Suggestion(
        "uniqueness",
        f"{array.name}_once",
        f"every x in {base}: count({bound} where {array.name}{index} = x) <= 1",
    )


def _total(array: ir.Array, columns: list[list[int]]) -> Iterator[Suggestion]:
    """The sum of all cells never changes."""
    if array.size < 2 or array.value_kind not in ("int", "bool"):
        return
    totals = {sum(column) for column in columns}
    if len(totals) != 1:
        return
    total = totals.pop()
    if array.kind == "set":
        bound, index = _binders(array.dimensions[:-1])
        element = _domain(array.dimensions[-1])
        inside = ", ".join(part for part in (bound, f"x in {element}") if part)
        invariant = f"count({inside} where x in {array.name}{index}) = {total}"
    else:
        bound, index = _binders(array.dimensions)
        if array.value_kind == "bool":
            invariant = f"count({bound} where {array.name}{index}) = {total}"
        else:
            invariant = f"sum({bound}: {array.name}{index}) = {total}"
    yield Suggestion("conserved total", f"{array.name}_total", invariant)


def _counted(module: ir.Module, scalar: ir.Array, samples: list[_Sample]) -> Iterator[Suggestion]:
    """A single number that counts what is marked elsewhere."""
    if scalar.dimensions or scalar.value_kind != "int":
        return
    for array in module.arrays.values():
        base, _, nothing = array.value_kind.partition("?")
        if array.kind != "variable" or not array.dimensions:
            continue
        if not nothing and base != "bool":
            continue
        empty = int(nothing) if nothing else 0
        if all(
            sample[scalar.name][0] == sum(v != empty for v in sample[array.name])
            for sample in samples
        ):
            bound, index = _binders(array.dimensions)
            test = f"{array.name}{index} != none" if nothing else f"{array.name}{index}"
            yield Suggestion(
                "count",
                f"{scalar.name}_counts_{array.name}",
                f"{scalar.name} = count({bound} where {test})",
            )


def _pooled(array: ir.Array, columns: list[list[int]]) -> Iterator[Suggestion]:
    """What the pools of one name hold together, and the most that one of them holds."""
    step = len(array.goods)
    bound, index = _binders(array.dimensions[:-1])
    for at, good in enumerate(array.goods):
        held = [column[at::step] for column in columns]
        if all(h == held[0] for h in held):
            continue
        totals = {sum(h) for h in held}
        if len(totals) == 1 and bound:
            yield Suggestion(
                "conserved total",
                f"{good}_in_{array.name}",
                f"sum({bound}: {array.name}{index}.{good}) = {totals.pop()}",
            )
        most = max(map(max, held))
        if not array.bank and most < array.hi:
            every = f"every {bound}: " if bound else ""
            yield Suggestion(
                "bound",
                f"{good}_in_{array.name}_at_most_{most}",
                f"{every}{array.name}{index}.{good} <= {most}",
            )


# ---- proving ------------------------------------------------------------------------------------


def _with(game: Game, invariants: list[Suggestion]) -> Program:
    """The rules with more invariants."""
    program = game.origin.program()
    reporter = Reporter()
    file = parse_file(
        "suggestions.rules", "\n".join(invariant.text for invariant in invariants), reporter
    )
    return attrs.evolve(program, declarations=[*program.declarations, *file.declarations])


def _lowered(game: Game, invariant: Suggestion) -> ir.Expr | None:
    """The condition of an invariant; nothing if the language cannot express it."""
    try:
        module = build(game, _with(game, [invariant])).ir
    except RuleError:
        return None
    return next((i.condition for i in module.invariants if i.name == invariant.name), None)


def _proved(game: Game, invariants: list[Suggestion]) -> set[str]:
    """The names of the invariants that can be proved together with those that are stated."""
    left = list(invariants)
    for _ in range(ROUNDS):
        report = run(build(game, _with(game, left)), ("init", "invariant"), jobs=1, effort="low")
        failed = {r.subject for r in report.results if r.fails_itself}
        if not failed & {invariant.name for invariant in left}:
            return {invariant.name for invariant in left}
        left = [invariant for invariant in left if invariant.name not in failed]
        if not left:
            break
    return set()
