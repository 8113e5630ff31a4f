"""The facts about a generated module that the runtime needs, as plain data."""

from __future__ import annotations

from compiler import ir
from compiler.layout import Slot
from compiler.plan.known_locals import PublicLocals, read_by
from compiler.plan.notation import fixed_notation
from compiler.plan.numbering import numberings
from compiler.plan.place_names import place_names
from compiler.python.module import ModuleWriter


def _slot(slot: Slot) -> tuple[int, int, str, int, int]:
    return (slot.offset, slot.width, slot.encoding, slot.lo, slot.hi)


def metadata(writer: ModuleWriter) -> dict[str, object]:
    """The facts about the module that the runtime needs, as plain data."""
    module, layout = writer.ir, writer.layout
    return {
        "name": module.name,
        "title": module.title.text,
        "titles": dict(module.title.translations),
        "players": module.players,
        "options": dict(module.options),
        "variants": module.variants,
        "digest": module.digest,
        "enums": {e.name: (e.values, e.labels, e.kind) for e in module.enums.values()},
        "arrays": _arrays(writer),
        "zones": _zones(module),
        "goods": {g.name: g.limit for g in module.goods.values()},
        "labels": {n: (x.text, dict(x.translations)) for n, x in module.labels.items()},
        "places": place_names(module),
        "points": _points(writer),
        "pc": _slot(layout.pc),
        "who": layout.who.offset,
        "frame_pointer": None if layout.frame_pointer is None else layout.frame_pointer.offset,
        "control": layout.control,
        "size": layout.size,
        "main": module.main,
        "left_out": module.left_out,
        **_frames(writer),
        "denominator": module.scoring.denominator,
        "scores_hidden": module.scoring.hidden,
        "actions": tuple(module.actions),
        "entries": _entries(writer),
        "reveals": tuple(writer.reveals),
        "routines": {name: writer.routine(name) for name in module.routines},
    }


def _arrays(writer: ModuleWriter) -> dict[str, dict[str, object]]:
    """The arrays of the state: their dimensions, cells and viewers."""
    return {
        name: {
            "kind": a.kind,
            "dimensions": tuple((d.lo, d.size, d.kind) for d in a.dimensions),
            "slot": _slot(writer.layout.arrays[name]),
            "viewers": a.viewers,
            "value": a.value_kind,
            "goods": a.goods,
            "bank": a.bank,
            "ghost": a.ghost,
        }
        for name, a in writer.ir.arrays.items()
    }


def _zones(module: ir.Module) -> dict[str, tuple[object, ...]]:
    """The zones: their table, array, dimensions and places."""
    return {
        name: (
            z.table,
            z.array,
            tuple((d.lo, d.size, d.kind) for d in z.dimensions),
            z.first,
            z.places,
            z.levels,
            z.below,
            z.viewers,
        )
        for name, z in module.zones.items()
    }


def _points(writer: ModuleWriter) -> tuple[dict[str, object], ...]:
    """The decision points by number: the decisions and the draws; the first number is not used."""
    module = writer.ir
    points: list[dict[str, object]] = [{}]
    public = PublicLocals(module)
    for point in writer.plan.waiting:
        terminator = point.block.terminator
        if isinstance(terminator, ir.Decide):
            known = _known_locals(writer, public, point.procedure, terminator)
            points.append(
                {
                    **_decision(terminator, point.procedure.name),
                    "known": known,
                    "hidden": public.depends_on_hidden(point.procedure.name, terminator),
                    "fixed": fixed_notation(module, terminator),
                }
            )
        else:
            assert isinstance(terminator, ir.Chance)
            rule, local = point.procedure.name, terminator.range.name
            points.append(
                {
                    "verb": terminator.verb,
                    "kind": terminator.kind,
                    "name": terminator.written,
                    "range": (terminator.range.low.lo, terminator.range.high.hi),
                    "hidden": public.depends_on_hidden(rule, terminator),
                    "public": public.public(rule, local),
                    "procedure": rule,
                }
            )
    return tuple(points)


def _entries(writer: ModuleWriter) -> dict[str, tuple[object, ...]]:
    """The entry of each procedure: its block, parameters, return point and frame."""
    layout = writer.layout
    return {
        name: (
            writer.plan.block_numbers[name, p.blocks[0].id],
            tuple(_slot(layout.frames[name].slots[v.name]) for v in p.params),
            _slot(layout.frames[name].back),
            layout.frames[name].size if layout.frames[name].moving else 0,
        )
        for name, p in writer.ir.procedures.items()
    }


def _known_locals(
    writer: ModuleWriter, public: PublicLocals, procedure: ir.Procedure, decide: ir.Decide
) -> tuple[tuple[str, tuple[int, int, str, int, int], str, bool, str], ...]:
    """The public locals that a decision is about.

    Name, slot, kind, whether the frame moves, name in the rules.
    """
    frame = writer.layout.frames[procedure.name]
    locals_ = {v.name: v for v in (*procedure.params, *procedure.variables)}
    return tuple(
        (name, _slot(frame.slots[name]), locals_[name].kind, frame.moving, locals_[name].written)
        for name in sorted(read_by(decide))
        if name in frame.slots
        and frame.slots[name].count == 1
        and public.public(procedure.name, name)
    )


def _frames(writer: ModuleWriter) -> dict[str, object]:
    """The layout of the control part of a position: its frames, and the return points of calls."""
    layout, numbers = writer.layout, writer.plan.block_numbers
    pointer = layout.frame_pointer
    frames = {
        name: (
            frame.base,
            frame.size,
            _slot(frame.back),
            None if frame.previous is None else _slot(frame.previous),
            tuple((local, _slot(slot), slot.count) for local, slot in frame.slots.items()),
        )
        for name, frame in layout.frames.items()
    }
    returns: dict[str, dict[int, str]] = {}
    for name, procedure in writer.ir.procedures.items():
        for block in procedure.blocks:
            if isinstance(block.terminator, ir.Enter):
                known = returns.setdefault(block.terminator.procedure, {})
                known[numbers[name, block.terminator.target]] = name
    at = layout.who.end if pointer is None else pointer.end
    return {"frames": frames, "returns": returns, "frames_at": at}


def _decision(decide: ir.Decide, procedure: str) -> dict[str, object]:
    options = []
    for option, numbering in zip(decide.options, numberings(decide), strict=True):
        params = tuple((p.written, p.lo, p.hi, p.kind) for p in option.params)
        subset = option.subset
        of = None if subset is None else (subset.kind, subset.first)
        options.append((option.name, params, numbering.base, numbering.count, option.cites, of))
    return {
        "label": decide.label,
        "prompt": decide.prompt,
        "options": tuple(options),
        "secret": decide.secret,
        "alone": decide.secret and not decide.turned_up,
        # Other players learn nothing of an action chosen in secret but its effects.
        "kept": decide.secret and (not decide.turned_up or any(o.action for o in decide.options)),
        "procedure": procedure,
    }
