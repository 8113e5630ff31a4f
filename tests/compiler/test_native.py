"""Native code plays exactly the games that the generated Python plays, and fails where it fails."""

from __future__ import annotations

import os
import pickle
import random
import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, reject, settings
from hypothesis import strategies as st

import rules_dsl as rd
from compiler import ir
from compiler.loading import assembled
from compiler.native.errors import UnsupportedError
from compiler.native.machine import NativeMachine, native_machine
from compiler.pipeline import to_c
from compiler.runtime.backends import BackendError
from compiler.runtime.fault import Fault
from compiler.runtime.game import Game
from compiler.runtime.machine import Machine
from rules_dsl.language.configurations import Configuration, configurations
from rules_dsl.language.sources import gather, shipped_games
from tests.compiler.program_strategy import programs
from tests.compiler.test_generated_programs import build

COUNTING = """\
game counting "Counting"
    players 2 named white, black
const billion = 1000000000
state
    n: 0..9 = 0
    far: 0..99 = 0
    turn: Player = white
action count_on(k: 1..4) by p
    n += k
    far = (far * billion - k * billion * 7) div 333 mod 100
    turn = next(p)
play
    for i in 1..3
        choose turn: count_on
scoring
    score p = n
"""


# Every example is built by a C compiler: shrinking one would take minutes.
NO_SHRINKING = (Phase.explicit, Phase.reuse, Phase.generate)


def configurations_of(name: str) -> Iterator[Configuration]:
    """Every number of players, and every option with the most players."""
    program = assembled(gather(name))
    for configuration in configurations(program):
        if not configuration.changed or configuration.players == program.player_range[1]:
            yield configuration


ALL = [
    pytest.param(name, configuration, id=f"{name}: {configuration}")
    for name in shipped_games()
    for configuration in configurations_of(name)
]


def native(game: Game, checked: bool = False) -> NativeMachine:
    machine = native_machine(game, checked)
    assert machine is not None
    return machine


def same_game(python: Machine, machine: NativeMachine, seed: int, limit: int) -> int:
    """Play side by side, comparing moves, weights and bytes; gives the number of moves made."""
    rng = random.Random(seed)
    try:
        cells = python.new()
    except Fault as fault:
        with pytest.raises(Fault, match=_exactly(fault)):
            machine.new()
        return 0
    assert machine.new() == cells
    for ply in range(limit):
        if python.over(cells):
            return ply
        listing = "outcomes" if python.is_chance(cells) else "moves"
        try:
            found = getattr(python, listing)(cells)
        except Fault as fault:
            with pytest.raises(Fault, match=_exactly(fault)):
                getattr(machine, listing)(cells)
            return ply
        assert getattr(machine, listing)(cells) == found
        if not found:
            return ply
        move = rng.choice(found)
        move = move if isinstance(move, int) else move[0]
        after = bytearray(cells)
        try:
            python.play(after, move)
        except Fault as fault:
            with pytest.raises(Fault, match=_exactly(fault)):
                machine.play(bytearray(cells), move)
            return ply
        machine.play(cells, move)
        assert cells == after
    return limit


def _exactly(fault: Fault) -> str:
    return f"^{re.escape(str(fault))}$"


@pytest.mark.long
@pytest.mark.parametrize(("name", "configuration"), ALL)
def test_every_configuration_plays_the_same(name: str, configuration: Configuration) -> None:
    game = rd.load(name, players=configuration.players, options=configuration.options)
    machine = native(game)
    for seed in range(12):
        assert machine.playout(seed) == game.machine.playout(seed)
    result = game.simulate(10, seed=5, backend="native")
    assert result == game.simulate(10, seed=5, backend="python")


@pytest.mark.parametrize("name", [n for n, p in shipped_games().items() if "classics" in p.parts])
def test_classics_in_the_checked_build(name: str) -> None:
    game = rd.load(name)
    machine = native(game, checked=True)
    assert sum(same_game(game.machine, machine, seed, 60) for seed in range(3)) > 5
    for seed in (0, 2**64 - 1, -7):
        assert machine.playout(seed) == game.machine.playout(seed)


