"""Small programs in memory, checked."""

from __future__ import annotations

from rules_dsl.language import syntax as s
from rules_dsl.language.checker import check_program, default_choice
from rules_dsl.language.checker.context import Context
from rules_dsl.language.checking import diagnose
from rules_dsl.language.option_values import OptionValue
from rules_dsl.language.program import Program, assemble
from rules_dsl.language.sources import SourceSet
from rules_dsl.language.symbols import Checked

HEAD = """\
game small "Small"
    players 2..3 named ann, bob, cem
    source R "Rules"

enum Fruit: apple, pear, plum

good coin limit 20
goods Gem: ruby, opal limit 5

state
    points[Player]: 0..50 = 0
    best: Player? = none
    seen: set of Fruit
    pool store bank
    pool purse[Player]

action gain by p
    points[p] += 1

action lose by p
    require points[p] > 0 "you have nothing to lose"
    require points[p] < 9 "you have too much to lose"
    points[p] -= 1

procedure turn(p: Player)
    choose p as main: gain, lose

"""
TAIL = """
play
    turn(ann)

scoring
    score p = points[p]
"""


def game(declarations: str = "") -> str:
    """A whole game with some more declarations."""
    return HEAD + declarations.strip("\n") + "\n" + TAIL


def sources(text: str, *variants: str, **modules: str) -> SourceSet:
    """A game in memory, with variants and modules (by the name of the file without its end)."""
    texts = {"main.rules": text}
    texts |= {f"variant{number}.rules": variant for number, variant in enumerate(variants)}
    texts |= {f"{name}.rules": module for name, module in modules.items()}
    return SourceSet("main.rules", {}, [n for n in texts if n.startswith("variant")], texts)


def program(text: str, *variants: str, **modules: str) -> Program:
    """The declarations of a game."""
    return assemble(sources(text, *variants, **modules))


def checked(declarations: str = "", **chosen: OptionValue) -> tuple[Checked, Context]:
    """A game with some more declarations, checked for three players."""
    found = program(game(declarations))
    options = {o.name.name: default_choice(o) for o in found.of(s.Option)}
    return check_program(found, 3, {**options, **chosen})


def codes(text: str, *variants: str, **modules: str) -> list[str]:
    """The errors of a game."""
    return [d.code for d in diagnose(sources(text, *variants, **modules))]


def const(declarations: str, name: str = "a", **chosen: OptionValue) -> tuple[int, ...]:
    """The values of a constant."""
    return checked(declarations, **chosen)[0].consts[name].values
