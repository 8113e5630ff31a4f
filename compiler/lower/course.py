"""Procedures with decisions in them: cut into blocks at every decision, chance and call."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import define, evolve, field

from compiler import build as b
from compiler import ir
from compiler.lower.liveness import successors
from compiler.lower.names import Lowering, Names, cites, kind_of
from compiler.lower.statements import Statements
from compiler.rule_id import action_rule
from rules_dsl.language import syntax as s
from rules_dsl.language.checker import split_action
from rules_dsl.language.checker.flow import decides
from rules_dsl.language.spans import NOWHERE, Span
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


@define
class _Open:
    """A block being filled."""

    id: int
    statements: list[ir.Statement] = field(factory=list)
    facts: tuple[ir.Expr, ...] = ()
    measure: tuple[ir.Expr, ...] = ()
    span: Span = NOWHERE
    endless: str = ""


class Course(Statements):
    """Lowers one procedure into blocks."""

    def __init__(self, lowering: Lowering, names: Names) -> None:
        super().__init__(lowering, names)
        self.done: dict[int, ir.Block] = {}
        self.count = 0
        self.current: _Open | None = None

    # ---- blocks ----------------------------------------------------------------------------------

    def new(self) -> int:
        """The number of a new block."""
        self.count += 1
        return self.count - 1

    def open(self, number: int, span: Span = NOWHERE) -> _Open:
        """Start filling a block."""
        self.current = _Open(number, span=span)
        return self.current

    def close(self, terminator: ir.Terminator) -> None:
        """Finish the block being filled."""
        if self.current is None:
            return
        block = self.current
        self.done[block.id] = ir.Block(
            block.id,
            tuple(block.statements),
            terminator,
            block.facts,
            block.measure,
            block.span,
            block.endless,
        )
        self.current = None

    def cut(self, terminator: ir.Terminator, number: int) -> None:
        """Finish a block and go on in another."""
        self.close(terminator)
        self.open(number, terminator.span)

    def finish(self) -> tuple[ir.Block, ...]:
        """All blocks that something leads to, in order."""
        return tidy(tuple(self.done[k] for k in sorted(self.done)))

    # ---- statements ------------------------------------------------------------------------------

    def run(self, block: s.Block) -> None:
        """Lower statements, cutting where somebody decides."""
        for statement in block:
            if self.current is None:
                return
            if self.controls(statement):
                self.control(statement)
            else:
                self.current.statements += self.statement(statement)

    def controls(self, statement: s.Statement) -> bool:
        """Whether a statement decides something or leaves the procedure."""
        match statement:
            case s.Return() | s.End():
                return True
            case s.If():
                blocks = [body for _, body in statement.branches] + [statement.otherwise]
                if any(self.controls(inner) for body in blocks for inner in body):
                    return True
            case s.For() | s.While():
                if any(self.controls(inner) for inner in statement.body):
                    return True
        return decides(self.facts.refs, statement, self.low.checked.deciding)

    def control(self, node: s.Statement) -> None:
        match node:
            case s.Return():
                self.close(ir.Exit(span=node.span))
            case s.End():
                self.close(ir.End(span=node.span))
            case s.CallStatement(call):
                assert isinstance(call, s.Call)
                name, args = self.callee(call)
                after = self.new()
                self.cut(ir.Enter(name, args, after, span=node.span), after)
            case s.If():
                self.if_control(node.branches, node.otherwise, node.span)
            case s.While():
                self.while_control(node)
            case s.For():
                self.for_control(node)
            case s.Choose():
                self.choose(node)
            case s.ChooseValue():
                self.choose_value(node)
            case s.ChooseSecretly():
                self.choose_secretly(node)
            case s.DrawIn():
                self.draw_in(node)
            case s.DrawFrom():
                self.draw_from(node)
            case _:
                raise AssertionError(node)

    def if_control(
        self, branches: tuple[tuple[s.Expr, s.Block], ...], otherwise: s.Block, span: Span
    ) -> None:
        condition = self.value(branches[0][0])
        rest: tuple[tuple[s.Expr, s.Block], ...] = branches[1:]
        if isinstance(condition, ir.Int):  # decided by an option
            if condition.value:
                self.run(branches[0][1])
            elif rest:
                self.if_control(rest, otherwise, rest[0][0].span)
            else:
                self.run(otherwise)
            return
        then, other, after = self.new(), self.new(), self.new()
        self.cut(ir.Fork(condition, then, other, span=span), then)
        self.run(branches[0][1])
        self.close(ir.Jump(after, span=span))
        self.open(other, span)
        if rest:
            self.if_control(rest, otherwise, rest[0][0].span)
        else:
            self.run(otherwise)
        self.close(ir.Jump(after, span=span))
        self.open(after, span)

    def while_control(self, node: s.While) -> None:
        condition = self.value(node.condition)
        if condition == b.FALSE:
            return
        head, body, after = self.new(), self.new(), self.new()
        self.cut(ir.Jump(head, span=node.span), head)
        assert self.current is not None
        self.current.facts = tuple(self.value(k) for k in node.keeps)
        self.current.measure = tuple(self.number(m) for m in node.measure)
        if node.endless is not None:
            cited = f" [{'; '.join(cites(node.endless.cites))}]" if node.endless.cites else ""
            self.current.endless = node.endless.reason.value + cited
        self.cut(ir.Fork(condition, body, after, span=node.span), body)
        self.run(node.body)
        self.close(ir.Jump(head, back=True, span=node.span))
        self.open(after, node.span)

    def for_control(self, node: s.For) -> None:
        symbol = self.facts.locals[node.binder.name]
        assert self.current is not None
        domain = node.binder.domain
        type_ = self.facts.types[domain]
        assert isinstance(type_, IntType | EnumType)
        start: ir.Expr | None = None
        where: ir.Expr | None = None
        high: ir.Expr
        if domain.high is not None:
            low, high = self.number(domain.low), self.number(domain.high)
        else:
            low, high = (b.int_(x) for x in bounds(type_))
        span = node.span
        if domain.start is not None:
            assert isinstance(type_, EnumType)
            start = self.keep("start", self.to(domain.start, type_), span)
        if not isinstance(high, ir.Int):
            high = self.keep("last", high, span)
        counter = self.names.scratch(f"{symbol.name}_at", low.lo, max(low.lo, high.hi) + 1)
        self.current.statements.append(ir.SetLocal(counter, low, span=span))
        head, body, step, after = self.new(), self.new(), self.new(), self.new()
        self.cut(ir.Jump(head, span=span), head)
        assert self.current is not None
        self.current.measure = (b.sub(b.int_(high.hi + 1), counter),)
        if node.keeps:
            ahead: ir.Expr = counter
            if start is not None:
                assert isinstance(type_, EnumType)
                ahead = b.mod(b.add(start, counter), b.int_(type_.size))
            self.names.known[symbol] = ahead
            self.current.facts = tuple(self.value(fact) for fact in node.keeps)
        self.cut(ir.Fork(b.le(counter, high), body, after, span=span), body)
        # Inside the loop the counter is known to be in the range.
        inside = b.local(counter.name, counter.lo, max(counter.lo, high.hi))
        assert self.current is not None
        element = self.names.declare_range(symbol, inside.lo, inside.hi)
        if start is not None:
            assert isinstance(type_, EnumType)
            turned = b.mod(b.add(start, inside), b.int_(type_.size))
            self.current.statements.append(ir.SetLocal(element, turned, span=span))
        else:
            self.current.statements.append(ir.SetLocal(element, inside, span=span))
            if domain.high is None and not isinstance(self.facts.refs.get(domain.low), EnumType):
                where = self.membership(element, domain.low)
        conditions = [where] if where is not None else []
        if node.where is not None:
            conditions.append(self.value(node.where))
        if conditions:
            chosen = self.new()
            self.cut(ir.Fork(b.and_(*conditions), chosen, step, span=span), chosen)
        self.run(node.body)
        self.close(ir.Jump(step, span=span))
        self.open(step, span)
        assert self.current is not None
        self.current.statements.append(ir.SetLocal(counter, b.add(inside, b.int_(1)), span=span))
        self.close(ir.Jump(head, back=True, span=span))
        self.open(after, span)

    def keep(self, name: str, value: ir.Expr, span: Span) -> ir.Local:
        """Keep a value in a local that outlives the block."""
        target = self.names.scratch(name, value.lo, value.hi)
        assert self.current is not None
        self.current.statements.append(ir.SetLocal(target, value, span=span))
        return target

    # ---- decisions -------------------------------------------------------------------------------

    def choose(self, node: s.Choose) -> None:
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
            # The decision stands in a block of its own, so that it can be arrived at again.
            back = ir.Jump(after, span=span)
        options: list[ir.Option] = []
        bodies: list[tuple[int, s.OptionUse, tuple[ir.Expr, ...]]] = []
        for use in node.options:
            option = self.option(use, actor, bodies)
            if option is not None:
                options.append(option)
        if node.mode != "one":
            name = "pass" if node.mode == "optionally" else "stop"
            options.append(ir.Option(name, (), (), (name,), after, span=span))
        label = node.label.name if node.label else ""
        skip = after if node.mode != "one" else None
        self.close(ir.Decide(label, actor, tuple(options), False, skip, span=span))
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

    def option(
        self, use: s.OptionUse, actor: ir.Expr,
        bodies: list[tuple[int, s.OptionUse, tuple[ir.Expr, ...]]],
    ) -> ir.Option | None:  # fmt: skip
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
                head.append(ir.Require(when, (text,), self.telling(use.when), (), use.when.span))
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
                    place = self.low.source(param.domain.span)
                    text_ = (ir.Shown(element, kind_of(symbol.type)), f" is not in {place}")
                    head.append(ir.Require(where, text_, (), (), param.span))
            else:
                lo, hi = bounds(symbol.type)  # type: ignore[arg-type]
                element = self.names.declare_range(symbol, lo, hi)
                range_ = ir.Range(element.name, b.int_(lo), b.int_(hi))
            params.append(ir.Param(range_, element.lo, element.hi, kind_of(symbol.type)))
        lines, _ = split_action(declaration.body)
        head += self.head(lines)
        if any(isinstance(h, ir.Require) and h.condition == b.FALSE for h in head):
            return None
        args = tuple(self.names.known[p] for p in action.params)
        notation = self.text(declaration.text) or self.default_notation(
            action.name,
            [(self.names.known[p], kind_of(p.type)) for p in action.params if p.name not in fixed],
        )  # fmt: skip
        target = self.new()
        # Fixed arguments and values named in the head are known to the target only by their cause.
        bodies.append((target, use, tuple(self.substituted(a, head) for a in args)))
        return ir.Option(
            action.name, tuple(params), tuple(head), notation, target, action.name,
            cites(declaration.cites), use.span,
        )  # fmt: skip

    def in_domain(self, param: s.Param, symbol: LocalSymbol) -> ir.Require:
        """A fixed argument must lie in the domain of its parameter."""
        assert param.domain is not None
        element = self.names.known[symbol]
        place = self.low.source(param.domain.span)
        text = (ir.Shown(element, kind_of(symbol.type)), f" is not in {place}")
        if param.domain.high is not None:
            low, high = self.number(param.domain.low), self.number(param.domain.high)
            condition = b.and_(b.le(low, element), b.le(element, high))
        elif isinstance(self.facts.refs.get(param.domain.low), EnumType):
            condition = b.TRUE
        else:
            condition = self.membership(element, param.domain.low)
        return ir.Require(condition, text, (), (), param.span)

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
        self, binders: s.Binders, label: s.Ident | None, notation: s.Text | None,
        reason: s.Text | None, target: int, span: Span,
    ) -> tuple[ir.Option, list[ir.Local]]:  # fmt: skip
        """An option that chooses values."""
        head: list[ir.Require | ir.Define] = []
        params: list[ir.Param] = []
        elements: list[ir.Local] = []
        for binder in binders.binders:
            symbol = self.facts.locals[binder.name]
            range_, element, where = self.domain(binder.domain, symbol)
            kind = kind_of(symbol.type)
            params.append(ir.Param(range_, element.lo, element.hi, kind))
            elements.append(element)
            if where is not None:
                place = self.low.source(binder.domain.span)
                text: tuple[ir.TextPart, ...] = (
                    ir.Shown(element, kind), f" is not in {place}",
                )  # fmt: skip
                head.append(ir.Require(where, text, (), (), binder.span))
        if binders.where is not None:
            text = self.text(reason) or (f"needs {self.low.source(binders.where.span)}",)
            head.append(
                ir.Require(
                    self.value(binders.where), text, self.telling(binders.where), (),
                    binders.where.span,
                )
            )  # fmt: skip
        name = label.name if label else binders.binders[0].name.name
        chosen: list[tuple[ir.Expr, str]] = [
            (e, p.kind) for e, p in zip(elements, params, strict=True)
        ]
        shown = self.text(notation) or self.default_notation(name, chosen)
        return ir.Option(name, tuple(params), tuple(head), shown, target, span=span), elements

    def choose_value(self, node: s.ChooseValue) -> None:
        span = node.span
        actor = self.to(node.actor, self.low.checked.player_type)
        chosen, after = self.new(), self.new()
        option, elements = self.value_option(
            node.binders, node.label, node.notation, node.reason, chosen, span
        )
        options = [option]
        label = node.label.name if node.label else ""
        if node.mode == "one":
            self.close(ir.Decide(label, actor, tuple(options), False, None, span=span))
            self.open(chosen, span)
            self.close(ir.Jump(after, span=span))
            self.open(after, span)
            return
        passed = self.new()
        options.append(ir.Option("pass", (), (), ("pass",), passed, span=span))
        results = []
        for binder in node.binders.binders:
            symbol = self.facts.refs[binder]
            assert isinstance(symbol, LocalSymbol) and isinstance(symbol.type, OptionalType)
            results.append((self.names.declare(symbol), none_of(symbol.type)))
        self.close(ir.Decide(label, actor, tuple(options), False, passed, span=span))
        self.open(chosen, span)
        assert self.current is not None
        for (result, _), element in zip(results, elements, strict=True):
            self.current.statements.append(ir.SetLocal(result, element, span=span))
        self.close(ir.Jump(after, span=span))
        self.open(passed, span)
        assert self.current is not None
        for result, nothing in results:
            self.current.statements.append(ir.SetLocal(result, b.int_(nothing), span=span))
        self.close(ir.Jump(after, span=span))
        self.open(after, span)

    def choose_secretly(self, node: s.ChooseSecretly) -> None:
        """Players choose one after another; what they chose is kept until all have."""
        span = node.span
        players = self.low.checked.players
        chooser = self.facts.locals[node.chooser.name]
        results: list[tuple[ir.Local, LocalSymbol]] = []
        counter = self.names.scratch("turn_of", 0, players)
        assert self.current is not None
        entry = self.current.id
        self.current.statements.append(ir.SetLocal(counter, b.int_(0), span=span))
        head, ask, decide, chosen, step, after = (self.new() for _ in range(6))
        self.cut(ir.Jump(head, span=span), head)
        assert self.current is not None
        self.current.measure = (b.sub(b.int_(players), counter),)
        self.cut(ir.Fork(b.lt(counter, b.int_(players)), ask, after, span=span), ask)
        inside = b.local(counter.name, 0, players - 1)
        player: ir.Expr = inside
        if node.chooser.domain.start is not None:
            start = self.to(node.chooser.domain.start, self.low.checked.player_type)
            player = b.mod(b.add(start, inside), b.int_(players))
        self.names.known[chooser] = player
        asked = self.asked(node, player)
        if asked == b.TRUE:
            self.close(ir.Jump(decide, span=span))
        else:
            self.close(ir.Fork(asked, decide, step, span=span))
        self.open(decide, span)
        option, elements = self.value_option(
            node.binders, node.label, node.notation, node.reason, chosen, span
        )
        for binder, element in zip(node.binders.binders, elements, strict=True):
            symbol = self.facts.refs[binder]
            assert isinstance(symbol, LocalSymbol)
            nothing = none_of(symbol.type) if isinstance(symbol.type, OptionalType) else element.lo
            result = self.names.scratch(symbol.name, nothing, element.hi, players)
            results.append((result, symbol))
        label = node.label.name if node.label else ""
        self.close(ir.Decide(label, player, (option,), True, None, span=span))
        self.open(chosen, span)
        assert self.current is not None
        for (result, _), element in zip(results, elements, strict=True):
            cell = ir.LocalCell(result.name, player, lo=result.lo, hi=result.hi)
            self.current.statements.append(ir.SetLocalCell(cell, element, span=span))
        self.close(ir.Jump(step, span=span))
        self.open(step, span)
        assert self.current is not None
        self.current.statements.append(ir.SetLocal(counter, b.add(inside, b.int_(1)), span=span))
        self.close(ir.Jump(head, back=True, span=span))
        cells = {e.name: r for e, (r, _) in zip(elements, results, strict=True)}
        fact = self.chosen_so_far(option, counter, player, asked, cells)
        self.done[head] = evolve(self.done[head], facts=(fact,))
        before = self.done[entry]
        self.done[entry] = evolve(
            before, statements=(*before.statements, *self.nobody_has_chosen(results, span))
        )
        self.open(after, span)
        for result, symbol in results:
            self.names.known[symbol] = result

    def asked(self, node: s.ChooseSecretly, player: ir.Expr) -> ir.Expr:
        """Whether a player takes part in a secret choice."""
        domain = node.chooser.domain
        conditions: list[ir.Expr] = []
        if not isinstance(self.facts.refs.get(domain.low), EnumType):
            conditions.append(self.membership(player, domain.low))
        if node.among is not None:
            conditions.append(self.value(node.among))
        return b.and_(*conditions)

    def nobody_has_chosen(
        self, results: list[tuple[ir.Local, LocalSymbol]], span: Span
    ) -> Iterator[ir.Statement]:
        """Where only some are asked, all begin with `none`, also when the choice comes again."""
        for result, symbol in results:
            if isinstance(symbol.type, OptionalType):
                for player in range(self.low.checked.players):
                    cell = ir.LocalCell(result.name, b.int_(player), lo=result.lo, hi=result.hi)
                    nothing = b.int_(none_of(symbol.type))
                    yield ir.SetLocalCell(cell, nothing, span=span)

    def chosen_so_far(
        self, option: ir.Option, counter: ir.Local, player: ir.Expr, asked: ir.Expr,
        cells: dict[str, ir.Local],
    ) -> ir.Expr:  # fmt: skip
        """What is known in a secret choice: whoever has chosen has chosen something legal.

        Where only some are asked, all others have chosen nothing.
        """
        from compiler.transform import substitute

        tables = self.low.tables
        turn = b.local(self.names.fresh("asked"), 0, self.low.checked.players - 1)
        env: dict[str, ir.Expr] = {counter.name: turn}
        who = substitute(player, env, tables)
        for name, result in cells.items():
            env[name] = ir.LocalCell(result.name, who, lo=result.lo, hi=result.hi)
        parts: list[ir.Expr] = []
        for param in option.params:
            value = b.local(param.range.name, param.lo, param.hi)
            parts += [b.le(param.range.low, value), b.le(value, param.range.high)]
        parts += [line.condition for line in option.head if isinstance(line, ir.Require)]
        legal = substitute(b.and_(*parts), env, tables)
        done = b.and_(b.lt(turn, counter), substitute(asked, env, tables))
        range_ = ir.Range(turn.name, b.int_(turn.lo), b.int_(turn.hi))
        chosen = ir.Aggregate("every", (range_,), done, legal, lo=0, hi=1)
        if asked == b.TRUE:
            return chosen
        nothing = b.and_(*(b.eq(env[name], b.int_(result.lo)) for name, result in cells.items()))
        left_out = ir.Aggregate("every", (range_,), b.not_(done), nothing, lo=0, hi=1)
        return b.and_(chosen, left_out)

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
        """How many of a good there are in a pool."""
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
        self, node: s.DrawIn | s.DrawFrom, symbol: LocalSymbol, range_: ir.Range,
        where: ir.Expr | None, weight: ir.Expr | None,
    ) -> None:  # fmt: skip
        after = self.new()
        kind = kind_of(symbol.type)
        self.cut(ir.Chance(node.verb, range_, where, weight, after, kind, span=node.span), after)


def tidy(blocks: tuple[ir.Block, ...]) -> tuple[ir.Block, ...]:
    """Shorten jumps to empty blocks, drop blocks that nothing leads to, number the rest."""
    by_id = {block.id: block for block in blocks}

    def resolve(number: int) -> int:
        seen = set()
        while number not in seen:
            seen.add(number)
            block = by_id[number]
            plain = not block.statements and not block.facts and not block.heads_loop
            if plain and isinstance(block.terminator, ir.Jump) and not block.terminator.back:
                number = block.terminator.target
            else:
                break
        return number

    entry = resolve(blocks[0].id)
    reached: set[int] = set()
    todo = [entry]
    while todo:
        number = todo.pop()
        if number not in reached:
            reached.add(number)
            todo += map(resolve, successors(by_id[number].terminator))
    order = {number: at for at, number in enumerate([entry, *sorted(reached - {entry})])}

    def moved(number: int) -> int:
        return order[resolve(number)]

    return tuple(
        evolve(by_id[number], id=at, terminator=_redirect(by_id[number].terminator, moved))
        for number, at in order.items()
    )


def _redirect(terminator: ir.Terminator, moved: Callable[[int], int]) -> ir.Terminator:
    match terminator:
        case ir.Jump() | ir.Enter() | ir.Chance():
            return evolve(terminator, target=moved(terminator.target))
        case ir.Fork():
            return evolve(
                terminator, then=moved(terminator.then), otherwise=moved(terminator.otherwise)
            )
        case ir.Decide():
            options = tuple(evolve(o, target=moved(o.target)) for o in terminator.options)
            skip = None if terminator.skip is None else moved(terminator.skip)
            return evolve(terminator, options=options, skip=skip)
    return terminator
