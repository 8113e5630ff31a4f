"""The author's own lines that a broken game comes from.

In a variant these are lines of the variant: a change counts only if the same game, played without
that change, does not break. In a game they are the lines of the last move, or of set-up, that write
what is broken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from rules_dsl.language import syntax as s
from rules_dsl.language.diagnostics import RuleError
from rules_dsl.language.printer import declaration_text, expression_text
from rules_dsl.language.program import Program, assemble, walk

if TYPE_CHECKING:
    from compiler.runtime.game import Game
    from verify.proof.results import Result

# Maximum number of lines shown.
MOST_LINES = 3
# Maximum number of changes undone one by one.
MOST_CHANGES = 8

# Whether a game, played with changed rules, still breaks; None if that is unknown.
StillBreaks = Callable[["Game"], bool | None]


@frozen
class AuthorLine:
    """A line of a rule file, as its author wrote it."""

    file: str
    line: int
    text: str
    # Whether it is a change of a variant.
    change: bool

    def __str__(self) -> str:
        return f"{Path(self.file).name}:{self.line}   {self.text}"


def culprits(
    game: Game, names: set[str], last: str, place: str, still_breaks: StillBreaks
) -> list[AuthorLine]:
    """The lines that break something.

    `names` are the names in the broken condition, `last` is the last action ("" in set-up),
    `place` is where a fault arose ("file:line" or nothing).
    """
    program = game.origin.program()
    if program.variants:
        return _of_variants(game, program, names, still_breaks)
    if place:
        file, _, line = place.rpartition(":")
        return [_line(program, file, int(line), False)]
    rules = [d for d in program.declarations if _is(d, last)]
    found = [
        _line(program, node.span.file, node.span.line, False)
        for node in _statements(program, rules)
        if names & _written(node)
    ]
    return _first(found)


def quoted_rule(program: Program, result: Result) -> str:
    """The rule that a result is about, with its place: an invariant's condition, or its first line.

    Nothing if the subject of the result is not a declaration.
    """
    names = (result.subject, result.subject.partition(".")[0])
    kinds = _about(result.obligation)
    for declaration in program.declarations:
        if not isinstance(declaration, kinds) or _name(declaration) not in names:
            continue
        if isinstance(declaration, s.Invariant):
            place, text = declaration.condition.span, expression_text(declaration.condition)
            return str(AuthorLine(place.file, place.line, text, False))
        return str(_line(program, declaration.span.file, declaration.span.line, False))
    return ""


def line_at(program: Program, span: str) -> str:
    """The line of a place, `file:line:column`, as its author wrote it."""
    file, line, _ = span.rsplit(":", 2)
    return str(_line(program, file, int(line), False))


def _about(obligation: str) -> tuple[type[s.Declaration], ...]:
    """The kinds of declarations of an obligation: a good and a rule may share a name."""
    match obligation:
        case "init" | "invariant":
            return (s.Invariant,)
        case "conservation":
            return (s.Good,)
        case "examples":
            return (s.Example,)
        case _:
            return (s.Action, s.Procedure, s.Section, s.Scoring, s.Function, s.Relation)


# ---- variants -----------------------------------------------------------------------------------


def _of_variants(
    game: Game, program: Program, names: set[str], still_breaks: StillBreaks
) -> list[AuthorLine]:
    changes = [
        (variant, item)
        for variant in program.variants
        for item in variant.items
        if not isinstance(item, s.DropExample | s.VariantChange)
    ]
    if 1 < len(changes) <= MOST_CHANGES:
        needed = [
            (variant, item)
            for variant, item in changes
            if _breaks_without(game, variant, item, still_breaks) is not True
        ]
        changes = needed or changes
    written: list[AuthorLine] = []
    others: list[AuthorLine] = []
    declared: list[AuthorLine] = []
    base = assemble(evolve(program.sources, variants=[]))
    for _, item in changes:
        known = _lines_before(base, item)
        head = _line(program, item.span.file, item.span.line, True)
        inside = [node for node in walk(item) if isinstance(node, s.Statement)]
        new = [
            _line(program, node.span.file, node.span.line, True)
            for node in inside
            if names & _written(node)
        ]
        written += [line for line in new if line.text not in known]
        dropped = [node for node in walk(item) if isinstance(node, s.DropRequire | s.Require)]
        if dropped:
            others += [_line(program, node.span.file, node.span.line, True) for node in dropped]
        elif isinstance(item, s.Add) and isinstance(item.declaration, s.State):
            declared.append(head)
        else:
            others.append(head)
    # A new variable does nothing by itself.
    return _first(written or others or declared)


def _breaks_without(
    game: Game, variant: s.Variant, item: s.VariantItem, still_breaks: StillBreaks
) -> bool | None:
    """Whether the same game breaks without a change of the variant."""
    from compiler.rebuild import build

    sources = game.origin.sources
    starts = sorted(other.span.line for other in variant.items)
    file, first = item.span.file, item.span.line
    after = next((line for line in starts if line > first), None)
    text = sources.texts[file].split("\n")
    end = len(text) if after is None else after - 1
    text[first - 1 : end] = [""] * (end - first + 1)
    changed = evolve(sources, texts={**sources.texts, file: "\n".join(text)})
    try:
        return still_breaks(build(game, assemble(changed)))
    except RuleError:
        return None  # the other changes need this one


def _lines_before(base: Program, item: s.VariantItem) -> set[str]:
    """The lines that a declaration had before a variant replaced it."""
    if not isinstance(item, s.Replace):
        return set()
    new = item.declaration
    return {
        line.strip()
        for old in base.declarations
        if type(old) is type(new) and _name(old) == _name(new)
        for line in declaration_text(old).split("\n")
    }


def _name(declaration: s.Declaration) -> str:
    """The name by which a result is about a declaration."""
    if isinstance(declaration, s.Section):
        return declaration.kind
    if isinstance(declaration, s.Scoring):
        return "scoring"
    if isinstance(declaration, s.Example):
        return declaration.title.value
    name = getattr(declaration, "name", None)
    return name.name if isinstance(name, s.Ident) else ""


# ---- lines --------------------------------------------------------------------------------------


def _line(program: Program, file: str, number: int, change: bool) -> AuthorLine:
    texts = program.sources.texts
    path = next((known for known in texts if known == file or Path(known).name == file), file)
    lines = texts.get(path, "").split("\n")
    text = lines[number - 1].partition("#")[0].strip() if 0 < number <= len(lines) else ""
    return AuthorLine(path, number, text, change)


def _first(lines: list[AuthorLine]) -> list[AuthorLine]:
    return list(dict.fromkeys(lines))[:MOST_LINES]


def _is(declaration: s.Declaration, last: str) -> bool:
    """Whether the last action or choice is made in a declaration; without one, set-up."""
    if not last:
        return isinstance(declaration, s.Section) and declaration.kind == "setup"
    if isinstance(declaration, s.Procedure):
        choices = (n for n in walk(declaration) if isinstance(n, s.ChooseValue | s.ChooseSubset))
        return any(n.label is not None and n.label.name == last for n in choices)
    return isinstance(declaration, s.Action) and declaration.name.name == last


def _statements(program: Program, rules: list[s.Declaration]) -> Iterator[s.Statement]:
    """All statements of rules and of the procedures that they call, in order."""
    procedures = {p.name.name: p for p in program.of(s.Procedure)}
    seen: set[str] = set()
    todo: list[s.Declaration] = list(rules)
    while todo:
        inside = [node for node in walk(todo.pop(0)) if isinstance(node, s.Statement)]
        yield from sorted(inside, key=lambda node: (node.span.line, node.span.column))
        for node in inside:
            for part in walk(node):
                if isinstance(part, s.Name) and part.name in procedures.keys() - seen:
                    seen.add(part.name)
                    todo.append(procedures[part.name])


def _written(node: s.Node) -> set[str]:
    """The variables, pools and zones that a statement itself changes, or what it returns."""
    match node:
        case s.Assign(target):
            changed: list[object] = [target]
        case s.SetChange(_, _, target) | s.SetFill(_, target):
            changed = [target]
        case s.MoveGoods(_, _, _, source, target):
            changed = [source, target]
        case s.MoveCard(_, source, target):
            changed = [source, target]
        case s.Shuffle(pile, added):
            changed = [pile, added]
        case s.MoveInOrder(_, _, _, order):
            changed = [order]
        case s.DrawFrom(source=source, target=target):
            changed = [source, target]
        case s.Cost(_, what, source, target):
            changed = [source, target] if source is not None else [what]
        case s.Return(value):
            return {part.name for part in walk(value) if isinstance(part, s.Name)}
        case s.End():
            return set()
        case s.Effect():
            raise TypeError(f"unknown effect {node}")
        case _:
            return set()  # changes nothing by itself
    return {_root(target) for target in changed}


def _root(target: object) -> str:
    """The variable, pool or zone that a place belongs to."""
    while isinstance(target, s.Index | s.Attribute):
        target = target.base
    return target.name if isinstance(target, s.Name) else ""
