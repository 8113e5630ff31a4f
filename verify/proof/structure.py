"""Proofs without a solver: invariants that hold by the syntax of the rules."""

from __future__ import annotations

from collections.abc import Iterator

from compiler import ir
from compiler.plan.points import MAX_BYTES, Plan
from compiler.rule_id import rule_name
from compiler.traverse import every_statement
from verify.analysis.effects import Effects
from verify.analysis.length_bound import spread
from verify.proof.results import Part


def statements(module: ir.Module) -> Iterator[tuple[str, ir.Statement]]:
    """All statements of a module with the rule that they stand in."""

    for name, routine in module.routines.items():
        for statement in every_statement(routine.body):
            yield rule_name(name), statement
    for name, procedure in module.procedures.items():
        for block in procedure.blocks:
            for statement in every_statement(block.statements):
                yield rule_name(name), statement


def conserved(module: ir.Module) -> list[Part]:
    """Prove that goods and cards are only moved: nothing else writes their pools and zones."""
    kept = {n: a.kind for n, a in module.arrays.items() if a.kind in ("pool", "zone")}
    parts: list[Part] = []
    for rule, statement in statements(module):
        if isinstance(statement, ir.SetCell) and statement.target.array in kept:
            parts.append(
                Part(
                    "conservation",
                    statement.target.array,
                    rule,
                    "",
                    "goods are written, not moved",
                    "UNPROVED",
                    "structure",
                    0.0,
                    str(statement.span),
                )
            )
    if parts:
        return parts
    parts = [
        Part(
            "conservation", good.name, "", "", "only ever moved", "PROVED", "structure", 0.0,
            str(good.span), good.cites,
        )
        for good in module.goods.values()
    ]  # fmt: skip
    for name, kind in kept.items():
        if kind == "zone":
            array = module.arrays[name]
            parts.append(
                Part(
                    "conservation", name.removesuffix(".place"), "", "", "each in one place",
                    "PROVED", "structure", 0.0, str(array.span), array.cites,
                )
            )  # fmt: skip
    return parts


def recursion(module: ir.Module) -> list[Part]:
    """Prove that every cycle of calls contains calls whose measures are compared.

    The measure of the called procedure is compared with that of its caller at its entry, so both
    must state one, of the same number of parts; anything else is reported, not passed over.
    """
    effects = Effects(module)
    parts: list[Part] = []
    for name, procedure in module.procedures.items():
        for callee in sorted(effects.calls[name]):
            other = module.procedures[callee]
            if not procedure.recursive or name not in reached(effects, callee):
                continue
            if procedure.decreases and len(procedure.decreases) == len(other.decreases):
                continue
            silent = not procedure.decreases and not other.decreases
            rule, called = rule_name(name), rule_name(callee)
            if silent and not _silent_cycle(module, effects, name):
                continue  # the cycle is reported where it meets a measure
            what = f"calls {called}, which leads back, and the two do not state the same measure"
            parts.append(
                Part(
                    "termination", rule, rule, "", what,
                    "UNPROVED" if silent else "UNKNOWN", "structure", 0.0, str(procedure.span),
                    procedure.cites,
                )
            )  # fmt: skip
    return parts


def nesting(module: ir.Module) -> list[Part]:
    """Prove that the calls that are open at the same time fit into the machine's stack.

    Each call in a cycle decreases the measure (an obligation of the call, as part of safety), so a
    chain of such calls is no longer than the number of values of the measure. Chains in different
    cycles follow each other.
    """
    if not any(p.recursive for p in module.procedures.values()):
        return []
    layout, effects = Plan(module).layout, Effects(module)
    sizes = {name: frame.size for name, frame in layout.frames.items() if frame.moving}
    needed, circles = layout.size, []
    for name, size in sizes.items():
        procedure = module.procedures[name]
        if not procedure.recursive:
            needed += size
            continue
        circle = [
            other
            for other in sizes
            if other in reached(effects, name) and name in reached(effects, other)
        ]
        if name == min(circle):
            depth = _calls_in([module.procedures[other] for other in circle])
            needed += depth * sum(sizes[other] for other in circle)
            circles.append((depth, procedure))
    fits = needed <= MAX_BYTES
    return [
        Part(
            "safety",
            rule_name(procedure.name),
            rule_name(procedure.name),
            "",
            f"calls nest as much as {depth:,} deep; the machine has {MAX_BYTES:,} bytes for them",
            "PROVED" if fits else "UNPROVED",
            "measure",
            0.0,
            str(procedure.span),
            procedure.cites,
        )
        for depth, procedure in circles
    ]


def _calls_in(circle: list[ir.Procedure]) -> int:
    """Number of calls of each procedure that can be open at the same time.

    Without measures that can be compared it has no bound.
    """
    if len({len(p.decreases) for p in circle}) > 1 or not all(p.decreases for p in circle):
        return MAX_BYTES
    return max(spread(p.decreases) for p in circle)


def reached(effects: Effects, name: str) -> set[str]:
    """The procedures that a call may lead to, itself included."""
    found: set[str] = set()
    todo = [name]
    while todo:
        at = todo.pop()
        if at not in found:
            found.add(at)
            todo += effects.calls[at]
    return found


def _silent_cycle(module: ir.Module, effects: Effects, name: str) -> bool:
    """True if a procedure can call itself through procedures without a measure."""
    found: set[str] = set()
    todo = [c for c in effects.calls[name] if not module.procedures[c].decreases]
    while todo:
        at = todo.pop()
        if at not in found:
            found.add(at)
            todo += [c for c in effects.calls[at] if not module.procedures[c].decreases]
    return name in found
