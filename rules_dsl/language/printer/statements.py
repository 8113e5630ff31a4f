"""Statements as lines."""

from __future__ import annotations

from collections.abc import Iterator

from rules_dsl.language import syntax as s
from rules_dsl.language.layout import Doc, cat, comma_list, nest
from rules_dsl.language.printer.expressions import (
    POSTFIX,
    SUM,
    binder_doc,
    domain_doc,
    fixed_doc,
    inner,
    operand_at,
    outer,
    outer_binders,
    tail,
    text_doc,
    type_doc,
)
from rules_dsl.language.printer.lines import Line


def block_lines(block: s.Block, level: int) -> Iterator[Line]:
    """Statements one after another."""
    for statement in block:
        yield from statement_lines(statement, level)


def statement_lines(node: s.Statement, level: int) -> Iterator[Line]:
    """A statement and everything below it."""
    match node:
        case s.If():
            word = "if "
            for condition, body in node.branches:
                yield Line(level, cat(word, outer(condition)), opens=True)
                yield from block_lines(body, level + 1)
                word = "else if "
            if node.otherwise:
                yield Line(level, "else", opens=True)
                yield from block_lines(node.otherwise, level + 1)
        case s.For():
            head: Doc = cat("for ", binder_doc(node.binder))
            if node.sorted is not None:
                way = " downwards" if node.sorted.downwards else ""
                head = cat(head, " by ", operand_at(node.sorted.value, SUM), way)
            if node.where is not None:
                head = cat(head, " where ", outer(node.where))
            yield from _loop(head, node, level)
        case s.While():
            head = cat("while ", outer(node.condition), decreasing(node.measure))
            if node.endless is not None:
                said = node.endless
                head = cat(head, " without end", tail(said.reason, said.cites))
            yield from _loop(head, node, level)
        case s.Together():
            yield Line(level, "together", opens=True)
            yield from block_lines(node.body, level + 1)
            if node.otherwise:
                yield Line(level, "else", opens=True)
                yield from block_lines(node.otherwise, level + 1)
        case s.SecretBlock():
            yield Line(level, cat(*_asked(node)), opens=True)
            yield from block_lines(node.body, level + 1)
        case _:
            yield Line(level, _simple(node))


def _loop(head: Doc, node: s.For | s.While, level: int) -> Iterator[Line]:
    yield Line(level, head, opens=True)
    for fact in node.keeps:
        yield Line(level + 1, cat("keeps ", outer(fact)))
    yield from block_lines(node.body, level + 1)


def decreasing(measure: tuple[s.Expr, ...]) -> Doc:
    """` decreases a, b`, or nothing."""
    if not measure:
        return ""
    return cat(" decreases ", nest(comma_list([inner(m, free=False) for m in measure])))


def _simple(node: s.Statement) -> Doc:
    """A statement of one line."""
    match node:
        case s.Let(name, value):
            return cat("let ", name.name, " = ", outer(value))
        case s.Var(name, type_, value):
            return cat("var ", name.name, ": ", type_doc(type_), " = ", outer(value))
        case s.Assign(target, op, value):
            return cat(operand_at(target, POSTFIX), f" {op} ", outer(value))
        case s.CallStatement(call):
            return inner(call, free=False)
        case s.SetChange(adding, element, target):
            verb, link = ("add ", " to ") if adding else ("remove ", " from ")
            return cat(verb, operand_at(element, SUM), link, operand_at(target, POSTFIX))
        case s.SetFill(filling, target):
            return cat("fill " if filling else "clear ", operand_at(target, POSTFIX))
        case s.MoveGoods():
            return _move_goods(node)
        case s.MoveCard(card, source, target, end):
            origin = "" if source is None else cat(" from ", operand_at(source, POSTFIX))
            goal = cat(" to ", _end_of(end), operand_at(target, POSTFIX))
            return cat("move ", operand_at(card, SUM), origin, goal)
        case s.Shuffle(pile, added):
            mixed = "" if added is None else cat(operand_at(added, POSTFIX), " into ")
            return cat("shuffle ", mixed, operand_at(pile, POSTFIX))
        case s.MoveInOrder(element, place, beside, order):
            where_to: Doc = f" to {place} of "
            if beside is not None:
                where_to = cat(f" {place} ", operand_at(beside, SUM), " in ")
            return cat("move ", operand_at(element, SUM), where_to, operand_at(order, POSTFIX))
        case s.Assert(condition, reason):
            return cat("assert ", outer(condition), tail(reason))
        case s.Reveal(value, to):
            whom = "" if to is None else cat(" to ", operand_at(to, SUM))
            return cat("reveal ", outer(value), whom)
        case s.Require():
            return cat("require ", outer(node.condition), tail(node.reason, node.cites))
        case s.Cost():
            between: Doc = ""
            if node.source is not None and node.target is not None:
                ends = operand_at(node.source, POSTFIX), operand_at(node.target, POSTFIX)
                between = cat(" from ", ends[0], " to ", ends[1])
            what = cat(operand_at(node.amount, SUM), " ", operand_at(node.what, POSTFIX))
            return cat("cost ", what, between, tail(node.reason, node.cites))
        case s.Return(value):
            return "return" if value is None else cat("return ", outer(value))
        case s.End():
            return "end"
        case s.Choose() | s.ChooseValue() | s.ChooseSecretly():
            return _choose(node)
        case s.ChooseSubset():
            return _choose_subset(node)
        case s.DrawIn() | s.DrawFrom():
            return _chance(node)
    raise AssertionError(node)


