"""Running the examples of a game: its rulebook's worked examples are tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from attrs import define, field, frozen

from compiler import ir
from compiler.flat_index import flat_index
from compiler.ghosts import without_ghosts
from compiler.given_cards import GivenCards
from compiler.given_pieces import GivenPieces, NoPieces
from compiler.interpret import Interpreter, IRFault
from compiler.lower.collections import cells_of
from compiler.lower.module import lower_module
from compiler.lower.names import LocalNames, Lowering, cites
from compiler.lower.piles import pile_of
from compiler.lower.scores import lower_fraction
from compiler.lower.statements import Statements
from compiler.lower.texts import telling_parts
from compiler.rebuild import new_game
from compiler.runtime.fault import Fault
from compiler.runtime.game import Game
from compiler.runtime.moves import IllegalMove, normal
from compiler.runtime.state import State
from compiler.runtime.values import read_slot, write_slot
from rules_dsl.language import syntax as s
from rules_dsl.language.checker import check_program, default_choice, example_setting
from rules_dsl.language.checker.context import Context
from rules_dsl.language.diagnostics import Reporter
from rules_dsl.language.option_values import OptionValue
from rules_dsl.language.program import Program
from rules_dsl.language.spans import Span
from rules_dsl.language.types import FractionType, PoolType, SetType, ZoneType


@frozen
class ExampleResult:
    """The result of an example; if it fails, `message` and `span` say where."""

    title: str
    ok: bool
    message: str
    span: Span
    players: int
    options: dict[str, OptionValue]
    cites: tuple[str, ...]
    # The invariants that the position breaks from which it is played.
    breaks: tuple[str, ...] = ()


class _Failed(Exception):
    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.message = message
        self.span = span


@define
class _Setting:
    """A game compiled for the number of players and the options of an example."""

    game: Game
    lowering: Lowering
    module: ir.Module
    ctx: Context


@define
class Examples:
    """Runs the examples of a program; games are compiled once for each setting."""

    program: Program
    # With options, only the examples about the game with these options.
    chosen: Mapping[str, OptionValue] = field(factory=dict)
    # Gives the compiled game for a number of players and options, if there is one.
    compiled: Callable[[int, dict[str, OptionValue]], Game] | None = None
    # Whether results name the invariants that the position of an example breaks.
    told_breaks: bool = True
    settings: dict[tuple[object, ...], _Setting] = field(factory=dict)

    def run(self) -> Iterator[ExampleResult]:
        """The results of all examples, in order."""
        for example in self.program.of(s.Example):
            if self.fits(example):
                yield self.run_one(example)

    def fits(self, example: s.Example) -> bool:
        """Whether an example is about the game with the chosen options, under any rulings."""
        _, options = self.asked(example)
        return all(
            options[o.name.name] == self.chosen.get(o.name.name, options[o.name.name])
            for o in self.program.of(s.Option)
            if o.kind == "option"
        )

    def asked(self, example: s.Example) -> tuple[int, dict[str, OptionValue]]:
        """The players and the options that an example asks for."""
        probe = Context(self.program, Reporter(), self.program.player_range[1], {})
        return example_setting(probe, example)

    def run_one(self, example: s.Example) -> ExampleResult:
        """The result of one example."""
        players, options = self.asked(example)
        message, span = "", example.span
        run = _Run(self.setting(players, options), example, self.told_breaks)
        try:
            run.run()
        except _Failed as failed:
            message, span = failed.message, failed.span
        return ExampleResult(
            example.title.value,
            not message,
            message,
            span,
            players,
            options,
            cites(example.cites),
            run.breaks,
        )

    def setting(self, players: int, options: dict[str, OptionValue]) -> _Setting:
        """The game for a number of players and options."""
        key = (players, *sorted(options.items()))
        if key not in self.settings:
            checked, ctx = check_program(self.program, players, options)
            module = without_ghosts(lower_module(self.program, checked, ctx))
            if self.compiled is not None:
                game = self.compiled(players, options)
            else:
                game = new_game(self.program, module, options)
            # An example may mention further constant tables.
            lowering = Lowering(self.program, checked, module.tables)
            self.settings[key] = _Setting(game, lowering, module, ctx)
        return self.settings[key]


def run_examples(
    program: Program, chosen: Mapping[str, OptionValue] | None = None
) -> tuple[ExampleResult, ...]:
    """Run all examples of a program; with options, those about the game with them.

    >>> from rules_dsl.language.program import assemble
    >>> from rules_dsl.language.sources import gather
    >>> all(result.ok for result in run_examples(assemble(gather("tic_tac_toe"))))
    True
    """
    return tuple(Examples(program, dict(chosen or {})).run())


class _Run:
    """One example being carried out."""

    def __init__(self, setting: _Setting, example: s.Example, told_breaks: bool) -> None:
        self.setting = setting
        self.told_breaks = told_breaks
        self.example = example
        self.game = setting.game
        self.machine = setting.game.machine
        self.seed: int | None = None
        self.breaks: tuple[str, ...] = ()
        self.started = any(isinstance(line, s.ExampleStart) for line in example.lines)
        for line in example.lines:
            if isinstance(line, s.ExampleSeed):
                self.seed = line.seed
        if self.started:
            self.state = State(self.game, bytes(self.machine.code["INITIAL"]), self.seed, 0, None)
        else:
            self.state = self.game.start(seed=self.seed)

    # ---- expressions -----------------------------------------------------------------------------

    def lower(self) -> Statements:
        return Statements(self.setting.lowering, LocalNames())

    def interpreter(self, cells: bytes | bytearray) -> Interpreter:
        arrays = self.machine.meta["arrays"]

        def read(name: str, index: tuple[int, ...]) -> int:
            return read_slot(arrays[name]["slot"], cells, self.flat(name, index))

        return Interpreter(self.setting.module, read)

    def flat(self, name: str, index: tuple[int, ...]) -> int:
        return flat_index(index, (d.size for d in self.setting.module.arrays[name].dimensions))

    # ---- lines -----------------------------------------------------------------------------------

    def run(self) -> None:
        """Carry out the lines in order."""
        given = [k for k, line in enumerate(self.example.lines) if isinstance(line, s.ExampleGiven)]
        for number, line in enumerate(self.example.lines):
            try:
                self.line(line)
                if self.told_breaks and given and number == given[-1]:
                    self.breaks = self.broken()
            except IllegalMove as error:
                raise _Failed(str(error), line.span) from None
            except (Fault, IRFault) as error:
                raise _Failed(f"the rules fail: {error}", line.span) from None

    def broken(self) -> tuple[str, ...]:
        """The invariants that the position breaks; one that is not defined is broken, too."""
        interpreter = self.interpreter(self.state.cells)
        found = []
        for invariant in self.setting.module.invariants:
            try:
                holds = bool(interpreter.value(invariant.condition, {}))
            except IRFault:
                holds = False
            if not holds:
                found.append(invariant.name)
        return tuple(found)

    def line(self, line: s.ExampleLine) -> None:
        match line:
            case s.ExampleGiven(fact):
                cells = bytearray(self.state.cells)
                self.given(fact, cells, self.lower(), {})
                self.state = State(self.game, bytes(cells), self.seed, self.state.draws, None)
            case s.ExampleStart(call):
                self.start(call)
            case s.ExampleDo(moves):
                for move in moves:
                    self.state = self.state.play(move.value)
            case s.ExampleAllow(moves):
                for move in moves:
                    self.state.play(move.value)
            case s.ExampleRefuse(move, because):
                self.refuse(move, because)
            case s.ExampleWinners(names):
                self.winners(names, line.span)
            case s.ExampleScores(scores):
                for score in scores:
                    self.score(score)
            case s.ExampleOver():
                if not self.state.over:
                    raise _Failed("the game is not over", line.span)
            case s.ExampleExpect(condition):
                self.expect(condition)

    def refuse(self, move: s.Text, because: s.Text | None) -> None:
        try:
            self.state.play(move.value)
        except IllegalMove as error:
            if because is not None:
                # A hint is about another move.
                failed = [r.text for r in error.reasons if not r.holds] or [error.message]
                if not any(normal(because.value) in normal(text) for text in failed):
                    found = "; ".join(failed)
                    raise _Failed(f"refused, but because: {found}", because.span) from None
            return
        raise _Failed(f"`{move.value}` is allowed", move.span)

    def winners(self, names: tuple[s.Ident, ...], span: Span) -> None:
        wanted = {n.name for n in names}
        values = self.setting.lowering.checked.player_type.values
        found = {values[p] for p in self.state.winners()}
        if wanted != found:
            shown = ", ".join(sorted(found)) or "nobody"
            raise _Failed(f"the winners are: {shown}", span)

    def score(self, expected: s.ExpectedScore) -> None:
        names = self.setting.lowering.checked.player_type.values
        wanted = self.points(expected.value)
        found = self.state.standing()[names.index(expected.player.name)]
        if wanted != found:
            raise _Failed(f"the score of {expected.player} is {found}", expected.span)

    def points(self, value: s.Expr) -> Fraction:
        """A number of points, which may be a fraction."""
        type_ = self.setting.lowering.type_of(value)
        denominator = type_.denominator if isinstance(type_, FractionType) else 1
        numerator = lower_fraction(self.lower(), value, denominator)
        return Fraction(self.interpreter(self.state.cells).value(numerator, {}), denominator)

    def expect(self, condition: s.Expr) -> None:
        lower = self.lower()
        interpreter = self.interpreter(self.state.cells)
        if interpreter.value(lower.value(condition), {}):
            return
        values = []
        for text, shown in telling_parts(self.lower(), condition):
            number = interpreter.value(shown.expr, {})
            values.append(f"{text} = {self.game.reader.names.label(shown.kind, number)}")
        told = f"got {', '.join(values)}" if values else "which does not hold"
        text = " ".join(self.setting.lowering.source(condition.span).split())
        raise _Failed(f"expected {text}, {told}", condition.span)

    def given(self, fact: s.Expr, cells: bytearray, lower: Statements, env: dict[str, int]) -> None:
        """Change the position."""
        if isinstance(fact, s.Quantifier):
            assert fact.body is not None
            ranges, where = lower.binders(fact.binders)
            interpreter = self.interpreter(bytes(cells))
            for inner in list(interpreter.combinations(ranges, env)):
                if where is None or interpreter.value(where, inner):
                    self.given(fact.body, cells, lower, dict(inner))
            return
        if isinstance(fact, s.Call):
            self.arrange(fact, cells, lower, env)
            return
        if isinstance(fact, s.Emptiness):
            for cell in cells_of(lower, fact.place):
                if self.setting.module.arrays[cell.array].kind == "pool":
                    self.from_home(cell, 0, cells, env)
                self.write(cell, 0, cells, env)
            return
        assert isinstance(fact, s.Binary)
        interpreter = self.interpreter(bytes(cells))
        if fact.op != "=":
            element = lower.plain(fact.left)
            place = lower.facts.types[fact.right]
            if isinstance(place, ZoneType):
                there = interpreter.value(lower.place(fact.right), env)
                cards = GivenCards(self.machine, place.zone.table, cells)
                cards.put(interpreter.value(element, env), there)
            else:
                test = lower.membership(element, fact.right)
                assert isinstance(test, ir.Cell)
                self.write(test, int(fact.op == "in"), cells, env)
            return
        if isinstance(lower.facts.types[fact.left], SetType):
            found = [interpreter.value(e, env) for e in lower.members(fact.right, fact.left)]
            for cell, there in zip(cells_of(lower, fact.left), found, strict=True):
                self.write(cell, there, cells, env)
            return
        if isinstance(fact.left, s.EndOfPile):
            pile = pile_of(lower, fact.left.pile)
            bag = interpreter.value(lower.place(fact.left.pile), env)
            card = interpreter.value(lower.plain(fact.right), env)
            cards = GivenCards(self.machine, pile.table, cells)
            cards.put_on_end(card, pile, bag, fact.left.end)
            return
        target = lower.value(fact.left)
        assert isinstance(target, ir.Cell)
        type_ = lower.facts.types[fact.left]
        assert not isinstance(type_, PoolType)
        value = interpreter.value(lower.to(fact.right, type_), env)  # type: ignore[arg-type]
        if self.setting.module.arrays[target.array].kind == "pool":
            self.from_home(target, value, cells, env)
        variable = self.setting.lowering.checked.variables.get(target.array)
        if variable is not None and variable.is_order:
            self.make_room(target, value, cells, env)
        piece = self.setting.ctx.places.get(variable) if variable is not None else None
        if variable is not None and piece is not None:
            try:
                GivenPieces(self.machine, piece, cells).put(
                    variable, self.cell_at(target, cells, env), value
                )
            except NoPieces as missing:
                raise _Failed(str(missing), fact.span) from None
            return
        self.write(target, value, cells, env)

    def write(self, target: ir.Cell, value: int, cells: bytearray, env: dict[str, int]) -> None:
        slot = self.machine.meta["arrays"][target.array]["slot"]
        write_slot(slot, cells, self.cell_at(target, cells, env), value)

    def cell_at(self, target: ir.Cell, cells: bytearray, env: dict[str, int]) -> int:
        interpreter = self.interpreter(bytes(cells))
        index = tuple(interpreter.value(i, env) for i in target.index)
        return self.flat(target.array, index)

    def arrange(
        self, call: s.Call, cells: bytearray, lower: Statements, env: dict[str, int]
    ) -> None:
        """Call a procedure without decisions; the course of the game stays where it was."""
        name, args = lower.callee(call)
        interpreter = self.interpreter(bytes(cells))
        values = [interpreter.value(a, env) for a in args]
        changed = bytearray(cells)
        self.machine.call(changed, name, values)
        for array in self.setting.module.arrays:
            slot = self.machine.meta["arrays"][array]["slot"]
            for at in range(self.setting.module.arrays[array].size):
                write_slot(slot, cells, at, read_slot(slot, changed, at))

    def from_home(self, target: ir.Cell, value: int, cells: bytearray, env: dict[str, int]) -> None:
        """Given goods are taken from where the game keeps them, so that their total stays right."""
        interpreter = self.interpreter(bytes(cells))
        *place, last = (interpreter.value(i, env) for i in target.index)
        good = self.setting.module.arrays[target.array].goods[last]
        home = self.home(target.array, tuple(place), good)
        if home is None:
            return
        name, at = home
        slot = self.machine.meta["arrays"][name]["slot"]
        left = read_slot(slot, cells, at) - (value - interpreter.value(target, env))
        if left < 0:
            raise _Failed(f"there is not enough {good}", self.example.span)
        write_slot(slot, cells, at, left)

    def home(self, pool: str, place: tuple[int, ...], good: str) -> tuple[str, int] | None:
        """Where a good comes from: the bank, or else the one pool that holds it at the start.

        A pool for each player is the home of the goods of that player's other pools.
        """
        arrays = self.setting.module.arrays
        target = arrays[pool]
        found: list[tuple[str, int]] = []
        for name, array in arrays.items():
            if array.kind != "pool" or good not in array.goods or name == pool:
                continue
            at = array.goods.index(good)
            own = array.dimensions[:-1]
            if array.bank:
                return name, at
            if own and own == target.dimensions[: len(own)]:
                index = self.flat(name, (*place[: len(own)], at))
                if array.initial[index] > 0:
                    found.append((name, index))
        return found[0] if len(found) == 1 else None

    def make_room(self, target: ir.Cell, value: int, cells: bytearray, env: dict[str, int]) -> None:
        """Elements of an order move up for one that is given a place, so that it stays an order."""
        before = self.interpreter(bytes(cells)).value(target, env)
        slot = self.machine.meta["arrays"][target.array]["slot"]
        for element in range(self.setting.module.arrays[target.array].size):
            place = read_slot(slot, cells, element)
            if before < place <= value:
                write_slot(slot, cells, element, place - 1)
            elif value <= place < before:
                write_slot(slot, cells, element, place + 1)

    def start(self, call: s.Expr) -> None:
        """Call a procedure on the position; when it returns, the example's game is over."""
        node = call if isinstance(call, s.Call) else s.Call(call, (), span=call.span)
        lower = self.lower()
        name, args = lower.callee(node)
        cells = bytearray(self.state.cells)
        interpreter = self.interpreter(bytes(cells))
        values = [interpreter.value(a, {}) for a in args]
        self.machine.call(cells, name, values)
        draws = self.state.draws
        if self.seed is not None:
            from compiler.runtime.randomness import chance_key

            draws = self.machine.settle(cells, chance_key(self.seed), draws)
        self.state = State(self.game, bytes(cells), self.seed, draws, None)


def default_options(program: Program) -> dict[str, OptionValue]:
    """The default options of a game."""
    return {o.name.name: default_choice(o) for o in program.of(s.Option)}