@pytest.mark.long
@pytest.mark.parametrize("name", ["tzolkin", "tikal"])
def test_large_games_in_the_checked_build(name: str) -> None:
    game = rd.load(name, players=3)
    machine = native(game, checked=True)
    assert same_game(game.machine, machine, 1, 150) == 150
    assert machine.playout(8) == game.machine.playout(8)


@settings(
    max_examples=15, deadline=None, phases=NO_SHRINKING, suppress_health_check=list(HealthCheck)
)
@given(programs(), st.integers(2, 3), st.integers(0, 9))
def test_random_programs_play_the_same(text: str, players: int, seed: int) -> None:
    try:
        game = build(text, players)
    except rd.RuleError:
        reject()
    game.origin.as_written = False  # type: ignore[misc]
    try:
        machine = native(game, checked=True)
    except UnsupportedError:  # named as such in a test of its own
        reject()
    same_game(game.machine, machine, seed, limit=25)


# ---- numbers, faults -----------------------------------------------------------------------------


def test_numbers_beyond_32_bits() -> None:
    game = in_memory(COUNTING.replace("n: 0..9", "n: 0..99"))
    machine = native(game, checked=True)
    assert "i64" in to_c(game.ir)
    for seed in range(20):
        assert same_game(game.machine, machine, seed, 9) == 3


def test_faults_are_the_same_faults() -> None:
    game = in_memory(COUNTING)
    machine = native(game)
    seen = set()
    for seed in range(30):
        try:
            end = game.machine.playout(seed)
        except Fault as fault:
            seen.add(str(fault))
            with pytest.raises(Fault, match=_exactly(fault)):
                machine.playout(seed)
        else:
            assert machine.playout(seed) == end
    assert any("n is 1" in text and "outside 0..9" in text for text in seen), seen


def test_a_fault_in_a_simulation_is_raised() -> None:
    game = in_memory(COUNTING)
    with pytest.raises(Fault, match="outside"):
        game.simulate(50, backend="native")


def test_what_is_too_large_is_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("compiler.native.decisions.MAX_MOVES", 3)
    path = tmp_path / "large.rules"
    path.write_text(COUNTING.replace("n: 0..9", "n: 0..99"))
    game = rd.load(path)
    with pytest.raises(UnsupportedError, match="a decision with more than 3 moves"):
        to_c(game.ir)
    with pytest.raises(BackendError, match="does not support a decision with more than 3 moves"):
        game.playout(backend="native")
    assert game.simulate(100) == game.simulate(100, backend="python")
    assert "more than 3 moves" in str(game.backends.problem)


def test_a_construct_without_c_is_named() -> None:
    game = rd.load("tic_tac_toe")
    from compiler.native.expressions import ExpressionWriter, Locals
    from compiler.native.module import ModuleWriter

    class NewConstruct(ir.Expr):
        """An expression that the C writer has never heard of."""

    writer = ExpressionWriter(ModuleWriter(game.ir), Locals())
    with pytest.raises(UnsupportedError, match="the construct `NewConstruct`"):
        writer.code(NewConstruct(lo=0, hi=1))


def test_foreign_cells_and_moves_are_refused() -> None:
    game = rd.load("tic_tac_toe")
    machine = native(game)
    with pytest.raises(ValueError, match="not the cells"):
        machine.moves(b"short")
    with pytest.raises(ValueError, match="no such move"):
        machine.play(machine.new(), 9)
    with pytest.raises(TypeError):
        machine.functions.moves("text")
    with pytest.raises(ValueError, match="too small"):
        machine.functions.games(None, 0, bytearray(8), bytearray(80), bytearray(40), bytearray(80))


def in_memory(text: str) -> Game:
    """A game of two players from a text, whose native code is known by what it says."""
    game = build(text, 2)
    game.origin.as_written = False  # type: ignore[misc]
    return game


# ---- building ------------------------------------------------------------------------------------


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULES_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_without_a_compiler(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(empty_cache))
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setitem(sys.modules, "ziglang", None)
    game = rd.load("tic_tac_toe")
    with pytest.raises(BackendError, match=r"needs a C compiler: install gcc, clang, .*\[native\]"):
        game.playout(backend="native")
    assert game.playout(3, backend="auto") == game.playout(3, backend="python")
    assert game.simulate(200).games == 200
    assert "needs a C compiler" in str(game.backends.problem)


