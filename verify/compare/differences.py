"""The difference between two games: what was added, removed and changed, matched by name.

Rules are compared as they are carried out, not as they are written: two texts that mean the same
are no difference, and one text that means two things, because of an option or a constant, is one.
For each change there is a position in which the games differ, or a proof that they do not.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeVar

from attrs import asdict, define, evolve, field, frozen

from compiler import ir
from compiler.ir_text import expression
from compiler.rule_id import action_rule, is_action, rule_name
from compiler.runtime.game import Game
from rules_dsl.language import syntax as s
from rules_dsl.language.checker import check_program
from rules_dsl.language.option_values import shown
from rules_dsl.language.printer import declaration_text
from rules_dsl.language.program import Program, walk
from rules_dsl.language.symbols import Checked
from verify.compare.bisimulation import Pair, Witness, along, compare, lines, survey
from verify.compare.endings import Endings
from verify.compare.equivalence import Equivalence
from verify.compare.hybrids import hybrid
from verify.compare.ir_shape import without_places

How = Literal["added", "removed", "changed"]
T = TypeVar("T")
WIDEST = 160
# Longest list of moves shown in full, and the number shown of a longer one (its last).
MOST_TOLD, LAST_TOLD = 12, 3


@frozen
class Change:
    """One difference. `via` are the changed constants, options and rules it comes from, if any."""

    how: How
    what: str
    name: str
    before: str = ""
    after: str = ""
    place: str = ""
    via: tuple[str, ...] = ()
    # The configuration of the games in which it shows, if not in the one that was asked for.
    configuration: str = ""
    # Proved to make no difference, in any state that the invariants allow.
    equivalent: bool = False
    witness: Witness | None = None

    @property
    def open(self) -> bool:
        """Whether nothing is known yet about what the change means in play."""
        return self.what not in ("invariant", "option") and not self.equivalent and not self.witness

    def same_rule(self, other: Change) -> bool:
        """Whether both tell of the same change, however the games are played."""
        return (self.how, self.what, self.name, self.before, self.after) == (
            other.how, other.what, other.name, other.before, other.after,
        )  # fmt: skip

    def __str__(self) -> str:
        text = f"with {self.configuration}: " if self.configuration else ""
        text += f"{self.how} {self.what} {self.name}"
        if self.via:
            text += f" (through {', '.join(self.via)})"
        if self.before or self.after:
            text += f": {self.before or 'nothing'} → {self.after or 'nothing'}"
        return text


@define
class Diff:
    """All differences between two games."""

    one: str
    two: str
    changes: list[Change] = field(factory=list)
    # All positions of both games were compared and agree.
    same_play: bool = False
    positions: int = 0
    # Whether positions were compared at all: they cannot be if the numbers of players differ.
    judged: bool = False

    @property
    def same(self) -> bool:
        """Whether there is no difference at all."""
        return not self.changes

    @property
    def equivalent(self) -> bool:
        """Whether the games are proved to be played in the same way."""
        return self.same_play or all(c.equivalent for c in self.changes)

    def extend(self, configuration: str, other: Diff) -> None:
        """Add what another configuration of the same games shows."""
        self.changes += [evolve(change, configuration=configuration) for change in other.changes]
        self.same_play = self.same_play and other.same_play

    def of(self, what: str) -> list[Change]:
        """The changes of one kind."""
        return [c for c in self.changes if c.what == what]

    def text(self) -> str:
        """The changes as lines, each with its witness."""
        lines = [f"{self.one} → {self.two}"]
        if self.same:
            lines.append("  no difference")
        for change in self.changes:
            lines.append(f"  {change}")
            if change.equivalent:
                lines.append("      equivalent: proved")
            elif change.witness is not None:
                lines.append(f"      {change.witness.text}; after {_told(change.witness.moves)}")
            elif change.open and self.judged:
                lines.append("      neither a position that shows it nor a proof was found")
        return "\n".join(lines)

    def to_json(self) -> str:
        """Machine-readable."""
        data: dict[str, Any] = {
            "one": self.one, "two": self.two, "same": self.same, "equivalent": self.equivalent,
            "changes": [asdict(c) for c in self.changes],
        }  # fmt: skip
        return json.dumps(data, indent=1, ensure_ascii=False)


def diff(
    one: Game, two: Game, positions: int = 400, games: int = 10, seed: int = 0,
    prove: bool = True, known: Sequence[Change] = (),
) -> Diff:  # fmt: skip
    """What differs between two games, apart from changes that are known already.

    >>> import rules_dsl as rd
    >>> game = rd.load("tic_tac_toe")
    >>> diff(game, game).same
    True
    """
    result = Diff(_title(one, two), _title(two, one))
    comparer = _Comparer(_Side.of(one), _Side.of(two))
    result.changes = [
        change for change in comparer.changes() if not any(change.same_rule(k) for k in known)
    ]
    if result.same:
        result.same_play = True
        return result
    if one.players == two.players:
        comparison = compare(one, two, positions, 0, seed)
        result.judged = True
        result.same_play, result.positions = comparison.equivalent, comparison.positions
        found = {} if result.same_play else survey(one, two, positions, games, seed)
        equivalence = Equivalence(one.ir, two.ir) if prove else None
        result.changes = [
            comparer.judged(change, found, equivalence, result.same_play)
            for change in result.changes
        ]
        result.changes = [
            evolve(c, witness=comparer.sought(c, found, positions, games, seed)) if c.open else c
            for c in result.changes
        ]
        # An option shows in whatever comes from it: in the position that is nearest.
        result.changes = [
            evolve(c, witness=_nearest(result.changes, c.name)) if c.what == "option" else c
            for c in result.changes
        ]
    return result


def _nearest(changes: Iterable[Change], option: str) -> Witness | None:
    """The shortest way to a position that shows a change which comes from an option."""
    shown = [(option not in c.via, len(w.moves), w) for c in changes if (w := c.witness)]
    return min(shown, key=lambda found: found[:2])[2] if shown else None


def _title(game: Game, other: Game) -> str:
    """A game with what it is asked for and the other is not."""
    chosen = [f"{k}={_shown(v)}" for k, v in game.options.items() if other.options.get(k) != v]
    options = f"@{','.join(chosen)}" if chosen else ""
    variants = "".join(f" + {name}" for name in game.variants)
    return f"{game.name}{options}{variants}, {game.players} players"


@frozen(eq=False)
class _Side:
    """One of the two games, taken apart."""

    game: Game
    program: Program
    module: ir.Module
    checked: Checked
    # The words of each rule: which names it mentions.
    mentions: dict[str, frozenset[str]]

    @staticmethod
    def of(game: Game) -> _Side:
        program = game.origin.program()
        checked, _ = check_program(program, game.players, dict(game.options))
        mentions = {
            name: frozenset(n.name for n in walk(d) if isinstance(n, s.Name | s.Ident))
            for d in program.declarations
            if (name := declared(d))
        }
        return _Side(game, program, game.ir, checked, mentions)

    def options(self) -> dict[str, ir.Option]:
        """The options of decisions that offer actions, by the action."""
        found: dict[str, ir.Option] = {}
        for procedure in self.module.procedures.values():
            for block in procedure.blocks:
                if isinstance(block.terminator, ir.Decide):
                    for option in block.terminator.options:
                        if option.action:
                            found.setdefault(option.action, option)
        return found


def declared(declaration: s.Declaration) -> str:
    """The name that a declaration declares; `setup`, `play` and `scoring` name themselves."""
    match declaration:
        case s.Section(kind):
            return kind
        case s.Scoring():
            return "scoring"
        case s.Action() | s.Procedure() | s.Function() | s.Const() | s.Table() | s.Invariant():
            return declaration.name.name
    return ""


@define(eq=False)
class _Comparer:
    """Finds the changes from one game to another."""

    one: _Side
    two: _Side
    # What changed so far: later changes may come from it.
    changed: list[str] = field(factory=list)

    def changes(self) -> Iterator[Change]:
        """All changes: first what others may come from."""
        if self.one.game.players != self.two.game.players:
            yield Change(
                "changed", "players", "players", str(self.one.game.players),
                str(self.two.game.players),
            )  # fmt: skip
            self.changed.append("players")
        yield from self.values("option", dict(self.one.game.options), dict(self.two.game.options))
        yield from self.values("constant", _constants(self.one), _constants(self.two))
        yield from self.values("row", _rows(self.one), _rows(self.two))
        a, b = self.one.module, self.two.module
        yield from self.values(
            "good", {n: _limit(g) for n, g in a.goods.items()},
            {n: _limit(g) for n, g in b.goods.items()},
        )  # fmt: skip
        yield from self.nodes("state", a.arrays, b.arrays, _array_text)
        yield from self.nodes("zone", a.zones, b.zones, lambda z: f"of {z.table}")
        yield from self.nodes("function", a.functions, b.functions, lambda f: expression(f.body))
        yield from self.actions()
        yield from self.procedures()
        yield from self.scoring()
        yield from self.nodes(
            "invariant", {i.name: i for i in a.invariants}, {i.name: i for i in b.invariants},
            lambda i: expression(i.condition),
        )  # fmt: skip

    # ---- kinds of things -------------------------------------------------------------------------

    def values(
        self, what: str, one: Mapping[str, object], two: Mapping[str, object]
    ) -> Iterator[Change]:
        """Things that have a value."""
        for name in _both(one, two):
            before, after = one.get(name), two.get(name)
            if before != after or (name in one) != (name in two):
                self.changed.append(name)
                shown = (
                    _clip(_shown(one[name])) if name in one else "",
                    _clip(_shown(two[name])) if name in two else "",
                )
                yield Change(_how(name, one, two), what, name, *shown)

    def nodes(
        self, what: str, one: Mapping[str, T], two: Mapping[str, T], text: Callable[[T], str]
    ) -> Iterator[Change]:
        """Pieces of the IR."""
        for name in _both(one, two):
            before, after = one.get(name), two.get(name)
            if without_places(before) == without_places(after):
                continue
            yield self.change(
                what, rule_name(name), _how(name, one, two),
                "" if before is None else text(before), "" if after is None else text(after),
            )  # fmt: skip

    def actions(self) -> Iterator[Change]:
        """Actions: their requirements one by one, and their effects."""
        ours, theirs = self.one.options(), self.two.options()
        a, b = self.one.module, self.two.module
        for name in _both(a.actions, b.actions):
            how = _how(name, a.actions, b.actions)
            if how != "changed":
                yield self.change("action", name, how)
                continue
            before = _requirements(ours.get(name))
            after = _requirements(theirs.get(name))
            for reason in _both(before, after):
                old, new = before.get(reason), after.get(reason)
                if without_places(old) != without_places(new):
                    yield self.change(
                        "requirement", f'{name} "{reason}"', _how(reason, before, after),
                        "" if old is None else expression(old.condition),
                        "" if new is None else expression(new.condition), rule=name,
                    )  # fmt: skip
            if (name in ours) != (name in theirs):
                yield self.change("action", name, "removed" if name in ours else "added")
            elif _effects(a, name) != _effects(b, name):
                yield self.change("effect", name, "changed", rule=name)

    def procedures(self) -> Iterator[Change]:
        """Procedures and the course of the game, apart from what actions require."""
        one, two = _courses(self.one.module), _courses(self.two.module)
        for name in _both(one, two):
            if one.get(name) != two.get(name):
                how = _how(name, one, two)
                if name != self.one.module.main:
                    yield self.change("procedure", name, how)
                    continue
                # Set-up and play are one procedure; their texts tell which of them changed.
                parts = [p for p in ("setup", "play") if self.differs(p)]
                for part in parts or ["play"]:
                    yield self.change("procedure", part, how)

    def differs(self, section: str) -> bool:
        """Whether a section is written differently or mentions something that changed."""
        texts = [_text(side.program, section) for side in (self.one, self.two)]
        return texts[0] != texts[1] or bool(self.via(section))

    def scoring(self) -> Iterator[Change]:
        """Scores and ties."""
        a, b = self.one.module.scoring, self.two.module.scoring
        if without_places((a.numerator, a.denominator)) != without_places(
            (b.numerator, b.denominator)
        ):
            yield self.change(
                "scoring", "scoring", "changed", expression(a.numerator), expression(b.numerator)
            )
        before, after = _ties(self.one.module), _ties(self.two.module)
        if before != after:
            for tie in before:
                if tie not in after:
                    yield self.change("tie", tie, "removed", rule="scoring")
            for tie in after:
                if tie not in before:
                    yield self.change("tie", tie, "added", rule="scoring")
            if sorted(before) == sorted(after):
                yield self.change("tie", "order of ties", "changed", rule="scoring")

    # ---- one change ------------------------------------------------------------------------------

    def change(
        self, what: str, name: str, how: How, before: str = "", after: str = "", rule: str = ""
    ) -> Change:
        """A change of a rule, with what it comes from."""
        via = self.via(rule or name)
        self.changed.append(rule or name)
        place = ""
        for side in (self.two, self.one):
            for declaration in side.program.declarations:
                if not place and declared(declaration) == (rule or name):
                    place = str(declaration.span)
        return Change(how, what, name, _clip(before), _clip(after), place, via)

    def via(self, rule: str) -> tuple[str, ...]:
        """The changed things that a rule mentions, if its own text is the same."""
        if _text(self.one.program, rule) != _text(self.two.program, rule):
            return ()
        mentioned = self.two.mentions.get(rule, frozenset())
        return tuple(dict.fromkeys(c for c in self.changed if c in mentioned and c != rule))

    def judged(
        self, change: Change, found: Mapping[str, Witness], prover: Equivalence | None,
        same_play: bool,
    ) -> Change:  # fmt: skip
        """The change with a witness, or proved to make no difference."""
        if change.what in ("invariant", "option"):
            return change
        if same_play:
            return evolve(change, equivalent=True)
        if change.how == "changed" and self.proved(change, prover):
            return evolve(change, equivalent=True)
        # That the end of a game is judged differently does not tell which tie-break does it.
        return (
            change if change.what == "tie" else evolve(change, witness=self.affected(change, found))
        )

    def proved(self, change: Change, prover: Equivalence | None) -> bool:
        """Whether a changed rule is proved to mean the same as before."""
        one, two = self.one.module, self.two.module
        name = action_rule(change.name) if change.what == "effect" else change.name
        if change.what == "procedure" and name in ("setup", "play"):
            name = one.main
        for rules, others in (
            (one.functions, two.functions), (one.routines, two.routines),
            (one.procedures, two.procedures),
        ):  # fmt: skip
            if name in rules and name in others and change.what in ("function", "procedure"):
                ours, theirs = rules[name], others[name]
                if without_places(ours, {}) == without_places(theirs, {}):
                    return True
        if prover is None or not prover.comparable:
            return False
        if change.what == "function":
            return prover.functions(name)
        if change.what == "requirement":
            action = name.partition(" ")[0]
            return prover.requirements(self.one.options()[action], self.two.options()[action])
        if name in one.routines and name in two.routines:
            return prover.routines(name)
        return False

    def sought(
        self, change: Change, found: Mapping[str, Witness], positions: int, games: int, seed: int
    ) -> Witness | None:
        """A witness of one change: what was found and comes from it, or by a search for it."""
        one, two = self.one.game, self.two.game
        if change.what == "tie":
            return self.tied(change, seed)
        part = hybrid(one, self.two.module, change.what, change.name)
        if part is None:
            return None
        for witness in sorted(found.values(), key=lambda w: len(w.moves)):
            line = [state.last_code for state in one.replay(witness.records[0]).history()[1:]]
            if along(one, part, line) is not None:
                return witness
        for codes in lines(one, part, positions, games, seed):
            sight = along(one, two, codes)
            if sight is not None:
                return sight
        return None

    def tied(self, change: Change, seed: int) -> Witness | None:
        """The end of a game that a tie-break decides in one of the games only."""
        one, two = self.one.game, self.two.game
        second = change.how == "added"
        names = _ties((self.two if second else self.one).module)
        # Of ties in another order, the first that is not in its place decides.
        level = next(
            k for k, name in enumerate(names, 1) if name == change.name or change.how == "changed"
        )
        codes = Endings(Pair(one, two), level, second, seed).find()
        return None if codes is None else along(one, two, codes)

    def affected(self, change: Change, found: Mapping[str, Witness]) -> Witness | None:
        """A witness in the rule itself, or in one that makes use of it."""
        own = change.name.partition(" ")[0] if change.what == "requirement" else change.name
        todo, seen = [own], {own}
        while todo:
            name = todo.pop(0)
            if name in found:
                return found[name]
            for rule, mentioned in self.two.mentions.items():
                if name in mentioned and rule not in seen:
                    seen.add(rule)
                    todo.append(rule)
        return None


# ---- parts of games ------------------------------------------------------------------------------


def _both(one: Iterable[str], two: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([*one, *two]))


def _how(name: str, one: Mapping[str, object], two: Mapping[str, object]) -> How:
    if name not in one:
        return "added"
    return "changed" if name in two else "removed"


def _ties(module: ir.Module) -> list[str]:
    """The tie-breaks, the first to be looked at first."""
    return [f"{t.order} {expression(t.value)}" for t in module.scoring.ties]


def _told(moves: tuple[str, ...]) -> str:
    """Moves in words; of many the last, the others are in the record."""
    if len(moves) > MOST_TOLD:
        return f"{len(moves)} moves, the last of them {', '.join(moves[-LAST_TOLD:])}"
    return ", ".join(moves) or "the opening"


def _clip(text: str) -> str:
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 2]} …"


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return str(value[0]) if len(value) == 1 else f"[{', '.join(map(str, value))}]"
    return shown(value)


def _constants(side: _Side) -> dict[str, object]:
    return {name: const.values for name, const in side.checked.consts.items()}


def _rows(side: _Side) -> dict[str, object]:
    """The rows of all tables: the values of their columns."""
    found: dict[str, object] = {}
    for table in side.checked.tables.values():
        for k, row in enumerate(table.type.values):
            values: list[int] = []
            for column in table.columns.values():
                width = len(column.values) // max(1, len(table.type.values))
                values += column.values[k * width : (k + 1) * width]
            found[f"{table.name}.{row}"] = tuple(values)
    return found


def _limit(good: ir.Good) -> object:
    return "no limit" if good.limit is None else good.limit


def _array_text(array: ir.Array) -> str:
    index = ", ".join(
        f"{d.lo}..{d.lo + d.size - 1}" if d.kind == "int" else d.kind for d in array.dimensions
    )
    start = sorted(set(array.initial))
    return f"{array.kind} [{index}] {array.lo}..{array.hi} = {_shown(tuple(start))}"


def _requirements(option: ir.Option | None) -> dict[str, ir.Require]:
    """The requirements of an action by their reasons."""
    found: dict[str, ir.Require] = {}
    for line in option.head if option is not None else ():
        if isinstance(line, ir.Require):
            reason = "".join(p if isinstance(p, str) else "…" for p in line.text)
            while reason in found:
                reason += "'"
            found[reason] = line
    return found


def _effects(module: ir.Module, action: str) -> object:
    name = action_rule(action)
    rule = module.routines.get(name) or module.procedures.get(name)
    if isinstance(rule, ir.Procedure):
        return _course(rule)
    return without_places(rule)


def _courses(module: ir.Module) -> dict[str, object]:
    """Everything that happens outside of actions, by rule."""
    found: dict[str, object] = {}
    for name, procedure in module.procedures.items():
        if not is_action(name):
            found[name] = _course(procedure)
    for name, routine in module.routines.items():
        if not is_action(name):
            found[name] = without_places(routine)
    return found


def _course(procedure: ir.Procedure) -> object:
    """A procedure without what the actions in it require."""
    blocks = []
    for block in procedure.blocks:
        terminator = block.terminator
        if isinstance(terminator, ir.Decide):
            options = tuple(
                evolve(o, head=(), notation=()) if o.action else o for o in terminator.options
            )
            terminator = evolve(terminator, options=options)
        blocks.append(evolve(block, terminator=terminator))
    return without_places(evolve(procedure, blocks=tuple(blocks)))


def _text(program: Program, name: str) -> str:
    """How a rule is written."""
    return "\n".join(
        declaration_text(d) for d in program.declarations if name and declared(d) == name
    )
