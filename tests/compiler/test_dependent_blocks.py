"""Which blocks depend on a fork: compared with the definition, on random procedures."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from compiler import ir
from compiler.build import int_
from compiler.lower.lasting_locals import successors
from compiler.plan.dependent_blocks import DependentBlocks
from rules_dsl.language.spans import NOWHERE


def by_definition(blocks: tuple[ir.Block, ...], fork: int) -> set[int]:
    """The blocks that some way from a block leads through and another, to the end, does not."""

    def reached(without: int | None) -> set[int]:
        found: set[int] = set()
        todo = successors(blocks[fork].terminator)
        while todo:
            at = todo.pop()
            if at != without and at not in found:
                found.add(at)
                todo += successors(blocks[at].terminator)
        return found

    ends = {block.id for block in blocks if isinstance(block.terminator, ir.Exit | ir.End)}
    everywhere = reached(None)
    return {at for at in everywhere if reached(at) & ends or not everywhere & ends}


@st.composite
def procedures(draw: st.DrawFn) -> ir.Procedure:
    """A procedure whose blocks lead to any others."""
    size = draw(st.integers(1, 9))
    target = st.integers(0, size - 1)
    fork = st.builds(ir.Fork, st.just(int_(1)), target, target)
    end = st.one_of(fork, fork, st.builds(ir.Jump, target), st.just(ir.Exit()), st.just(ir.End()))
    blocks = tuple(ir.Block(k, (), draw(end)) for k in range(size))
    return ir.Procedure("walk", (), (), blocks, NOWHERE)


@given(procedures())
def test_like_the_definition(procedure: ir.Procedure) -> None:
    dependent = DependentBlocks()
    for block in procedure.blocks:
        assert dependent.of(procedure, block.id) == by_definition(procedure.blocks, block.id)
