"""Shared by the parts of the checker: the names in scope, the facts found, the errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import contextmanager
from typing import TYPE_CHECKING

from attrs import define, field

from rules_dsl.language import syntax
from rules_dsl.language.diagnostics import Note, Reporter, did_you_mean
from rules_dsl.language.option_values import OptionValue
from rules_dsl.language.spans import Span
from rules_dsl.language.symbols import (
    BUILTINS,
    EnumValue,
    FunctionSymbol,
    LocalSymbol,
    MemberFunction,
    NodeMeanings,
    PieceSymbol,
    Symbol,
    TableSymbol,
    VarSymbol,
    ZoneSymbol,
)
from rules_dsl.language.types import EnumType, Type

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rules_dsl.language.program import Program


# Names that other languages give to values and functions, and their equivalents here.
FOREIGN_NAMES = {
    **dict.fromkeys(("null", "None", "nil", "nobody", "nothing"), "write `none`"),
    "True": "write `true`",
    "False": "write `false`",
    "range": "a range is written `0..2`",
    **dict.fromkeys(("len", "length", "size"), "write `count(x in …)`"),
    **dict.fromkeys(("all", "forall"), "write `every x in …: …`"),
    **dict.fromkeys(("any", "exists"), "write `some x in …: …`"),
    "old": "write `before(…)`, in an `ensures`",
    **dict.fromkeys(("union", "append", "extend"), "two sets are joined with `+`"),
    **dict.fromkeys(("intersection", "intersect"), "what is in both sets is `s * t`"),
    **dict.fromkeys(("random", "rand", "dice"), "chance is a separate line: `roll d in 1..6`"),
    **dict.fromkeys(("contains", "includes", "has"), "write `x in s`"),
    **dict.fromkeys(("isempty", "empty", "is_empty"), "write `s is empty`"),
    **dict.fromkeys(("pop", "draw_from"), "write `draw c from …`"),
}


class Enough(Exception):
    """Too many errors were found; the rest is not checked."""


@define
class Scope:
    """The local names in scope; an inner scope sees its outer ones."""

    outer: Scope | None = None
    names: dict[str, LocalSymbol] = field(factory=dict)

    def lookup(self, name: str) -> LocalSymbol | None:
        """The local of that name, from the inside out."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return None

    def inner(self) -> Scope:
        """A scope inside this one."""
        return Scope(self)

    def all_names(self) -> Iterator[str]:
        """Every local name in scope."""
        scope: Scope | None = self
        while scope is not None:
            yield from scope.names
            scope = scope.outer


