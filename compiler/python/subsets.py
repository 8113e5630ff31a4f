"""Listing the sets that can be chosen: from the elements present, not from all possible ones."""

from __future__ import annotations

from collections.abc import Callable

from compiler import ir
from compiler.lower.free import union
from compiler.plan.numbering import Numbering
from compiler.python.expressions import Place
from compiler.python.statements import StatementWriter


def write_subsets(
    body: StatementWriter,
    option: ir.Option,
    numbering: Numbering,
    own: Callable[[ir.Expr], ir.Expr],
    found: Callable[[str], None],
) -> None:
    """Loops over the sets that an option allows; `found` writes what to do with each."""
    subset = option.subset
    assert subset is not None
    out = body.out
    before = out.level
    least, most = own(subset.least), own(subset.most)
    tests = [line.condition for line in option.head if isinstance(line, ir.Require)]
    # The loop takes care of the size.
    wanted = [own(test) for test in tests[subset.bounds :]]
    out.line("there = []")
    for position, param in enumerate(option.params):
        with out.block(f"if {body.code(own(param.range.high))}:"):
            out.line(f"there.append({position})")
    weights = body.module.constant(f"weights_{len(numbering.sizes)}", repr(numbering.weights))
    place = f"{option.span.file}:{option.span.line}"
    out.line(
        f"for chosen in subsets(there, {body.code(least)}, {body.code(most)}, {place!r}):",
        option.span,
    )
    out.level += 1
    if wanted:
        names = union(tuple(wanted))
        bits = [p.range.name for p in option.params]
        for position, name in enumerate(bits):
            if name in names:
                body.local.places[name] = Place(f"v_{position}")
                out.line(f"v_{position} = {position} in chosen")
        out.line(f"if {' and '.join(body.code(test, 3) for test in wanted)}:")
        out.level += 1
    plus = f" + {numbering.base}" if numbering.base else ""
    found(f"sum([{weights}[k] for k in chosen]){plus}")
    out.level = before
