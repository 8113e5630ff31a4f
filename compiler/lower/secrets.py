"""Choices that several players make in secret."""

from __future__ import annotations

from attrs import evolve, frozen

from compiler import build as b
from compiler import ir
from compiler.lower.decisions import Decisions
from compiler.lower.orders import is_whole
from compiler.plan.known_locals import ROUND
from compiler.transform import substitute
from rules_dsl.language import syntax as s
from rules_dsl.language.spans import Span
from rules_dsl.language.symbols import LocalSymbol
from rules_dsl.language.types import OptionalType, SetType, none_of


@frozen
class _Chosen:
    """A value that each player chooses: while that player is asked, and kept for all."""

    mine: ir.Local
    kept: ir.Local
    symbol: LocalSymbol

    def cell(self, player: ir.Expr) -> ir.LocalCell:
        """What a player has chosen."""
        return ir.LocalCell(self.kept.name, player, lo=self.kept.lo, hi=self.kept.hi)


class Secrets(Decisions):
    """Lowers secret choices: players are asked one after another; all is revealed at the end."""

    def choose_secretly(self, node: s.ChooseSecretly | s.SecretBlock) -> None:
        """A round of secret choices; afterwards every player has a value of each."""
        span = node.span
        players = self.low.checked.players
        lines: s.Block = node.body if isinstance(node, s.SecretBlock) else (node,)
        start: ir.Expr | None = None
        if node.chooser.domain.start is not None:
            start = self.to(node.chooser.domain.start, self.low.checked.player_type)
            if not isinstance(start, ir.Int):
                start = self.keep("start", start, span)
        counter = self.names.scratch(ROUND, 0, players)
        assert self.current is not None
        entry = self.current.id
        self.add(ir.SetLocal(counter, b.int_(0), span=span))
        head, ask, first, step, after = (self.new() for _ in range(5))
        self.cut(ir.Jump(head, span=span), head)
        assert self.current is not None
        self.current.measure = (b.sub(b.int_(players), counter),)
        self.cut(ir.Fork(b.lt(counter, b.int_(players)), ask, after, span=span), ask)
        inside = b.local(counter.name, 0, players - 1)
        player: ir.Expr = inside
        if start is not None:
            player = b.mod(b.add(start, inside), b.int_(players))
        self.names.known[self.facts.locals[node.chooser.name]] = player
        asked = self.asked(node, player)
        if asked == b.TRUE:
            self.close(ir.Jump(first, span=span))
        else:
            self.close(ir.Fork(asked, first, step, span=span))
        self.open(first, span)
        offers: list[tuple[ir.Option, list[_Chosen]]] = []
        self.in_round = True
        for line in lines:
            if isinstance(line, s.Choose):
                self.choose(line, secret=True)
            elif isinstance(line, s.ChooseSubset):
                offers.append(self.secret_subset(line, player))
            else:
                assert isinstance(line, s.ChooseValue | s.ChooseSecretly)
                offers.append(self.secret_values(line, player))
        self.in_round = False
        results = [chosen for _, found in offers for chosen in found]
        for chosen in results:
            self.add(ir.SetLocalCell(chosen.cell(player), chosen.mine, span=span))
        self.close(ir.Jump(step, span=span))
        self.open(step, span)
        self.add(ir.SetLocal(counter, b.add(inside, b.int_(1)), span=span))
        self.close(ir.Jump(head, back=True, span=span))
        # An action may change what the choices before it depended on.
        acting = any(isinstance(line, s.Choose) for line in lines)
        fact = self.chosen_so_far(offers, counter, player, asked, acting)
        self.done[head] = evolve(self.done[head], facts=(fact,))
        nobody = self.nobody_has_chosen(results, asked, span)
        before = self.done[entry]
        self.done[entry] = evolve(before, statements=(*before.statements, *nobody))
        self.open(after, span)
        for chosen in results:
            for k in range(players):
                # The choices are public now; the log shows them with the moves.
                told = chosen.cell(b.int_(k))
                self.add(ir.Reveal(told, "int", "", span=span))
        sets: dict[LocalSymbol, tuple[ir.Local, ...]] = {}
        for chosen in results:
            if isinstance(chosen.symbol.type, SetType):
                sets[chosen.symbol] = (*sets.get(chosen.symbol, ()), chosen.kept)
            else:
                self.names.known[chosen.symbol] = chosen.kept
        self.names.sets |= sets

    def secret_subset(
        self, line: s.ChooseSubset, player: ir.Expr
    ) -> tuple[ir.Option, list[_Chosen]]:
        """A choice of a set by the player who is asked."""
        option, bits = self.subset_choice(line, player, secret=True)
        after = self.facts.refs[line.name]
        assert isinstance(after, LocalSymbol)
        players = self.low.checked.players
        return option, [
            _Chosen(bit, self.names.scratch(after.name, 0, 1, players), after) for bit in bits
        ]

    def secret_values(
        self, line: s.ChooseValue | s.ChooseSecretly, player: ir.Expr
    ) -> tuple[ir.Option, list[_Chosen]]:
        """A choice of values by the player who is asked."""
        option, values = self.value_choice(line, player, secret=True)
        found: list[_Chosen] = []
        for binder, mine in zip(line.binders.binders, values, strict=True):
            own, after = self.facts.refs[binder], self.facts.refs[binder.name]
            assert isinstance(own, LocalSymbol) and isinstance(after, LocalSymbol)
            self.names.known[own] = mine
            lo = none_of(after.type) if isinstance(after.type, OptionalType) else mine.lo
            kept = self.names.scratch(after.name, lo, mine.hi, self.low.checked.players)
            found.append(_Chosen(mine, kept, after))
        return option, found

    def asked(self, node: s.ChooseSecretly | s.SecretBlock, player: ir.Expr) -> ir.Expr:
        """Whether a player takes part in a secret choice."""
        domain = node.chooser.domain
        conditions: list[ir.Expr] = []
        if not is_whole(self, domain):
            conditions.append(self.membership(player, domain.low))
        if node.among is not None:
            conditions.append(self.value(node.among))
        return b.and_(*conditions)

    def nobody_has_chosen(
        self, results: list[_Chosen], asked: ir.Expr, span: Span
    ) -> list[ir.Statement]:
        """Where only some are asked, all begin with `none`, also when the choice is repeated."""
        return [
            ir.SetLocalCell(chosen.cell(b.int_(player)), b.int_(chosen.kept.lo), span=span)
            for chosen in results
            if asked != b.TRUE
            for player in range(self.low.checked.players)
        ]

    def chosen_so_far(
        self,
        offers: list[tuple[ir.Option, list[_Chosen]]],
        counter: ir.Local,
        player: ir.Expr,
        asked: ir.Expr,
        acting: bool,
    ) -> ir.Expr:
        """The facts in a secret choice: every choice made so far was legal.

        Where only some are asked, all others have chosen nothing.
        """
        tables = self.low.tables
        turn = b.local(self.names.fresh("asked"), 0, self.low.checked.players - 1)
        range_ = ir.Range(turn.name, b.int_(turn.lo), b.int_(turn.hi))
        env: dict[str, ir.Expr] = {counter.name: turn}
        who = substitute(player, env, tables)
        results = [chosen for _, found in offers for chosen in found]
        env |= {chosen.mine.name: chosen.cell(who) for chosen in results}
        legal = [_holds(option, found, who, acting) for option, found in offers]
        holds = substitute(b.and_(*legal), env, tables)
        nothing = b.and_(*(b.eq(x.cell(who), b.int_(x.kept.lo)) for x in results))
        past = b.lt(turn, counter)
        if asked == b.TRUE:
            return ir.Aggregate("every", (range_,), past, holds, lo=0, hi=1)
        if acting:  # the players left out are not known any more
            done, holds = past, b.or_(nothing, holds)
        else:
            done = b.and_(past, substitute(asked, env, tables))
        chosen_ = ir.Aggregate("every", (range_,), done, holds, lo=0, hi=1)
        left_out = ir.Aggregate("every", (range_,), b.not_(done), nothing, lo=0, hi=1)
        return b.and_(chosen_, left_out)


def _holds(option: ir.Option, found: list[_Chosen], who: ir.Expr, acting: bool) -> ir.Expr:
    """That the choice is one of those offered, or that the player passed."""
    parts: list[ir.Expr] = []
    values: dict[str, ir.Expr] = {}
    passed: list[ir.Expr] = []
    for param, chosen in zip(option.params, found, strict=True):
        cell = chosen.cell(who)
        parts += [b.le(b.int_(param.lo), cell), b.le(cell, b.int_(param.hi))]
        if not acting:
            parts += [b.le(param.range.low, cell), b.le(cell, param.range.high)]
        if chosen.mine.name != param.range.name:  # of an optional choice
            values[param.range.name] = cell
            assert isinstance(chosen.symbol.type, OptionalType)
            passed.append(b.eq(cell, b.int_(none_of(chosen.symbol.type))))
    if not acting:
        parts += [line.condition for line in option.head if isinstance(line, ir.Require)]
    legal = substitute(b.and_(*parts), values, {})
    return b.or_(b.and_(*passed), legal) if passed else legal
