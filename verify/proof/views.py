"""Views: what a player may not see has no influence on what that player can do or see.

First by reading: a requirement, a public cell or a condition that reads nothing hidden is fine.
What is left is asked of the solver: two positions that look the same to the player, in which an
option is legal in one and not in the other. Moving a card is how rules show it, so moves are not
looked at; nor are draws, which are public where their result is.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from compiler import build as b
from compiler import ir
from compiler.lower.liveness import successors
from compiler.rule_id import rule_name
from compiler.transform import substitute
from compiler.traverse import children
from rules_dsl.language.spans import Span
from verify.analysis.effects import Effects
from verify.encode import terms as v
from verify.encode.choices import head_holds
from verify.encode.counting import Totals
from verify.encode.expressions import Evaluator
from verify.encode.statements import Locals
from verify.encode.terms import Truth, Value
from verify.encode.unknowns import Cells, State, World
from verify.proof.audit import Audit
from verify.proof.prover import EFFORTS, Prover
from verify.proof.results import Part, Status
from verify.proof.second_solver import DISAGREED
from verify.proof.secret_choices import kept_apart

# Who may see something: everybody, or the player that an expression names.
Reader = ir.Expr | None


@define(eq=False)
class Views:
    """The visibility of everything that rules read and write."""

    module: ir.Module
    audit: Audit = field(factory=Audit)
    effects: Effects = field(init=False)
    world: World = field(init=False)
    prover: Prover = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.world = World(self.module)
        self.effects = self.world.effects
        self.prover = Prover(self.world, "normal", self.audit)

    def parts(self) -> list[Part]:
        """One part for each decision, and for each rule that writes."""
        if not self.secrets():
            name = "nothing is hidden"
            return [Part("views", name, "", "", name, "PROVED", "structure", 0.0)]
        found = [
            self.decision(procedure, block.terminator)
            for procedure in self.module.procedures.values()
            for block in procedure.blocks
            if isinstance(block.terminator, ir.Decide)
        ]
        return found + self.writing()

    def secrets(self) -> bool:
        """Whether anything is hidden from anybody, for ever or for a moment."""
        arrays = any(a.visibility != "all" for a in self.module.arrays.values())
        zones = any(z.visibility != "all" for z in self.module.zones.values())
        choices = any(
            isinstance(block.terminator, ir.Decide) and block.terminator.secret
            for p in self.module.procedures.values()
            for block in p.blocks
        )
        return arrays or zones or choices

    # ---- reading -------------------------------------------------------------------------------

    def hidden(self, expr: ir.Expr, reader: Reader) -> Iterator[str]:
        """What an expression reads that the reader may not see."""
        match expr:
            case ir.Op("eq" | "ne", (ir.Cell(array, index), place)) if self.is_zone(array):
                yield from self.hidden_zone(array, place, reader)
                for part in (*index, place):
                    yield from self.hidden(part, reader)
                return
            case ir.Aggregate("count", _, where, None) if self.counts_zone(where):
                return
            case ir.Cell(array, index):
                if self.is_zone(array):
                    yield f"where each {array.removesuffix('.place')} is"
                elif not self.seen(self.module.arrays[array].visibility, index, reader):
                    yield array
            case ir.LocalCell(name, index) if index != reader:
                yield from self.secret_choice(name)
            case ir.Call(function, args):
                target = self.module.functions[function]
                env = {p.name: a for p, a in zip(target.params, args, strict=True)}
                yield from self.hidden(substitute(target.body, env, self.module.tables), reader)
                return
            case ir.Graph(_, step):
                yield from self.hidden(self.module.functions[step].body, reader)
            case ir.Field():
                for name in self.module.functions_of(expr):
                    yield from self.hidden(self.module.functions[name].body, reader)
        for child in children(expr):
            yield from self.hidden(child, reader)

    def is_zone(self, array: str) -> bool:
        """Whether an array says where cards are."""
        return self.module.arrays[array].kind == "zone"

    def seen(self, visibility: str, index: tuple[ir.Expr, ...], reader: Reader) -> bool:
        """Whether a cell is shown to the reader."""
        if visibility == "all":
            return True
        return visibility == "owner" and reader is not None and index[0] == reader

    def hidden_zone(self, array: str, place: ir.Expr, reader: Reader) -> Iterator[str]:
        """Whether a card is in a zone that the reader cannot look into."""
        for zone in self.module.zones.values():
            if zone.array != array or place.hi < zone.first:
                continue
            if place.lo >= zone.first + zone.places:
                continue
            if zone.visibility == "all":
                continue
            own = reader is not None and zone.visibility == "owner" and len(zone.dimensions) == 1
            if not own or place != b.add(_some(reader), b.int_(zone.first)):
                yield zone.name

    def counts_zone(self, where: ir.Expr | None) -> bool:
        """How many cards a zone holds is known to everybody."""
        return (
            isinstance(where, ir.Op)
            and where.kind == "eq"
            and isinstance(where.args[0], ir.Cell)
            and self.is_zone(where.args[0].array)
        )

    def secret_choice(self, name: str) -> Iterator[str]:
        """A secret choice is read only when it is over; inside it, by nobody."""
        if name in self.open_choices:
            yield f"what others chose ({name})"

    open_choices: frozenset[str] = frozenset()

    # ---- decisions -----------------------------------------------------------------------------

    def decision(self, procedure: ir.Procedure, decide: ir.Decide) -> Part:
        """What a player can choose depends on what that player can see."""
        rule = rule_name(procedure.name)
        subject = f"{rule}.{decide.label}" if decide.label else rule
        if decide.secret and not kept_apart(procedure, decide):
            return Part(
                "views", subject, rule, "", "", "UNKNOWN", "structure", 0.0, str(decide.span),
                procedure.cites, "what follows from a secret choice at once is not examined",
            )  # fmt: skip
        if decide.secret:
            self.open_choices = frozenset(
                variable.name for variable in procedure.variables if variable.size > 1
            )
        # Everybody sees who is asked.
        found = list(self.hidden(decide.actor, None))
        if found:
            what = f"who decides shows {', '.join(sorted(set(found)))}"
            return Part(
                "views", subject, rule, "", what, "UNPROVED", "structure", 0.0,
                str(decide.span), procedure.cites,
            )  # fmt: skip
        guilty: ir.Option | None = None
        for option in decide.options:
            for expr in option_reads(option):
                names = list(self.hidden(expr, decide.actor))
                if names:
                    found += names
                    guilty = guilty or option
        self.open_choices = frozenset()
        status: Status = "PROVED"
        by, what, span = "structure", "", decide.span
        if found and guilty is not None:
            span = guilty.span
            status, by, what = self.asked(procedure, decide, sorted(set(found)))
        cites = guilty.cites if guilty is not None else procedure.cites
        who = guilty.action if guilty is not None and guilty.action else rule
        notes = self.audit.taken()
        reason = ""
        if notes.disputed:
            status, reason = "UNKNOWN", DISAGREED
        return Part(
            "views", subject, who, "", what, status, by, 0.0, str(span), cites, reason,
            rechecked=notes.opinions,
        )  # fmt: skip

    def asked(
        self, procedure: ir.Procedure, decide: ir.Decide, names: list[str]
    ) -> tuple[Status, str, str]:
        """Ask for two positions that look the same and offer different moves."""
        shown = ", ".join(names)
        what = f"the choice depends on {shown}, which the player cannot see"
        for player in range(self.module.players):
            answer = self.two_positions(procedure, decide, player)
            if answer == "sat":
                return "UNPROVED", "laws", what
            if answer != "unsat":
                return "UNKNOWN", "laws", what
        return "PROVED", "laws", ""

    def two_positions(self, procedure: ir.Procedure, decide: ir.Decide, player: int) -> str:
        """Whether two positions that look the same to a player may offer different moves."""
        one = self.world.any_state
        two, same = self.lookalike(one, player)
        parts: list[Truth] = [*same]
        env: Locals = {
            variable.name: self.world.unknown(f"{variable.name}?", variable.lo, variable.hi)
            for variable in (*procedure.params, *procedure.variables)
            if variable.size == 1
        }
        legal: list[list[Truth]] = []
        for state in (one, two):
            totals = Totals(self.world, state)
            look = Evaluator(self.world, state, sums=totals.evaluate)
            parts.append(v.eq(look.value(decide.actor, env), player))
            for law in self.module.invariants:
                parts += look.conjuncts(law.condition, {})
            legal.append([])
            for option in decide.options:
                inner = dict(env)
                guards: list[Truth] = []
                for param in option.params:
                    name = param.range.name
                    value = self.world.unknown(f"{name}?chosen", param.lo, param.hi)
                    low = look.value(param.range.low, inner)
                    high = look.value(param.range.high, inner)
                    inner[name] = value
                    guards += [v.le(low, value), v.le(value, high)]
                legal[-1].append(head_holds(option.head, look, inner, v.and_(guards)))
        differ = v.or_(v.not_(v.eq(x, y)) for x, y in zip(*legal, strict=True))
        query = self.prover.spelled_out([differ, *(p for p in parts if p is not True)])
        answer, _, _ = self.prover.ask(query, EFFORTS["normal"][1])
        return answer

    def lookalike(self, state: State, player: int) -> tuple[State, list[Truth]]:
        """Another position that looks the same to a player."""
        arrays: dict[str, Cells] = {}
        same: list[Truth] = []
        for name, array in self.module.arrays.items():
            cells = state.arrays[name]
            if array.kind == "zone":
                other = self.world.any_cells(array, "'")
                same += self.same_zones(name, cells, other, player)
                arrays[name] = other
            elif array.visibility == "all":
                arrays[name] = cells
            else:
                other = self.world.any_cells(array, "'")
                share = array.size // self.module.players if array.visibility == "owner" else 0
                values: list[Value] = list(other.values)
                if share:
                    own = slice(player * share, (player + 1) * share)
                    values[own] = cells.values[own]
                arrays[name] = Cells(tuple(values))
        return State(arrays), same

    def same_zones(self, array: str, one: Cells, two: Cells, player: int) -> Iterator[Truth]:
        """The same cards where the player sees them, as many where not."""
        for zone in self.module.zones.values():
            if zone.array != array:
                continue
            for place in range(zone.first, zone.first + zone.places):
                share = max(1, zone.places // self.module.players)
                own = (place - zone.first) // share == player
                pairs = list(zip(one.values, two.values, strict=True))
                if zone.visibility == "all" or (zone.visibility == "owner" and own):
                    for x, y in pairs:
                        yield v.eq(v.eq(x, place), v.eq(y, place))
                else:
                    yield v.eq(
                        v.add(*(v.number(v.eq(x, place)) for x, _ in pairs)),
                        v.add(*(v.number(v.eq(y, place)) for _, y in pairs)),
                    )

    # ---- writing -------------------------------------------------------------------------------

    def writing(self) -> list[Part]:
        """What everybody sees is not worked out from what some may not see."""
        found: list[Part] = []
        for name, routine in self.module.routines.items():
            found += self.written(rule_name(name), routine.body, routine.cites, routine.span)
        for name, procedure in self.module.procedures.items():
            for block in procedure.blocks:
                found += self.written(
                    rule_name(name), block.statements, procedure.cites, block.span
                )
                found += self.forked(procedure, block)
        return found

    def forked(self, procedure: ir.Procedure, block: ir.Block) -> Iterator[Part]:
        """How the game goes on shows what it depends on, if one can tell the ways apart."""
        if not isinstance(block.terminator, ir.Fork):
            return
        names = sorted(set(self.hidden(block.terminator.condition, None)))
        if not names or not self.tells(procedure, block.terminator):
            return
        what = f"how the game goes on shows {', '.join(names)}"
        rule = rule_name(procedure.name)
        yield Part(
            "views", rule, rule, "", what, "UNPROVED", "structure", 0.0,
            str(block.terminator.span), procedure.cites,
        )  # fmt: skip

    def tells(self, procedure: ir.Procedure, fork: ir.Fork) -> bool:
        """Whether the two ways of a fork look different before they meet again."""
        ways = [_until_met(procedure, start, other) for start, other in _both(fork)]
        for blocks in ways:
            for block in blocks:
                if isinstance(block.terminator, ir.Decide | ir.Enter | ir.End):
                    return True
                if any(self.public(s) for s in block.statements):
                    return True
        return False

    def written(
        self, rule: str, body: tuple[ir.Statement, ...], cites: tuple[str, ...], span: Span
    ) -> Iterator[Part]:
        """The cells that statements write."""
        for statement in body:
            match statement:
                case ir.SetCell(target, value):
                    array = self.module.arrays[target.array]
                    reader: Reader = None
                    if array.visibility == "hidden":
                        continue
                    if array.visibility == "owner":
                        reader = target.index[0]
                    names = sorted(set(self.hidden(value, reader)))
                    if names:
                        what = f"{target.array} shows {', '.join(names)}"
                        yield Part(
                            "views", target.array, rule, "", what, "UNPROVED", "structure", 0.0,
                            str(statement.span), cites,
                        )  # fmt: skip
                case ir.Branch(condition, then, otherwise):
                    public = [s for s in (*then, *otherwise) if self.public(s)]
                    names = sorted(set(self.hidden(condition, None)))
                    if public and names:
                        what = f"what happens shows {', '.join(names)}"
                        yield Part(
                            "views", rule, rule, "", what, "UNPROVED", "structure", 0.0,
                            str(statement.span), cites,
                        )  # fmt: skip
                    yield from self.written(rule, then, cites, span)
                    yield from self.written(rule, otherwise, cites, span)
                case ir.Loop(_, inner):
                    yield from self.written(rule, inner, cites, span)

    def public(self, statement: ir.Statement) -> bool:
        """Whether everybody sees that a statement is carried out."""
        match statement:
            case ir.SetCell(target):
                return self.module.arrays[target.array].visibility == "all"
            case ir.Transfer(_, source, target):
                cells = (source.array, target.array)
                return any(self.module.arrays[a].visibility == "all" for a in cells)
            case ir.Branch(_, then, otherwise):
                return any(self.public(s) for s in (*then, *otherwise))
            case ir.Loop(_, body):
                return any(self.public(s) for s in body)
        return False


def _both(fork: ir.Fork) -> tuple[tuple[int, int], tuple[int, int]]:
    return (fork.then, fork.otherwise), (fork.otherwise, fork.then)


def _until_met(procedure: ir.Procedure, start: int, other: int) -> list[ir.Block]:
    """The blocks that one way reaches and the other does not."""
    return [
        procedure.blocks[number]
        for number in sorted(_reached(procedure, start) - _reached(procedure, other))
    ]


def _reached(procedure: ir.Procedure, start: int) -> set[int]:
    """The blocks that can be reached in the present round of every loop."""
    found: set[int] = set()
    todo = [start]
    while todo:
        number = todo.pop()
        if number in found:
            continue
        found.add(number)
        terminator = procedure.blocks[number].terminator
        if not (isinstance(terminator, ir.Jump) and terminator.back):
            todo += successors(terminator)
    return found


def _some(reader: Reader) -> ir.Expr:
    assert reader is not None
    return reader


def option_reads(option: ir.Option) -> Iterator[ir.Expr]:
    """What decides whether an option can be chosen."""
    for param in option.params:
        yield param.range.low
        yield param.range.high
    for line in option.head:
        yield line.value if isinstance(line, ir.Define) else line.condition
