"""Fuzzing: damaged rule files, saved games and command lines end in words, never in a traceback.

    python -m tests.fuzzing --rules 100000 --saved 20000 --commands 2000

The seed is printed; `--seed N` repeats a run. Every finding is printed with its kind and number,
and `--only KIND:NUMBER` repeats just that one. Exits with 1 if there are findings.
`--journal FILE` keeps what was done, with seed and findings; the same command goes on from there.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, lru_cache, partial
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from attrs import asdict, define, field
from click.testing import CliRunner
from lark import Token, Tree

import rules_dsl as rd
from compiler.pipeline import to_code, to_ir
from compiler.runtime import saving
from compiler.runtime.fault import Fault
from rules_dsl.cli import rules as command_line
from rules_dsl.language import parser
from rules_dsl.language.checking import check_setting, settings
from rules_dsl.language.diagnostics import Reporter, RuleError
from rules_dsl.language.formatter import format_text
from rules_dsl.language.grammar import lark
from rules_dsl.language.parser import Trees
from rules_dsl.language.program import assemble_partly
from rules_dsl.language.sources import SourceSet, gather, shipped_games, shipped_variants
from tests.language.edits import KINDS, Edit, edited, with_text

# Processor time for one input, whatever is in it.
MAX_SECONDS = 20.0
# Above this, all the files of a game count as a large one.
LARGE_CHARACTERS = 20_000
# Inputs between two lines of the journal.
BETWEEN_NOTES = 200
EXIT_CODES = {0, 1, 2, 3, 130}


@define
class Tally:
    """The results for inputs of one kind."""

    kind: str
    done: int = 0
    outcomes: Counter[str] = field(factory=Counter)
    findings: list[str] = field(factory=list)

    def run(
        self,
        numbers: range | list[int],
        seed: int,
        one: Callable[[Random], str],
        note: Callable[[Tally], None],
    ) -> None:
        """Try inputs by number; each has a separate stream of random numbers.

        Progress is noted now and then, and at the end.
        """
        for number in numbers:
            began = time.process_time()
            try:
                outcome = one(Random(f"{seed} {self.kind} {number}"))
                if time.process_time() - began > MAX_SECONDS:
                    self.findings.append(f"{self.kind}:{number} took too long ({outcome})")
            except Exception as error:
                outcome = "finding"
                self.findings.append(f"{self.kind}:{number} {type(error).__name__}: {error}"[:300])
            self.done += 1
            self.outcomes[outcome] += 1
            if self.done % BETWEEN_NOTES == 0:
                note(self)
        note(self)

    def __str__(self) -> str:
        parts = ", ".join(f"{count} {outcome}" for outcome, count in sorted(self.outcomes.items()))
        return f"{self.done} {self.kind}: {parts or 'none'}"


# ---- rule files ----------------------------------------------------------------------------------


@cache
def shipped() -> tuple[tuple[SourceSet, str], ...]:
    """Every shipped rule file, with the game or variant that it belongs to."""
    names = [*shipped_games()]
    names += [variant for game in shipped_games() for variant in shipped_variants(game)]
    found: dict[str, tuple[SourceSet, str]] = {}
    for name in names:
        sources = gather(name)
        for path in sources.texts:
            found.setdefault(path, (sources, path))
    return tuple(found.values())


@cache
def by_size() -> tuple[list[tuple[SourceSet, str]], list[tuple[SourceSet, str]]]:
    """The shipped rule files of small games, and those of large ones."""
    small: list[tuple[SourceSet, str]] = []
    large: list[tuple[SourceSet, str]] = []
    for one in shipped():
        whole = sum(map(len, one[0].texts.values()))
        (small if whole < LARGE_CHARACTERS else large).append(one)
    return small, large


def damaged_rules(random: Random) -> str:
    """A shipped rule file with a few random edits: checked, compiled if it can be.

    Files of large games take many times as long as others: they are one in fifty.
    One file in four is formatted.
    """
    small, large = by_size()
    sources, path = random.choice(large if random.random() < 0.02 else small)
    count = random.choice((1, 1, 1, 2, 3, 8))
    edits: list[Edit] = [
        (random.choice(KINDS), random.randrange(10**6), random.randrange(10**6))
        for _ in range(count)
    ]
    text = edited(sources.texts[path], edits)
    if random.random() < 0.25:
        with contextlib.suppress(RuleError):
            format_text(text, path)
    reporter = Reporter()
    program = assemble_partly(with_text(sources, path, text), reporter)
    found = [*settings(program)] if program is not None else []
    if program is None or not found:
        return "refused"
    setting = random.choice(found)
    check_setting(program, setting, reporter)
    if reporter:
        return "refused"
    try:
        to_code(to_ir(program, *setting))
    except RuleError:
        return "refused"
    return "compiled"


@contextlib.contextmanager
def read_once() -> Iterator[None]:
    """Declarations that were read without an error before are not parsed again.

    Nearly all of a damaged file is as it was; parsing that anew would take most of the time.
    """
    parse = parser._parse

    @lru_cache(maxsize=20_000)
    def tree(text: str, start: str) -> Tree[Token]:
        return lark().parse(text, start=start)

    nodes: dict[object, object] = {}

    def parse_new(path: str, chunk: parser._Chunk, start: str, reporter: Reporter, trees: Trees):  # type: ignore[no-untyped-def]
        key = (path, chunk, start)
        if key not in nodes:
            before = len(reporter.diagnostics)
            node = parse(path, chunk, start, reporter, trees)
            if node is None or len(reporter.diagnostics) > before:
                return node
            if len(nodes) > 20_000:
                nodes.clear()
            nodes[key] = node
        return nodes[key]

    with (
        patch.object(parser, "_parse", parse_new),
        patch.object(Trees, "parse", lambda _, text, start: tree(text, start)),
    ):
        yield


# ---- saved games and positions -------------------------------------------------------------------


@cache
def saved(name: str) -> tuple[rd.Game, tuple[str, ...]]:
    """A game with records and positions of it."""
    game = rd.load(name)
    texts = []
    for seed in (None, 1):
        random = Random(name)
        state = game.start(seed=seed)
        for _ in range(40):
            codes = game.machine.moves(state.cells)
            if state.over or not codes:
                break
            state = state._after(random.choice(codes))
        texts += [game.record(state).to_json(), state.to_json()]
    return game, tuple(texts)


JUNK: tuple[object, ...] = (
    None,
    True,
    -1,
    10**30,
    1.5,
    "",
    "x",
    [],
    {},
    [[]],
    "\ud800",
    "0" * 5000,
    float("nan"),
)


def damaged_save(random: Random) -> str:
    """A record or position with a few changes, half of them under a checksum that fits."""
    game, texts = saved(random.choice(("pig", "kuhn_poker", "goofspiel", "mancala", "tikal")))
    text = random.choice(texts)
    if random.random() < 0.5:
        data = json.loads(text)
        del data["checksum"]
        for _ in range(random.choice((1, 1, 2))):
            _change(data, random)
        with contextlib.suppress(ValueError):
            text = saving._sealed(data)
    else:
        raw = list(text)
        for _ in range(random.choice((1, 2, 10))):
            at = random.randrange(len(raw))
            raw[at : at + random.choice((0, 1, 1, 30))] = random.choice(
                ("", "0", '"', "{", "]", "\\", "\x00", "9" * 5000)
            )
        text = "".join(raw)
    try:
        if "rules-record" in text:
            state = game.replay(text)
        else:
            state = game.state_from_json(text)
    except rd.DataError:
        return "refused"
    with contextlib.suppress(Fault):
        for _ in range(10):
            state.scores()
            if not state.moves():
                break
            state = state.play(random.choice(state.moves()))
    return "played"


def _change(data: dict[str, object], random: Random) -> None:
    key = random.choice([*data, "more"])
    value = data.get(key)
    if isinstance(value, list) and value and random.random() < 0.7:
        value[random.randrange(len(value))] = random.choice((*JUNK, value[0], value[-1]))
    elif key == "cells" and value not in JUNK and random.random() < 0.9:
        cells = bytearray.fromhex(str(value))
        for _ in range(random.choice((1, 2, 4))):
            cells[random.randrange(len(cells))] = random.choice((0, 1, 255, random.randrange(256)))
        data["cells"] = cells.hex()
    elif random.random() < 0.3:
        data.pop(key, None)
    else:
        data[key] = random.choice(JUNK)


# ---- command lines -------------------------------------------------------------------------------

COMMANDS = (
    "list", "check", "fmt", "show", "play", "simulate", "explain", "trace", "compile", "new",
    "verify", "diff", "compare", "book", "bench", "lsp", "nonsense",
)  # fmt: skip
WORDS = (
    "pig", "hex", "tic_tac_toe", "kuhn_poker", "no_such_game", "broken.rules", "good.rules",
    "good.json", "folder", "missing.rules", "-", "", "pig@2", "pig@@=", "--players", "2", "0", "-1",
    "99999999999999999999", "--seed", "x", "--option", "a=b", "=", "--variant", "--json", "--help",
    "--jobs", "1", "--bots", "random", "none", "--seat", "--from", "--emit", "python", "ir", "c",
    "--check", "init", "variant", "--of", "E0101", "\x00", "\udcff", "\u202e", "a" * 300, "--games",
    "3", "-o", "out.txt", "--debug", "--version", "@", "*", "..", "/", "--examples", "--policy",
    "greedy", "--report", "out.html", "--lang", "ru", "--record", "--seconds", "1e309", "nan",
    "--dask", "tcp://127.0.0.1:1", "--fresh", "--backend", "native", "game", "data", "9" * 5000,
)  # fmt: skip
# First words of commands, so that not all of them end there.
GAMES = ("pig", "tic_tac_toe", "kuhn_poker", "good.rules", "broken.rules", "good.json")
STDIN = ("", "1\n", "moves\nwhy 1\nquit\n", "undo\nsave\nload x\nchance\n", "\x00\n" * 9, "x" * 999)


def odd_command(random: Random) -> str:
    """A command with random words, in a folder with good and bad files."""
    arguments = [random.choice(COMMANDS)]
    if random.random() < 0.6:
        arguments += random.choices(GAMES, k=2 if arguments[0] in ("diff", "compare") else 1)
    arguments += random.choices(WORDS, k=random.choice((0, 1, 1, 2, 3, 5)))
    if arguments[0] == "verify":
        # Without a game and with the whole of one this would be long, and nothing new.
        arguments[1:1] = ["pig", "--check", "init", "--players", "2"]
    if arguments[0] in ("simulate", "compare"):
        arguments += ["--games", "3"]
    if arguments[0] == "bench":
        arguments += ["pig", "--seconds", "0.01"]
    result = CliRunner().invoke(command_line, arguments, input=random.choice(STDIN))
    assert result.exception is None or isinstance(result.exception, SystemExit), (
        f"{arguments}: {result.exception!r}"
    )
    assert result.exit_code in EXIT_CODES, f"{arguments}: exit code {result.exit_code}"
    for phrase in ("Traceback", "the program failed"):
        assert phrase not in result.output, f"{arguments}: {result.output[-200:]}"
    return f"with exit code {result.exit_code}"


@contextlib.contextmanager
def folder_of_files() -> Iterator[None]:
    """A working folder with the files that command lines name."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pig = shipped_games()["pig"].read_text(encoding="utf-8")
        (folder / "good.rules").write_text(pig, encoding="utf-8")
        (folder / "broken.rules").write_text(pig.replace("play", "plya", 1), encoding="utf-8")
        (folder / "good.json").write_text(saved("pig")[1][0], encoding="utf-8")
        (folder / "folder").mkdir()
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


