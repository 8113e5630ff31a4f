"""A game with a single rule of another game, which shows the effect of that rule alone.

If two games differ in many rules, a difference in play does not tell which rule causes it. A hybrid
differs from the first game in one rule only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from attrs import evolve

from compiler import ir
from compiler.examples import Examples
from compiler.rebuild import assemble
from compiler.rule_id import action_rule
from compiler.runtime.game import Game
from rules_dsl.language import syntax as s
from rules_dsl.language.diagnostics import RuleError
from rules_dsl.language.program import Program
from verify.compare.parts import Side, declared, steps

T = TypeVar("T")


def hybrid(game: Game, other: ir.Module, what: str, name: str) -> Game | None:
    """A game with one function, relation, procedure, effect or the scoring of another module.

    Nothing if there is no such piece in both, or if their states are not the same.

    >>> import rules_dsl as rd
    >>> game = rd.load("tic_tac_toe")
    >>> hybrid(game, game.ir, "scoring", "scoring")
    <game tic_tac_toe for 2 players>
    """
    module = game.ir
    if _shape(module) != _shape(other):
        return None
    if what in ("scoring", "tie"):
        changed = evolve(module, scoring=other.scoring)
    elif what == "function" and name in module.functions and name in other.functions:
        changed = evolve(module, functions=_exchanged(module.functions, other.functions, name))
    elif what == "relation" and name in module.relations and name in other.relations:
        changed = evolve(
            module,
            relations=_exchanged(module.relations, other.relations, name),
            functions={**module.functions, **steps(other)[name]},
        )
    elif what in ("procedure", "effect"):
        name = action_rule(name) if what == "effect" else name
        name = module.main if name in ("setup", "play") else name
        if name in module.routines and name in other.routines:
            changed = evolve(module, routines=_exchanged(module.routines, other.routines, name))
        elif name in module.procedures and name in other.procedures:
            changed = evolve(
                module, procedures=_exchanged(module.procedures, other.procedures, name)
            )
        else:
            return None
    else:
        return None
    return assemble(game, game.origin.program(), changed)


def with_one_change(one: Side, two: Side, name: str) -> Program | None:
    """The rules of one game with a single declaration of another; nothing if neither has it.

    What follows from the declaration follows here as well; nothing else is changed.
    """
    table, _, row = name.partition(".")
    name = table if row else name
    new = two.written.get(name)
    if new is None and name not in one.written:
        return None
    added: list[s.Declaration] = [] if new is None else [new.shown]
    declarations: list[s.Declaration] = []
    for declaration in one.program.declarations:
        match declaration:
            case s.State(items) if any(item.name.name == name for item in items):
                kept = (item for item in items if item.name.name != name)
                declarations += [*(s.State((item,), span=item.span) for item in kept), *added]
            case s.Good(values=values) if any(good.name.name == name for good in values):
                others = tuple(good for good in values if good.name.name != name)
                declarations += [evolve(declaration, values=others), *added]
            case _ if declared(declaration) == name:
                declarations += added
            case _:
                declarations.append(declaration)
                continue
        added = []
    return evolve(one.program, declarations=[*declarations, *added])


def changed_example(one: Side, changed: Program) -> str:
    """An example of a game that has another result under changed rules, and what it is.

    Rules that no longer fit together show nothing.
    """
    examples = Examples(changed)
    for example in one.program.of(s.Example):
        try:
            result = examples.run_one(example)
        except RuleError:
            continue
        if not result.ok:
            cites = "".join(f" [{cite}]" for cite in result.cites)
            return f"the example “{result.title}”{cites} has another result: {result.message}"
    return ""


def _shape(module: ir.Module) -> object:
    """The state of a game: rules can be exchanged only between games with the same state."""
    arrays = {n: (a.kind, a.dimensions, a.lo, a.hi, a.goods) for n, a in module.arrays.items()}
    return arrays, set(module.functions), set(module.routines), set(module.procedures)


def _exchanged(ours: Mapping[str, T], theirs: Mapping[str, T], name: str) -> dict[str, T]:
    return {**ours, name: theirs[name]}