def test_a_compiler_that_does_not_exist(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler -m64")
    with pytest.raises(BackendError, match="that CC names, `no-such-compiler`, does not exist"):
        rd.load("tic_tac_toe").playout(backend="native")


def test_a_compiler_that_fails(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "false")
    with pytest.raises(BackendError, match="the C compiler `false` failed"):
        rd.load("tic_tac_toe").playout(backend="native")


def test_libraries_are_kept_and_damaged_ones_built_again(empty_cache: Path) -> None:
    game = rd.load("tic_tac_toe")
    assert native_machine(game, build=False) is None
    end = native(game).playout(1)
    (library,) = (empty_cache / "native").glob("*.so")
    assert not library.stat().st_mode & 0o077
    assert native_machine(game, build=False) is not None
    whole = library.read_bytes()
    os.replace(_written(library.with_suffix(".tmp"), whole[:-100]), library)
    assert native_machine(game, build=False) is None
    assert native(game).playout(1) == end
    assert library.stat().st_size > len(whole) - 100


def _written(path: Path, raw: bytes) -> Path:
    path.write_bytes(raw)
    return path


def test_a_cache_that_others_may_write_to_is_not_used(empty_cache: Path) -> None:
    empty_cache.mkdir(mode=0o777)
    empty_cache.chmod(0o777)
    game = rd.load("tic_tac_toe")
    assert native(game).playout(1) == game.machine.playout(1)
    assert not list(empty_cache.rglob("*.so"))


def test_auto_builds_only_for_many_games(empty_cache: Path) -> None:
    game = rd.load("tic_tac_toe")
    game.playout(1)
    assert not list(empty_cache.rglob("*.so"))
    game.simulate(100)
    assert list(empty_cache.rglob("*.so"))


def test_lists_of_moves_belong_to_the_caller() -> None:
    """Long lists are made from the one before, in which nothing that a caller does is seen."""
    game = rd.load("hex")
    python, machine = game.machine, native(game)
    one, two = python.new(), python.new()
    for move in (0, 60, 120, 7, 8, 9):
        python.play(one, move)
        for cells in (one, two, one, python.new()):
            found = machine.moves(cells)
            assert found == python.moves(cells)
            found.reverse()
            del found[3:]
    while not python.over(one):
        python.play(one, python.moves(one)[-1])
        assert machine.moves(one) == python.moves(one)


# ---- threads -------------------------------------------------------------------------------------


def test_games_run_beside_python() -> None:
    """Native games let other threads run: one counts while a long batch is played."""
    machine = native(rd.load("pig"))
    counted = 0
    done = threading.Event()

    def play() -> None:
        machine.random_games(None, 0, 30_000)
        done.set()

    thread = threading.Thread(target=play)
    thread.start()
    while not done.is_set():
        counted += 1
    thread.join()
    assert counted > 100


# ---- the documented loop -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["kuhn_poker", "hex", "pig"])
def test_states_on_native_code(name: str) -> None:
    """A game loaded for native code gives the same states, moves, texts and scores."""
    python, fast = rd.load(name), rd.load(name, backend="native")
    rng = random.Random(4)
    s, t = python.start(seed=11), fast.start(seed=11)
    while not s.over:
        assert (s, s.player, s.draws) == (t, t.player, t.draws)
        assert [str(m) for m in s.moves()] == [str(m) for m in t.moves()]
        assert s.moves() == t.moves()
        index = rng.randrange(len(s.moves()))
        s, t = s.play(s.moves()[index]), t.play(str(t.moves()[index]))
    assert t.over
    assert (s.scores(), s.winners()) == (t.scores(), t.winners())
    assert pickle.loads(pickle.dumps(fast)).origin.backend == "native"


def test_chance_without_a_seed() -> None:
    s = rd.load("pig", backend="native").start().play("throw")
    assert s.is_chance
    (first, _), *_ = s.outcomes()
    assert s.play(first).played()[-1] == first


def test_load_refuses_an_unknown_back_end() -> None:
    with pytest.raises(BackendError, match="there is no back end 'fast'"):
        rd.load("pig", backend="fast")
