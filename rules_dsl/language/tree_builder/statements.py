"""Statements other than decisions."""

from __future__ import annotations

from typing import Any, Literal, cast

from rules_dsl.language import syntax as s
from rules_dsl.language.tree_builder.builder import Builder, Misplaced


class StatementBuilder(Builder):
    """Builds statements."""

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
            self.build(target),
            cast(Literal["=", "+=", "-="], str(op)),
            self.build(value),
            span=self.span(tree),
        )

    def _call_statement(self, tree: Any, call: Any) -> s.CallStatement:
        node = self.build(call)
        if isinstance(node, s.Name | s.Attribute):
            node = s.Call(node, (), span=node.span)
        if not isinstance(node, s.Call):
            raise Misplaced(
                "E0117",
                "this is a value, not something that happens",
                node.span,
                hint="assign it (`x = …`), or call a procedure",
            )
        return s.CallStatement(node, span=node.span)

    def _add_to(self, tree: Any, element: Any, target: Any) -> s.SetChange:
        return s.SetChange(True, self.build(element), self.build(target), span=self.span(tree))

    def _remove_from(self, tree: Any, element: Any, target: Any) -> s.SetChange:
        return s.SetChange(False, self.build(element), self.build(target), span=self.span(tree))

    def _clear(self, tree: Any, target: Any) -> s.SetFill:
        return s.SetFill(tree.data == "fill", self.build(target), span=self.span(tree))

    _fill = _clear

    def _move_everything(self, tree: Any, source: Any, target: Any) -> s.MoveGoods:
        return s.MoveGoods(
            "everything", None, None, self.build(source), self.build(target), span=self.span(tree)
        )

    def _move_all(self, tree: Any, good: Any, source: Any, target: Any) -> s.MoveGoods:
        return s.MoveGoods(
            "all",
            None,
            self.build(good),
            self.build(source),
            self.build(target),
            span=self.span(tree),
        )

    def _move_up_to(
        self, tree: Any, amount: Any, good: Any, source: Any, target: Any
    ) -> s.MoveGoods:
        how: s.MoveAmount = "up to" if tree.data == "move_up_to" else "exactly"
        return s.MoveGoods(
            how,
            self.build(amount),
            self.build(good),
            self.build(source),
            self.build(target),
            span=self.span(tree),
        )

    _move_goods = _move_up_to

    def _move_card(self, tree: Any, card: Any, source: Any, target: Any) -> s.MoveCard:
        return s.MoveCard(
            self.build(card), self.maybe(source), self.build(target), span=self.span(tree)
        )

    def _move_to_pile(self, tree: Any, card: Any, source: Any, end: Any, target: Any) -> s.MoveCard:
        where_to = cast(s.PileEnd, str(end))
        return s.MoveCard(
            self.build(card),
            self.maybe(source),
            self.build(target),
            where_to,
            span=self.span(tree),
        )

    def _shuffle(self, tree: Any, first: Any, second: Any) -> s.Shuffle:
        added, pile = (None, first) if second is None else (first, second)
        return s.Shuffle(self.build(pile), self.maybe(added), span=self.span(tree))

    def _move_to_end(self, tree: Any, element: Any, end: Any, order: Any) -> s.MoveInOrder:
        place = cast(s.PlaceInOrder, str(end))
        return s.MoveInOrder(
            self.build(element), place, None, self.build(order), span=self.span(tree)
        )

    def _move_beside(
        self, tree: Any, element: Any, side: Any, other: Any, order: Any
    ) -> s.MoveInOrder:
        place = cast(s.PlaceInOrder, str(side))
        return s.MoveInOrder(
            self.build(element), place, self.build(other), self.build(order), span=self.span(tree)
        )

    def _assertion(self, tree: Any, condition: Any, reason: Any) -> s.Assert:
        return s.Assert(self.build(condition), self.string(reason), span=self.span(tree))

    def _reveal(self, tree: Any, value: Any, to: Any) -> s.Reveal:
        return s.Reveal(self.build(value), self.maybe(to), span=self.span(tree))

    def _return(self, tree: Any, value: Any) -> s.Return:
        return s.Return(self.maybe(value), span=self.span(tree))

    def _end(self, tree: Any) -> s.End:
        return s.End(span=self.span(tree))

    def _while(self, tree: Any, condition: Any, measure: Any, *items: Any) -> s.While:
        cond = self.build(condition)
        keeps, body = self._kept(items)
        return s.While(cond, self.maybe(measure) or (), None, keeps, body, span=cond.span)

    def _while_endless(self, tree: Any, condition: Any, endless: Any, *items: Any) -> s.While:
        cond = self.build(condition)
        keeps, body = self._kept(items)
        return s.While(cond, (), self.build(endless), keeps, body, span=cond.span)

    def _endless(self, tree: Any, reason: Any, cite: Any) -> s.Endless:
        text = self.string(reason)
        assert text is not None
        return s.Endless(text, self.cites(cite), span=self.span(tree))

    def _for(self, tree: Any, binder: Any, key: Any, where: Any, *items: Any) -> s.For:
        bound = self.build(binder)
        keeps, body = self._kept(items)
        return s.For(bound, self.maybe(key), self.maybe(where), keeps, body, span=bound.span)

    def _sorted(self, tree: Any, value: Any, downwards: Any) -> s.SortKey:
        return s.SortKey(self.build(value), downwards is not None, span=self.span(tree))

    def _kept(self, items: Any) -> tuple[tuple[s.Expr, ...], s.Block]:
        """The `keeps` lines of a loop, and its statements."""
        kept = [i for i in items if i is not None and i.data == "keeps"]
        body = [i for i in items if i is not None and i.data != "keeps"]
        return tuple(self.build(i.children[0]) for i in kept), self.all(body)

    def _where(self, tree: Any, condition: Any) -> s.Expr:
        return cast(s.Expr, self.build(condition))

    def _together(self, tree: Any, body: Any, otherwise: Any) -> s.Together:
        other = () if otherwise is None else self.build(otherwise.children[0])
        return s.Together(self.build(body), other, span=self.span(tree))

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
