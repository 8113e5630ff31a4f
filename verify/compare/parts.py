"""The parts of a game that are compared by name: constants, rows, requirements, effects, course."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import ndiff

from attrs import evolve, frozen

from compiler import ir
from compiler.rule_id import action_rule, is_action
from compiler.runtime.game import Game
from rules_dsl.language import syntax as s
from rules_dsl.language.checker import check_program
from rules_dsl.language.checker import constants as constant_values
from rules_dsl.language.option_values import shown
from rules_dsl.language.printer import declaration_text, expression_text
from rules_dsl.language.program import Program, walk
from rules_dsl.language.symbols import Checked
from verify.compare.changes import How
from verify.compare.ir_shape import without_places

WIDEST = 160
# Changed lines of a rule that are shown.
MOST_LINES = 8


@frozen(eq=False)
class Side:
    """One of the two games, taken apart."""

    game: Game
    program: Program
    module: ir.Module
    checked: Checked
    # The words of each rule: which names it mentions.
    mentions: dict[str, frozenset[str]]
    # What the rules declare, by name.
    written: dict[str, Written]
    # The tie-breaks as they are written, in order of priority.
    ties: tuple[str, ...]

    @staticmethod
    def of(game: Game) -> Side:
        program = game.origin.program()
        checked, context = check_program(program, game.players, dict(game.options))
        written = {part.name: part for part in written_parts(program)}
        mentions = {
            name: frozenset(
                getattr(n.name, "name", n.name)
                for n in walk(part.node)
                if isinstance(n, s.Name | s.Ident | s.NamedType)
            )
            for name, part in written.items()
        }
        mentions |= _implied(checked, mentions)
        ties = tuple(
            f"{tie.order} {expression_text(tie.value)}"
            for scoring in program.of(s.Scoring)
            for tie in scoring.ties
            if tie.when is None or constant_values.evaluate(context, tie.when)
        )
        return Side(game, program, game.ir, checked, mentions, written, ties)

    def text(self, name: str) -> str:
        """How a rule is written; nothing for what the rules do not declare by itself."""
        part = self.written.get(name)
        return "" if part is None else declaration_text(part.shown)

    def rulings(self, rule: str) -> tuple[str, ...]:
        """The rulings that a rule mentions, as they are settled."""
        return tuple(
            f"{o.name.name} = {value_text(self.game.options[o.name.name])}"
            for o in self.program.of(s.Option)
            if o.kind == "ruling" and o.name.name in self.mentions.get(rule, ())
        )

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


def _implied(checked: Checked, mentions: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    """Implicit dependencies of rules, by rule.

    A bank starts with all there is of its goods, and pieces bring invariants of their own.
    """
    found: dict[str, frozenset[str]] = {}
    for name, pool in checked.pools.items():
        if pool.bank:
            goods = [good.name for good in pool.goods]
            found[name] = mentions[name].union(goods, *(mentions[good] for good in goods))
    for name, piece in checked.pieces.items():
        found |= dict.fromkeys(piece.own_invariants, mentions[name] | {name})
    return found


@frozen(eq=False)
class Written:
    """Something that the rules declare: its node, and a declaration that shows only that."""

    name: str
    node: s.Node
    shown: s.Declaration

    @property
    def cites(self) -> tuple[str, ...]:
        """The cites of the rule."""
        return tuple(map(str, getattr(self.node, "cites", ())))


def written_parts(program: Program) -> Iterator[Written]:
    """Declarations by name; variables, goods and rows of tables by themselves."""
    for declaration in program.declarations:
        match declaration:
            case s.State(items):
                for item in items:
                    yield Written(item.name.name, item, s.State((item,), span=item.span))
            case s.Good(values=values):
                for good in values:
                    yield Written(good.name.name, good, evolve(declaration, values=(good,)))
            case s.Table(rows=table_rows):
                name = declaration.name.name
                yield Written(name, declaration, declaration)
                for row in table_rows:
                    shown = evolve(declaration, rows=(row,))
                    yield Written(f"{name}.{row.name.name}", row, shown)
            case _ if name := declared(declaration):
                yield Written(name, declaration, declaration)


def declared(declaration: s.Declaration) -> str:
    """The name that a declaration declares; `setup`, `play` and `scoring` name themselves."""
    match declaration:
        case s.Section(kind):
            return kind
        case s.Scoring():
            return "scoring"
        case (
            s.Action()
            | s.Procedure()
            | s.Function()
            | s.Const()
            | s.Table()
            | s.Invariant()
            | s.Piece()
            | s.Relation()
        ):
            return declaration.name.name
    return ""


def both(one: Iterable[str], two: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([*one, *two]))


def kind_of_change(name: str, one: Mapping[str, object], two: Mapping[str, object]) -> How:
    if name not in one:
        return "added"
    return "changed" if name in two else "removed"


def clip(text: str) -> str:
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 2]} …"


def value_text(value: object) -> str:
    if isinstance(value, tuple):
        return str(value[0]) if len(value) == 1 else f"[{', '.join(map(str, value))}]"
    return shown(value)


def constants(side: Side) -> dict[str, object]:
    return {name: const.values for name, const in side.checked.consts.items()}


def rows(side: Side) -> dict[str, object]:
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


def limit(good: ir.Good) -> object:
    return "no limit" if good.limit is None else good.limit


# Number of different values at the start that are listed.
MOST_STARTS = 4


def array_summary(module: ir.Module, array: ir.Array) -> str:
    """The values of a variable, as its author declares them, and how they start.

    >>> import rules_dsl as rd
    >>> game = rd.load("tic_tac_toe")
    >>> array_summary(game.ir, game.ir.arrays["mover"])
    'Player, starts as cross'
    """
    start = sorted(set(array.initial))
    kind, optional, _ = array.value_kind.partition("?")
    if array.kind == "set":
        kind = f"set of {array.dimensions[-1].kind}"
        begins = "with some" if len(start) > 1 else "full" if start == [1] else "empty"
        return f"{kind}, starts {begins}"
    names = module.enums[kind].values if kind in module.enums else ()
    if kind == "bool":
        names = ("false", "true")
    if not names:
        begins = f", starts at {_listed(start)}" if start else ""
        return f"{array.lo}..{array.hi}{begins}"
    told = ["none" if value < 0 else names[value] for value in start]
    return f"{kind}{optional}" + (f", starts as {' or '.join(told)}" if told else "")


def _listed(numbers: list[int]) -> str:
    """Numbers at which places of a variable start; of many the least and the greatest."""
    if len(numbers) > MOST_STARTS:
        return f"{numbers[0]} to {numbers[-1]}"
    return " or ".join(map(str, numbers))


def changed_lines(before: str, after: str) -> tuple[str, ...]:
    """The lines of a rule that one of two texts has and the other has not.

    >>> changed_lines("play\\n    a()", "play\\n    b()")
    ('- a()', '+ b()')
    """
    found = [
        f"{line[0]} {line[2:].strip()}"
        for line in ndiff(before.split("\n"), after.split("\n"))
        if line[0] in "+-" and line[2:].strip()
    ]
    left = len(found) - MOST_LINES
    return tuple(found) if left <= 0 else (*found[:MOST_LINES], f"… and {left} more lines")


def requirements(option: ir.Option | None) -> dict[str, ir.Require]:
    """The requirements of an action by their reasons."""
    found: dict[str, ir.Require] = {}
    for line in option.head if option is not None else ():
        if isinstance(line, ir.Require):
            reason = "".join(p if isinstance(p, str) else "…" for p in line.text)
            while reason in found:
                reason += "'"
            found[reason] = line
    return found


def steps(module: ir.Module) -> dict[str, dict[str, ir.Function]]:
    """For each relation the functions that say what its steps lead to, need and cost."""
    found: dict[str, dict[str, ir.Function]] = {name: {} for name in module.relations}
    for name, function in module.functions.items():
        relation = name.partition(".")[0]
        if relation in found:
            found[relation][name] = function
    return found


def relations(module: ir.Module) -> dict[str, object]:
    """The relations with all that is known of their steps."""
    return {
        name: without_places((module.relations[name], functions))
        for name, functions in steps(module).items()
    }


def functions(module: ir.Module) -> dict[str, ir.Function]:
    """The functions of the rules; those of relations belong to them."""
    inner = {name for found in steps(module).values() for name in found}
    return {name: one for name, one in module.functions.items() if name not in inner}


def effects(module: ir.Module, action: str) -> object:
    name = action_rule(action)
    rule = module.routines.get(name) or module.procedures.get(name)
    if isinstance(rule, ir.Procedure):
        return _course(rule)
    return without_places(rule)


def courses(module: ir.Module) -> dict[str, object]:
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
