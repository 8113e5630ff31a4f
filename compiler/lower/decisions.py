"""Choices of one player, and chance."""

from __future__ import annotations

from compiler import build as b
from compiler import ir
from compiler.lower.blocks import Blocks
from compiler.lower.names import cites, kind_of
from compiler.lower.orders import is_whole
from compiler.lower.piles import lower_draw_off
from compiler.lower.texts import lower_absence, lower_text, telling_parts
from compiler.rule_id import action_rule
from rules_dsl.language import syntax as s
from rules_dsl.language.checker import split_action
from rules_dsl.language.checker.flow import leading_together
from rules_dsl.language.spans import Span
from rules_dsl.language.symbols import ActionSymbol, LocalSymbol
from rules_dsl.language.types import (
    EnumType,
    IntType,
    OptionalType,
    PoolType,
    ZoneType,
    bounds,
    none_of,
)


class Decisions(Blocks):
    """Lowers choices and draws."""

    # ---- decisions -------------------------------------------------------------------------------

    def choose(self, node: s.Choose, secret: bool = False) -> None:
        """A choice among actions, each of which then happens."""
        span = node.span
        after = self.new()
        actor = self.to(node.actor, self.low.checked.player_type)
        if node.mode == "repeatedly":
            head = self.new()
            self.cut(ir.Jump(head, span=span), head)
            assert self.current is not None
            self.current.measure = tuple(self.number(m) for m in node.measure)
            back: ir.Jump = ir.Jump(head, back=True, span=span)
        else:
            # The decision is a separate block, so that control can return to it.
            back = ir.Jump(after, span=span)
        options: list[ir.Option] = []
        bodies: list[tuple[int, s.OptionUse, tuple[ir.Expr, ...]]] = []
        for use in node.options:
            option = self.option(use, actor, bodies)
            if option is not None:
                options.append(option)
        if node.mode != "one":
            name = "stop" if node.mode == "repeatedly" else "pass"
            options.append(ir.Option(name, (), (), (name,), after, span=span))
        label = node.label.name if node.label else ""
        skip = after if node.mode in ("optionally", "repeatedly") else None
        secret = secret or node.secret
        prompt = "".join(part for part in lower_text(self, node.prompt) if isinstance(part, str))
        self.close(self.decision(label, actor, tuple(options), secret, skip, span, prompt))
        for target, use, args in bodies:
            self.open(target, use.span)
            action = self.facts.refs[use]
            assert isinstance(action, ActionSymbol) and self.current is not None
            name = action_rule(action.name)
            if action in self.low.checked.deciding:
                done = self.new()
                self.cut(ir.Enter(name, (actor, *args), done, span=use.span), done)
            else:
                self.current.statements.append(ir.Do(name, (actor, *args), span=use.span))
            self.close(back)
        self.open(after, span)

    # Whether choices that are made together are being lowered.
    joined: bool = False
    # Whether choices that all players make in secret are being lowered.
    in_round: bool = False

    def decision(
        self,
        label: str,
        actor: ir.Expr,
        options: tuple[ir.Option, ...],
        secret: bool,
        skip: int | None,
        span: Span,
        prompt: str = "",
    ) -> ir.Decide:
        """A decision at this place in the rules."""
        turned_up = secret and self.in_round
        return ir.Decide(
            label, actor, options, secret, skip, self.joined, turned_up, prompt, span=span
        )

    def option(
        self,
        use: s.OptionUse,
        actor: ir.Expr,
        bodies: list[tuple[int, s.OptionUse, tuple[ir.Expr, ...]]],
    ) -> ir.Option | None:
        """An action as an option of a decision; nothing if an option rules it out."""
        action = self.facts.refs[use]
        assert isinstance(action, ActionSymbol)
        declaration = action.declaration
        head: list[ir.Require | ir.Define] = []
        if use.when is not None:
            when = self.value(use.when)
            if when == b.FALSE:
                return None
            if when != b.TRUE:
                text = f"only when {self.low.source(use.when.span)}"
                head.append(
                    ir.Require(when, (text,), telling_parts(self, use.when), (), use.when.span)
                )
        self.names.known[action.actor] = actor
        fixed = {f.name.name: f.value for f in use.fixed}
        for symbol in action.params:  # fixed values are read before any parameter is in sight
            if symbol.name in fixed:
                value = self.to(fixed[symbol.name], symbol.type)  # type: ignore[arg-type]
                local = self.names.declare_range(symbol, value.lo, value.hi)
                head.append(ir.Define(local.name, value))
        params: list[ir.Param] = []
        for param, symbol in zip(declaration.params, action.params, strict=True):
            if symbol.name in fixed:
                if param.domain is not None:
                    head.append(self.in_domain(param, symbol))
                continue
            if param.domain is not None:
                range_, element, where = self.domain(param.domain, symbol)
                if where is not None:
                    shown = ir.Shown(element, kind_of(symbol.type))
                    text_ = lower_absence(self, shown, param.domain)
                    head.append(ir.Require(where, text_, (), (), param.span))
            else:
                lo, hi = bounds(symbol.type)  # type: ignore[arg-type]
                element = self.names.declare_range(symbol, lo, hi)
                range_ = ir.Range(element.name, b.int_(lo), b.int_(hi))
            kind = kind_of(symbol.type)
            params.append(ir.Param(range_, element.lo, element.hi, kind, symbol.name))
        lines, _ = split_action(declaration.body)
        head += self.head(lines)
        if any(isinstance(h, ir.Require) and h.condition == b.FALSE for h in head):
            return None
        args = tuple(self.names.known[p] for p in action.params)
        notation = lower_text(self, declaration.text) or self.default_notation(
            action.name,
            [(self.names.known[p], kind_of(p.type)) for p in action.params if p.name not in fixed],
        )
        target = self.new()
        # Fixed arguments and values named in the head are known to the target only by their cause.
        bodies.append((target, use, tuple(self.substituted(a, head) for a in args)))
        return ir.Option(
            action.name, tuple(params), tuple(head), notation, target, action.name,
            cites(declaration.cites), use.span, together=self.whole(action),
        )  # fmt: skip

    def whole(self, action: ActionSymbol) -> bool:
        """Whether an action begins with choices that must be made together."""
        _, effects = split_action(action.declaration.body)
        return leading_together(self.facts.refs, effects, self.low.checked.deciding) is not None

    def substituted(self, arg: ir.Expr, head: list[ir.Require | ir.Define]) -> ir.Expr:
        """An argument in terms that hold after the move was chosen."""
        if isinstance(arg, ir.Local):
            for line in head:
                if isinstance(line, ir.Define) and line.name == arg.name:
                    return line.value
        return arg

    def default_notation(
        self, name: str, values: list[tuple[ir.Expr, str]]
    ) -> tuple[ir.TextPart, ...]:
        """The name of a move and its arguments."""
        parts: list[ir.TextPart] = [name.replace("_", " ")]
        for value, kind in values:
            parts += [" ", ir.Shown(value, kind)]
        return tuple(parts)

    def value_option(
        self,
        binders: s.Binders,
        label: s.Ident | None,
        notation: s.Text | None,
        reason: s.Text | None,
        target: int,
        span: Span,
    ) -> tuple[ir.Option, list[ir.Local]]:
        """An option that chooses values."""
        head: list[ir.Require | ir.Define] = []
        params: list[ir.Param] = []
        elements: list[ir.Local] = []
        for binder in binders.binders:
            symbol = self.facts.locals[binder.name]
            range_, element, where = self.domain(binder.domain, symbol)
            kind = kind_of(symbol.type)
            params.append(ir.Param(range_, element.lo, element.hi, kind, symbol.name))
            elements.append(element)
            if where is not None:
                text = lower_absence(self, ir.Shown(element, kind), binder.domain)
                head.append(ir.Require(where, text, (), (), binder.span))
        if binders.where is not None:
            text = lower_text(self, reason) or (f"needs {self.low.source(binders.where.span)}",)
            head.append(
                ir.Require(
                    self.value(binders.where),
                    text,
                    telling_parts(self, binders.where),
                    (),
                    binders.where.span,
                )
            )
        name = label.name if label else binders.binders[0].name.name
        chosen: list[tuple[ir.Expr, str]] = [
            (e, p.kind) for e, p in zip(elements, params, strict=True)
        ]
        shown = lower_text(self, notation) or self.default_notation(name, chosen)
        return ir.Option(name, tuple(params), tuple(head), shown, target, span=span), elements

    def choose_value(self, node: s.ChooseValue) -> None:
        """A choice of values, which are locals from then on."""
        actor = self.to(node.actor, self.low.checked.player_type)
        _, results = self.value_choice(node, actor, node.secret)
        for binder, result in zip(node.binders.binders, results, strict=True):
            symbol = self.facts.refs[binder]
            assert isinstance(symbol, LocalSymbol)
            self.names.known[symbol] = result

    def value_choice(
        self, node: s.ChooseValue | s.ChooseSecretly, actor: ir.Expr, secret: bool
    ) -> tuple[ir.Option, list[ir.Local]]:
        """A choice of values: the offer, and the places of the chosen values."""
        span = node.span
        mode = node.mode if isinstance(node, s.ChooseValue) else "one"
        chosen, after = self.new(), self.new()
        option, elements = self.value_option(
            node.binders, node.label, node.notation, node.reason, chosen, span
        )
        label = node.label.name if node.label else ""
        if mode == "one":
            self.close(self.decision(label, actor, (option,), secret, None, span))
            self.open(chosen, span)
            self.close(ir.Jump(after, span=span))
            self.open(after, span)
            return option, elements
        passed = self.new()
        passing = ir.Option("pass", (), (), ("pass",), passed, span=span)
        results: list[tuple[ir.Local, int]] = []
        for binder in node.binders.binders:
            symbol = self.facts.refs[binder]
            assert isinstance(symbol, LocalSymbol) and isinstance(symbol.type, OptionalType)
            results.append((self.names.declare(symbol), none_of(symbol.type)))
        skip = passed if mode == "optionally" else None
        self.close(self.decision(label, actor, (option, passing), secret, skip, span))
        self.open(chosen, span)
        for (result, _), element in zip(results, elements, strict=True):
            self.add(ir.SetLocal(result, element, span=span))
        self.close(ir.Jump(after, span=span))
        self.open(passed, span)
        for result, nothing in results:
            self.add(ir.SetLocal(result, b.int_(nothing), span=span))
        self.close(ir.Jump(after, span=span))
        self.open(after, span)
        return option, [result for result, _ in results]

    def choose_subset(self, node: s.ChooseSubset) -> None:
        """A choice of several things at once."""
        actor = self.to(node.actor, self.low.checked.player_type)
        self.subset_choice(node, actor, node.secret)

    def subset_choice(
        self, node: s.ChooseSubset, actor: ir.Expr, secret: bool
    ) -> tuple[ir.Option, tuple[ir.Local, ...]]:
        """A choice of a set: the offer, and for each element whether it was chosen."""
        span = node.span
        symbol = self.facts.locals[node.name]
        type_ = self.facts.types[node.domain]
        assert isinstance(type_, IntType | EnumType)
        low, high = bounds(type_)
        kind = kind_of(type_)
        bits = tuple(self.names.scratch(symbol.name, 0, 1) for _ in range(low, high + 1))
        self.names.sets[symbol] = bits
        offered = [self.there(node.domain, element) for element in range(low, high + 1)]
        params = tuple(
            ir.Param(ir.Range(bit.name, b.int_(0), there), 0, 1, "int", symbol.name)
            for bit, there in zip(bits, offered, strict=True)
        )
        count: ir.Expr = b.int_(0)
        for bit in bits:
            count = b.add(count, bit)
        least = b.int_(0) if node.least is None else self.number(node.least)
        most: ir.Expr = b.int_(len(bits))
        if node.least is not None:
            most = least if node.most is None else self.number(node.most)
        shown = ir.Shown(count, "int")
        head: list[ir.Require] = []
        if node.least is not None and node.most is None:
            text: tuple[ir.TextPart, ...] = ("exactly ", ir.Shown(least, "int"), " are chosen")
            head.append(ir.Require(b.eq(least, count), text, (("chosen", shown),), (), span))
        elif node.least is not None:
            text = ("from ", ir.Shown(least, "int"), " to ", ir.Shown(most, "int"), " are chosen")
            inside = b.and_(b.le(least, count), b.le(count, most))
            head.append(ir.Require(inside, text, (("chosen", shown),), (), span))
        subset = ir.Subset(kind, low, least, most, len(head))
        if node.where is not None:
            text = lower_text(self, node.reason) or (f"needs {self.low.source(node.where.span)}",)
            condition = self.value(node.where)
            head.append(
                ir.Require(condition, text, telling_parts(self, node.where), (), node.where.span)
            )
        name = node.label.name if node.label else symbol.name
        listed = tuple(
            ir.Shown(b.if_(bit, b.int_(low + k), b.int_(low - 1)), f"{kind}*{low - 1}")
            for k, bit in enumerate(bits)
        )
        notation = lower_text(self, node.notation) or (f"{name.replace('_', ' ')} ", *listed)
        chosen, after = self.new(), self.new()
        option = ir.Option(name, params, tuple(head), notation, chosen, span=span, subset=subset)
        label = node.label.name if node.label else ""
        self.close(self.decision(label, actor, (option,), secret, None, span))
        self.open(chosen, span)
        self.close(ir.Jump(after, span=span))
        self.open(after, span)
        return option, bits

    def there(self, domain: s.Domain, value: int) -> ir.Expr:
        """Whether a value is among those that a set may be chosen from."""
        if domain.high is not None:
            low, high = self.number(domain.low), self.number(domain.high)
            return b.and_(b.le(low, b.int_(value)), b.le(b.int_(value), high))
        if is_whole(self, domain):
            return b.TRUE
        return self.membership(b.int_(value), domain.low)

    # ---- chance ----------------------------------------------------------------------------------

    def draw_in(self, node: s.DrawIn) -> None:
        symbol = self.facts.locals[node.binder.name]
        range_, _, where = self.domain(node.binder.domain, symbol)
        conditions = [where] if where is not None else []
        if node.where is not None:
            conditions.append(self.value(node.where))
        weight = None if node.weight is None else self.number(node.weight)
        condition = b.and_(*conditions) if conditions else None
        self.chance(node, symbol, range_, condition, weight)

    def draw_from(self, node: s.DrawFrom) -> None:
        if node.end is not None:
            lower_draw_off(self, node)
            return
        symbol = self.facts.locals[node.name]
        element = self.names.declare(symbol)
        range_ = ir.Range(element.name, b.int_(element.lo), b.int_(element.hi))
        place = self.facts.types[node.source]
        conditions = []
        weight: ir.Expr | None = None
        if isinstance(place, ZoneType):
            conditions.append(self.membership(element, node.source))
        else:
            assert isinstance(place, PoolType) and isinstance(symbol.type, EnumType)
            weight = self.pool_weight(node.source, place, symbol.type, element)
        if node.where is not None:
            conditions.append(self.value(node.where))
        condition = b.and_(*conditions) if conditions else None
        self.chance(node, symbol, range_, condition, weight)

    def pool_weight(
        self, source: s.Expr, place: PoolType, kind: EnumType, element: ir.Local
    ) -> ir.Expr:
        """The amount of a good in a pool."""
        order = [g.name for g in place.pool.goods]
        first = order.index(kind.values[0])
        at: ir.Expr
        if order[first : first + kind.size] == list(kind.values):
            at = b.add(element, b.int_(first))
        else:
            positions = [order.index(v) for v in kind.values]
            table = self.low.good_table(place.pool, kind)
            at = ir.Lookup(table, (element,), lo=min(positions), hi=max(positions))
        return self.good_cell(source, place.pool, at, list(kind.values))

    def chance(
        self,
        node: s.DrawIn | s.DrawFrom,
        symbol: LocalSymbol,
        range_: ir.Range,
        where: ir.Expr | None,
        weight: ir.Expr | None,
    ) -> None:
        after = self.new()
        kind = kind_of(symbol.type)
        chance = ir.Chance(
            node.verb, range_, where, weight, after, kind, symbol.name, span=node.span
        )
        self.cut(chance, after)
