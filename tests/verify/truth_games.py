"""Small random games for comparing verdicts with the truth.

They are small enough to be explored to the end, and biased towards what proofs get wrong: cells as
indices, indices of indices, goods as indices and amounts, secret choices of some players, several
limits of `distance`, contracts, recursion, loops with and without decisions. To this core comes
a feature or two of `truth_features`, now and then a variant. Whether the games are sound is left to
chance: many are not.
"""

from __future__ import annotations

from random import Random
from textwrap import indent

from attrs import frozen

from tests.verify.truth_features import FEATURES, Feature

# How often each construct was chosen.
Counts = dict[str, int]


@frozen
class Files:
    """The rule files of a program; the first is the one to load."""

    texts: dict[str, str]
    # Whether players may see different things.
    secret: bool

    @property
    def main(self) -> str:
        """The file to load."""
        return next(iter(self.texts))


class Writer:
    """Writes one game; every choice is noted under its name."""

    def __init__(self, seed: int, counts: Counts) -> None:
        self.random = Random(seed)
        self.counts = counts
        self.names = 0
        self.features: tuple[Feature, ...] = ()

    def note(self, name: str) -> None:
        self.counts[name] = self.counts.get(name, 0) + 1

    def pick(self, kind: str, *choices: str) -> str:
        """One of several texts, noted by its number."""
        at = self.random.randrange(len(choices))
        self.note(f"{kind} {at}: {choices[at].strip().splitlines()[0][:40]}")
        return choices[at]

    def maybe(self, name: str, share: float = 0.5) -> bool:
        chosen = self.random.random() < share
        if chosen:
            self.note(name)
        return chosen

    def name(self) -> str:
        """A bound name that is used nowhere else."""
        self.names += 1
        return f"k{self.names}"

    # ---- features --------------------------------------------------------------------------------

    def featured(self, kind: str, leaf: bool = False) -> list[str]:
        """What the features of the game offer; for a leaf, what has no other texts in it."""
        found = [text for feature in self.features for text in getattr(feature, kind)]
        return [text for text in found if not (leaf and ("{n}" in text or "{t}" in text))]

    def filled(self, text: str) -> str:
        """A text of a feature with other texts in it."""
        text = text.replace("{k}", self.name()).replace("{i}", self.pick("at", "0", "1", "2", "a"))
        text = text.replace("{w}", self.pick("asked", "p1", "p2", "mover"))
        while "{n}" in text:
            text = text.replace("{n}", self.number(0, leaf=True), 1)
        while "{t}" in text:
            text = text.replace("{t}", self.truth(0, leaf=True), 1)
        return text

    # ---- expressions -----------------------------------------------------------------------------

    def index(self, depth: int = 1) -> str:
        """A number that is often, but not always, in 0..2."""
        inner = self.index(depth - 1) if depth else "1"
        return self.pick(
            "index", "0", "1", "2", "a", f"x[{inner}]", f"x[x[{inner}]]", "min(2, box[0].coin)",
            f"min(2, y[{inner}])", "max(0, a - 1)", f"box[{inner}].coin mod 3", "ord(p1)",
        )  # fmt: skip

    def number(self, depth: int = 1, leaf: bool = False) -> str:
        special = self.featured("numbers", leaf or not depth)
        if special and self.random.random() < 0.35:
            return self.filled(self.pick("special number", *special))
        at, k = self.index(depth), self.name()
        return self.pick(
            "number", "0", "1", "2", "a", f"x[{at}]", f"y[{at}]", f"box[{at}].coin",
            f"count({k} in 0..2 where x[{k}] = {at})", f"sum({k} in 0..2: y[{k}])", "turns",
            f"max({k} in 0..2 where x[{k}] > 0: y[{k}])", f"abs(y[{at}] - a)",
            f"y[{at}] div (a + 1)",
            f"(if x[{at}] > 0 then y[1] else a)", "total()", f"3 mod max(1, y[{at}])",
            "distance(a, 2 by step within 1)", "distance(a, 2 by step within 3)",
        )  # fmt: skip

    def truth(self, depth: int = 1, leaf: bool = False) -> str:
        special = self.featured("truths", leaf or not depth)
        if special and self.random.random() < 0.35:
            return self.filled(self.pick("special truth", *special))
        one, two, k = self.number(depth, leaf), self.number(0, leaf), self.name()
        return self.pick(
            "truth",
            f"{one} < {two}",
            f"{one} = {two}",
            f"{one} != {two}",
            f"{one} <= {two}",
            f"(some {k} in 0..2: x[{k}] = {two})",
            f"(every {k} in 0..2: y[{k}] >= {two} - 2)",
            f"(a in (each {k} in 0..2 where x[{k}] = {two}))",
            f"(x[{self.index(1)}] > 0 or {one} > 1)",
            f"(not ({one} = {two}) and a < 2)",
            f"({one} < {two} implies a < 2)",
            "reaches(a, 2 by step)",
        )

    # ---- statements ------------------------------------------------------------------------------

    def effect(self, depth: int = 1) -> str:
        special = self.featured("effects", leaf=not depth)
        if special and self.random.random() < 0.45:
            return self.filled(self.pick("special effect", *special))
        at, other = self.index(), self.index()
        texts = [
            f"x[{at}] = {self.pick('value', '0', '1', '2', self.number())}",
            f"y[{at}] += 1",
            f"y[{at}] -= 1",
            f"a = {other}",
            f"x[x[{at}]] = {self.pick('small', '0', '1', '2')}",
            f"move 1 coin from chest to box[{at}]",
            f"move up to {self.number()} coin from box[{at}] to chest",
            f"move up to {self.number()} coin from box[{at}] to box[{other}]",
            "move all coin from box[1] to chest",
            f'assert {self.truth()} "so it is"',
            f"y[{at}] = min(3, {self.number()})",
            "note_it()",
            f"raise_it({self.pick('given', '0', '1', 'a')})",
        ]
        if depth:
            inner = indent(self.effect(0), "    ")
            texts += [f"if {self.truth()}\n{inner}", f"for {self.name()} in 0..2\n{inner}"]
        return self.pick("effect", *texts)

    def decision(self, calls: bool = True) -> str:
        special = self.featured("decisions")
        if special and self.random.random() < 0.6:
            return self.filled(self.pick("special decision", *special))
        who, k = self.pick("who", "p1", "p2", "mover", "next(p1, turns)"), self.name()
        texts = [
            f"choose {who}: go, rest",
            f"choose {who} optionally: go",
            f"choose {who} as pick_{k}: {k} in 0..2 where {k} >= {self.number(0)}\na = {k}",
            f"choose {who} as any_{k}: {k} in 0..2\nx[{k}] = a",
            f"roll {k} in 0..2\na = {k}",
            self.bids(k),
            f"choose each p in Player secretly as all_{k}: {k} in 0..2\nx[{k}[p2]] = {k}[p1]",
        ]
        if calls:
            texts += ["deep(2)", "side(a)", "menu_it()"]
        return self.pick("decision", *texts)

    def bids(self, name: str) -> str:
        """Secret choices of some players."""
        asked = f"choose each p in Player where {self.truth(0)} secretly"
        return (
            f"{asked} as bid_{name}: {name} in 1..2\n"
            f"if {name}[p1] != none\n    y[{name}[p1]] = {name}[p1]"
        )

    # ---- the whole -------------------------------------------------------------------------------

    def contract(self) -> list[str]:
        lines = []
        if self.maybe("assumes", 0.1):
            lines.append(f"    assumes {self.truth(0)}")
        if self.maybe("ensures", 0.1):
            lines.append(f"    ensures {self.truth(0)}")
        if self.maybe("before", 0.15):
            lines.append(f"    ensures y[1] {self.pick('than', '>=', '=', '<=')} before(y[1])")
        return lines

    def choose_features(self, wanted: tuple[str, ...] = ()) -> None:
        """A feature or two; sometimes none."""
        number = self.random.choice((0, 1, 1, 2, 2))
        chosen = {f.name for f in self.random.sample(FEATURES, number)} | set(wanted)
        self.features = tuple(f for f in FEATURES if f.name in chosen)
        for feature in self.features:
            self.note(f"feature {feature.name}")

    def game(self) -> str:
        """A whole rule file."""
        lines = ["good coin limit 3", "const rate = 1", ""]
        lines += [self.filled(f.declarations) for f in self.features if f.declarations]
        lines += [
            "state",
            "    x[0..2]: 0..2 = " + self.pick("first x", "0", "1"),
            "    y[0..2]: 0..3 = 1",
            "    a: 0..2 = 0",
            "    turns: 0..3 = 0",
            "    mover: Player = p1",
            "    pool chest bank of coin",
            "    pool box[0..2] of coin",
        ]
        lines += [f.state.rstrip("\n") for f in self.features if f.state]
        lines += [
            "",
            "function total(): 0..9 = y[0] + y[1] + y[2]",
            "function step(s: 0..2, t: 0..2): bool = abs(s - t) = rate and x[s] < 2",
            "",
            "action go by p",
        ]
        if self.maybe("require", 0.7):
            lines.append(f'    require {self.truth()} "not now"')
        lines += [self.inset(self.effect()), self.inset(self.effect())]
        lines += ["", "action rest by p", "    mover = next(mover)", ""]
        lines += ["action sink by p", '    require y[1] > 0 "low"', "    y[1] -= 1", ""]
        lines += ["procedure note_it()", *self.contract(), "    y[2] = a", ""]
        raised = self.pick("raised", "x[given] = 1", "y[given] = min(3, y[given] + 1)")
        lines += ["procedure raise_it(given: 0..2)", *self.contract(), f"    {raised}"]
        lines += ["", "procedure side(from_it: 0..2)", *self.contract()]
        lines += [self.inset(self.decision(calls=False)), self.inset(self.effect())]
        lines += ["", "procedure deep(left: 0..2)", "    decreases left"]
        lines += ["    choose p1: rest", "    if left > 0", "        deep(left - 1)", ""]
        lines += ["procedure menu_it()", "    choose p1 as menu: rest, sink", ""]
        setup = [f.setup.rstrip("\n") for f in self.features if f.setup]
        if setup:
            lines += ["setup", *setup, ""]
        lines += ["play", "    while turns < 2 decreases 2 - turns"]
        if self.maybe("keeps", 0.1):
            lines.append(f"        keeps {self.truth(0)}")
        lines.append("        turns += 1")
        for _ in range(self.random.randint(1, 3)):
            half = self.random.random() < 0.5
            lines.append(self.inset(self.decision() if half else self.effect(), 8))
        lines.append(self.inset(self.decision(), 8))
        score = self.pick("score", "y[a]", "total()", self.number(), "12 div y[x[0]]")
        hidden = " hidden" if self.maybe("hidden score", 0.2) else ""
        lines += ["", "scoring", f"    score p = {score}{hidden}"]
        if self.maybe("tie", 0.4):
            lines.append(f"    tie {self.pick('order', 'most', 'fewest')} {self.number()}")
        for at in range(self.random.choice((0, 0, 1, 2))):
            lines += ["", f"invariant law_{at}", f"    {self.truth()}"]
        return "\n".join(lines) + "\n"

    def inset(self, text: str, by: int = 4) -> str:
        """A text indented."""
        return indent(text, " " * by)


def program(seed: int, counts: Counts | None = None) -> Files:
    """The rule files of a seed."""
    from tests.verify.truth_variants import decorated

    writer = Writer(seed, {} if counts is None else counts)
    varied = writer.maybe("variant", 0.2)
    writer.choose_features(("cards", "options") if varied else ())
    return decorated(writer, varied)
