"""Decision points: listing moves, explaining them, and continuing after a move."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from attrs import define, evolve, field

from compiler import build as b
from compiler import ir
from compiler.lower.free import free
from compiler.plan.heads import HeadLine, head_levels
from compiler.plan.numbering import Numbering, numberings
from compiler.plan.points import Waiting
from compiler.python.expressions import Locals, Place
from compiler.python.masks import FEWEST, hoist, narrowed
from compiler.python.module import ModuleWriter
from compiler.python.statements import StatementWriter
from compiler.python.subsets import write_subsets
from compiler.python.texts import shown_code, text_code
from compiler.python.writer import Writer
from compiler.transform import replace, substitute


def frame_locals(module: ModuleWriter, procedure: ir.Procedure) -> Locals:
    """The locals that a procedure keeps in its frame."""
    frame = module.layout.frames[procedure.name]
    return Locals({name: Place("", slot, frame.moving) for name, slot in frame.slots.items()})


def open_frame(module: ModuleWriter, procedure: ir.Procedure, writer: Writer) -> None:
    """Find the frame of a procedure whose frame moves."""
    if module.layout.frames[procedure.name].moving:
        pointer = module.layout.frame_pointer
        assert pointer is not None
        writer.line(f"f = s[{pointer.offset}] | s[{pointer.offset + 1}] << 8")


ACTOR = "by"
# The code for a legal move, given the code of its number.
Found = Callable[[str], None]
# Maximum number of values of an inner loop that is unrolled: its tests fold to constants.
UNROLLED = 4
MAX_COPIES = 16


class DecisionWriter:
    """Writes the functions of one decision."""

    def __init__(self, module: ModuleWriter, point: Waiting) -> None:
        self.module = module
        self.point = point
        terminator = point.block.terminator
        assert isinstance(terminator, ir.Decide)
        self.decide = terminator
        self.numbers = numberings(terminator)
        self.actor = module.simplifier.simplify(terminator.actor)

    def own(self, expr: ir.Expr) -> ir.Expr:
        """An expression of the decision, with the acting player under a separate name."""
        simple = self.module.simplifier.simplify(expr)
        if isinstance(self.actor, ir.Int):
            return simple
        player = ir.Local(ACTOR, lo=0, hi=self.module.ir.players - 1)
        return replace(simple, self.actor, player)

    def function(self, name: str, params: list[str]) -> tuple[Writer, StatementWriter]:
        """Start a function of the decision."""
        writer = Writer(span=self.decide.span)
        local = frame_locals(self.module, self.point.procedure)
        local.places[ACTOR] = Place(ACTOR)
        writer.line(f"def {name}({', '.join(['s', *params])}):")
        writer.level = 1
        open_frame(self.module, self.point.procedure, writer)
        writer.line(f"{ACTOR} = s[{self.module.layout.who.offset}]")
        return writer, StatementWriter(self.module, local, writer)

    def write(self) -> None:
        """Write all functions of the decision."""
        number = self.point.number
        written = self.module.written
        written[f"moves_{number}"] = self.listing(f"moves_{number}", finishing=True)
        if self.decide.together:
            written[f"allowed_{number}"] = self.listing(f"allowed_{number}", finishing=False)
        if self.decide.skip is not None:
            self.any_legal()
        self.talk()

    def listing(self, name: str, finishing: bool) -> Writer:
        """The numbers of the legal moves.

        Of choices made together these are only those that lead on, or, with no regard to that, all
        that requirements allow, one after the other: a search rarely asks for the second.
        """
        writer, body = self.function(name, [])
        subsets = any(option.subset is not None for option in self.decide.options)
        lazy = not finishing and not subsets
        if lazy:
            writer.line("yield from ()")
        else:
            writer.line("out = []")
        for option, numbering in zip(self.decide.options, self.numbers, strict=True):
            finished = finishing and self.decide.finishing(option)

            def found(code: str, tried: bool = finished) -> None:
                if tried:
                    with writer.block(f"if TOGETHER.after(s, {self.point.number}, {code}):"):
                        writer.line(f"out.append({code})")
                else:
                    writer.line(f"yield {code}" if lazy else f"out.append({code})")

            many = "" if finished else "yield from members" if lazy else "out += listed"
            self.option_loops(body, option, found, numbering, many)
        if subsets:
            writer.line("out.sort()")
        if not lazy:
            writer.line("return out")
        return writer

    def any_legal(self) -> None:
        """Whether there is a choice at all; called before the acting player is noted."""
        name = f"any_{self.point.number}"
        writer, body = self.function(name, [])
        writer.lines.pop()
        writer.line(f"{ACTOR} = {body.code(self.actor)}")
        for option, numbering in zip(self.decide.options, self.numbers, strict=True):
            if option.action or option.params:
                self.option_loops(body, option, partial(self.some, writer, option), numbering)
        writer.line("return False")
        self.module.written[name] = writer

    def some(self, writer: Writer, option: ir.Option, code: str) -> None:
        """There is a legal move."""
        if self.decide.finishing(option):
            writer.line(f"if TOGETHER.after(s, {self.point.number}, {code}):")
            writer.level += 1
        writer.line("return True")
        writer.level -= self.decide.finishing(option)

    def option_loops(
        self,
        body: StatementWriter,
        option: ir.Option,
        found: Found,
        numbering: Numbering,
        many: str = "",
    ) -> None:
        """Loops over the parameters of an option; each requirement as far outside as possible."""
        if option.subset is not None:
            write_subsets(body, option, numbering, self.own, found)
            return
        levels = head_levels(self.module.simplifier, option)
        loops = _OptionLoops(self, body, option, levels, found, numbering, many)
        loops.level(0, {})

    # ---- talking ---------------------------------------------------------------------------------

    def talk(self) -> None:
        """Notation and reasons, option by option; arguments are values of the parameters."""
        number = self.point.number
        for index, option in enumerate(self.decide.options):
            params: list[str] = []
            writer, body = self.function(f"note_{number}_{index}", [])
            for param in option.params:
                body.local.places[param.range.name] = Place(f"v_{len(params)}")
                params.append(f"v_{len(params)}")
            writer.lines[0] = (
                f"def note_{number}_{index}({', '.join(['s', *params])}):",
                writer.lines[0][1],
            )
            self.defines(body, option)
            shown = [
                p if isinstance(p, str) else evolve(p, expr=self.own(p.expr))
                for p in option.notation
            ]
            writer.line(f"return {text_code(body, tuple(shown))}", option.span)
            self.module.written[f"note_{number}_{index}"] = writer
            self.reasons(index, option, params)

    def defines(self, body: StatementWriter, option: ir.Option) -> None:
        """The names that the notation uses and the head defines."""
        wanted: set[str] = set()
        for part in option.notation:
            if isinstance(part, ir.Shown):
                wanted |= free(part.expr)
        for line in option.head:
            if isinstance(line, ir.Define) and line.name in wanted:
                body.local.places.pop(line.name, None)
                body.out.line(f"{body.local.name(line.name)} = {body.code(self.own(line.value))}")

    def reasons(self, index: int, option: ir.Option, params: list[str]) -> None:
        """Every requirement: text, cites, whether it holds, and the values it depends on.

        A later requirement may make sense only if an earlier one holds; it then counts as failed.
        """
        name = f"why_{self.point.number}_{index}"
        writer, body = self.function(name, [])
        writer.lines[0] = (f"def {name}({', '.join(['s', *params])}):", writer.lines[0][1])
        for position, param in enumerate(option.params):
            body.local.places[param.range.name] = Place(f"v_{position}")
        writer.line("out = []")
        for position, param in enumerate(option.params):
            low, high = self.own(param.range.low), self.own(param.range.high)
            if isinstance(low, ir.Int) and isinstance(high, ir.Int):
                continue
            test = f"{body.code(low, 5)} <= v_{position} <= {body.code(high, 5)}"
            text = (
                f"str(v_{position}) + ' is outside ' + str({body.code(low)}) + '..' + "
                f"str({body.code(high)})"
            )
            writer.line(f"out.append(({text}, (), {test}, ()))")
        for line in option.head:
            if isinstance(line, ir.Define):
                body.local.places.pop(line.name, None)
                variable = body.local.name(line.name)
                with writer.block("try:"):
                    writer.line(f"{variable} = {body.code(self.own(line.value))}")
                with writer.block("except Fault:"):
                    writer.line("return out")
                continue
            with writer.at(line.span):
                self.reason(writer, body, line)
        if self.decide.finishing(option):
            self.finishing(index, option, params, writer)
        writer.line("return out")
        self.module.written[name] = writer

    def finishing(self, index: int, option: ir.Option, params: list[str], writer: Writer) -> None:
        """The last requirement of what is done together: that it can be finished."""
        numbering = self.numbers[index]
        code = str(numbering.base)
        for param, value, weight in zip(option.params, params, numbering.weights, strict=True):
            code += f" + ({value} - {param.lo}) * {weight}"
        text = "the rest could not be done" if self.decide.together else "it cannot be completed"
        holds = f"all(r[2] for r in out) and TOGETHER.after(s, {self.point.number}, {code})"
        writer.line(f"out.append(({text!r}, (), {holds}, ()))")

    def reason(self, writer: Writer, body: StatementWriter, line: ir.Require) -> None:
        own = [p if isinstance(p, str) else evolve(p, expr=self.own(p.expr)) for p in line.text]
        values = "".join(
            f"({text!r}, {shown_code(body, evolve(shown, expr=self.own(shown.expr)))}), "
            for text, shown in line.values
        )
        plain = "".join(p if isinstance(p, str) else "…" for p in line.text)
        parts = (
            ("_text", text_code(body, tuple(own)), repr(plain)),
            ("_holds", f"bool({body.code(self.own(line.condition))})", "False"),
            # A value may make sense only where the requirement reads it: else it is not shown.
            ("_values", f"({values})", "()"),
        )
        for name, code, otherwise in parts:
            if code == otherwise:  # a constant
                writer.line(f"{name} = {code}")
                continue
            with writer.block("try:"):
                writer.line(f"{name} = {code}")
            with writer.block("except Fault:"):
                writer.line(f"{name} = {otherwise}")
        writer.line(f"out.append((_text, {line.cites!r}, _holds, _values))")


@define
class _OptionLoops:
    """Nested loops over the parameters of an option, with its requirements in between."""

    decision: DecisionWriter
    body: StatementWriter
    option: ir.Option
    lines: list[list[HeadLine]]
    found: Found
    numbering: Numbering
    # Code before a set of moves that are found at once; empty if each has to be tried.
    many: str = ""
    # Number of copies of this code that the unrolled loops make.
    copies: int = 1
    # For a value of a parameter: a test that stands for its first requirements, and how many.
    tested: dict[tuple[int, int], tuple[str, int]] = field(factory=dict)

    def own(self, expr: ir.Expr, known: dict[str, ir.Expr]) -> ir.Expr:
        """An expression of the option with the parameters that are known here."""
        own = self.decision.own(expr)
        if not known:
            return own
        module = self.decision.module
        return module.simplifier.simplify(substitute(own, known, module.ir.tables))

    def level(self, depth: int, known: dict[str, ir.Expr], done: int = 0) -> None:
        """The lines that need `depth` parameters but the first, and inside them the next loop."""
        out = self.body.out
        before = out.level
        written = len(out.lines)
        for line in self.lines[depth][done:]:
            if isinstance(line, ir.Define):
                value = self.own(line.value, known)
                self.body.local.places.pop(line.name, None)
                if isinstance(value, ir.Int):
                    known = {**known, line.name: value}
                else:
                    out.line(f"{self.body.local.name(line.name)} = {self.body.code(value)}")
                continue
            test = self.own(line.condition, known)
            if test == b.FALSE:
                del out.lines[written:]
                out.level = before
                return
            if test != b.TRUE:
                out.line(f"if {self.body.code(test)}:", line.span)
                out.level += 1
        if depth == len(self.option.params):
            self.number(known)
        else:
            self.loop(depth, known)
        out.level = before

    def loop(self, depth: int, known: dict[str, ir.Expr]) -> None:
        """Go through the values of a parameter."""
        out = self.body.out
        param = self.option.params[depth]
        name = param.range.name
        low, high = self.own(param.range.low, known), self.own(param.range.high, known)
        few = self.few(depth, known)
        if few:
            self.copies *= len(few)
            for value in few:
                chosen = {**known, name: b.int_(value)}
                test, done = self.tested.pop((depth + 1, value), ("", 0))
                if test:
                    out.line(f"if {test}:")
                    out.level += 1
                self.level(depth + 1, chosen, done)
                out.level -= bool(test)
            self.copies //= len(few)
        else:
            end = self.body.code(b.add(high, b.int_(1)))
            start = "" if low == b.int_(0) else f"{self.body.code(low)}, "
            # A frame variable of that name is set only when the move is made.
            plain = self.body.local.name(name) or name
            self.body.local.places[name] = Place(f"v_{plain}")
            done, values = 0, f"range({start}{end})"
            if isinstance(low, ir.Int) and isinstance(high, ir.Int):
                mask, done = self.narrowed(depth + 1, name, low.value, high.value, known)
                if done == len(self.lines[depth + 1]):
                    mask = self.looked_ahead(depth + 1, name, low.value, high.value, known, mask)
                if mask and self.many and self.passed(depth + 1, done):
                    first = self.body.code(self.code({**known, name: low}))
                    out.line(f"{self.many}({mask}, {first})")
                    return
                values = f"listed({mask}, {low.value})" if mask else values
            noted = hoist(self.body, name, self.tests(depth + 1, known)[done:])
            out.line(f"for {self.body.local.name(name)} in {values}:")
            out.level += 1
            self.level(depth + 1, known, done)
            for code in noted:
                del self.body.local.hoisted[code]

    def narrowed(
        self, depth: int, name: str, low: int, high: int, known: dict[str, ir.Expr]
    ) -> tuple[str, int]:
        """The set of a parameter's values that pass the first requirements, and how many these."""
        if high - low + 1 < FEWEST:
            return "", 0
        return narrowed(self.body, name, low, high - low + 1, self.tests(depth, known))

    def passed(self, depth: int, done: int) -> bool:
        """Whether all parameters are known and all requirements met."""
        return depth == len(self.option.params) and done == len(self.lines[depth])

    def few(self, depth: int, known: dict[str, ir.Expr]) -> range:
        """The values of a parameter for each of which the loop is written out; empty if not."""
        range_ = self.option.params[depth].range
        low, high = self.own(range_.low, known), self.own(range_.high, known)
        if not depth or not isinstance(low, ir.Int) or not isinstance(high, ir.Int):
            return range(0)
        values = range(low.value, high.value + 1)
        fits = len(values) <= UNROLLED and self.copies * len(values) <= MAX_COPIES
        return values if fits else range(0)

    def looked_ahead(
        self, depth: int, name: str, low: int, high: int, known: dict[str, ir.Expr], among: str
    ) -> str:
        """Sets of a parameter's values for each of the few values of the next parameter.

        Gives code for the values that are in any of them.
        """
        if high - low + 1 < FEWEST or depth == len(self.option.params):
            return among
        found: list[str] = []
        tested: dict[tuple[int, int], tuple[str, int]] = {}
        after = self.option.params[depth].range.name
        own = self.body.local.name(name)
        for value in self.few(depth, known):
            tests = self.tests(depth + 1, {**known, after: b.int_(value)})
            mask, done = narrowed(self.body, name, low, high - low + 1, tests, among)
            if not mask:
                return among
            found.append(mask)
            at = own if not low else f"({own} - {low})"
            tested[depth + 1, value] = (f"{mask} >> {at} & 1", done)
        self.tested |= tested
        return " | ".join(found) or among

    def tests(self, depth: int, known: dict[str, ir.Expr]) -> list[ir.Expr]:
        """The first requirements that need `depth` parameters, up to a name that is defined."""
        found: list[ir.Expr] = []
        for line in self.lines[depth]:
            if isinstance(line, ir.Define):
                break
            found.append(self.own(line.condition, known))
        return found

    def number(self, known: dict[str, ir.Expr]) -> None:
        """A legal move was found."""
        self.found(self.body.code(self.code(known)))

    def code(self, known: dict[str, ir.Expr]) -> ir.Expr:
        """The number of the move."""
        code: ir.Expr = b.int_(0)
        for param, size in zip(self.option.params, self.numbering.sizes, strict=True):
            chosen = known.get(
                param.range.name, ir.Local(param.range.name, lo=param.lo, hi=param.hi)
            )
            code = b.add(b.mul(code, b.int_(size)), b.sub(chosen, b.int_(param.lo)))
        return b.add(code, b.int_(self.numbering.base))
