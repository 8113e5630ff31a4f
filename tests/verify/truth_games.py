"""Small random games for comparing verdicts with the truth.

They are small enough to be explored to the end, and biased towards what proofs get wrong: cells as
indices, indices of indices, goods as indices and amounts, secret choices of some players, several
limits of `distance`, contracts, recursion, loops with and without decisions. Whether they are sound
is left to chance: many are not.
"""

from __future__ import annotations

from random import Random

# How often each construct was chosen, for the table of what a run has covered.
Counts = dict[str, int]


class Writer:
    """Writes one game; every choice is noted under its name."""

    def __init__(self, seed: int, counts: Counts) -> None:
        self.random = Random(seed)
        self.counts = counts
        self.names = 0

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

    # ---- expressions -----------------------------------------------------------------------------

    def index(self, depth: int = 1) -> str:
        """A number that is often, but not always, in 0..2."""
        inner = self.index(depth - 1) if depth else "1"
        return self.pick(
            "index", "0", "1", "2", "a", f"x[{inner}]", f"x[x[{inner}]]", "min(2, box[0].coin)",
            f"min(2, y[{inner}])", "max(0, a - 1)", f"box[{inner}].coin mod 3", "ord(p1)",
        )  # fmt: skip

    def number(self, depth: int = 1) -> str:
        at, k = self.index(depth), self.name()
        return self.pick(
            "number", "0", "1", "2", "a", f"x[{at}]", f"y[{at}]", f"box[{at}].coin",
            f"count({k} in 0..2 where x[{k}] = {at})", f"sum({k} in 0..2: y[{k}])", "turns",
            f"max({k} in 0..2 where x[{k}] > 0: y[{k}])", f"abs(y[{at}] - a)",
            f"y[{at}] div (a + 1)",
            f"(if x[{at}] > 0 then y[1] else a)", "total()", f"3 mod max(1, y[{at}])",
            "distance(a, 2 by step within 1)", "distance(a, 2 by step within 3)",
        )  # fmt: skip

    def truth(self, depth: int = 1) -> str:
        one, two, k = self.number(depth), self.number(0), self.name()
        return self.pick(
            "truth", f"{one} < {two}", f"{one} = {two}", f"{one} != {two}", f"{one} <= {two}",
            f"some {k} in 0..2: x[{k}] = {two}", f"every {k} in 0..2: y[{k}] >= {two} - 2",
            f"x[{self.index(1)}] > 0 or {one} > 1", f"not ({one} = {two}) and a < 2",
            "reaches(a, 2 by step)",
        )  # fmt: skip

    # ---- statements ------------------------------------------------------------------------------

    def effect(self, indent: str, depth: int = 1) -> list[str]:
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
            inner = "\n".join(self.effect(indent + "    ", 0))
            texts += [f"if {self.truth()}\n{inner}", f"for {self.name()} in 0..2\n{inner}"]
        return [f"{indent}{self.pick('effect', *texts)}"]

    def decision(self, indent: str) -> list[str]:
        who = self.pick("who", "p1", "p2", "mover", "next(p1, turns)")
        text = self.pick(
            "decision", f"choose {who}: go, rest", f"choose {who} optionally: go",
            f"choose {who} as pick: n in 0..2 where n >= {self.number(0)}\n{indent}a = n",
            f"choose {who} as any: n in 0..2\n{indent}x[n] = a",
            f"roll d in 0..2\n{indent}a = d",
            f"choose each p in Player where {self.truth(0)} secretly as bidding: bid in 1..2\n"
            f"{indent}if bid[p1] != none\n{indent}    y[bid[p1]] = bid[p1]",
            f"choose each p in Player secretly as all_bid: offer in 0..2\n"
            f"{indent}x[offer[p2]] = offer[p1]",
            "deep(2)", "side(a)",
        )  # fmt: skip
        return [f"{indent}{text}"]

    # ---- the whole -------------------------------------------------------------------------------

    def contract(self) -> list[str]:
        lines = []
        if self.maybe("requires", 0.1):
            lines.append(f"    requires {self.truth(0)}")
        if self.maybe("ensures", 0.1):
            lines.append(f"    ensures {self.truth(0)}")
        if self.maybe("before", 0.15):
            lines.append(f"    ensures y[1] {self.pick('than', '>=', '=', '<=')} before(y[1])")
        return lines

    def game(self) -> str:
        """A whole rule file."""
        lines = [
            'game small "Small"', "    players 2", "", "good coin limit 3", "", "state",
            "    x[0..2]: 0..2 = " + self.pick("first x", "0", "1"), "    y[0..2]: 0..3 = 1",
            "    a: 0..2 = 0", "    turns: 0..3 = 0", "    mover: Player = p1",
            "    pool chest bank", "    pool box[0..2]", "",
            "function total(): 0..9 = y[0] + y[1] + y[2]",
            "function step(s: 0..2, t: 0..2): bool = abs(s - t) = 1 and x[s] < 2", "",
            "action go by p",
        ]  # fmt: skip
        if self.maybe("require", 0.7):
            lines.append(f'    require {self.truth()} "not now"')
        lines += self.effect("    ") + self.effect("    ")
        lines += ["", "action rest by p", "    mover = next(mover)", "", "procedure note_it()"]
        lines += [*self.contract(), "    y[2] = a", "", "procedure raise_it(given: 0..2)"]
        lines += [
            *self.contract(),
            f"    {self.pick('raised', 'x[given] = 1', 'y[given] = min(3, y[given] + 1)')}",
        ]
        lines += ["", "procedure side(from_it: 0..2)", *self.contract()]
        lines += [*self.decision_without_calls("    "), *self.effect("    ")]
        lines += ["", "procedure deep(left: 0..2)", "    decreases left"]
        lines += ["    choose p1: rest", "    if left > 0", "        deep(left - 1)", "", "play"]
        lines.append("    while turns < 2 decreases 2 - turns")
        if self.maybe("keeps", 0.1):
            lines.append(f"        keeps {self.truth(0)}")
        lines.append("        turns += 1")
        for _ in range(self.random.randint(1, 3)):
            half = self.random.random() < 0.5
            lines += self.decision("        ") if half else self.effect("        ")
        lines += self.decision("        ")
        score = self.pick("score", "y[a]", "total()", self.number(), "12 div y[x[0]]")
        lines += ["", "scoring", f"    score p = {score}"]
        if self.maybe("tie", 0.4):
            lines.append(f"    tie most {self.number()}")
        for at in range(self.random.choice((0, 0, 1, 2))):
            lines += ["", f"invariant law_{at}", f"    {self.truth()}"]
        return "\n".join(lines) + "\n"

    def decision_without_calls(self, indent: str) -> list[str]:
        while True:
            lines = self.decision(indent)
            if "deep(" not in lines[0] and "side(" not in lines[0]:
                return lines


def game_text(seed: int, counts: Counts | None = None) -> str:
    """The rule file of a seed."""
    return Writer(seed, {} if counts is None else counts).game()