# ---- running -------------------------------------------------------------------------------------


@define
class Journal:
    """Progress so far: a line of JSON for every few hundred inputs, the last one counts."""

    file: Path | None = None

    def seed(self, given: int) -> int:
        """The seed of the journal, or the one that was given."""
        return next((int(line["seed"]) for line in self._lines()), given)

    def tally(self, kind: str) -> Tally:
        """Where a kind of input was left off."""
        tally = Tally(kind)
        for line in self._lines():
            if line["kind"] == kind:
                outcomes = Counter(line["outcomes"])
                tally = Tally(kind, line["done"], outcomes, line["findings"])
        return tally

    def note(self, seed: int, tally: Tally) -> None:
        """Add a line."""
        if self.file is not None:
            with self.file.open("a", encoding="utf-8") as out:
                out.write("\n" + json.dumps({"seed": seed, **asdict(tally)}))

    def _lines(self) -> list[dict[str, Any]]:
        if self.file is None or not self.file.exists():
            return []
        found = []
        for line in self.file.read_text(encoding="utf-8").split("\n"):
            # A run that was killed may have left a line unfinished.
            with contextlib.suppress(ValueError):
                found.append(json.loads(line))
        return found


def fuzz(
    seed: int, rules: int, saves: int, commands: int, only: str = "", journal: Path | None = None
) -> list[Tally]:
    """Try the given number of inputs of each kind and return their outcomes."""
    kept = Journal(journal)
    seed = kept.seed(seed)
    print(f"seed {seed}", flush=True)
    kinds = (
        ("rule files", rules, damaged_rules),
        ("saved games", saves, damaged_save),
        ("command lines", commands, odd_command),
    )
    found = []
    shipped()
    with folder_of_files(), read_once():
        for kind, count, one in kinds:
            chosen, _, number = only.partition(":")
            tally = Tally(kind) if only else kept.tally(kind)
            numbers: range | list[int] = range(tally.done, count)
            if only:
                numbers = [int(number)] if chosen == kind else []
            with contextlib.redirect_stderr(io.StringIO()):
                tally.run(numbers, seed, one, partial(kept.note, seed))
            found.append(tally)
    return found


def main() -> None:
    """Run from the command line."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    arguments.add_argument("--seed", type=int, default=time.time_ns() % 10**9)
    arguments.add_argument("--rules", type=int, default=1000)
    arguments.add_argument("--saved", type=int, default=1000)
    arguments.add_argument("--commands", type=int, default=200)
    arguments.add_argument("--only", default="", metavar="KIND:NUMBER")
    arguments.add_argument("--journal", type=Path, metavar="FILE")
    given = arguments.parse_args()
    # What is here stays: looking through it again and again would take a fifth of the time.
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)
    journal = given.journal and given.journal.absolute()
    tallies = fuzz(given.seed, given.rules, given.saved, given.commands, given.only, journal)
    for tally in tallies:
        print(tally)
        for finding in tally.findings:
            print(f"  FINDING {finding}")
    sys.exit(any(tally.findings for tally in tallies))


if __name__ == "__main__":
    main()