@define(eq=False)
class Context:
    """The state of one run of the checker."""

    program: Program
    reporter: Reporter
    players: int
    chosen: dict[str, OptionValue]
    facts: NodeMeanings = field(factory=NodeMeanings)
    globals: dict[str, Symbol] = field(factory=dict)
    # Declarations whose names are known and whose meaning is determined when first needed.
    pending: dict[str, Callable[[], Symbol | None]] = field(factory=dict)
    busy: list[str] = field(factory=list)
    # Names whose declarations have errors; that they have no meaning is not another one.
    faulty: set[str] = field(factory=set)
    spans: dict[str, Span] = field(factory=dict)
    values: dict[str, list[EnumValue]] = field(factory=dict)
    types: dict[str, EnumType] = field(factory=dict)
    tables: dict[EnumType, TableSymbol] = field(factory=dict)
    players_span: Span | None = None
    all_player_names: tuple[str, ...] = ()
    # `/` is allowed in scoring only.
    scoring: bool = False
    # `before(…)` is allowed in an `ensures` only.
    ensures_scope: Scope | None = None
    # Who calls whom, and in whose body a player or chance decides: filled while bodies are checked.
    owner: object = None
    calls: dict[object, set[object]] = field(factory=dict)
    direct: set[object] = field(factory=set)
    decisions: int = 0
    # Questions whether an action is possible.
    asked: list[syntax.Possible] = field(factory=list)
    # Calls with which examples arrange their positions.
    given_calls: list[syntax.Call] = field(factory=list)
    # Number of goods moved by statements that move everything.
    transfers: int = 0
    # The cards that zones start with.
    homes: dict[ZoneSymbol, dict[int, int]] = field(factory=dict)
    # The pieces to whose places a variable belongs.
    places: dict[VarSymbol, PieceSymbol] = field(factory=dict)
    # Number of steps spent on evaluating constants.
    steps: int = 0
    # Functions whose bodies were checked; a constant that uses one has it checked early.
    checked_bodies: set[FunctionSymbol | MemberFunction] = field(factory=set)
    body_checker: Callable[[Context, FunctionSymbol | MemberFunction], None] | None = None
    # The rules for all kinds of expressions; they need each other, and so find each other here.
    expression_type: Callable[[Context, Scope, syntax.Expr, Type | None], Type] | None = None

    def check_body(self, function: FunctionSymbol | MemberFunction) -> None:
        """Check the body of a function, once."""
        if function in self.checked_bodies or self.body_checker is None:
            return
        self.checked_bodies.add(function)
        owner, scoring = self.owner, self.scoring
        self.scoring = False
        self.body_checker(self, function)
        self.owner, self.scoring = owner, scoring

    def decides(self, ways: int = 1) -> None:
        """Note that a player or chance decides in the rule being checked."""
        self.direct.add(self.owner)
        self.decisions += ways

    def called(self, callee: object) -> None:
        """Note that the rule being checked uses another."""
        if self.owner is not None:
            self.calls.setdefault(self.owner, set()).add(callee)

    @property
    def player_type(self) -> EnumType:
        return self.types["Player"]

    def error(
        self, code: str, message: str, span: Span, hint: str = "", notes: Iterable[Note] = ()
    ) -> None:
        """Report an error; raises `Enough` at the maximum number of errors."""
        self.reporter.error(code, message, span, hint, notes)
        if self.reporter.full:
            raise Enough

    def lookup(self, name: str) -> Symbol | None:
        """The global of that name, determined now if it was not before."""
        if name in self.globals:
            return self.globals[name]
        if name in self.pending:
            if name in self.busy:
                cycle = " -> ".join([*self.busy[self.busy.index(name) :], name])
                self.error("E0402", f"`{name}` is defined by itself: {cycle}", self.spans[name])
                return None
            self.busy.append(name)
            try:
                symbol = self.pending[name]()
            finally:
                self.busy.pop()
            if symbol is not None:
                self.globals[name] = symbol
            else:
                self.faulty.add(name)
            self.pending.pop(name, None)
            return symbol
        return BUILTINS.get(name)

    def known_names(self, scope: Scope | None = None, called: bool = True) -> list[str]:
        """Names for a "did you mean"; functions of the language if something is called."""
        names = [*self.globals, *self.pending, *self.values, *self.types]
        names += BUILTINS if called else ["players"]
        if scope is not None:
            names += scope.all_names()
        return names

    def knows(self, name: str, scope: Scope) -> bool:
        """Whether a name is declared, even if its declaration has an error."""
        known = (self.globals, self.pending, self.values, self.types, self.faulty, BUILTINS)
        return scope.lookup(name) is not None or any(name in names for names in known)

    def unknown(
        self,
        name: str,
        span: Span,
        scope: Scope | None = None,
        called: bool = False,
        hint: str = "",
    ) -> None:
        """Report a name that is not declared."""
        if name in self.faulty:
            return
        if name in self.all_player_names:
            self.error("E0209", f"there is no player `{name}` in a game of {self.players}", span)
            return
        self.error(
            "E0201",
            f"nothing is called `{name}`",
            span,
            hint=hint
            or FOREIGN_NAMES.get(name)
            or self._copies_of(name)
            or did_you_mean(name, self.known_names(scope, called)),
        )

    def _copies_of(self, name: str) -> str:
        """A hint for the name of a row that stands for several."""
        start = f"{name}_"
        for table in self.tables:
            ends = {v: v.removeprefix(start) for v in table.values if v.startswith(start)}
            rows = [v for v, end in ends.items() if end.isdigit() or end in self.all_player_names]
            if rows:
                last = "" if len(rows) == 1 else f" to `{rows[-1]}`"
                return f"it stands for several rows: `{rows[0]}`{last}"
        return ""

    def declare_local(
        self,
        scope: Scope,
        ident: syntax.Ident,
        type_: Type,
        mutable: bool = False,
        per_player: bool = False,
    ) -> LocalSymbol:
        """Bring a local name into scope."""
        if scope.lookup(ident.name) is not None:
            self.error(
                "E0214",
                f"`{ident.name}` is already a name in this rule",
                ident.span,
                hint="use another name",
            )
        elif ident.name in self.globals or ident.name in self.pending:
            notes = (
                [Note("declared here", self.spans[ident.name])] if ident.name in self.spans else []
            )
            self.error(
                "E0214",
                f"`{ident.name}` is already the name of something in the game",
                ident.span,
                hint="use another name",
                notes=notes,
            )
        symbol = LocalSymbol(ident.name, type_, mutable, per_player)
        if scope.lookup(ident.name) is None:  # else the first one stays, so that its uses are right
            scope.names[ident.name] = symbol
        self.facts.locals[ident] = symbol
        return symbol

    @contextmanager
    def in_scoring(self) -> Iterator[None]:
        """Allow exact division."""
        self.scoring = True
        try:
            yield
        finally:
            self.scoring = False
