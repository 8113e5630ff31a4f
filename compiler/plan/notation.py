"""Whether the texts of moves depend on the position."""

from __future__ import annotations

from compiler import ir
from compiler.lower.free import free
from compiler.transform import reads_state


def fixed_notation(module: ir.Module, decide: ir.Decide) -> bool:
    """Whether the player and the number of a move are enough to write it down."""
    return all(_fixed(module, option) for option in decide.options)


def _fixed(module: ir.Module, option: ir.Option) -> bool:
    known = {param.range.name for param in option.params}
    return all(
        free(part.expr) <= known and not reads_state(part.expr, module.functions)
        for part in option.notation
        if isinstance(part, ir.Shown)
    )
