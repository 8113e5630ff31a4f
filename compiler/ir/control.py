"""Control: the end of a block, and the decision there."""

from __future__ import annotations

from attrs import field, frozen

from compiler.ir.expressions import Expr, Range
from compiler.ir.statements import Statement
from rules_dsl.language.spans import NOWHERE, Span

__all__ = [
    "Block",
    "Chance",
    "Decide",
    "Define",
    "End",
    "Enter",
    "Exit",
    "Fork",
    "Head",
    "Jump",
    "Option",
    "Param",
    "Require",
    "Shown",
    "Subset",
    "Terminator",
    "TextPart",
    "Together",
]


@frozen
class Terminator:
    span: Span = field(kw_only=True, default=NOWHERE)


@frozen
class Jump(Terminator):
    target: int
    # The arrival completes a round of a loop: its measure must have decreased.
    back: bool = False
    # The arrival finishes choices that are made together.
    finishes: bool = False


@frozen
class Fork(Terminator):
    condition: Expr
    then: int
    otherwise: int


@frozen
class Together(Terminator):
    """Choices that are made together begin at `then` if they can be finished from there.

    They can if some way from there comes to a jump that `finishes`; nothing in between is chance,
    a call with decisions in it, or the end of the procedure.
    """

    then: int
    otherwise: int


@frozen
class Enter(Terminator):
    """Call a procedure with decisions in it; control comes back to `target`."""

    procedure: str
    args: tuple[Expr, ...]
    target: int


@frozen
class Exit(Terminator):
    """Return from a procedure."""


@frozen
class End(Terminator):
    """The game is over."""


@frozen
class Shown:
    """A value for people: `kind` is "int", "bool" or the name of an enum.

    `…?n` is shown as none if it is n. Values of a kind `…*n` that follow each other are the
    elements of a set, those that are n left out.
    """

    expr: Expr
    kind: str


TextPart = str | Shown


@frozen
class Require:
    """A requirement; `values` are the parts of the condition that explain it."""

    condition: Expr
    text: tuple[TextPart, ...]
    values: tuple[tuple[str, Shown], ...]
    cites: tuple[str, ...]
    span: Span
    # The condition without exceptions, and the labels of those that could lift it.
    exceptions: tuple[str, ...] = ()


@frozen
class Define:
    """A `let` among the requirements."""

    name: str
    value: Expr


Head = tuple[Require | Define, ...]


@frozen
class Param:
    """Something that the player chooses: `kind` as in `Shown`, `written` its name in the rules."""

    range: Range
    lo: int
    hi: int
    kind: str
    written: str


@frozen
class Subset:
    """The parameters of an option are the elements of a set, each 0 or 1, in order.

    They can be 1 only if they are there. The first requirements of the option are `bounds` in
    number and say that the set has at least `least` and at most `most` elements.
    """

    # What the elements are, `kind` as in `Shown`, and the first of them.
    kind: str
    first: int
    least: Expr
    most: Expr
    bounds: int


@frozen
class Option:
    """One kind of move at a decision: its parameters become locals of the target block."""

    name: str
    params: tuple[Param, ...]
    head: Head
    notation: tuple[TextPart, ...]
    target: int
    # The action that this option offers, if it is not a mere choice of values, `pass` or `stop`.
    action: str = ""
    cites: tuple[str, ...] = ()
    span: Span = NOWHERE
    subset: Subset | None = None
    # The action begins with choices made together: it is legal only if they can be finished.
    together: bool = False


@frozen
class Decide(Terminator):
    """A player decides. With `skip`, the question is asked only if some other option is legal."""

    label: str
    actor: Expr
    options: tuple[Option, ...]
    secret: bool = False
    # The target when the question is skipped; the options with that target are `pass` and `stop`.
    skip: int | None = None
    # One of several choices made together: what is chosen must leave a way to finish them.
    together: bool = False
    # A secret choice that everybody knows once all players have chosen.
    turned_up: bool = False
    # The question in words, if the rules ask one.
    prompt: str = ""

    def finishing(self, option: Option) -> bool:
        """Whether an option is legal only if choices made together can be finished after it."""
        return self.together or option.together


@frozen
class Chance(Terminator):
    """Chance decides: a value of the range that satisfies `where`, by weight; none is a fault.

    `written` is what the rules call the value.
    """

    verb: str
    range: Range
    where: Expr | None
    weight: Expr | None
    target: int
    kind: str
    written: str


@frozen
class Block:
    """Statements without decisions, and what comes after them.

    `facts` hold whenever control arrives: they are proved by those who jump here. `measure`, at the
    head of a loop, decreases with every round; `endless` says why nothing does.
    """

    id: int
    statements: tuple[Statement, ...]
    terminator: Terminator
    facts: tuple[Expr, ...] = ()
    measure: tuple[Expr, ...] = ()
    span: Span = NOWHERE
    endless: str = ""

    @property
    def heads_loop(self) -> bool:
        """Whether a loop comes round to this block."""
        return bool(self.measure or self.endless)
