"""From Lark's parse tree to the syntax tree."""

from __future__ import annotations

import re
from typing import Any, Literal, cast

from lark import Token, Tree

from rules_dsl import syntax as s
from rules_dsl.spans import Span

MAX_INT = 1_000_000_000

_CITE_PART = re.compile(r'\s*(?:([A-Z][A-Za-z0-9]*)\s+)?([0-9][0-9,\- ]*?)?\s*(?:"([^"]*)")?\s*$')


class Misplaced(Exception):
    """Something that the grammar lets through and the language does not."""

    def __init__(self, code: str, message: str, span: Span, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.span = span
        self.hint = hint


def unescape(raw: str) -> str:
    """The value of a string token; `\\{` and `\\}` stay, for the templates."""
    return re.sub(r'\\(["\\])', r"\1", raw[1:-1])


class TreeBuilder:
    """Builds syntax nodes; lines and columns are shifted to the place of the piece in its file."""

    def __init__(self, path: str, line_offset: int, column_offset: int) -> None:
        self.path = path
        self.line_offset = line_offset
        self.column_offset = column_offset

    # ---- places ----------------------------------------------------------------------------------

    def at(self, line: int, column: int, width: int) -> Span:
        """The place of a piece of one line, given relative to the text being parsed."""
        row, col = line + self.line_offset, column + self.column_offset
        return Span(self.path, row, col, row, col + width)

    def span(self, item: Tree[Token] | Token) -> Span:
        """The place of a tree or a token."""
        source = item if isinstance(item, Token) else item.meta
        line = getattr(source, "line", None) or 1
        column = getattr(source, "column", None) or 1
        end_line = getattr(source, "end_line", None) or line
        end_column = getattr(source, "end_column", None) or column + 1
        return Span(
            self.path,
            line + self.line_offset,
            column + self.column_offset,
            end_line + self.line_offset,
            end_column + self.column_offset,
        )

    # ---- dispatch --------------------------------------------------------------------------------

    def build(self, tree: Any) -> Any:
        """The syntax node of a parse tree."""
        return getattr(self, "_" + tree.data.rstrip("_"))(tree, *tree.children)

    def all(self, trees: Any) -> tuple[Any, ...]:
        """The nodes of several trees; absent ones are left out."""
        return tuple(self.build(t) for t in trees if t is not None)

    def maybe(self, tree: Any) -> Any:
        """The node of a tree that may be absent."""
        return None if tree is None else self.build(tree)

    def ident(self, token: Token) -> s.Ident:
        """A name."""
        return s.Ident(str(token), span=self.span(token))

    def string(self, token: Token | None) -> s.Text | None:
        """A string without translations."""
        return None if token is None else s.Text(unescape(token), span=self.span(token))

    def cites(self, token: Token | None) -> s.Cites:
        """The cites in a `[R 4 "…"; R 5]` token."""
        if token is None:
            return ()
        span = self.span(token)
        result = []
        source = ""
        for part in re.split(r';(?=(?:[^"]*"[^"]*")*[^"]*$)', str(token)[1:-1]):
            match = _CITE_PART.match(part)
            if not match or not (match.group(1) or source) or not (match[2] or match[3]):
                raise Misplaced(
                    "E0116", f"`{part.strip()}` is not a cite", span,
                    hint='a cite is a source, a page and a heading: [R 4 "Begging"]',
                )  # fmt: skip
            source = match.group(1) or source
            pages = re.sub(r"\s+", " ", (match.group(2) or "").strip())
            result.append(s.Cite(source, pages, match.group(3) or "", span=span))
        return tuple(result)

    # ---- declarations ----------------------------------------------------------------------------

    def _declaration(self, tree: Any, child: Any) -> Any:
        return self.build(child)

    def _variant_item(self, tree: Any, child: Any) -> Any:
        node = self.build(child)
        if isinstance(node, s.VariantItem):
            return node
        return s.VariantChange(node, span=node.span)

    def _game(self, tree: Any, name: Any, text: Any, cite: Any, *lines: Any) -> s.Game:
        parts = self.all(lines)
        return s.Game(
            self.ident(name), self.maybe(text), self.cites(cite),
            tuple(p for p in parts if isinstance(p, s.PlayersLine)),
            tuple(p for p in parts if isinstance(p, s.SourceLine)),
            span=self.span(name),
        )  # fmt: skip

    def _players_line(self, tree: Any, low: Any, high: Any, names: Any) -> s.PlayersLine:
        return s.PlayersLine(
            self.build(low), self.maybe(high), self.maybe(names) or (), span=self.span(tree)
        )

    def _source_line(self, tree: Any, name: Any, title: Any) -> s.SourceLine:
        return s.SourceLine(
            self.ident(name), cast(s.Text, self.string(title)), span=self.span(tree)
        )

    def _variant(self, tree: Any, name: Any, of: Any, text: Any, cite: Any) -> s.Variant:
        return s.Variant(
            self.ident(name), self.ident(of), self.maybe(text), self.cites(cite), (),
            span=self.span(name),
        )  # fmt: skip

    def _include(self, tree: Any, path: Any) -> s.Include:
        return s.Include(cast(s.Text, self.string(path)), span=self.span(tree))

    def _label(self, tree: Any, name: Any, text: Any) -> s.Label:
        return s.Label(self.ident(name), self.build(text), span=self.span(tree))

    def _text(self, tree: Any, first: Any, *rest: Any) -> s.Text:
        pairs = tuple((str(rest[i]), unescape(rest[i + 1])) for i in range(0, len(rest), 2))
        return s.Text(unescape(first), pairs, span=self.span(first))

    def _names(self, tree: Any, *names: Any) -> tuple[s.Ident, ...]:
        return tuple(self.ident(n) for n in names)

    def _option(
        self, tree: Any, name: Any, choices: Any, default: Any, text: Any, cite: Any
    ) -> s.Option:
        kind = cast(Literal["option", "ruling"], tree.data)
        return s.Option(
            kind, self.ident(name), self.build(choices), self.build(default), self.maybe(text),
            self.cites(cite), span=self.span(name),
        )  # fmt: skip

    _ruling = _option

    def _choices(self, tree: Any, *choices: Any) -> tuple[s.Choice, ...]:
        return self.all(choices)

    def _choice(self, tree: Any, token: Any) -> s.Choice:
        value = self._number(token) if token.type == "INT" else str(token)
        return s.Choice(value, span=self.span(token))

    def _enum_line(self, tree: Any, name: Any, names: Any, text: Any, cite: Any) -> s.Enum:
        values = tuple(s.EnumValue(n, None, span=n.span) for n in self.build(names))
        return s.Enum(
            self.ident(name), values, self.maybe(text), self.cites(cite), False,
            span=self.span(name),
        )  # fmt: skip

    def _enum_block(self, tree: Any, name: Any, text: Any, cite: Any, *values: Any) -> s.Enum:
        return s.Enum(
            self.ident(name), self.all(values), self.maybe(text), self.cites(cite), True,
            span=self.span(name),
        )  # fmt: skip

    def _enum_value(self, tree: Any, name: Any, text: Any, cite: Any) -> s.EnumValue:
        return s.EnumValue(
            self.ident(name), self.maybe(text), self.cites(cite), span=self.span(name)
        )

    def _const(
        self, tree: Any, provisional: Any, name: Any, index: Any, value: Any, note: Any, cite: Any
    ) -> s.Const:
        return s.Const(
            self.ident(name), self.maybe(index) or (), self.build(value), provisional is not None,
            self.string(note), self.cites(cite), span=self.span(name),
        )  # fmt: skip

    def _const_index(self, tree: Any, *dims: Any) -> tuple[Any, ...]:
        return self.all(dims)

    def _const_dim(self, tree: Any, dim: Any) -> Any:
        return self.build(dim)

    def _good(self, tree: Any, names: Any, limit: Any, text: Any, cite: Any) -> s.Good:
        bound = self.maybe(limit)
        values = tuple(s.GoodValue(n, None, bound, span=n.span) for n in self.build(names))
        return s.Good(
            None, values, self.maybe(text), self.cites(cite), False, span=self.span(names)
        )

    def _goods_line(
        self, tree: Any, kind: Any, names: Any, limit: Any, text: Any, cite: Any
    ) -> s.Good:
        bound = self.maybe(limit)
        values = tuple(s.GoodValue(n, None, bound, span=n.span) for n in self.build(names))
        return s.Good(
            self.ident(kind), values, self.maybe(text), self.cites(cite), False,
            span=self.span(kind),
        )  # fmt: skip

    def _goods_block(self, tree: Any, kind: Any, text: Any, cite: Any, *values: Any) -> s.Good:
        return s.Good(
            self.ident(kind), self.all(values), self.maybe(text), self.cites(cite), True,
            span=self.span(kind),
        )  # fmt: skip

    def _goods_value(self, tree: Any, name: Any, text: Any, limit: Any) -> s.GoodValue:
        return s.GoodValue(
            self.ident(name), self.maybe(text), self.maybe(limit), span=self.span(name)
        )

    def _limit(self, tree: Any, value: Any) -> s.Expr:
        return cast(s.Expr, self.build(value))

    def _table(
        self, tree: Any, provisional: Any, name: Any, text: Any, cite: Any, *items: Any
    ) -> s.Table:
        parts = self.all(items)
        columns = tuple(c for p in parts if isinstance(p, tuple) for c in p)
        return s.Table(
            self.ident(name), self.maybe(text), self.cites(cite), provisional is not None, columns,
            tuple(p for p in parts if isinstance(p, s.TableFunction)),
            tuple(p for p in parts if isinstance(p, s.TableProcedure)),
            tuple(p for p in parts if isinstance(p, s.Row)),
            span=self.span(name),
        )  # fmt: skip

    def _columns(self, tree: Any, *columns: Any) -> tuple[s.Column, ...]:
        return self.all(columns)

    def _column(self, tree: Any, name: Any, index: Any, type_: Any, default: Any) -> s.Column:
        return s.Column(
            self.ident(name), self.maybe(index) or (), self.build(type_), self.maybe(default),
            span=self.span(name),
        )  # fmt: skip

    def _table_function(
        self, tree: Any, name: Any, params: Any, type_: Any, default: Any
    ) -> s.TableFunction:
        return s.TableFunction(
            self.ident(name), self.maybe(params) or (), self.build(type_), self.build(default),
            span=self.span(name),
        )  # fmt: skip

    def _table_procedure(self, tree: Any, name: Any, params: Any, *items: Any) -> s.TableProcedure:
        promises, body = self._promises(items)
        return s.TableProcedure(
            self.ident(name), self.maybe(params) or (), tuple(promises["requires"]),
            tuple(promises["ensures"]), tuple(promises["decreases"]), body, span=self.span(name),
        )  # fmt: skip

    def _promises(self, items: Any) -> tuple[dict[str, list[s.Expr]], s.Block]:
        """The promises at the start of a procedure, and its statements."""
        promises: dict[str, list[s.Expr]] = {"requires": [], "ensures": [], "decreases": []}
        body: list[s.Statement] = []
        for item in items:
            if item is None:
                continue
            if item.data in promises:
                inner = self.build(item.children[0])
                promises[item.data] += inner if item.data == "decreases" else [inner]
            else:
                body.append(self.build(item))
        return promises, tuple(body)

    def _row(self, tree: Any, name: Any, text: Any, values: Any, cite: Any, body: Any) -> s.Row:
        return s.Row(
            self.ident(name), self.maybe(text), self.maybe(values) or (), self.cites(cite),
            self.maybe(body) or (), span=self.span(name),
        )  # fmt: skip

    _row_tail = _row

    def _row_body(self, tree: Any, *items: Any) -> tuple[Any, ...]:
        return self.all(items)

    def _row_procedure(self, tree: Any, name: Any, body: Any) -> s.RowProcedure:
        return s.RowProcedure(self.ident(name), self.build(body), span=self.span(name))

    def _row_function(self, tree: Any, name: Any, value: Any) -> s.RowFunction:
        return s.RowFunction(self.ident(name), self.build(value), span=self.span(name))

    # ---- state -----------------------------------------------------------------------------------

    def _state(self, tree: Any, *items: Any) -> s.State:
        parts = self.all(items)
        return s.State(parts, span=parts[0].span if parts else self.span(tree))

    def _state_var(
        self, tree: Any, name: Any, index: Any, type_: Any, clamped: Any, initial: Any,
        visibility: Any, text: Any, cite: Any,
    ) -> s.StateVar:  # fmt: skip
        return s.StateVar(
            self.ident(name), self.maybe(index) or (), self.build(type_), clamped is not None,
            self.maybe(initial), self.maybe(visibility) or "all", self.maybe(text),
            self.cites(cite), span=self.span(name),
        )  # fmt: skip

    def _state_pool(
        self, tree: Any, name: Any, index: Any, bank: Any, goods: Any, holds: Any,
        visibility: Any, text: Any, cite: Any,
    ) -> s.Pool:  # fmt: skip
        held = self.maybe(holds)
        if isinstance(held, s.HoldsWhere):
            raise Misplaced(
                "E0122", "a pool holds amounts of goods", self.span(holds),
                hint="write `holds 5 maize`, or `bank` for the pool where goods start",
            )  # fmt: skip
        return s.Pool(
            self.ident(name), self.maybe(index) or (), bank is not None, self.maybe(goods) or (),
            held or (), self.maybe(visibility) or "all", self.maybe(text), self.cites(cite),
            span=self.span(name),
        )  # fmt: skip

    def _state_zone(
        self, tree: Any, name: Any, index: Any, table: Any, holds: Any, visibility: Any, text: Any,
        cite: Any,
    ) -> s.Zone:  # fmt: skip
        held = self.maybe(holds)
        if isinstance(held, tuple):
            raise Misplaced(
                "E0122", "a zone holds cards", self.span(holds),
                hint="write `holds all` or `holds c where …`",
            )  # fmt: skip
        return s.Zone(
            self.ident(name), self.maybe(index) or (), self.ident(table), held,
            self.maybe(visibility) or "all", self.maybe(text), self.cites(cite),
            span=self.span(name),
        )  # fmt: skip

    def _index(self, tree: Any, *types: Any) -> tuple[s.TypeExpr, ...]:
        return self.all(types)

    def _of_goods(self, tree: Any, names: Any) -> tuple[s.Ident, ...]:
        return cast("tuple[s.Ident, ...]", self.build(names))

    def _holds_all(self, tree: Any) -> s.HoldsWhere:
        return s.HoldsWhere(None, None, span=self.span(tree))

    def _holds_where(self, tree: Any, name: Any, condition: Any) -> s.HoldsWhere:
        return s.HoldsWhere(self.ident(name), self.build(condition), span=self.span(tree))

    def _holds_goods(self, tree: Any, *holdings: Any) -> tuple[s.Holding, ...]:
        return self.all(holdings)

    def _holding(self, tree: Any, amount: Any, good: Any) -> s.Holding:
        return s.Holding(self.build(amount), self.ident(good), span=self.span(tree))

    def _visible_owner(self, tree: Any) -> s.Visibility:
        return "owner"

    def _hidden(self, tree: Any) -> s.Visibility:
        return "hidden"

    def _optional_type(self, tree: Any, inner: Any) -> s.OptionalType:
        return s.OptionalType(self.build(inner), span=self.span(tree))

    def _set_type(self, tree: Any, inner: Any) -> s.SetType:
        return s.SetType(self.build(inner), span=self.span(tree))

    def _range_type(self, tree: Any, low: Any, high: Any) -> s.RangeType:
        return s.RangeType(self.build(low), self.build(high), span=self.span(tree))

    def _named_type(self, tree: Any, name: Any) -> s.NamedType:
        return s.NamedType(str(name), span=self.span(name))

    # ---- functions, actions, procedures ----------------------------------------------------------

    def _params(self, tree: Any, *params: Any) -> tuple[s.Param, ...]:
        return self.all(params)

    def _param(self, tree: Any, name: Any, type_: Any = None) -> s.Param:
        if type_ is None:  # `b in display`
            binder = self.build(name)
            return s.Param(binder.name, None, binder.domain, span=binder.span)
        return s.Param(self.ident(name), self.build(type_), None, span=self.span(tree))

    def _function_line(
        self, tree: Any, name: Any, params: Any, type_: Any, cite: Any, body: Any, cite_after: Any
    ) -> s.Function:
        return s.Function(
            self.ident(name), self.maybe(params) or (), self.build(type_), self.build(body), None,
            self.cites(cite) + self.cites(cite_after), span=self.span(name),
        )  # fmt: skip

    def _function_block(
        self, tree: Any, name: Any, params: Any, type_: Any, text: Any, cite: Any, body: Any
    ) -> s.Function:
        return s.Function(
            self.ident(name), self.maybe(params) or (), self.build(type_), self.build(body),
            self.maybe(text), self.cites(cite), span=self.span(name),
        )  # fmt: skip

    def _action(
        self, tree: Any, name: Any, params: Any, actor: Any, text: Any, cite: Any, *items: Any
    ) -> s.Action:
        promises, body = self._promises(items)
        return s.Action(
            self.ident(name), self.maybe(params) or (), self.ident(actor), self.maybe(text),
            self.cites(cite), tuple(promises["ensures"]), body, span=self.span(name),
        )  # fmt: skip

    def _require(self, tree: Any, condition: Any, reason: Any, cite: Any) -> s.Require:
        return s.Require(
            self.build(condition), self.string(reason), self.cites(cite), span=self.span(tree)
        )

    def _procedure(
        self, tree: Any, name: Any, params: Any, text: Any, cite: Any, *items: Any
    ) -> s.Procedure:
        promises, body = self._promises(items)
        return s.Procedure(
            self.ident(name), self.maybe(params) or (), self.maybe(text), self.cites(cite),
            tuple(promises["requires"]), tuple(promises["ensures"]),
            tuple(promises["decreases"]), body, span=self.span(name),
        )  # fmt: skip

    def _measure(self, tree: Any, *parts: Any) -> tuple[s.Expr, ...]:
        return self.all(parts)

    def _setup(self, tree: Any, cite: Any, body: Any) -> s.Section:
        return s.Section("setup", self.cites(cite), self.build(body), span=self.at(1, 1, 5))

    def _play(self, tree: Any, cite: Any, body: Any) -> s.Section:
        return s.Section("play", self.cites(cite), self.build(body), span=self.at(1, 1, 4))

    def _scoring(self, tree: Any, cite: Any, *lines: Any) -> s.Scoring:
        parts = self.all(lines)
        return s.Scoring(
            self.cites(cite),
            tuple(p for p in parts if isinstance(p, s.ScoreLine)),
            tuple(p for p in parts if isinstance(p, s.TieLine)),
            span=self.at(1, 1, 7),
        )

    def _score_line(self, tree: Any, player: Any, value: Any, cite: Any) -> s.ScoreLine:
        return s.ScoreLine(
            self.ident(player), self.build(value), self.cites(cite), span=self.span(tree)
        )

    def _tie_line(self, tree: Any, order: Any, value: Any, when: Any, cite: Any) -> s.TieLine:
        return s.TieLine(
            cast(Literal["most", "fewest"], str(order)), self.build(value), self.maybe(when),
            self.cites(cite), span=self.span(tree),
        )  # fmt: skip

    def _invariant(
        self, tree: Any, name: Any, text: Any, when: Any, cite: Any, condition: Any
    ) -> s.Invariant:
        return s.Invariant(
            self.ident(name), self.maybe(text), self.maybe(when), self.cites(cite),
            self.build(condition), span=self.span(name),
        )  # fmt: skip

    def _when(self, tree: Any, condition: Any) -> s.Expr:
        return cast(s.Expr, self.build(condition))

    def _waive(self, tree: Any, obligation: Any, subject: Any, reason: Any) -> s.Waive:
        return s.Waive(
            self.ident(obligation), self.ident(subject), cast(s.Text, self.string(reason)),
            span=self.span(tree),
        )  # fmt: skip

    # ---- examples --------------------------------------------------------------------------------

    def _example(self, tree: Any, title: Any, cite: Any, *lines: Any) -> s.Example:
        return s.Example(
            cast(s.Text, self.string(title)), self.cites(cite), self.all(lines),
            span=self.span(title),
        )  # fmt: skip

    def _example_players(self, tree: Any, count: Any) -> s.ExamplePlayers:
        return s.ExamplePlayers(self.build(count), span=self.span(tree))

    def _example_with(self, tree: Any, name: Any, value: Any) -> s.ExampleWith:
        return s.ExampleWith(self.ident(name), self.build(value), span=self.span(tree))

    def _example_seed(self, tree: Any, seed: Any) -> s.ExampleSeed:
        return s.ExampleSeed(self._number(seed), span=self.span(tree))

    def _example_given(self, tree: Any, fact: Any) -> s.ExampleGiven:
        return s.ExampleGiven(self.build(fact), span=self.span(tree))

    def _example_start(self, tree: Any, call: Any) -> s.ExampleStart:
        return s.ExampleStart(self.build(call), span=self.span(tree))

    def _example_do(self, tree: Any, moves: Any) -> s.ExampleDo:
        return s.ExampleDo(self.build(moves), span=self.span(tree))

    def _example_allow(self, tree: Any, moves: Any) -> s.ExampleAllow:
        return s.ExampleAllow(self.build(moves), span=self.span(tree))

    def _example_refuse(self, tree: Any, move: Any, because: Any) -> s.ExampleRefuse:
        return s.ExampleRefuse(
            cast(s.Text, self.string(move)), self.string(because), span=self.span(tree)
        )

    def _example_winners(self, tree: Any, names: Any) -> s.ExampleWinners:
        return s.ExampleWinners(self.build(names), span=self.span(tree))

    def _example_over(self, tree: Any) -> s.ExampleOver:
        return s.ExampleOver(span=self.span(tree))

    def _example_expect(self, tree: Any, condition: Any) -> s.ExampleExpect:
        return s.ExampleExpect(self.build(condition), span=self.span(tree))

    def _strings(self, tree: Any, *strings: Any) -> tuple[s.Text, ...]:
        return tuple(cast(s.Text, self.string(t)) for t in strings)

    # ---- variants --------------------------------------------------------------------------------

    def _set_const(
        self, tree: Any, name: Any, index: Any, value: Any, note: Any, cite: Any
    ) -> s.SetConst:
        const = self._const(tree, None, name, index, value, note, cite)
        return s.SetConst(const, span=const.span)

    def _set_option(self, tree: Any, name: Any, value: Any) -> s.SetOption:
        kind = cast(Literal["option", "ruling"], tree.data.removeprefix("set_"))
        return s.SetOption(kind, self.ident(name), self.build(value), span=self.span(name))

    _set_ruling = _set_option

    def _amend(self, tree: Any, kind: Any, name: Any, cite: Any, *lines: Any) -> s.Amend:
        return s.Amend(
            cast(Literal["action", "procedure"], str(kind)), self.ident(name), self.cites(cite),
            self.all(lines), span=self.span(name),
        )  # fmt: skip

    def _amend_drop(self, tree: Any, reason: Any) -> s.DropRequire:
        return s.DropRequire(cast(s.Text, self.string(reason)), span=self.span(reason))

    def _amend_require(self, tree: Any, require: Any) -> s.Require:
        return cast(s.Require, self.build(require))

    def _amend_except(self, tree: Any, label: Any, to: Any, condition: Any) -> s.Except:
        return s.Except(
            cast(s.Text, self.string(label)), self.string(to), self.build(condition),
            span=self.span(label),
        )  # fmt: skip

    def _amend_before(self, tree: Any, body: Any) -> s.Wrap:
        return s.Wrap("before", self.build(body), span=self.span(tree))

    def _amend_after(self, tree: Any, body: Any) -> s.Wrap:
        return s.Wrap("after", self.build(body), span=self.span(tree))

    def _replace(self, tree: Any, declaration: Any) -> s.Replace:
        node = self.build(declaration)
        return s.Replace(node, span=node.span)

    def _replace_row(self, tree: Any, table: Any, row: Any) -> s.ReplaceRow:
        return s.ReplaceRow(self.ident(table), self.build(row), span=self.span(table))

    def _add(self, tree: Any, declaration: Any) -> s.Add:
        node = self.build(declaration)
        return s.Add(node, span=node.span)

    def _add_row(self, tree: Any, table: Any, row: Any) -> s.AddRow:
        return s.AddRow(self.ident(table), self.build(row), span=self.span(table))

    def _add_option(self, tree: Any, option: Any, procedure: Any, choice: Any) -> s.AddOption:
        return s.AddOption(
            self.build(option), self.ident(procedure), self.ident(choice), span=self.span(tree)
        )

    def _drop_named(self, tree: Any, kind: Any, name: Any) -> s.Drop:
        return s.Drop(str(kind), self.ident(name), span=self.span(name))

    def _drop_row(self, tree: Any, table: Any, row: Any) -> s.DropRow:
        return s.DropRow(self.ident(table), self.ident(row), span=self.span(tree))

    def _drop_example(self, tree: Any, title: Any) -> s.DropExample:
        return s.DropExample(cast(s.Text, self.string(title)), span=self.span(title))

    def _drop_option(self, tree: Any, option: Any, procedure: Any, choice: Any) -> s.DropOption:
        return s.DropOption(
            self.ident(option), self.ident(procedure), self.ident(choice), span=self.span(tree)
        )

    # ---- statements ------------------------------------------------------------------------------

    def _block(self, tree: Any, *statements: Any) -> s.Block:
        return self.all(statements)

    def _let(self, tree: Any, name: Any, value: Any) -> s.Let:
        return s.Let(self.ident(name), self.build(value), span=self.span(tree))

    def _var(self, tree: Any, name: Any, type_: Any, value: Any) -> s.Var:
        return s.Var(self.ident(name), self.build(type_), self.build(value), span=self.span(tree))

    def _assign(self, tree: Any, target: Any, value: Any) -> s.Assign:
        return s.Assign(self.build(target), "=", self.build(value), span=self.span(tree))

    def _change(self, tree: Any, target: Any, op: Any, value: Any) -> s.Assign:
        return s.Assign(
            self.build(target), cast(Literal["=", "+=", "-="], str(op)), self.build(value),
            span=self.span(tree),
        )  # fmt: skip

    def _call_statement(self, tree: Any, call: Any) -> s.CallStatement:
        node = self.build(call)
        if isinstance(node, s.Name | s.Attribute):
            node = s.Call(node, (), span=node.span)
        if not isinstance(node, s.Call):
            raise Misplaced(
                "E0117", "this is a value, not something that happens", node.span,
                hint="assign it (`x = …`), or call a procedure",
            )  # fmt: skip
        return s.CallStatement(node, span=node.span)

    def _add_to(self, tree: Any, element: Any, target: Any) -> s.SetChange:
        return s.SetChange(True, self.build(element), self.build(target), span=self.span(tree))

    def _remove_from(self, tree: Any, element: Any, target: Any) -> s.SetChange:
        return s.SetChange(False, self.build(element), self.build(target), span=self.span(tree))

    def _move_everything(self, tree: Any, source: Any, target: Any) -> s.MoveGoods:
        return s.MoveGoods(
            "everything", None, None, self.build(source), self.build(target), span=self.span(tree)
        )

    def _move_all(self, tree: Any, good: Any, source: Any, target: Any) -> s.MoveGoods:
        return s.MoveGoods(
            "all", None, self.build(good), self.build(source), self.build(target),
            span=self.span(tree),
        )  # fmt: skip

    def _move_up_to(
        self, tree: Any, amount: Any, good: Any, source: Any, target: Any
    ) -> s.MoveGoods:
        how: s.MoveAmount = "up to" if tree.data == "move_up_to" else "exactly"
        return s.MoveGoods(
            how, self.build(amount), self.build(good), self.build(source), self.build(target),
            span=self.span(tree),
        )  # fmt: skip

    _move_goods = _move_up_to

    def _move_card(self, tree: Any, card: Any, source: Any, target: Any) -> s.MoveCard:
        return s.MoveCard(
            self.build(card), self.maybe(source), self.build(target), span=self.span(tree)
        )

    def _assertion(self, tree: Any, condition: Any, reason: Any) -> s.Assert:
        return s.Assert(self.build(condition), self.string(reason), span=self.span(tree))

    def _return(self, tree: Any, value: Any) -> s.Return:
        return s.Return(self.maybe(value), span=self.span(tree))

    def _end(self, tree: Any) -> s.End:
        return s.End(span=self.span(tree))

    def _while(self, tree: Any, condition: Any, measure: Any, *items: Any) -> s.While:
        cond = self.build(condition)
        keeps, body = self._kept(items)
        return s.While(cond, self.maybe(measure) or (), keeps, body, span=cond.span)

    def _for(self, tree: Any, binder: Any, where: Any, *items: Any) -> s.For:
        bound = self.build(binder)
        keeps, body = self._kept(items)
        return s.For(bound, self.maybe(where), keeps, body, span=bound.span)

    def _kept(self, items: Any) -> tuple[tuple[s.Expr, ...], s.Block]:
        """The `keeps` lines of a loop, and its statements."""
        kept = [i for i in items if i is not None and i.data == "keeps"]
        body = [i for i in items if i is not None and i.data != "keeps"]
        return tuple(self.build(i.children[0]) for i in kept), self.all(body)

    def _where(self, tree: Any, condition: Any) -> s.Expr:
        return cast(s.Expr, self.build(condition))

    def _if(self, tree: Any, condition: Any, body: Any, *rest: Any) -> s.If:
        branches = [(self.build(condition), self.build(body))]
        otherwise: s.Block = ()
        for part in rest:
            if part is None:
                continue
            if part.data == "elif_":
                branches.append((self.build(part.children[0]), self.build(part.children[1])))
            else:
                otherwise = self.build(part.children[0])
        return s.If(tuple(branches), otherwise, span=branches[0][0].span)

    def _choose_actions(
        self, tree: Any, actor: Any, mode: Any, measure: Any, named: Any, options: Any, extra: Any
    ) -> s.Choose:
        if extra is not None:
            raise Misplaced(
                "E0123", "a reason belongs to a choice of values", self.span(extra),
                hint="requirements of an action stand in the action",
            )  # fmt: skip
        label, prompt = self.maybe(named) or (None, None)
        who = self.build(actor)
        return s.Choose(
            who, self._mode(mode), self.maybe(measure) or (), label, prompt,
            self.build(options), span=self.span(tree),
        )  # fmt: skip

    def _choose_value(
        self, tree: Any, actor: Any, mode: Any, measure: Any, named: Any, binders: Any, reason: Any
    ) -> s.ChooseValue:
        if measure is not None or self._mode(mode) == "repeatedly":
            raise Misplaced(
                "E0124", "values are chosen once", self.span(tree),
                hint="offer an action with a parameter to `choose … repeatedly`",
            )  # fmt: skip
        label, notation = self.maybe(named) or (None, None)
        return s.ChooseValue(
            self.build(actor), self._mode(mode), label, notation, self.build(binders),
            self.string(reason), span=self.span(tree),
        )  # fmt: skip

    def _choose_secretly(
        self, tree: Any, chooser: Any, among: Any, named: Any, binders: Any, reason: Any
    ) -> s.ChooseSecretly:
        label, notation = self.maybe(named) or (None, None)
        return s.ChooseSecretly(
            self.build(chooser), self.maybe(among), label, notation, self.build(binders),
            self.string(reason), span=self.span(tree),
        )  # fmt: skip

    def _mode(self, token: Token | None) -> s.ChooseMode:
        return "one" if token is None else cast(s.ChooseMode, str(token))

    def _decreasing(self, tree: Any, measure: Any) -> tuple[s.Expr, ...]:
        return cast("tuple[s.Expr, ...]", self.build(measure))

    def _named(self, tree: Any, name: Any, text: Any) -> tuple[s.Ident, s.Text | None]:
        return self.ident(name), self.string(text)

    def _option_list(self, tree: Any, *options: Any) -> tuple[s.OptionUse, ...]:
        return self.all(options)

    def _option_use(self, tree: Any, name: Any, *rest: Any) -> s.OptionUse:
        fixed = self.all(t for t in rest[:-1] if t is not None)
        return s.OptionUse(self.ident(name), fixed, self.maybe(rest[-1]), span=self.span(name))

    def _fixed(self, tree: Any, name: Any, value: Any) -> s.FixedArg:
        return s.FixedArg(self.ident(name), self.build(value), span=self.span(tree))

    def _draw_in(
        self, tree: Any, verb: Any, name: Any, domain: Any, where: Any, weight: Any
    ) -> s.DrawIn:
        binder = s.Binder(self.ident(name), self.build(domain), span=self.span(name))
        return s.DrawIn(
            cast(Literal["draw", "roll"], str(verb)), binder, self.maybe(where),
            self.maybe(weight), span=self.span(tree),
        )  # fmt: skip

    def _draw_from(
        self, tree: Any, verb: Any, name: Any, kind: Any, source: Any, where: Any
    ) -> s.DrawFrom:
        return s.DrawFrom(
            cast(Literal["draw", "roll"], str(verb)), self.ident(name),
            None if kind is None else self.ident(kind), self.build(source), self.maybe(where),
            span=self.span(tree),
        )  # fmt: skip

    def _weight(self, tree: Any, value: Any) -> s.Expr:
        return cast(s.Expr, self.build(value))

    # ---- expressions -----------------------------------------------------------------------------

    def _binders(self, tree: Any, *parts: Any) -> s.Binders:
        return s.Binders(self.all(parts[:-1]), self.maybe(parts[-1]), span=self.span(tree))

    def _binder(self, tree: Any, name: Any, domain: Any) -> s.Binder:
        return s.Binder(self.ident(name), self.build(domain), span=self.span(tree))

    def _domain(self, tree: Any, low: Any, high: Any, start: Any) -> s.Domain:
        return s.Domain(self.build(low), self.maybe(high), self.maybe(start), span=self.span(tree))

    def _arguments(self, tree: Any, *args: Any) -> tuple[s.Expr, ...]:
        return self.all(args)

    def _or(self, tree: Any, left: Any, right: Any) -> s.Binary:
        return s.Binary("or", self.build(left), self.build(right), span=self.span(tree))

    def _and(self, tree: Any, left: Any, right: Any) -> s.Binary:
        return s.Binary("and", self.build(left), self.build(right), span=self.span(tree))

    def _implies(self, tree: Any, left: Any, right: Any) -> s.Binary:
        return s.Binary("implies", self.build(left), self.build(right), span=self.span(tree))

    def _not(self, tree: Any, operand: Any) -> s.Unary:
        return s.Unary("not", self.build(operand), span=self.span(tree))

    def _if_expr(self, tree: Any, condition: Any, then: Any, otherwise: Any) -> s.IfExpr:
        return s.IfExpr(
            self.build(condition), self.build(then), self.build(otherwise), span=self.span(tree)
        )

    def _quantifier(self, tree: Any, binders: Any, body: Any = None) -> s.Quantifier:
        kind = cast(s.QuantifierKind, str(tree.data).removesuffix("_of"))
        return s.Quantifier(kind, self.build(binders), self.maybe(body), span=self.span(tree))

    _every = _some = _count = _first = _sum_of = _min_of = _max_of = _quantifier

    def _min_two(self, tree: Any, left: Any, right: Any) -> s.Binary:
        return s.Binary("min", self.build(left), self.build(right), span=self.span(tree))

    def _max_two(self, tree: Any, left: Any, right: Any) -> s.Binary:
        return s.Binary("max", self.build(left), self.build(right), span=self.span(tree))

    def _compare(self, tree: Any, left: Any, op: Any, right: Any) -> s.Binary:
        return s.Binary(
            cast(s.BinaryOp, str(op)), self.build(left), self.build(right), span=self.span(tree)
        )

    _binary = _compare

    def _equal(self, tree: Any, left: Any, right: Any) -> s.Binary:
        return s.Binary("=", self.build(left), self.build(right), span=self.span(tree))

    def _in(self, tree: Any, left: Any, right: Any) -> s.Binary:
        return s.Binary("in", self.build(left), self.build(right), span=self.span(tree))

    def _not_in(self, tree: Any, left: Any, right: Any) -> s.Binary:
        return s.Binary("not in", self.build(left), self.build(right), span=self.span(tree))

    def _negate(self, tree: Any, sign: Any, operand: Any) -> s.Expr:
        inner = cast(s.Expr, self.build(operand))
        if str(sign) == "+":
            raise Misplaced("E0101", "unexpected `+`", self.span(sign), hint="leave it out")
        return s.Unary("-", inner, span=self.span(tree))

    def _attribute(self, tree: Any, base: Any, name: Any) -> s.Attribute:
        return s.Attribute(self.build(base), self.ident(name), span=self.span(tree))

    def _indexed(self, tree: Any, base: Any, args: Any) -> s.Index:
        return s.Index(self.build(base), self.build(args), span=self.span(tree))

    def _call(self, tree: Any, function: Any, args: Any, by: Any, within: Any) -> s.Call:
        return s.Call(
            self.build(function), self.maybe(args) or (),
            None if by is None else self.ident(by), self.maybe(within), span=self.span(tree),
        )  # fmt: skip

    def _name(self, tree: Any, token: Any) -> s.Name:
        return s.Name(str(token), span=self.span(token))

    def _int(self, tree: Any, token: Any) -> s.IntLit:
        return s.IntLit(self._number(token), span=self.span(token))

    def _true(self, tree: Any) -> s.BoolLit:
        return s.BoolLit(True, span=self.span(tree))

    def _false(self, tree: Any) -> s.BoolLit:
        return s.BoolLit(False, span=self.span(tree))

    def _none(self, tree: Any) -> s.NoneLit:
        return s.NoneLit(span=self.span(tree))

    def _group(self, tree: Any, inner: Any) -> s.Group:
        return s.Group(self.build(inner), span=self.span(tree))

    def _list(self, tree: Any, args: Any) -> s.ListLit:
        return s.ListLit(self.maybe(args) or (), span=self.span(tree))

    def _number(self, token: Token) -> int:
        if len(token) > 10 or int(token) > MAX_INT:
            raise Misplaced("E0112", f"this number is larger than {MAX_INT:,}", self.span(token))
        return int(token)
