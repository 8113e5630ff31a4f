"""Ghosts: proofs and checks know them, play does not."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from types import SimpleNamespace

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

import rules_dsl as rd
import verify
from compiler import ir
from compiler.ghosts import ghosts, without_ghosts
from compiler.pipeline import to_code, to_ir, to_python
from compiler.rebuild import with_ghosts
from compiler.runtime.fault import Fault
from compiler.runtime.game import Game
from compiler.runtime.machine import Machine
from compiler.runtime.values import read_slot
from rules_dsl.language.program import assemble
from rules_dsl.language.sources import SourceSet
from rules_dsl.rl.limits import bounds_of
from tests.compiler.program_strategy import programs
from verify.authoring.invariant_tests import test_invariants as play_and_check

# Every line that ends with `#` is about ghosts alone.
QUARRY = """\
game quarry
    players 2..3 named ann, bob, cem

enum Hue: grey, red

good stone limit 12

state
    at: Player
    ghost dug[Player]: 0..12 #
    pool hill bank
    pool yard[Player]
    ghost laid[Player]: 0..12 #
    pool wall
    ghost turns: 0..36 #
    ghost hues: set of Hue #

action dig(n: 1..2) by p "dig {n}"
    ensures dug[p] = before(dug[p]) + n #
    require hill.stone >= n "only {hill.stone} left"
    move n stone from hill to yard[p]
    dug[p] += n #

action lay by p "lay a stone"
    require yard[p].stone > 0 "you have none"
    move 1 stone from yard[p] to wall
    laid[p] += 1 #
    if wall.stone > 3 #
        add red to hues #
    for h in Hue #
        hues = each x in Hue where next(x) in hues or h = x #
    noted(p) #

procedure noted(p: Player) #
    assumes turns >= 0 #
    turns += 0 #

function steps_done() = sum(p in Player: dug[p] + laid[p])

play
    while hill.stone > 0 decreases 24 - steps_done()
        choose at: dig, lay
        turns += 1 #
        at = next(at)
        assert turns > 0 #

scoring
    score p = yard[p].stone

invariant own_stones #
    every p in Player: dug[p] = laid[p] + yard[p].stone #

invariant the_wall #
    wall.stone = sum(p in Player: laid[p]) #

invariant turns_are_used #
    turns <= steps_done() #

invariant there_is_a_hill
    hill.stone <= 12