def _move_goods(node: s.MoveGoods) -> Doc:
    what: list[Doc] = []
    if node.how == "up to":
        what.append("up to ")
    elif node.how != "exactly":
        what.append("all ")
    if node.amount is not None:
        what += [operand_at(node.amount, SUM), " "]
    if node.good is not None:
        what += [operand_at(node.good, POSTFIX), " "]
    return cat(
        "move ",
        *what,
        "from ",
        operand_at(node.source, POSTFIX),
        " to ",
        operand_at(node.target, POSTFIX),
    )


def _asked(node: s.ChooseSecretly | s.SecretBlock) -> list[Doc]:
    """Who chooses in secret."""
    among = () if node.among is None else (" where ", outer(node.among))
    return ["choose each ", binder_doc(node.chooser), *among, " secretly"]


def _choose(node: s.Choose | s.ChooseValue | s.ChooseSecretly) -> Doc:
    if isinstance(node, s.ChooseSecretly):
        head = _asked(node)
    else:
        head = ["choose ", operand_at(node.actor, SUM)]
        if node.mode != "one":
            head += [" ", node.mode]
        if node.secret:
            head.append(" secretly")
    if isinstance(node, s.Choose):
        head.append(decreasing(node.measure))
    text = node.prompt if isinstance(node, s.Choose) else node.notation
    if node.label is not None:
        head += [" as ", node.label.name, "" if text is None else f" {text_doc(text)}"]
    if isinstance(node, s.Choose):
        options = [option_doc(o) for o in node.options]
        return cat(*head, ": ", nest(comma_list(options)))
    return cat(*head, ": ", outer_binders(node.binders), tail(node.reason))


def _choose_subset(node: s.ChooseSubset) -> Doc:
    parts: list[Doc] = ["choose ", operand_at(node.actor, SUM)]
    if node.secret:
        parts.append(" secretly")
    if node.label is not None:
        text = "" if node.notation is None else f" {text_doc(node.notation)}"
        parts += [" as ", node.label.name, text]
    parts += [": ", node.name.name, " among "]
    if node.least is not None:
        parts.append(operand_at(node.least, SUM))
        if node.most is not None:
            parts += ["..", operand_at(node.most, SUM)]
        parts.append(" of ")
    parts.append(domain_doc(node.domain))
    if node.where is not None:
        parts += [" where ", outer(node.where)]
    return cat(*parts, tail(node.reason))


def option_doc(node: s.OptionUse) -> Doc:
    """An action offered by a choice."""
    parts: list[Doc] = [node.name.name]
    if node.fixed:
        parts.append(fixed_doc(node.fixed))
    if node.when is not None:
        parts += [" when ", outer(node.when)]
    return cat(*parts)


def _end_of(end: s.PileEnd | None) -> str:
    return "" if end is None else f"{end} of "


def _chance(node: s.DrawIn | s.DrawFrom) -> Doc:
    if isinstance(node, s.DrawIn):
        parts: list[Doc] = [node.verb, " ", binder_doc(node.binder)]
    else:
        kind = "" if node.kind is None else f": {node.kind}"
        source = operand_at(node.source, POSTFIX)
        parts = [node.verb, f" {node.name}{kind} from ", _end_of(node.end), source]
        if node.target is not None:
            parts += [" to ", _end_of(node.target_end), operand_at(node.target, POSTFIX)]
    if node.where is not None:
        parts += [" where ", outer(node.where)]
    if isinstance(node, s.DrawIn) and node.weight is not None:
        parts += [" weight ", outer(node.weight)]
    return cat(*parts)
