"""The second of two runs: the same formulas, with new unknowns for everything that may differ.

A step is explored once. Shared unknowns keep their names; all others get a second name by default,
so that nothing counts as equal in both runs without a proof.
"""

from __future__ import annotations

import z3
from attrs import define, field

from verify.encode import terms as v
from verify.encode.fields import AskedField
from verify.encode.terms import Truth, Value
from verify.encode.unknowns import Cells, World
from verify.proof.prover import Prover


@define(eq=False)
class Terms:
    """The unknowns of formulas, as terms by their numbers."""

    prover: Prover
    _terms: dict[int, z3.ExprRef] = field(factory=dict)
    _seen: dict[int, z3.ExprRef] = field(factory=dict)

    def term(self, number: int) -> z3.ExprRef:
        """The unknown with a number."""
        return self._terms[number]

    def of(self, value: Value) -> frozenset[int]:
        """The numbers of the unknowns in a value."""
        if isinstance(value, int):
            return frozenset()
        if value.get_id() not in self._seen:
            self._note(value)
        return self.prover.unknowns(value)

    def _note(self, value: z3.ExprRef) -> None:
        todo = [value]
        while todo:
            term = todo.pop()
            number = term.get_id()
            if number in self._seen:
                continue
            self._seen[number] = term
            if term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
                self._terms[number] = term
            todo += term.children()


@define(eq=False)
class SecondRun:
    """Values in the second run; `shared` are the unknowns that both runs have in common.

    With `differing`, only those unknowns have another value in the second run. `atoms` are
    statements about an unknown that are true in both runs or in neither, though the unknown itself
    may differ: that a card lies where the player looks.
    """

    world: World
    terms: Terms
    shared: set[int] = field(factory=set)
    differing: frozenset[int] | None = None
    atoms: dict[int, list[z3.ExprRef]] = field(factory=dict)
    _renamed: dict[int, bool] = field(factory=dict)
    _others: dict[int, tuple[z3.ExprRef, z3.ExprRef]] = field(factory=dict)
    # The unknowns that those of the second run stand for.
    _originals: dict[int, int] = field(factory=dict)

    def renamed(self, number: int) -> bool:
        """True if an unknown may have another value in the second run."""
        known = self._renamed.get(number)
        if known is None:
            known = self._renamed[number] = self._differs(number)
        return known

    def _differs(self, number: int) -> bool:
        if number in self.shared:
            return False
        defined = self.world.reads.get(number) or self.world.totals.get(number)
        if defined is not None:
            self._renamed[number] = False
            return not v.same(self.substituted(defined.definition), defined.definition)
        term = self.terms.term(number)
        if term.num_args():
            return self._asks_differently(term)
        return self.differing is None or number in self.differing

    def _asks_differently(self, term: z3.ExprRef) -> bool:
        """True if a question about paths reads cells or places that may differ."""
        if any(self.changed(argument) for argument in term.children()):
            return True
        arrays = self._asked_about(term.decl().name())
        if arrays is None:
            return True
        return any(self.changed(value) for array in arrays for value in array.values)

    def _asked_about(self, name: str) -> list[Cells] | None:
        """The cells that a question about a graph or a relation depends on, if that is known."""
        match self.world.memo.get(("graph", name)) or self.world.memo.get(("field", name)):
            case (_, AskedField(cells=cells)):
                return cells
            case (_, list() as cells):
                return cells
        return None

    def changed(self, value: Value) -> bool:
        """True if a value may differ in the second run."""
        return not v.same(value, self.other(value))

    def other(self, value: Value) -> Value:
        """A value in the second run."""
        if isinstance(value, int):
            return value
        known = self._others.get(value.get_id())
        if known is None:
            known = self._others[value.get_id()] = (value, self.substituted(value))
        return known[1]

    def substituted(self, value: z3.ExprRef) -> z3.ExprRef:
        """A value with the unknowns of the second run in it."""
        numbers = [number for number in self.terms.of(value) if self.renamed(number)]
        if not numbers:
            return value
        # A part that is replaced as a whole is not searched.
        pairs = [(atom, atom) for number in numbers for atom in self.atoms.get(number, ())]
        pairs += [(self.terms.term(number), self.twin(number)) for number in numbers]
        return z3.substitute(value, *pairs)

    def twin(self, number: int) -> z3.ExprRef:
        """The unknown that replaces another one in the second run."""
        term = self.terms.term(number)
        name = f"{term.decl().name()}'" if not term.num_args() else f"question {number}'"
        twin = z3.Const(name, term.sort())
        self._originals[twin.get_id()] = number
        return twin

    def differing_in(self, value: Value) -> set[int]:
        """The unknowns in a value, of either run, that may differ: by those of the first run."""
        return {
            self._originals.get(number, number)
            for number in self.terms.of(value)
            if number in self._originals or self.renamed(number)
        }

    def differ(self, one: Value, two: Value) -> Truth:
        """That a value of the first run differs from one of the second."""
        return v.not_(v.eq(one, self.other(two)))
