"""Declarations and the changes of variants as lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from rules_dsl.language import syntax as s
from rules_dsl.language.layout import INDENT, LINE, Doc, cat, comma_list, flat, group, nest
from rules_dsl.language.printer.expressions import (
    POSTFIX,
    SUM,
    binder_doc,
    domain_doc,
    hanging,
    inner,
    operand_at,
    outer,
    quoted,
    tail,
    type_doc,
    visibility,
)
from rules_dsl.language.printer.lines import MAX_WIDTH, Line
from rules_dsl.language.printer.pieces import piece_lines
from rules_dsl.language.printer.statements import block_lines, option_doc, statement_lines
from rules_dsl.language.spans import Span

N = TypeVar("N", bound=s.Node)

# Whether two places stand on one line of the grammar, which may be several lines of text.
Joined = Callable[[Span, Span], bool]


def _same_line(one: Span, two: Span) -> bool:
    return one.line == two.line


def declaration_lines(node: s.Declaration, joined: Joined = _same_line) -> Iterator[Line]:
    """A declaration and everything below it."""
    return _Printer(joined).declaration(node, 0, "")


def _names(idents: Sequence[s.Ident]) -> Doc:
    return nest(comma_list([i.name for i in idents]))


def _index(dims: Sequence[s.Binder | s.TypeExpr]) -> Doc:
    if not dims:
        return ""
    docs = [binder_doc(d) if isinstance(d, s.Binder) else type_doc(d) for d in dims]
    return group("[", nest(comma_list(docs)), "]")


def _limit(limit: s.Expr | None) -> Doc:
    return "" if limit is None else cat(" limit ", outer(limit))


def _param(node: s.Param) -> Doc:
    if node.type is not None:
        return cat(node.name.name, ": ", type_doc(node.type))
    assert node.domain is not None
    return cat(node.name.name, " in ", domain_doc(node.domain))


def _whenever(node: s.Procedure | s.TableProcedure) -> str:
    return "" if node.whenever is None else f" whenever {node.whenever}"


def _params(params: tuple[s.Param, ...]) -> Doc:
    if not params:
        return "()"
    return group("(", nest(comma_list([_param(p) for p in params])), ")")


def _when(condition: s.Expr | None) -> Doc:
    return "" if condition is None else cat(" when ", inner(condition, free=False))


def _way(node: s.Way) -> Doc:
    parts: list[Doc] = ["joined with " if node.joined else "to ", operand_at(node.target, SUM)]
    if node.called is not None:
        parts.append(f" as {node.called}")
    if node.binders:
        parts += [" for ", nest(comma_list([binder_doc(b) for b in node.binders]))]
    if node.where is not None:
        parts += [" where ", outer(node.where)]
    if node.costs is not None:
        parts += [" costs ", operand_at(node.costs, SUM)]
    return cat(*parts, tail(cites=node.cites))


class _Printer:
    """Prints declarations; `prefix` is `add ` or `replace ` before one in a variant."""

    def __init__(self, joined: Joined) -> None:
        self.joined = joined

    def grouped(self, nodes: Sequence[N]) -> Iterator[list[N]]:
        """Nodes by line."""
        found: list[N] = []
        for node in nodes:
            if found and not self.joined(found[-1].span, node.span):
                yield found
                found = []
            found.append(node)
        if found:
            yield found

    def declaration(self, node: s.Declaration, level: int, prefix: str) -> Iterator[Line]:
        match node:
            case s.Game():
                yield from self.game(node)
            case s.Include(path):
                yield Line(level, f"include {quoted(path.value)}")
            case s.Label(name, text):
                yield Line(level, cat(f"{prefix}label {name}", tail(text)))
            case s.Option():
                yield Line(level, cat(prefix, _option(node)))
            case s.Enum():
                yield from self.enum(node, level, prefix)
            case s.Const():
                yield Line(level, cat(prefix, _const(node)))
            case s.Good():
                yield from self.good(node, level)
            case s.Table():
                yield from self.table(node, level, prefix)
            case s.State(items):
                yield Line(level, f"{prefix}state", opens=True)
                for item in items:
                    yield Line(level + 1, _state_item(item))
            case s.Piece():
                yield from piece_lines(node, level, prefix)
            case s.Relation():
                yield from self.relation(node, level, prefix)
            case s.Function():
                yield from self.function(node, level, prefix)
            case s.Action():
                params = _params(node.params) if node.params else ""
                head = cat(f"{prefix}action {node.name}", params, f" by {node.actor}")
                head = cat(head, tail(node.text, node.cites))
                yield Line(level, head, opens=bool(node.body))
                yield from self.contracts((), node.ensures, (), level + 1)
                yield from block_lines(node.body, level + 1)
            case s.Procedure():
                yield from self.procedure(node, level, prefix)
            case s.Section(kind, cites, body):
                yield Line(level, cat(prefix, kind, tail(cites=cites)), opens=True)
                yield from block_lines(body, level + 1)
            case s.Scoring():
                yield Line(level, cat(prefix, "scoring", tail(cites=node.cites)), opens=True)
                scoring: list[s.ScoreLine | s.TieLine] = [*node.scores, *node.ties]
                for line in sorted(scoring, key=_place):
                    yield Line(level + 1, _scoring_line(line))
            case s.Invariant():
                head = cat(f"{prefix}invariant {node.name}", tail(node.text), _when(node.when))
                yield Line(level, cat(head, tail(cites=node.cites)), opens=True)
                yield Line(level + 1, hanging(node.condition))
            case s.Waive(obligation, subject, reason):
                yield Line(level, cat(f"waive {obligation} {subject}", tail(reason)))
            case s.Example(title, cites, lines):
                head = cat(f"{_mark(node.provenance)}example ", quoted(title.value))
                yield Line(level, cat(head, tail(cites=cites)), True)
                for example_line in lines:
                    yield Line(level + 1, _example_line(example_line))
            case s.Variant():
                head = cat(f"variant {node.name} of {node.of}", tail(node.text, node.cites))
                yield Line(level, head, opens=bool(node.items))
                for change in node.items:
                    yield from self.change(change, level + 1)
            case s.VariantItem():
                yield from self.change(node, level)
            case _:
                raise AssertionError(node)

    # ---- header and values -----------------------------------------------------------------------

    def game(self, node: s.Game) -> Iterator[Line]:
        yield Line(0, cat(f"game {node.name}", tail(node.text, node.cites)), opens=True)
        lines: list[s.PlayersLine | s.SourceLine] = [*node.players, *node.sources]
        for line in sorted(lines, key=_place):
            if isinstance(line, s.SourceLine):
                yield Line(1, cat(f"source {line.name}", tail(line.title)))
                continue
            head: Doc = cat("players ", outer(line.low))
            if line.high is not None:
                head = cat(head, "..", outer(line.high))
            if line.names:
                head = cat(head, " named ", _names(line.names))
            yield Line(1, head)

    def enum(self, node: s.Enum, level: int, prefix: str) -> Iterator[Line]:
        if not node.is_block:
            values = _names([v.name for v in node.values])
            end = tail(node.text, node.cites)
            yield Line(level, cat(f"{prefix}enum {node.name}: ", values, end))
            return
        yield Line(level, cat(f"{prefix}enum {node.name}", tail(node.text, node.cites)), True)
        for value in node.values:
            yield Line(level + 1, cat(value.name.name, tail(value.text, value.cites)))

    def good(self, node: s.Good, level: int) -> Iterator[Line]:
        if node.is_block:
            yield Line(level, cat(f"goods {node.kind}", tail(node.text, node.cites)), opens=True)
            for value in node.values:
                yield Line(level + 1, cat(value.name.name, tail(value.text), _limit(value.limit)))
            return
        word = "good " if node.kind is None else f"goods {node.kind}: "
        values = _names([v.name for v in node.values])
        limit = _limit(node.values[0].limit)
        yield Line(level, cat(word, values, limit, tail(node.text, node.cites)))

    # ---- tables ----------------------------------------------------------------------------------

    def table(self, node: s.Table, level: int, prefix: str) -> Iterator[Line]:
        head = cat(
            f"{prefix}{_mark(node.provenance)}table {node.name}", tail(node.text, node.cites)
        )
        yield Line(level, head, opens=True)
        members: list[list[s.Column] | s.TableFunction | s.TableProcedure] = [
            *self.grouped(node.columns),
            *node.functions,
            *node.procedures,
        ]
        placed: list[tuple[tuple[int, int], list[s.Column] | s.Node]] = [
            (_place(m[0] if isinstance(m, list) else m), m) for m in members
        ]
        after = max((place for place, _ in placed), default=(0, 0))
        for row in node.rows:
            # A row from a variant has a place in another file: it stays after the one before it.
            if row.span.file == node.span.file:
                after = _place(row)
            placed.append((after, row))
        for _, item in sorted(placed, key=lambda p: p[0]):
            match item:
                case list():
                    columns = comma_list([_column(c) for c in item])
                    yield Line(level + 1, cat("columns ", nest(columns)))
                case s.TableFunction(name, params, type_, default):
                    signature = cat(f"function {name}", _params(params), ": ", type_doc(type_))
                    yield Line(level + 1, cat(signature, " = ", outer(default)))
                case s.TableProcedure():
                    yield from self.table_procedure(item, level + 1)
                case s.Row():
                    yield from self.row(item, level + 1, f"{_mark(item.provenance)}row ")

    def table_procedure(self, node: s.TableProcedure, level: int) -> Iterator[Line]:
        opens = bool(node.requires or node.ensures or node.decreases or node.default)
        head = cat(f"procedure {node.name}", _params(node.params), _whenever(node))
        yield Line(level, head, opens=opens)
        yield from self.contracts(node.requires, node.ensures, node.decreases, level + 1)
        yield from block_lines(node.default, level + 1)

    def row(self, node: s.Row, level: int, before: str) -> Iterator[Line]:
        head: Doc = cat(f"{before}{node.name}", tail(node.text))
        if node.seat is not None:
            head = cat(head, f" for each {node.seat.name} in {node.seat.domain}")
        if node.copies is not None:
            head = cat(head, f" copies {node.copies.count}")
        if node.cells:
            cells = [cat(_mark(c.provenance), inner(c.value, free=False)) for c in node.cells]
            head = cat(head, ": ", nest(comma_list(cells)))
        yield Line(level, cat(head, tail(cites=node.cites)), opens=bool(node.bodies))
        for body in node.bodies:
            if isinstance(body, s.RowFunction):
                yield Line(level + 1, cat(f"{body.name} = ", outer(body.value)))
            else:
                yield Line(level + 1, body.name.name, opens=True)
                yield from block_lines(body.body, level + 2)

    # ---- functions and procedures ----------------------------------------------------------------

    def relation(self, node: s.Relation, level: int, prefix: str) -> Iterator[Line]:
        params = _params(node.params) if node.params else ""
        head = cat(f"{prefix}relation {node.name}", params, " on ", binder_doc(node.place))
        yield Line(level, cat(head, tail(node.text, node.cites)), opens=True)
        for way in node.ways:
            yield Line(level + 1, _way(way))

    def function(self, node: s.Function, level: int, prefix: str) -> Iterator[Line]:
        head = cat(f"{prefix}function {node.name}", _params(node.params))
        if node.type is not None:
            head = cat(head, ": ", type_doc(node.type))
        if isinstance(node.body, s.Expr):
            # A cite precedes the formula, if there is room for it on the first line.
            cited = flat(cat(head, tail(cites=node.cites)))
            if level * INDENT + len(cited) + len(" = (") <= MAX_WIDTH:
                yield Line(level, cat(cited, " = ", outer(node.body)))
            else:
                yield Line(level, cat(head, " = ", outer(node.body), tail(cites=node.cites)))
            return
        yield Line(level, cat(head, tail(node.text, node.cites)), opens=True)
        yield from block_lines(node.body, level + 1)

    def procedure(self, node: s.Procedure, level: int, prefix: str) -> Iterator[Line]:
        head = cat(f"{prefix}procedure {node.name}", _params(node.params), _whenever(node))
        yield Line(level, cat(head, tail(node.text, node.cites)), opens=True)
        yield from self.contracts(node.requires, node.ensures, node.decreases, level + 1)
        yield from block_lines(node.body, level + 1)

    def contracts(
        self,
        requires: tuple[s.Expr, ...],
        ensures: tuple[s.Expr, ...],
        decreases: tuple[s.Expr, ...],
        level: int,
    ) -> Iterator[Line]:
        """The contracts of a rule, in the order in which it is written."""
        found: list[tuple[s.Expr, Doc]] = []
        found += [(e, cat("assumes ", outer(e))) for e in requires]
        found += [(e, cat("ensures ", outer(e))) for e in ensures]
        found += [(m[0], _decreases(m)) for m in self.grouped(decreases)]
        for _, doc in sorted(found, key=lambda p: _place(p[0])):
            yield Line(level, doc)

    # ---- variants --------------------------------------------------------------------------------

    def change(self, node: s.VariantItem, level: int) -> Iterator[Line]:
        match node:
            case s.SetConst(const):
                yield Line(level, _const(const))
            case s.SetOption(kind, name, value):
                yield Line(level, f"{kind} {name} = {value.value}")
            case s.SetStart():
                yield Line(level, _start(node))
            case s.SetCell(table, ident, column, cell):
                place = f"{_mark(node.provenance)}row {table}.{ident}.{column} = "
                yield Line(level, cat(place, outer(cell)))
            case s.Amend() | s.AmendSection():
                what = (
                    node.section
                    if isinstance(node, s.AmendSection)
                    else (f"{node.kind} {node.name}")
                )
                yield Line(level, cat(f"amend {what}", tail(cites=node.cites)), opens=True)
                for change in node.changes:
                    yield from self.amendment(change, level + 1)
            case s.Replace(declaration):
                yield from self.declaration(declaration, level, "replace ")
            case s.Add(declaration):
                yield from self.declaration(declaration, level, "add ")
            case s.ReplaceRow(table, row):
                yield from self.row(row, level, f"replace {_mark(row.provenance)}row {table}.")
            case s.AddRow(table, row):
                yield from self.row(row, level, f"add {_mark(row.provenance)}row {table}.")
            case s.AddOption(option, procedure, choice):
                end = f" to {procedure}.{choice}"
                yield Line(level, cat("add option ", option_doc(option), end))
            case s.Drop(kind, name):
                yield Line(level, f"drop {kind} {name}")
            case s.DropRow(table, ident):
                yield Line(level, f"drop row {table}.{ident}")
            case s.DropExample(title):
                yield Line(level, f"drop example {quoted(title.value)}")
            case s.DropOption(option_name, procedure, choice):
                yield Line(level, f"drop option {option_name} from {procedure}.{choice}")
            case s.VariantChange(declaration):
                yield from self.declaration(declaration, level, "")
            case _:
                raise AssertionError(node)

    def amendment(
        self, node: s.DropRequire | s.Require | s.Except | s.Wrap, level: int
    ) -> Iterator[Line]:
        match node:
            case s.DropRequire(reason):
                yield Line(level, f"drop require {quoted(reason.value)}")
            case s.Require():
                yield from statement_lines(node, level)
            case s.Except(label, to, condition):
                lifted = "" if to is None else f" to {quoted(to.value)}"
                yield Line(
                    level, cat(f"except {quoted(label.value)}{lifted} when ", outer(condition))
                )
            case s.Wrap(when, body):
                yield Line(level, when, opens=True)
                yield from block_lines(body, level + 1)


def _place(node: s.Node) -> tuple[int, int]:
    return node.span.line, node.span.column


def _decreases(measure: Sequence[s.Expr]) -> Doc:
    return cat("decreases ", nest(comma_list([inner(m, free=False) for m in measure])))


def _option(node: s.Option) -> Doc:
    choices = nest(comma_list([str(c.value) for c in node.choices]))
    head = cat(f"{node.kind} {node.name}: ", choices, f" = {node.default.value}")
    return cat(head, tail(node.text, node.cites))


def _mark(provenance: s.Provenance | None) -> str:
    return "" if provenance is None else f"{provenance} "


def _const(node: s.Const) -> Doc:
    head = cat(
        f"{_mark(node.provenance)}const {node.name}", _index(node.index), " = ", outer(node.value)
    )
    return cat(head, tail(node.note, node.cites))


def _column(node: s.Column) -> Doc:
    default = "" if node.default is None else cat(" = ", outer(node.default))
    return cat(node.name.name, _index(node.index), ": ", type_doc(node.type), default)


def _state_item(node: s.StateVar | s.Pool | s.Zone) -> Doc:
    end = cat(visibility(node.visibility), tail(node.text, node.cites))
    match node:
        case s.StateVar():
            name = f"ghost {node.name}" if node.ghost else node.name.name
            head = cat(name, _index(node.index), ": ", type_doc(node.type))
            if node.clamped:
                head = cat(head, " clamped")
            if node.initial is not None:
                head = cat(head, " = ", outer(node.initial))
        case s.Pool():
            head = cat("pool ", node.name.name, _index(node.index), " bank" if node.bank else "")
            if node.goods:
                head = cat(head, " of ", _names(node.goods))
            if node.holds:
                head = cat(head, _holds(node.holds))
        case s.Zone():
            head = cat(node.word, " ", node.name.name, _index(node.index), f" of {node.table}")
            if node.holds is not None:
                head = cat(head, _holds(node.holds))
    return cat(head, end)


def _holds(node: tuple[s.Holding, ...] | s.HoldsWhere) -> Doc:
    if isinstance(node, s.HoldsWhere):
        if node.condition is None:
            return " holds all"
        return cat(f" holds {node.name} where ", outer(node.condition))
    return cat(
        " holds ", nest(comma_list([cat(operand_at(h.amount, SUM), f" {h.good}") for h in node]))
    )


def _start(node: s.SetStart) -> Doc:
    """The starting values that a variant sets."""
    head = cat(node.name.name, _index(node.index))
    match node.start:
        case s.Expr() as value:
            return cat("state ", head, " = ", outer(value))
        case s.HoldsWhere() as cards:
            return cat("zone ", head, _holds(cards))
        case goods:
            return cat("pool ", head, _holds(goods))


def _scoring_line(node: s.ScoreLine | s.TieLine) -> Doc:
    if isinstance(node, s.ScoreLine):
        return cat(
            f"score {node.player} = ",
            outer(node.value),
            " hidden" if node.hidden else "",
            tail(cites=node.cites),
        )
    head = cat(f"tie {node.order} ", outer(node.value), _when(node.when))
    return cat(head, tail(cites=node.cites))


def _example_line(node: s.ExampleLine) -> Doc:
    match node:
        case s.ExamplePlayers(count):
            return cat("players ", outer(count))
        case s.ExampleWith(name, value):
            return f"with {name} = {value.value}"
        case s.ExampleSeed(seed):
            return f"seed {seed}"
        case s.ExampleGiven(fact):
            # Parentheses around the whole would hide what is being set.
            return cat("given ", inner(fact, free=False))
        case s.ExampleStart(call):
            return cat("start ", operand_at(call, POSTFIX))
        case s.ExampleDo(moves):
            return cat("do ", nest(comma_list([quoted(m.value) for m in moves])))
        case s.ExampleAllow(moves):
            return cat("allow ", nest(comma_list([quoted(m.value) for m in moves])))
        case s.ExampleRefuse(move, because):
            refused = f"refuse {quoted(move.value)}"
            if because is None:
                return refused
            return cat(refused, " because", group(nest(LINE, quoted(because.value))))
        case s.ExampleWinners(names):
            return cat("expect winners ", _names(names))
        case s.ExampleScores(scores):
            shown = [cat(f"{score.player} ", outer(score.value)) for score in scores]
            return cat("expect scores ", nest(comma_list(shown)))
        case s.ExampleOver():
            return "expect over"
        case s.ExampleExpect(condition):
            return cat("expect ", outer(condition))
    raise AssertionError(node)
