"""The course of the game: blocks as Python functions that run until the next decision.

A block's function returns the number of the block to run next, or -1 when the game waits or is
over. A block that only one other leads to is written where it is reached.
"""

from __future__ import annotations

from compiler import build as b
from compiler import ir
from compiler.plan.blocks import BlockPlan
from compiler.plan.numbering import numberings
from compiler.plan.points import CHANCE, MAX_BYTES, OVER, Waiting
from compiler.python.decisions import DecisionWriter, frame_locals, open_frame
from compiler.python.expressions import Place
from compiler.python.module import ModuleWriter
from compiler.python.statements import StatementWriter
from compiler.python.writer import Writer


class CourseWriter:
    """Writes the blocks of one procedure."""

    def __init__(self, module: ModuleWriter, procedure: ir.Procedure) -> None:
        self.module = module
        self.procedure = procedure
        self.plan = BlockPlan(procedure)

    def name(self, number: int) -> str:
        """The Python name of a block's function."""
        return f"{self.module.unique('b', self.procedure.name)}_{number}"

    def write(self) -> None:
        """Write the functions of all blocks that need one, and of all decisions."""
        for block in self.procedure.blocks:
            if self.plan.shared(block.id):
                writer = Writer(span=block.span)
                with writer.block(f"def {self.name(block.id)}(s):"):
                    open_frame(self.module, self.procedure, writer)
                    self.block(block, self.body(writer), (block.id,))
                self.module.written[self.name(block.id)] = writer
            point = self.module.plan.points.get((self.procedure.name, block.id))
            if point is not None:
                self.waiting(point)

    def body(self, writer: Writer) -> StatementWriter:
        return StatementWriter(self.module, frame_locals(self.module, self.procedure), writer)

    # ---- after a move ----------------------------------------------------------------------------

    def waiting(self, point: Waiting) -> None:
        terminator = point.block.terminator
        writer = Writer(span=terminator.span)
        name = f"play_{point.number}"
        self.module.written[name] = writer
        with writer.block(f"def {name}(s, m):"):
            open_frame(self.module, self.procedure, writer)
            if isinstance(terminator, ir.Decide):
                self.after_decision(terminator, writer)
            else:
                assert isinstance(terminator, ir.Chance)
                body = self.body(writer)
                self.set_chosen(body, terminator.range.name, "m")
                self.goto(terminator.target, body, ())
        if isinstance(terminator, ir.Decide):
            DecisionWriter(self.module, point).write()
        else:
            self.outcomes(point, terminator)

    def after_decision(self, decide: ir.Decide, writer: Writer) -> None:
        numbers = numberings(decide)
        last = len(decide.options) - 1
        for index, (option, numbering) in enumerate(zip(decide.options, numbers, strict=True)):
            body = self.body(writer)
            opened = index < last
            if opened:
                writer.line(f"if m < {numbering.base + numbering.count}:", option.span)
                writer.level += 1
            with writer.at(option.span):
                self.decode(option, numbering.base, numbering.sizes, body)
                self.goto(option.target, body, ())
            if opened:
                writer.level -= 1

    def decode(
        self, option: ir.Option, base: int, sizes: tuple[int, ...], body: StatementWriter
    ) -> None:
        """Set the parameters of an option from the number of the move."""
        if not option.params:
            return
        code = f"m - {base}" if base else "m"
        for position, param in enumerate(option.params):
            below = 1
            for size in sizes[position + 1 :]:
                below *= size
            value = code
            if below > 1:
                value = f"({code}) // {below}" if base else f"{code} // {below}"
            if position > 0:
                value = (
                    f"({value}) % {sizes[position]}"
                    if below == 1 and base
                    else (f"{value} % {sizes[position]}")
                )
            if param.lo:
                sign = "+" if param.lo > 0 else "-"
                value = f"{value} {sign} {abs(param.lo)}"
            self.set_chosen(body, param.range.name, value)

    def set_chosen(self, body: StatementWriter, name: str, value: str) -> None:
        """Set a local to a chosen value."""
        place = body.local.places.get(name)
        if place is None or place.slot is None:
            body.out.line(f"{body.local.name(name)} = {value}")
            return
        temporary = body.local.temporary()
        body.out.line(f"{temporary} = {value}")
        chosen = ir.Local(temporary, lo=place.slot.lo, hi=place.slot.hi)
        if place.slot.encoding == "none":
            chosen = ir.Local(temporary, lo=0, hi=place.slot.hi)
        body.store(place.slot, b.int_(0), chosen, place.moving)

    def outcomes(self, point: Waiting, chance: ir.Chance) -> None:
        """The outcomes of chance, as pairs of number and weight."""
        name = f"moves_{point.number}"
        writer = Writer(span=chance.span)
        body = self.body(writer)
        simplify = self.module.simplifier.simplify
        with writer.block(f"def {name}(s):"):
            open_frame(self.module, self.procedure, writer)
            writer.line("out = []")
            body.local.places.pop(chance.range.name, None)
            low, high = simplify(chance.range.low), simplify(chance.range.high)
            end = body.code(b.add(high, b.int_(1)))
            start = "" if low == b.int_(0) else f"{body.code(low)}, "
            variable = body.local.name(chance.range.name)
            with writer.block(f"for {variable} in range({start}{end}):"):
                level = writer.level
                if chance.where is not None:
                    test = simplify(chance.where)
                    if test != b.TRUE:
                        writer.line(f"if {body.code(test)}:")
                        writer.level += 1
                if chance.weight is None:
                    writer.line(f"out.append(({variable}, 1))")
                else:
                    writer.line(f"w = {body.code(simplify(chance.weight))}")
                    with writer.block("if w > 0:"):
                        writer.line(f"out.append(({variable}, w))")
                writer.level = level
            writer.line("return out")
        self.module.written[name] = writer

    # ---- blocks ----------------------------------------------------------------------------------

    def goto(self, number: int, body: StatementWriter, path: tuple[int, ...]) -> None:
        """Go on with another block."""
        if self.plan.in_place(number, path):
            self.block(self.plan.blocks[number], body, (*path, number))
        else:
            body.out.line(f"return {self.module.plan.block_numbers[self.procedure.name, number]}")

    def block(self, block: ir.Block, body: StatementWriter, path: tuple[int, ...]) -> None:
        """Write a block and what comes after it."""
        body.statements(block.statements)
        terminator = block.terminator
        with body.out.at(terminator.span):
            self.terminator(block, terminator, body, path)

    def terminator(
        self, block: ir.Block, node: ir.Terminator, body: StatementWriter, path: tuple[int, ...]
    ) -> None:
        simplify = self.module.simplifier.simplify
        match node:
            case ir.Jump(target):
                self.goto(target, body, path)
            case ir.Fork(condition, then, otherwise):
                test = simplify(condition)
                if isinstance(test, ir.Int):
                    self.goto(then if test.value else otherwise, body, path)
                    return
                with body.out.block(f"if {body.code(test)}:"):
                    self.goto(then, body, path)
                self.goto(otherwise, body, path)
            case ir.Together(then, otherwise):
                number = self.module.plan.block_numbers[self.procedure.name, then]
                with body.out.block(f"if TOGETHER.begin(s, {number}):"):
                    self.goto(then, body, path)
                self.goto(otherwise, body, path)
            case ir.Enter():
                self.enter(node, body)
            case ir.Exit():
                self.exit(body)
            case ir.End():
                self.stop(0, str(OVER), body)
            case ir.Chance():
                point = self.module.plan.points[self.procedure.name, block.id]
                self.stop(point.number, str(CHANCE), body)
            case ir.Decide():
                point = self.module.plan.points[self.procedure.name, block.id]
                if node.skip is not None:
                    arguments = "s"
                    with body.out.block(f"if not any_{point.number}({arguments}):"):
                        self.goto(node.skip, body, path)
                self.stop(point.number, body.code(simplify(node.actor)), body)
            case _:
                raise AssertionError(node)

    def stop(self, point: int, who: str, body: StatementWriter) -> None:
        """Wait at a point, or end the game."""
        layout = self.module.layout
        body.out.line(f"s[{layout.who.offset}] = {who}")
        body.store(layout.pc, b.int_(0), b.int_(point))
        body.out.line("return -1")

    def enter(self, node: ir.Enter, body: StatementWriter) -> None:
        """Call a procedure: fill its frame and run its first block."""
        layout = self.module.layout
        callee = self.module.ir.procedures[node.procedure]
        frame = layout.frames[node.procedure]
        simplify = self.module.simplifier.simplify
        args = [simplify(a) for a in node.args]
        back = self.module.plan.block_numbers[self.procedure.name, node.target]
        entry = self.module.plan.block_numbers[node.procedure, callee.blocks[0].id]
        values: list[ir.Expr] = []
        if frame.moving:
            for arg in args:  # the frame moves before its cells are filled
                if isinstance(arg, ir.Int):
                    values.append(arg)
                    continue
                name = body.local.temporary()
                body.out.line(f"{name} = {body.code(arg)}")
                values.append(ir.Local(name, lo=arg.lo, hi=arg.hi))
            pointer = layout.frame_pointer
            assert pointer is not None and frame.previous is not None
            own = layout.frames[self.procedure.name]
            before = body.local.temporary()
            body.out.line(f"{before} = {'f' if own.moving else 0}")
            body.out.line("f = len(s)")
            with body.out.block(f"if f > {MAX_BYTES - frame.size}:"):
                reason = "the rules call each other too deeply"
                body.out.line(f"fault({self.module.check_fault(reason, node.span)}, 0)")
            body.out.line(f"s += {self.zeros(frame.size)}")
            f_value = ir.Local("_f", lo=0, hi=65_535)
            body.local.places["_f"] = Place("f")
            body.store(pointer, b.int_(0), f_value)
            body.store(frame.previous, b.int_(0), ir.Local(before, lo=0, hi=65_535), moving=True)
        else:
            values = list(args)
        body.store(frame.back, b.int_(0), b.int_(back), frame.moving)
        for param, value in zip(callee.params, values, strict=True):
            body.store(frame.slots[param.name], b.int_(0), value, frame.moving)
        body.out.line(f"return {entry}")

    def zeros(self, size: int) -> str:
        """The constant of `size` zero bytes."""
        return self.module.constant(f"zero_{size}", repr(bytes(size)))

    def exit(self, body: StatementWriter) -> None:
        """Return to the caller; the frame is wiped so that equal positions have equal bytes."""
        frame = self.module.layout.frames[self.procedure.name]
        name = body.local.temporary()
        text, _ = body.read(frame.back, b.int_(0), frame.moving)
        body.out.line(f"{name} = {text}")
        if not frame.moving:
            start, end = frame.base, frame.base + frame.size
            body.out.line(f"s[{start}:{end}] = {self.zeros(frame.size)}")
        else:
            pointer = self.module.layout.frame_pointer
            assert pointer is not None and frame.previous is not None
            low, high = pointer.offset, pointer.offset + 1
            at = frame.previous.offset
            body.out.line(f"s[{low}] = s[f + {at}]")
            body.out.line(f"s[{high}] = s[f + {at + 1}]")
            body.out.line("del s[f:]")
        body.out.line(f"return {name}")
