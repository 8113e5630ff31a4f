"""Formulas as Python functions: written out once, then as fast to evaluate as any code.

They serve to compare formulas with the compiled rules on very many positions. Samples are checked
against the solver's own evaluation of the formulas (`asked`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import z3
from attrs import define, field

from verify.encode import terms as v
from verify.encode.terms import Value

# The values of some formulas, given those of the unknowns.
Function = Callable[[Sequence[int]], tuple[int, ...]]
# Answers a question about a graph: its name, then the values of its arguments.
Oracle = Callable[..., int]

# The parts of formulas by the number of the formula, which they keep alive.
Numbered = tuple[int, z3.ExprRef]
Parts = dict[int, tuple[z3.ExprRef, list[Numbered]]]

# Deeper expressions get a name for their parts.
DEEPEST = 30

_INFIX = {
    z3.Z3_OP_ADD: " + ", z3.Z3_OP_SUB: " - ", z3.Z3_OP_MUL: " * ", z3.Z3_OP_AND: " and ",
    z3.Z3_OP_OR: " or ", z3.Z3_OP_EQ: " == ", z3.Z3_OP_LE: " <= ", z3.Z3_OP_GE: " >= ",
    z3.Z3_OP_LT: " < ", z3.Z3_OP_GT: " > ", z3.Z3_OP_DISTINCT: " != ", z3.Z3_OP_XOR: " != ",
    z3.Z3_OP_IFF: " == ",
}  # fmt: skip


@define(eq=False)
class _Writer:
    """Writes formulas out, each part of them once."""

    inputs: Mapping[int, int]
    definitions: Mapping[int, z3.ExprRef]
    lines: list[str] = field(factory=list)
    # The parts of a node, asked for once: the solver's own answer is slow.
    parts: Parts = field(factory=dict)
    _uses: Counter[int] = field(factory=Counter)
    # The text of a part, and how deep it is.
    _texts: dict[int, tuple[str, int]] = field(factory=dict)

    def count(self, terms: list[z3.ExprRef]) -> None:
        """Number of uses of each part: a part used once needs no name."""
        todo = [self.meant(term) for term in terms]
        while todo:
            identity, node = todo.pop()
            self._uses[identity] += 1
            if self._uses[identity] == 1:
                todo += self.children(node, identity)

    def children(self, node: z3.ExprRef, identity: int) -> list[Numbered]:
        """The parts of a node, as what they stand for."""
        known = self.parts.get(identity)
        if known is None:
            known = self.parts[identity] = (node, [self.meant(c) for c in node.children()])
        return known[1]

    def meant(self, node: z3.ExprRef) -> Numbered:
        """The representative of a node, with its number: a sum for the unknown that it defines."""
        identity = node.get_id()
        known = self.definitions.get(identity)
        return (identity, node) if known is None else self.meant(known)

    def text(self, term: z3.ExprRef) -> str:
        """A formula; its parts are written first."""
        todo = [self.meant(term)]
        while todo:
            identity, node = todo[-1]
            if identity in self._texts:
                todo.pop()
                continue
            parts = self.children(node, identity)
            missing = [part for part in parts if part[0] not in self._texts]
            if missing:
                todo += missing
                continue
            todo.pop()
            self.write(node, identity, parts)
        return self._texts[self.meant(term)[0]][0]

    def write(self, node: z3.ExprRef, identity: int, children: list[Numbered]) -> None:
        parts = [self._texts[number] for number, _ in children]
        text = self.operation(node, [text for text, _ in parts])
        depth = 1 + max((depth for _, depth in parts), default=0)
        if parts and (self._uses[identity] > 1 or depth > DEEPEST):
            name = f"t{len(self._texts)}"
            self.lines.append(f"{name} = {text}")
            text, depth = name, 1
        self._texts[identity] = (text, depth)

    def operation(self, node: z3.ExprRef, parts: list[str]) -> str:
        kind = node.decl().kind()
        if kind in _INFIX and len(parts) > 1:
            return f"({_INFIX[kind].join(parts)})"
        match kind:
            case z3.Z3_OP_ANUM:
                return f"({node.as_long()})"
            case z3.Z3_OP_TRUE:
                return "True"
            case z3.Z3_OP_FALSE:
                return "False"
            case z3.Z3_OP_ITE:
                return f"({parts[1]} if {parts[0]} else {parts[2]})"
            case z3.Z3_OP_NOT:
                return f"(not {parts[0]})"
            case z3.Z3_OP_IMPLIES:
                return f"(not {parts[0]} or {parts[1]})"
            case z3.Z3_OP_UMINUS:
                return f"(-{parts[0]})"
            case z3.Z3_OP_IDIV:
                return f"divided({parts[0]}, {parts[1]})"
            case z3.Z3_OP_MOD:
                return f"({parts[0]} % abs({parts[1]}))"
            case z3.Z3_OP_UNINTERPRETED if parts:
                return f"oracle({node.decl().name()!r}, {', '.join(['x', *parts])})"
            case z3.Z3_OP_UNINTERPRETED:
                return f"x[{self.inputs[node.get_id()]}]"
        # Formulas are made in one place, of these operations only.
        assert kind in _INFIX and parts, node.decl()
        return parts[0]


def divided(one: int, two: int) -> int:
    """Division as the solver does it: the remainder is never negative."""
    return one // two if two > 0 else -(one // -two)


def written(
    terms: Sequence[Value],
    inputs: Mapping[int, int],
    definitions: Mapping[int, z3.ExprRef],
    oracle: Oracle | None = None,
    parts: Parts | None = None,
) -> Function:
    """Some formulas as one function of the values of `inputs`.

    `inputs` says at which place the value of an unknown is found, `definitions` what unknowns stand
    for that are not inputs; both by the number of their term. `parts` keeps what is known about
    formulas for the next time; the definitions must be the same then.

    >>> a, b = z3.Ints("a b")
    >>> function = written([z3.If(a > b, a - b, 0), a * b], {a.get_id(): 0, b.get_id(): 1}, {})
    >>> function([7, 2])
    (5, 14)
    """
    writer = _Writer(inputs, definitions, parts={} if parts is None else parts)
    nodes = [v.term(term) for term in terms]
    writer.count(nodes)
    texts = [writer.text(node) for node in nodes]
    body = "".join(f"    {line}\n" for line in writer.lines)
    code = f"def function(x):\n{body}    return ({''.join(f'{text}, ' for text in texts)})\n"
    namespace: dict[str, Any] = {"divided": divided, "oracle": oracle}
    exec(compile(code, "<formulas>", "exec"), namespace)
    function: Function = namespace["function"]
    return function


def asked(term: Value, pairs: list[tuple[z3.ExprRef, z3.ExprRef]]) -> int | None:
    """The value of a formula as the solver computes it; none if it is not a plain number."""
    if isinstance(term, int):
        return int(term)
    result = z3.simplify(z3.substitute(term, *pairs))
    if z3.is_true(result) or z3.is_false(result):
        return int(z3.is_true(result))
    return int(result.as_long()) if z3.is_int_value(result) else None
