"""The parts of a game that are compared by name: constants, rows, requirements, effects, course."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import evolve, frozen

from compiler import ir
from compiler.ir_text import expression
from compiler.rule_id import action_rule, is_action
from compiler.runtime.game import Game
from rules_dsl.language import syntax as s
from rules_dsl.language.checker import check_program
from rules_dsl.language.option_values import shown
from rules_dsl.language.printer import declaration_text
from rules_dsl.language.program import Program, walk
from rules_dsl.language.symbols import Checked
from verify.compare.changes import How
from verify.compare.ir_shape import without_places

WIDEST = 160


@frozen(eq=False)
class Side:
    """One of the two games, taken apart."""

    game: Game
    program: Program
    module: ir.Module
    checked: Checked
    # The words of each rule: which names it mentions.
    mentions: dict[str, frozenset[str]]

    @staticmethod
    def of(game: Game) -> Side:
        program = game.origin.program()
        checked, _ = check_program(program, game.players, dict(game.options))
        mentions = {
            name: frozenset(n.name for n in walk(d) if isinstance(n, s.Name | s.Ident))
            for d in program.declarations
            if (name := declared(d))
        }
        return Side(game, program, game.ir, checked, mentions)

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


def both(one: Iterable[str], two: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([*one, *two]))


def kind_of_change(name: str, one: Mapping[str, object], two: Mapping[str, object]) -> How:
    if name not in one:
        return "added"
    return "changed" if name in two else "removed"


def ties(module: ir.Module) -> list[str]:
    """The tie-breaks, the first to be looked at first."""
    return [f"{t.order} {expression(t.value)}" for t in module.scoring.ties]


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


def array_summary(array: ir.Array) -> str:
    index = ", ".join(
        f"{d.lo}..{d.lo + d.size - 1}" if d.kind == "int" else d.kind for d in array.dimensions
    )
    start = sorted(set(array.initial))
    return f"{array.kind} [{index}] {array.lo}..{array.hi} = {value_text(tuple(start))}"


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


def rule_text(program: Program, name: str) -> str:
    """How a rule is written."""
    return "\n".join(
        declaration_text(d) for d in program.declarations if name and declared(d) == name
    )
