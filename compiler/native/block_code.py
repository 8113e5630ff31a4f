"""The course of the game: blocks as C functions that run until the next decision.

A block's function returns the number of the block to run next, or -1 when the game waits or is
over. A block that only one other leads to is written where it is reached.
"""

from __future__ import annotations

from compiler import build as b
from compiler import ir
from compiler.native.decisions import DecisionWriter, frame_locals, open_frame
from compiler.native.errors import UnsupportedError, unknown
from compiler.native.module import ModuleWriter
from compiler.native.statements import StatementWriter
from compiler.native.writer import Writer, c_number
from compiler.plan.blocks import BlockPlan
from compiler.plan.numbering import Numbering, numberings
from compiler.plan.points import CHANCE, MAX_BYTES, OVER, Waiting


class CourseWriter:
    """Writes the blocks of one procedure."""

    def __init__(self, module: ModuleWriter, procedure: ir.Procedure) -> None:
        self.module = module
        self.procedure = procedure
        self.plan = BlockPlan(procedure)

    def name(self, number: int) -> str:
        """The C name of a block's function."""
        return f"{self.module.unique('b', self.procedure.name)[0]}_{number}"

    def write(self) -> None:
        """Write the functions of all blocks that need one, and of all decisions."""
        for block in self.procedure.blocks:
            if self.plan.shared(block.id):
                body = self.start()
                self.block(block, body, (block.id,))
                place = f"{self.procedure.name}: {block.span.file}:{block.span.line}"
                self.module.define(
                    f"static i32 {self.name(block.id)}(S *s)", body.local, body.out, place
                )
            point = self.module.plan.points.get((self.procedure.name, block.id))
            if point is not None:
                self.waiting(point)

    def start(self) -> StatementWriter:
        """Start a function that belongs to the procedure."""
        writer = Writer(level=1)
        open_frame(self.module, self.procedure, writer)
        return StatementWriter(self.module, frame_locals(self.module, self.procedure), writer)

    # ---- after a move ----------------------------------------------------------------------------

    def waiting(self, point: Waiting) -> None:
        terminator = point.block.terminator
        body = self.start()
        match terminator:
            case ir.Decide():
                self.after_decision(terminator, body)
                DecisionWriter(self.module, point).write()
            case ir.Chance():
                low, high = terminator.range.low.lo, terminator.range.high.hi
                body.set_local(terminator.range.name, "m", low, high)
                self.goto(terminator.target, body, ())
                self.outcomes(point, terminator)
            case _:
                raise unknown(terminator)
        self.module.define(f"static i32 play_{point.number}(S *s, i32 m)", body.local, body.out)

    def after_decision(self, decide: ir.Decide, body: StatementWriter) -> None:
        for option, numbering in zip(decide.options, numberings(decide), strict=True):
            last = option is decide.options[-1]
            end = numbering.base + numbering.count
            with body.out.block("" if last else f"if (m < {end})"):
                self.decode(option, numbering, body)
                self.goto(option.target, body, ())
        if not decide.options:  # all of them are switched off: no move leads here
            body.out.line("return -1;")

    def decode(self, option: ir.Option, numbering: Numbering, body: StatementWriter) -> None:
        """Set the parameters of an option from the number of the move."""
        code = f"(m - {numbering.base})" if numbering.base else "m"
        for position, (param, weight) in enumerate(
            zip(option.params, numbering.weights, strict=True)
        ):
            value = code if weight == 1 else f"{code} / {weight}"
            if position:
                value = f"{value} % {numbering.sizes[position]}"
            if param.lo:
                value = f"{value} + {c_number(param.lo)}"
            body.set_local(param.range.name, value, param.lo, param.hi)

    def outcomes(self, point: Waiting, chance: ir.Chance) -> None:
        """The outcomes of chance: numbers and weights."""
        body = self.start()
        simplify = self.module.simplifier.simplify
        out = body.out
        out.line("u32 n = 0;")
        body.local.frame.pop(chance.range.name, None)
        low, high = simplify(chance.range.low), simplify(chance.range.high)
        if low.lo < 0:
            raise UnsupportedError("chance among negative numbers")
        test = b.TRUE if chance.where is None else simplify(chance.where)
        weight = b.TRUE if chance.weight is None else simplify(chance.weight)
        if weight.hi * (high.hi - low.lo + 1) >= 2**62:
            raise UnsupportedError("weights beyond 2^62")
        with body.counting(ir.Range(chance.range.name, low, high)):
            variable = body.local.name(chance.range.name)
            opening = "" if test == b.TRUE else f"if ({body.truth(test)})"
            with out.block(opening):
                out.line(f"i64 w = {body.truth(weight)};")
                out.line(f"if (w > 0) {{ out[n] = (u32){variable}; weights[n++] = w; }}")
        out.line("return n;")
        self.module.define(
            f"static u32 chance_{point.number}(S *s, u32 *out, i64 *weights)", body.local, out
        )

    # ---- blocks ----------------------------------------------------------------------------------

    def goto(self, number: int, body: StatementWriter, path: tuple[int, ...]) -> None:
        """Go on with another block."""
        if self.plan.in_place(number, path):
            self.block(self.plan.blocks[number], body, (*path, number))
        else:
            name = self.procedure.name
            body.out.line(f"return {self.module.plan.block_numbers[name, number]};")

    def block(self, block: ir.Block, body: StatementWriter, path: tuple[int, ...]) -> None:
        """Write a block and what comes after it."""
        body.statements(block.statements)
        node = block.terminator
        simplify = self.module.simplifier.simplify
        match node:
            case ir.Jump(target):
                self.goto(target, body, path)
            case ir.Fork(condition, then, otherwise):
                test = simplify(condition)
                if isinstance(test, ir.Int):
                    self.goto(then if test.value else otherwise, body, path)
                    return
                with body.out.block(f"if ({body.truth(test)})"):
                    self.goto(then, body, path)
                self.goto(otherwise, body, path)
            case ir.Together(then, otherwise):
                number = self.module.plan.block_numbers[self.procedure.name, then]
                with body.out.block(f"if (begins(s, {number}))"):
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
                    with body.out.block(f"if (!any_{point.number}(s))"):
                        self.goto(node.skip, body, path)
                self.stop(point.number, body.code(simplify(node.actor)), body)
            case _:
                raise unknown(node)

    def stop(self, point: int, who: str, body: StatementWriter) -> None:
        """Wait at a point, or end the game."""
        layout = self.module.layout
        body.store(layout.who, b.int_(0), who)
        body.store(layout.pc, b.int_(0), str(point))
        body.out.line("return -1;")

    def enter(self, node: ir.Enter, body: StatementWriter) -> None:
        """Call a procedure: fill its frame and run its first block."""
        layout = self.module.layout
        callee = self.module.ir.procedures[node.procedure]
        frame = layout.frames[node.procedure]
        args = [self.module.simplifier.simplify(a) for a in node.args]
        back = self.module.plan.block_numbers[self.procedure.name, node.target]
        entry = self.module.plan.block_numbers[node.procedure, callee.blocks[0].id]
        values = [body.code(a) for a in args]
        if frame.moving:
            values = []
            for arg in args:  # the frame moves before its cells are filled
                values.append(body.local.temporary(arg.lo, arg.hi))
                body.out.line(f"{values[-1]} = {body.code(arg)};")
            pointer = layout.frame_pointer
            assert pointer is not None and frame.previous is not None
            before = body.local.temporary(0, MAX_BYTES)
            own = layout.frames[self.procedure.name]
            body.out.line(f"{before} = {'(i32)f' if own.moving else '0'};")
            if not own.moving:
                body.out.line("u32 f;")
            body.out.line(f"if (s->len > {MAX_BYTES - frame.size}) {{ s->fault = 1; return -1; }}")
            body.out.line("f = s->len;")
            body.out.line(f"grow(s, {frame.size});")
            body.store(pointer, b.int_(0), "(i32)f")
            body.store(frame.previous, b.int_(0), before, moving=True)
        body.store(frame.back, b.int_(0), str(back), frame.moving)
        for param, value in zip(callee.params, values, strict=True):
            body.store(frame.slots[param.name], b.int_(0), value, frame.moving)
        body.out.line(f"return {entry};")

    def exit(self, body: StatementWriter) -> None:
        """Return to the caller; the frame is wiped so that equal positions have equal bytes."""
        frame = self.module.layout.frames[self.procedure.name]
        back = body.local.temporary(0, len(self.module.plan.block_numbers))
        body.out.line(f"{back} = {body.read(frame.back, b.int_(0), frame.moving)};")
        if not frame.moving:
            body.out.line(f"fill(s->b + {frame.base}, {frame.size});")
        else:
            pointer = self.module.layout.frame_pointer
            assert pointer is not None and frame.previous is not None
            previous = body.read(frame.previous, b.int_(0), moving=True)
            body.store(pointer, b.int_(0), previous)
            body.out.line("s->len = f;")
        body.out.line(f"return {back};")
