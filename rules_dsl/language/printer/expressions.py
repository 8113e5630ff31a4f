"""Expressions, types, texts and cites as documents."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from rules_dsl.language import syntax as s
from rules_dsl.language.layout import (
    HARD,
    LINE,
    SOFT,
    Break,
    Doc,
    IfBroken,
    cat,
    comma_list,
    fill,
    group,
    nest,
)

# Binding strength of expressions: the levels of the grammar.
EXPR, OR, AND, NOT, COMPARE, SUM, PRODUCT, UNARY, POSTFIX = range(9)

_LEVELS: dict[str, int] = {
    "implies": EXPR, "or": OR, "and": AND, "=": COMPARE, "!=": COMPARE, "<": COMPARE,
    "<=": COMPARE, ">": COMPARE, ">=": COMPARE, "in": COMPARE, "not in": COMPARE, "+": SUM,
    "-": SUM, "*": PRODUCT, "/": PRODUCT, "div": PRODUCT, "mod": PRODUCT, "min": POSTFIX,
    "max": POSTFIX,
}  # fmt: skip


def _level(node: s.Expr) -> int:
    match node:
        case s.Binary(op):
            return _LEVELS[op]
        case s.Emptiness():
            return COMPARE
        case s.Selection():
            return EXPR
        case s.Unary("-") | s.IntLit() if not isinstance(node, s.IntLit) or node.value < 0:
            return UNARY
        case s.Field() | s.EndOfPile():
            return UNARY
        case s.Unary() | s.IfExpr():
            return NOT
        case s.Quantifier(kind) if kind in ("every", "some"):
            return NOT
    return POSTFIX


def _open_ended(node: s.Expr) -> bool:
    """Whether the expression would swallow what follows it."""
    match node:
        case s.IfExpr() | s.Selection():
            return True
        case s.Quantifier(kind):
            return kind in ("every", "some")
        case s.Unary(_, operand):
            return _open_ended(operand)
        case s.Binary(op, _, right):
            return op not in ("min", "max") and _open_ended(right)
    return False


def inner(node: s.Expr, free: bool = True) -> Doc:
    """An expression; `free` if it is inside brackets, where lines may be broken."""
    match node:
        case s.Name(name):
            return name
        case s.IntLit(value):
            return str(value)
        case s.BoolLit(truth):
            return "true" if truth else "false"
        case s.NoneLit():
            return "none"
        case s.ListLit(items):
            return _list(items)
        case s.Group(content):
            return group("(", nest(SOFT, inner(content)), ")")
        case s.Unary("-", operand):
            return cat("-", operand_at(operand, UNARY, free))
        case s.Unary(_, operand):
            return cat("not ", operand_at(operand, NOT, free))
        case s.Binary():
            return _binary(node, free)
        case s.Emptiness(place, negated):
            link = " is not empty" if negated else " is empty"
            return cat(operand_at(place, SUM, free, left=True), link)
        case s.EndOfPile(end, pile):
            return cat(f"{end} of ", operand_at(pile, POSTFIX, free))
        case s.IfExpr():
            return _if(node, free)
        case s.Index(base, args):
            return cat(operand_at(base, POSTFIX, free), bracketed("[", args, "]"))
        case s.Attribute(base, name):
            return cat(operand_at(base, POSTFIX, free), ".", name.name)
        case s.Call():
            return _call(node, free)
        case s.Quantifier():
            return _quantifier(node, free)
        case s.Selection(binders):
            return cat("each ", binders_doc(binders, free))
        case s.Possible():
            return _possible(node)
        case s.Field():
            return _field(node, free)
    raise AssertionError(node)


def operand_at(node: s.Expr, level: int, free: bool = False, left: bool = False) -> Doc:
    """An expression where the grammar wants one of a level; parenthesised if it is not."""
    if _level(node) < level or (left and _open_ended(node)):
        return inner(s.Group(node, span=node.span))
    return inner(node, free)


def outer(node: s.Expr) -> Doc:
    """An expression outside brackets: parentheses are put around it if it must be broken."""
    match node:
        case s.Group(content) if not _open_ended(content):
            return outer(content)
        case s.Binary(op, left, s.Group() as right) if _LEVELS[op] == COMPARE:
            return cat(operand_at(left, SUM, left=True), f" {op} ", inner(right))
        case (
            s.Binary() | s.Unary() | s.Emptiness() | s.IfExpr() | s.Call() | s.Quantifier()
            | s.Field() | s.Selection()
        ):  # fmt: skip
            return group(IfBroken("("), nest(SOFT, inner(node)), IfBroken(")"))
    return inner(node, free=False)


def hanging(node: s.Expr) -> Doc:
    """An expression that is a whole line: a parenthesis at its start opens no line of its own."""
    match node:
        case s.Quantifier(("every" | "some") as kind, binders, body) if body is not None:
            return cat(kind, " ", outer_binders(binders), ": ", _hung(body))
        case s.Group(content) if _open_ended(content):
            return group("(", nest(inner(content)), ")")
        case s.Group(content):
            return hanging(content)
        case s.Binary(op, _, right) if _LEVELS[op] != COMPARE or not isinstance(right, s.Group):
            return group(IfBroken("("), nest(inner(node)), IfBroken(")"))
    return outer(node)


def _hung(node: s.Expr) -> Doc:
    """The parts of a quantifier at the start of a line."""
    is_quantifier = isinstance(node, s.Quantifier) and node.kind in ("every", "some")
    return hanging(node) if is_quantifier else outer(node)


def bracketed(opening: str, args: Iterable[s.Expr], closing: str) -> Doc:
    """Expressions in brackets, separated by commas."""
    docs = [inner(a) for a in args]
    if not docs:
        return opening + closing
    return group(opening, nest(comma_list(docs)), closing)


def _list(items: tuple[s.Expr, ...]) -> Doc:
    """A list keeps the lines that its author gave it, as the rows of a table."""
    if not items:
        return "[]"
    breaks: list[Break] = []
    for before, after in pairwise(items):
        apart = after.span.line > before.span.end_line
        breaks.append(HARD if apart else LINE)
    if any(isinstance(i, s.ListLit) for i in items):
        parts: list[Doc] = [inner(items[0])]
        for between, item in zip(breaks, items[1:], strict=True):
            parts += [",", between, inner(item)]
        return group("[", nest(SOFT, *parts), "]")
    return group("[", nest(SOFT, comma_list([inner(i) for i in items], breaks)), "]")


_CHAINS: dict[str, tuple[str, ...]] = {
    "and": ("and",),
    "or": ("or",),
    "+": ("+", "-"),
    "-": ("+", "-"),
}


def _binary(node: s.Binary, free: bool) -> Doc:
    op = node.op
    if op in ("min", "max"):
        return cat(op, bracketed("(", (node.left, node.right), ")"))
    level = _LEVELS[op]
    if op == "implies":
        left = operand_at(node.left, OR, free, left=True)
        right = operand_at(node.right, EXPR, free)
        return group(left, _space(free), "implies ", _further(node.right, right))
    if op in _CHAINS:
        first, rest = _chain(node, _CHAINS[op])
        parts: list[Doc] = [_further(first, operand_at(first, level, free, left=True))]
        for index, (link, operand) in enumerate(rest):
            last = index == len(rest) - 1
            part = operand_at(operand, level + 1, free, left=not last)
            parts.append(cat(_space(free), link, " ", _further(operand, part)))
        return group(*parts)
    side = SUM if level == COMPARE else level
    left = operand_at(node.left, side, free, left=True)
    right = operand_at(node.right, SUM if level == COMPARE else level + 1, free)
    return cat(left, f" {op} ", right)


def _chain(node: s.Binary, ops: tuple[str, ...]) -> tuple[s.Expr, list[tuple[str, s.Expr]]]:
    rest: list[tuple[str, s.Expr]] = []
    current: s.Expr = node
    while isinstance(current, s.Binary) and current.op in ops:
        rest.append((current.op, current.right))
        current = current.left
    return current, rest[::-1]


def _further(node: s.Expr, doc: Doc) -> Doc:
    """An operand that has links of its own is indented by one step, to set off its lines."""
    return doc if isinstance(node, s.Group) else nest(doc)


def _space(free: bool) -> Doc:
    return LINE if free else " "


def _if(node: s.IfExpr, free: bool) -> Doc:
    parts: list[Doc] = []
    word = "if "
    current: s.Expr = node
    while isinstance(current, s.IfExpr):
        parts += [
            word,
            nest(inner(current.condition, free)),
            " then ",
            nest(inner(current.then, free)),
            _space(free),
        ]
        word = "else if "
        current = current.otherwise
    return group(*parts, "else ", nest(inner(current, free)))


def _call(node: s.Call, free: bool) -> Doc:
    head = operand_at(node.function, POSTFIX, free)
    if node.by is None:
        return cat(head, bracketed("(", node.args, ")"))
    tail: list[Doc] = [LINE, "by ", node.by.name]
    if node.within is not None:
        tail += [LINE, "within ", inner(node.within)]
    return group(head, "(", nest(comma_list([inner(a) for a in node.args]), *tail), ")")


def _quantifier(node: s.Quantifier, free: bool) -> Doc:
    if node.kind in ("every", "some"):
        assert node.body is not None
        binders = binders_doc(node.binders, free)
        if not free:
            return cat(node.kind, " ", binders, ": ", inner(node.body, free=False))
        head = group(node.kind, " ", nest(binders), ":")
        if isinstance(node.body, s.Group):
            return cat(head, " ", inner(node.body))
        return cat(head, group(nest(LINE, inner(node.body))))
    content: list[Doc] = [group(binders_doc(node.binders, free=True))]
    if node.body is not None:
        content += [":", LINE, inner(node.body)]
    return group(node.kind, "(", nest(*content), ")")


def _possible(node: s.Possible) -> Doc:
    parts: list[Doc] = ["possible(", node.action.name]
    if node.fixed:
        parts.append(fixed_doc(node.fixed))
    if node.by is not None:
        parts += [" by ", operand_at(node.by, SUM, True)]
    return cat(*parts, ")")


def fixed_doc(fixed: tuple[s.FixedArg, ...]) -> Doc:
    """The arguments of an action that are given."""
    listed = [cat(f.name.name, " = ", inner(f.value)) for f in fixed]
    return group("(", nest(comma_list(listed)), ")")


def _field(node: s.Field, free: bool) -> Doc:
    """A question over a relation; each part may stand on a line of its own."""
    parts: list[Doc] = [node.kind]
    if node.sources is not None:
        parts += [" from ", _source(node.sources, free)]
    if node.place is not None:
        word = "of " if node.kind == "component" else "to "
        between: Doc = " " if node.kind == "component" else _space(free)
        parts += [between, word, operand_at(node.place, POSTFIX, free)]
    parts += [_space(free), "by ", node.by.name.name]
    if node.by.args:
        parts.append(bracketed("(", node.by.args, ")"))
    if node.within is not None:
        parts += [_space(free), "within ", operand_at(node.within, POSTFIX, free)]
    if node.stops is not None:
        parts += [_space(free), "stopping at ", _source(node.stops, free)]
    if node.most is not None:
        parts += [_space(free), "up to ", operand_at(node.most, POSTFIX, free)]
    return group(nest(*parts))


def _source(node: s.Binders | s.Expr, free: bool) -> Doc:
    if isinstance(node, s.Binders):
        return group(nest("each ", binders_doc(node, free)))
    return operand_at(node, POSTFIX, free)


# ---- binders and domains -------------------------------------------------------------------------


def domain_doc(node: s.Domain, free: bool = False) -> Doc:
    """The domain of a bound name."""
    parts = [operand_at(node.low, SUM, free)]
    if node.high is not None:
        parts += ["..", operand_at(node.high, SUM, free)]
    if node.start is not None:
        parts += [" from ", operand_at(node.start, SUM, free)]
    return cat(*parts)


def binder_doc(node: s.Binder, free: bool = False) -> Doc:
    """`x in D`."""
    return cat(node.name.name, " in ", domain_doc(node.domain, free))


def binders_doc(node: s.Binders, free: bool) -> Doc:
    """`x in D, y in E where c`."""
    names = [binder_doc(b, free) for b in node.binders]
    parts = [names[0]]
    for name in names[1:]:
        parts += [", ", name]
    if node.where is not None:
        parts += [_space(free), "where ", nest(inner(node.where, free))]
    return cat(*parts)


def outer_binders(node: s.Binders) -> Doc:
    """Binders outside brackets; a long condition is parenthesised."""
    bare = nest(comma_list([binder_doc(b) for b in node.binders]))
    return bare if node.where is None else cat(bare, " where ", outer(node.where))


# ---- types ---------------------------------------------------------------------------------------


def type_doc(node: s.TypeExpr) -> Doc:
    """A type."""
    match node:
        case s.NamedType(name):
            return name
        case s.RangeType(low, high):
            return cat(operand_at(low, SUM), "..", operand_at(high, SUM))
        case s.OptionalType(content):
            return cat(type_doc(content), "?")
        case s.SetType(content):
            return cat("set of ", type_doc(content))
        case s.OrderType(element):
            return f"order of {element}"
    raise AssertionError(node)


# ---- texts and cites -----------------------------------------------------------------------------


def quoted(value: str) -> str:
    """A string as it is written in a rule file.

    >>> quoted('say "hi"')
    '"say \\\\"hi\\\\""'
    """
    out = []
    for index, char in enumerate(value):
        if char == '"' or (char == "\\" and value[index + 1 : index + 2] not in ("{", "}")):
            out.append("\\")
        out.append(char)
    return '"' + "".join(out) + '"'


def text_doc(node: s.Text) -> Doc:
    """A string with its translations."""
    pairs = "".join(f" {language} {quoted(value)}" for language, value in node.translations)
    return quoted(node.value) + pairs


def _cite(node: s.Cite) -> str:
    parts = [node.source]
    if node.pages:
        parts.append(node.pages)
    if node.heading:
        parts.append(f'"{node.heading}"')
    return " ".join(parts)


def cites_doc(cites: s.Cites) -> Doc:
    """Cites in their brackets; a line may end after a semicolon."""
    shown: list[Doc] = [_cite(c) for c in cites]
    items = [cat(c, ";") for c in shown[:-1]] + shown[-1:]
    return cat("[", fill(items), "]")


def tail(text: s.Text | None = None, cites: s.Cites = ()) -> Doc:
    """The label and the cites at the end of a line; each may go on a line of its own."""
    parts: list[Doc] = []
    if text is not None:
        parts.append(group(nest(LINE, text_doc(text))))
    if cites:
        parts.append(group(nest(LINE, cites_doc(cites))))
    return cat(*parts)


def visibility(value: s.Visibility) -> Doc:
    """Who sees a variable, a pool or a zone."""
    match value:
        case "all":
            return ""
        case "hidden":
            return " hidden"
        case "owner" | "others":
            return f" visible to {value}"
    return cat(" visible to ", outer(value))
