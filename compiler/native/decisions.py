"""Where the game waits: listing the moves of a decision."""

from __future__ import annotations

from attrs import define

from compiler import build as b
from compiler import ir
from compiler.native.errors import UnsupportedError
from compiler.native.expressions import Locals, Place
from compiler.native.module import ModuleWriter
from compiler.native.statements import StatementWriter
from compiler.native.writer import Writer, c_number
from compiler.plan.heads import HeadLine, head_levels
from compiler.plan.numbering import Numbering, count_moves, numberings
from compiler.plan.points import Waiting
from compiler.plan.scans import scan_lines

# Sets are listed by loops, one inside the other; moves in a buffer.
MAX_ELEMENTS = 16
MAX_MOVES = 4_000_000


def frame_locals(module: ModuleWriter, procedure: ir.Procedure) -> Locals:
    """The locals that a procedure keeps in its frame."""
    frame = module.layout.frames[procedure.name]
    return Locals({name: Place(slot, frame.moving) for name, slot in frame.slots.items()})


def open_frame(module: ModuleWriter, procedure: ir.Procedure, writer: Writer) -> None:
    """Find the frame of a procedure whose frame moves."""
    if module.layout.frames[procedure.name].moving:
        pointer = module.layout.frame_pointer
        assert pointer is not None
        writer.line(f"u32 f = FRAME(s, {pointer.offset});")


class DecisionWriter:
    """Writes the functions of one decision."""

    def __init__(self, module: ModuleWriter, point: Waiting) -> None:
        self.module = module
        self.point = point
        terminator = point.block.terminator
        assert isinstance(terminator, ir.Decide)
        self.decide = terminator
        self.numbers = numberings(terminator)
        if any(o.subset is not None and len(o.params) > MAX_ELEMENTS for o in terminator.options):
            raise UnsupportedError(f"a choice of a set among more than {MAX_ELEMENTS} things")
        if count_moves(self.numbers) > MAX_MOVES:
            raise UnsupportedError(f"a decision with more than {MAX_MOVES:,} moves")

    def write(self) -> None:
        """Write the function that lists the moves and, if needed, those that look for any."""
        number = self.point.number
        self.listing(
            f"static u32 moves_{number}(S *s, u32 *restrict out)", "n", self.decide.options
        )
        if self.decide.skip is not None:
            asked = tuple(o for o in self.decide.options if o.action or o.params)
            self.listing(f"static i32 any_{number}(S *s)", "0", asked)
        if self.decide.together:
            signature = f"static i32 some_{number}(S *s)"
            self.listing(signature, "0", self.decide.options, "goes_on")

    def listing(
        self, signature: str, result: str, options: tuple[ir.Option, ...], trial: str = "after"
    ) -> None:
        """A function that lists the moves of some options, or returns whether there is one.

        `trial` is the function that tries whether choices made together can be finished.
        """
        writer = Writer(level=1)
        local = frame_locals(self.module, self.point.procedure)
        body = StatementWriter(self.module, local, writer)
        if result == "n":
            writer.line("u32 n = 0;")
        open_frame(self.module, self.point.procedure, writer)
        for option, numbering in zip(self.decide.options, self.numbers, strict=True):
            if option in options:
                levels = head_levels(self.module.simplifier, option)
                tried = f"{trial}(s, {self.point.number}, " if self.decide.finishing(option) else ""
                _OptionLoops(body, option, levels, numbering, result == "n", tried).write()
        writer.line(f"return {result};")
        self.module.define(signature, local, writer, self.decide.label)


@define
class _OptionLoops:
    """Nested loops over the parameters of an option, with its requirements in between."""

    body: StatementWriter
    option: ir.Option
    lines: list[list[HeadLine]]
    numbering: Numbering
    listing: bool
    # The call before the number of a move that must leave a way to finish choices made together.
    tried: str

    def own(self, expr: ir.Expr) -> ir.Expr:
        return self.body.module.simplifier.simplify(expr)

    def write(self) -> None:
        """Write the loops of all parameters."""
        with self.body.out.block(""):
            self.after(self.lines[0], 0)

    def after(self, lines: list[HeadLine], depth: int) -> None:
        """The rest of the lines of a level; what follows a requirement is written inside it."""
        out, body = self.body.out, self.body
        if not lines:
            if depth == len(self.option.params):
                self.found()
            else:
                self.loop(depth)
            return
        line = lines[0]
        if isinstance(line, ir.Define):
            value = self.own(line.value)
            body.local.frame.pop(line.name, None)
            code = body.truth(value)
            out.line(f"{body.local.variable(line.name, value.lo, value.hi)} = {code};")
            self.after(lines[1:], depth)
            return
        test = self.own(line.condition)
        if test == b.FALSE:
            return
        if test == b.TRUE:
            self.after(lines[1:], depth)
            return
        last = len(lines) == 1 and depth == len(self.option.params)
        if last and self.listing and not self.tried:
            # Processors predict legality badly: the number is always written, and kept if legal.
            out.line(f"out[n] = (u32)({self.number()});")
            out.line(f"n += ({body.truth(test)}) != 0;")
            return
        with out.block(f"if ({body.truth(test)})"):
            self.after(lines[1:], depth)

    def loop(self, depth: int) -> None:
        """Go through the values of a parameter."""
        param = self.option.params[depth]
        low, high = self.own(param.range.low), self.own(param.range.high)
        # A frame variable of that name is set only when the move is made.
        self.body.local.frame.pop(param.range.name, None)
        range_ = ir.Range(param.range.name, low, high)
        lines = self.lines[depth + 1]
        scan = scan_lines(self.body.module.plan, range_, lines)
        if scan is None:
            with self.body.counting(range_):
                self.after(lines, depth + 1)
        else:
            found, left = scan
            with self.body.scanning(range_, found):
                self.after(left, depth + 1)

    def found(self) -> None:
        """A legal move: its number is listed, or there is one, which is enough."""
        code = self.number()
        test = f"if ({self.tried}{code})) " if self.tried else ""
        self.body.out.line(test + (f"out[n++] = (u32)({code});" if self.listing else "return 1;"))

    def number(self) -> str:
        """The number of the move with the values of the parameters."""
        parts = [str(self.numbering.base)] if self.numbering.base or not self.option.params else []
        for param, weight in zip(self.option.params, self.numbering.weights, strict=True):
            value = self.body.local.name(param.range.name)
            if param.lo:
                value = f"({value} - {c_number(param.lo)})"
            parts.append(value if weight == 1 else f"{value} * {weight}")
        return " + ".join(parts)
