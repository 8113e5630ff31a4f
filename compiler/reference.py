"""A plain interpreter of whole IR modules: no layout, no code generation, no tricks.

It is far slower than the back ends, which must agree with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from compiler import ir
from compiler.flat_index import flat_index, outside
from compiler.interpret import Interpreter, IRFault

Values = dict[str, list[int]]


@define
class RunningProcedure:
    """An open procedure: the block to continue with, and its locals."""

    procedure: ir.Procedure
    block: int
    env: dict[str, int] = field(factory=dict)


class _Left(Exception):
    """A routine was left."""


class ReferenceMachine:
    """Plays a game by interpreting its IR."""

    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self.values: Values = {n: list(a.initial) for n, a in module.arrays.items()}
        self.stack: list[RunningProcedure] = [RunningProcedure(module.procedures[module.main], 0)]
        self.over = False
        # The reveals so far: text and kind of the value, the value, and the player.
        self.revealed: list[tuple[str, str, int, int]] = []
        self.interpreter = Interpreter(module, self.read)
        self.go()

    # ---- cells -----------------------------------------------------------------------------------

    def flat(self, array: str, index: tuple[int, ...]) -> int:
        """The number of a cell in its array."""
        sizes = [d.size for d in self.module.arrays[array].dimensions]
        wrong = outside(index, sizes)
        if wrong is not None:
            raise IRFault(f"{array}[{wrong[0]}] is outside 0..{wrong[1] - 1}")
        return flat_index(index, sizes)

    def read(self, array: str, index: tuple[int, ...]) -> int:
        """The value of a cell."""
        return self.values[array][self.flat(array, index)]

    def set_cell(self, cell: ir.Cell, value: int, env: dict[str, int]) -> None:
        """Change a cell; a value outside its range is a fault."""
        array = self.module.arrays[cell.array]
        if not array.lo <= value <= array.hi:
            raise IRFault(f"{cell.array} is {value}, outside {array.lo}..{array.hi}")
        index = tuple(self.interpreter.value(i, env) for i in cell.index)
        self.values[cell.array][self.flat(cell.array, index)] = value

    # ---- statements ------------------------------------------------------------------------------

    def run(self, statements: tuple[ir.Statement, ...], env: dict[str, int]) -> None:
        """Carry out statements."""
        for statement in statements:
            self.statement(statement, env)

    def statement(self, node: ir.Statement, env: dict[str, int]) -> None:
        """Carry out a statement."""
        value = self.interpreter.value
        match node:
            case ir.SetCell(target, expr):
                self.set_cell(target, value(expr, env), env)
            case ir.SetLocal(target, expr):
                env[target.name] = value(expr, env)
            case ir.SetLocalCell(target, expr):
                env[f"{target.name}[{value(target.index, env)}]"] = value(expr, env)
            case ir.Transfer():
                self.transfer(node, env)
            case ir.PlaceCard(target, source, place):
                if source is not None and value(target, env) != value(source, env):
                    raise IRFault("the card is not there")
                self.set_cell(target, value(place, env), env)
            case ir.Branch(condition, then, otherwise):
                self.run(then if value(condition, env) else otherwise, env)
            case ir.Loop(range_, body):
                low, high = value(range_.low, env), value(range_.high, env)
                for element in range(low, high + 1):
                    env[range_.name] = element
                    self.run(body, env)
            case ir.Do(routine, args):
                self.routine(routine, [value(a, env) for a in args])
            case ir.Check(condition, reason):
                if not value(condition, env):
                    raise IRFault(reason)
            case ir.Reveal(_, _, ""):
                pass
            case ir.Reveal(shown, kind, text, to):
                who = -1 if to is None else value(to, env)
                self.revealed.append((text, kind, value(shown, env), who))
            case ir.Leave():
                raise _Left
            case _:
                raise AssertionError(node)

    def transfer(self, node: ir.Transfer, env: dict[str, int]) -> None:
        """Move goods."""
        value = self.interpreter.value
        have = value(node.source, env)
        amount = value(node.amount, env)
        if node.up_to:
            amount = min(amount, have)
        if not 0 <= amount <= have:
            raise IRFault(f"{amount} {node.good} cannot be moved: there are {have}")
        self.set_cell(node.source, have - amount, env)
        self.set_cell(node.target, value(node.target, env) + amount, env)

    def routine(self, name: str, args: list[int]) -> None:
        """Call a routine."""
        routine = self.module.routines[name]
        env = {p.name: a for p, a in zip(routine.params, args, strict=True)}
        try:
            self.run(routine.body, env)
        except _Left:
            return

    # ---- course ----------------------------------------------------------------------------------

    @property
    def frame(self) -> RunningProcedure:
        """The procedure that is under way."""
        return self.stack[-1]

    @property
    def block(self) -> ir.Block:
        """The block that is under way."""
        return self.frame.procedure.blocks[self.frame.block]

    def go(self) -> None:
        """Run to the next decision or the end of the game."""
        while not self.over:
            self.run(self.block.statements, self.frame.env)
            if self.terminator(self.block.terminator):
                return

    def terminator(self, node: ir.Terminator) -> bool:
        """Go to the next block; true if the game waits here."""
        env = self.frame.env
        value = self.interpreter.value
        match node:
            case ir.Jump(target):
                self.frame.block = target
                if node.finishes and self.trying:
                    self.finished = True
                    return True
            case ir.Together(then, otherwise):
                self.frame.block = then if self.attempt(then).can_finish() else otherwise
            case ir.Fork(condition, then, otherwise):
                self.frame.block = then if value(condition, env) else otherwise
            case ir.Enter(name, args, target):
                callee = self.module.procedures[name]
                inner = {p.name: value(a, env) for p, a in zip(callee.params, args, strict=True)}
                self.frame.block = target
                self.stack.append(RunningProcedure(callee, 0, inner))
            case ir.Exit():
                self.stack.pop()
            case ir.End():
                self.over = True
            case ir.Decide():
                if node.skip is not None and not any(
                    option.action or option.params for option, _ in self.legal(node)
                ):
                    self.frame.block = node.skip
                    return False
                return True
            case ir.Chance():
                return True
        return False

    def legal(self, decide: ir.Decide) -> Iterator[tuple[ir.Option, tuple[int, ...]]]:
        """The legal options with values for their parameters."""
        for option in decide.options:
            ranges = tuple(p.range for p in option.params)
            for env in self.interpreter.combinations(ranges, self.frame.env):
                values = tuple(env[r.name] for r in ranges)
                if self.holds(option.head, dict(env)) and self.leads_on(decide, option, values):
                    yield option, values

    # ---- choices made together -------------------------------------------------------------------

    # Whether this is a trial run of choices that are made together, and whether it is finished.
    trying = False
    finished = False

    def attempt(self, block: int) -> ReferenceMachine:
        """A trial run that continues with a block."""
        other = object.__new__(ReferenceMachine)
        other.module, other.over, other.trying = self.module, False, True
        other.revealed = []
        other.values = {name: list(cells) for name, cells in self.values.items()}
        other.stack = [RunningProcedure(f.procedure, f.block, dict(f.env)) for f in self.stack]
        other.interpreter = Interpreter(self.module, other.read)
        other.frame.block = block
        return other

    def can_finish(self) -> bool:
        """Whether a trial run can finish the choices it is in."""
        self.go()
        terminator = self.block.terminator
        if self.finished or not isinstance(terminator, ir.Decide) or not terminator.together:
            return True
        return any(True for _ in self.legal(terminator))

    def leads_on(self, decide: ir.Decide, option: ir.Option, values: tuple[int, ...]) -> bool:
        """Whether choices made together can be finished after an option."""
        if not decide.finishing(option):
            return True
        other = self.attempt(option.target)
        for param, value in zip(option.params, values, strict=True):
            other.frame.env[param.range.name] = value
        return other.can_finish()

    def holds(self, head: ir.Head, env: dict[str, int]) -> bool:
        """Whether the requirements of an option hold."""
        for line in head:
            if isinstance(line, ir.Define):
                env[line.name] = self.interpreter.value(line.value, env)
            elif not self.interpreter.value(line.condition, env):
                return False
        return True

    # ---- playing ---------------------------------------------------------------------------------

    @property
    def player(self) -> int:
        """Who decides: a player, -1 at the end, -2 for chance."""
        if self.over:
            return -1
        terminator = self.block.terminator
        if isinstance(terminator, ir.Decide):
            return self.interpreter.value(terminator.actor, self.frame.env)
        return -2

    def moves(self) -> list[tuple[int, tuple[int, ...]]]:
        """The legal moves as option and values, or the outcomes of chance as weight and value."""
        terminator = self.block.terminator
        if isinstance(terminator, ir.Decide):
            order = {id(o): k for k, o in enumerate(terminator.options)}
            return [(order[id(option)], values) for option, values in self.legal(terminator)]
        assert isinstance(terminator, ir.Chance)
        found: list[tuple[int, tuple[int, ...]]] = []
        for env in self.interpreter.combinations((terminator.range,), self.frame.env):
            if terminator.where is None or self.interpreter.value(terminator.where, env):
                weight = 1
                if terminator.weight is not None:
                    weight = self.interpreter.value(terminator.weight, env)
                if weight > 0:
                    found.append((weight, (env[terminator.range.name],)))
        return found

    def play(self, option: int, values: tuple[int, ...]) -> None:
        """Make a move as listed by `moves`."""
        terminator = self.block.terminator
        env = self.frame.env
        if isinstance(terminator, ir.Decide):
            chosen = terminator.options[option]
            for param, value in zip(chosen.params, values, strict=True):
                env[param.range.name] = value
            self.frame.block = chosen.target
        else:
            assert isinstance(terminator, ir.Chance)
            env[terminator.range.name] = values[0]
            self.frame.block = terminator.target
        self.go()
