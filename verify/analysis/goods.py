"""The total of a good, and the pools that can run out of it or hold all of it."""

from __future__ import annotations

from compiler import ir


def good_total(module: ir.Module, good: str) -> int:
    """The total of a good: the sum over the pools at the start."""
    total = 0
    for array in module.arrays.values():
        if array.kind == "pool" and good in array.goods:
            at, step = array.goods.index(good), len(array.goods)
            total += sum(array.initial[at::step])
    return total


def short_of_room(module: ir.Module, pool: ir.Array) -> list[str]:
    """The goods of which there are more than a cell of a pool can hold."""
    return [good for good in pool.goods if good_total(module, good) > pool.hi]


def unlimited(module: ir.Module, array: ir.Array, good: str) -> bool:
    """Whether a pool never runs out of a good: the bank, of a good without a limit."""
    return array.bank and module.goods[good].limit is None