"""
# The same lines keep their numbers.
LINES = ("#" if line.endswith("#") else line for line in QUARRY.splitlines())
COUNTED = "sum(p in Player: dug[p] + laid[p])"
PLAIN = "\n".join(LINES).replace(COUNTED, "wall.stone")
WITH = QUARRY.replace(" #\n", "\n")


def saved(folder: Path, text: str) -> str:
    path = folder / "quarry.rules"
    path.write_text(text + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture
def game(tmp_path: Path) -> rd.Game:
    return rd.load(saved(tmp_path, WITH))


@pytest.fixture
def plain(game: rd.Game) -> rd.Game:
    return rd.load(saved(Path(game.origin.sources.main).parent, PLAIN))


def code(module: ir.Module) -> str:
    """The generated code without the names of rule files and ghosts."""
    routines = {name: routine for name, routine in module.routines.items() if routine.body}
    text = to_python(evolve(module, routines=routines)).text.replace(module.digest, "")
    return text.replace(f"'left_out': {module.left_out!r}", "'left_out': ()")


def test_play_runs_the_code_of_a_game_without_them(game: rd.Game, plain: rd.Game) -> None:
    assert game.ir.left_out == ("dug", "hues", "laid", "turns")
    assert code(game.ir) == code(plain.ir)
    assert game.ir.arrays.keys() == plain.ir.arrays.keys()
    assert [i.name for i in game.ir.invariants] == ["there_is_a_hill"]
    assert without_ghosts(plain.ir) is plain.ir


def test_positions_and_saved_games_know_nothing_of_them(game: rd.Game, plain: rd.Game) -> None:
    one, two = game.playout(seed=3), plain.playout(seed=3)
    assert one.cells == two.cells and one.scores() == two.scores()
    state, other = game.start(), plain.start()
    for _ in range(6):
        assert [str(m) for m in state.moves()] == [str(m) for m in other.moves()]
        state, other = state.play(state.moves()[-1]), other.play(other.moves()[-1])
    assert state.cells == other.cells
    assert "dug" not in state.to_json() and "dug" not in str(state.view(player=0))
    assert [i.invariant for i in game.check(state)] == ["there_is_a_hill"]
    assert game.replay(game.record(state).to_json()) == state


@pytest.mark.parametrize("backend", ["python", "native"])
def test_checked_games_have_them(game: rd.Game, backend: str) -> None:
    checked = game.checked()
    assert ghosts(checked.ir) == {"dug", "laid", "turns", "hues"}
    state = checked.start().play("dig 2").play("dig 1").play("lay a stone")
    assert (state["dug"][0], state["laid"][0], state["turns"]) == (2, 1, 3)
    assert str(state.view(player=0)["turns"]) == "hidden"
    record = checked.record(state)
    assert game.replay(record.to_json())["at"] == state["at"]
    for seed in range(5):
        end = checked.playout(seed=seed, backend=backend)
        assert end.scores() == game.playout(seed=seed, backend=backend).scores()


def test_checked_games_find_what_ghosts_contradict(tmp_path: Path) -> None:
    wrong = WITH.replace("dug[p] += n", "dug[p] += 1")
    game = rd.load(saved(tmp_path, wrong))
    assert game.playout(seed=1).over
    with pytest.raises(Fault, match="what dig ensures"):
        game.checked().start().play("dig 2")
    broken = [r for r in play_and_check(game, decisions=200) if r.status == "REFUTED"]
    assert broken != []


def test_proofs_use_them(game: rd.Game) -> None:
    report = verify.run(game, jobs=1, fresh=True)
    assert report.ok, [str(r) for r in report.results if r.status not in ("PROVED", "TESTED")]
    proved = {r.subject for r in report.results if r.obligation == "invariant"}
    assert {"own_stones", "the_wall", "turns_are_used"} <= proved


def test_a_false_word_about_them_is_refuted(tmp_path: Path) -> None:
    game = rd.load(saved(tmp_path, WITH.replace("laid[p] += 1", "laid[p] += 0")))
    report = verify.run(game, jobs=1, fresh=True)
    (wrong,) = [r for r in report.results if r.subject == "own_stones" and r.status == "REFUTED"]
    assert "lay a stone" in str(wrong.record)


def test_another_process_has_the_same_game(game: rd.Game) -> None:
    again = pickle.loads(pickle.dumps(game))
    assert again.ir == game.ir
    assert ghosts(with_ghosts(again).ir) == ghosts(with_ghosts(game).ir)


def test_the_length_of_a_game_is_known_from_a_measure_with_ghosts(game: rd.Game) -> None:
    most = bounds_of(game, "score", prove=False).decisions
    assert most is not None and most >= 24


def test_reports_of_changed_rules_are_told_apart(tmp_path: Path) -> None:
    from verify.proof.settings import Settings
    from verify.running.kept_reports import key_of

    games = []
    for name, rule in (("one", "laid[p] += 1"), ("two", "laid[p] += 0")):
        (tmp_path / name).mkdir()
        path = saved(tmp_path / name, WITH.replace("laid[p] += 1", rule))
        program = rd.load(path).origin.program()
        games.append(in_memory(program.sources, without_ghosts))
    one, two = (key_of(game, Settings(frozenset({"safety"}))) for game in games)
    assert one != two


def in_memory(sources: SourceSet, left: object) -> Game:
    from compiler.loading import Origin

    program = assemble(sources)
    module = to_ir(program, 2, {})
    played = without_ghosts(module) if left is without_ghosts else module
    namespace: dict[str, object] = {"__name__": "rules.made"}
    exec(to_code(played), namespace)
    origin = Origin(sources.main, (), 2, {}, sources, program=program, module=played)
    return Game(Machine(namespace), origin)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs(), st.integers(2, 3), st.integers(0, 9))
def test_random_games_are_played_as_with_them(text: str, players: int, seed: int) -> None:
    sources = SourceSet(main="made.rules", texts={"made.rules": text}, includes={"made.rules": []})
    try:
        module = to_ir(assemble(sources), players, {})
    except rd.RuleError as error:
        if all(d.code in ("E0309", "E0310", "E0317") for d in error.diagnostics):
            reject()
        raise
    whole, played = made(module), made(without_ghosts(module))
    one, two = whole.machine, played.machine
    rng = random.Random(seed)
    a, b = one.new(), two.new()
    for _ in range(25):
        assert (one.over(a), one.player(a)) == (two.over(b), two.player(b))
        for name, array in played.ir.arrays.items():
            slots = [game.meta["arrays"][name]["slot"] for game in (one, two)]
            for at in range(array.size):
                assert read_slot(slots[0], a, at) == read_slot(slots[1], b, at), name
        if one.over(a):
            return
        try:
            moves = possible(one, a)
        except Fault:
            return
        assert moves == possible(two, b)
        if not moves:
            return
        number = rng.choice(moves)
        try:
            one.play(a, number)
        except Fault:  # what is proved never happens; a ghost may have left its range
            return
        two.play(b, number)


def made(module: ir.Module) -> Game:
    namespace: dict[str, object] = {"__name__": "rules.made"}
    exec(to_code(module), namespace)
    return Game(Machine(namespace), SimpleNamespace(module=lambda: module))  # type: ignore[arg-type]


def possible(machine: Machine, cells: bytearray) -> list[int]:
    """The numbers of the moves, or of what chance may do."""
    if machine.is_chance(cells):
        return [value for value, _ in machine.outcomes(cells)]
    return list(machine.moves(cells))
