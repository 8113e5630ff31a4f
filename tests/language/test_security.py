"""A rule file cannot run code: whatever its names and texts are, they stay names and texts."""

from __future__ import annotations

import ast
import builtins
import keyword
from pathlib import Path

import pytest

import rules_dsl as rd
from compiler.pipeline import to_ir, to_python
from rules_dsl.language.checking import diagnose, settings
from rules_dsl.language.diagnostics import RuleError
from rules_dsl.language.program import assemble
from rules_dsl.language.sources import gather
from tests.language.edits import in_memory

# Every kind of name once: {0} to {12} are replaced.
GAME = """\
game {0} "A game of names"
    players 2 named {1}, {2}

option {3}: bool = true

enum Kind: {4}, other_kind

const {5} = 3

good {6} limit 9

table Card
    columns {7}: 0..9
    row {8}: 4
    row other_row: 5

state
    {9}: 0..99
    pool store bank
    zone deck of Card holds all

function {10}({11}: Kind): 0..9 = if {11} = {4} and {3} then {5} else 1

action {12}({11}: Kind) by p
    require {9} < 90
    let local_sum = {10}({11}) + ord(p) + store.{6}
    {9} += local_sum

play
    for {13} in Player
        var {14}: 0..99 = 0
        for k in 1..2
            {14} += k + {8}.{7}
            if {14} > 5
                {9} += 1
        choose {13}: {12}

scoring
    score p = {9} + ord(p)
"""
PLAIN = [
    "plain", "first_seat", "second_seat", "with_option", "one_kind", "three", "grain", "worth",
    "one_row", "total", "measure", "kind", "take", "seat", "amount",
]  # fmt: skip

PYTHON_WORDS = sorted({*keyword.kwlist, *keyword.softkwlist} - {"_"})
BUILTINS = [
    "eval", "exec", "open", "compile", "input", "print", "range", "len", "object", "type", "int",
    "getattr", "globals", "vars", "super", "sum", "min", "max", "abs", "exit", "bytearray", "tuple",
]  # fmt: skip
GENERATED = [
    "s", "m", "t1", "t2", "out", "by", "fault", "FAULTS", "INITIAL", "BLOCKS", "MOVES", "PLAY",
    "self", "halt", "score", "play_1", "moves_1", "b_play_0", "a_take", "f_measure", "raise_fault",
    "Fault",
    "note_1_0", "why_1_0", "cls", "buffer", "state", "n", "x", "i", "k_2_", "total_2_", "out_2_",
]  # fmt: skip
NASTY = [*PYTHON_WORDS, *BUILTINS, *GENERATED]


def text_with(names: list[str]) -> str:
    """The game with these names."""
    text = GAME
    for number in reversed(range(len(names))):
        text = text.replace("{" + str(number) + "}", names[number])
    return text


def scores_of(text: str, folder: Path) -> list[list[object]]:
    """How some random games end."""
    path = folder / "names.rules"
    path.write_text(text, encoding="utf-8")
    game = rd.load(str(path))
    return [list(game.playout(seed=seed, backend="python").scores()) for seed in range(3)]


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> list[list[object]]:
    return scores_of(text_with(PLAIN), tmp_path_factory.mktemp("plain"))


@pytest.mark.parametrize("place", range(len(PLAIN)), ids=PLAIN)
def test_names_of_python(place: int, usual: list[list[object]], tmp_path: Path) -> None:
    """A name that means something in Python is refused, or changes nothing."""
    refused = 0
    words = [word for number, word in enumerate(NASTY) if (number + place) % 3 == 0]
    for number, word in enumerate(words):
        names = [*PLAIN]
        names[place] = word
        program_text = text_with(names)
        found = {d.code for d in diagnose(in_memory(program_text))}
        if found:
            refused += 1
            assert found & {"E0208", "E0101", "E0202", "E0214"}
        elif number % 4 == place % 4:
            assert scores_of(program_text, tmp_path) == usual, word
    assert refused < len(words)


@pytest.mark.parametrize(
    "name", ["__import__", "__builtins__", "__class__", "_", "_private", "a.b", "a-b", "a b", "1a"]
)
def test_names_that_are_none(name: str) -> None:
    for place in (5, 9, 10, 12):
        names = [*PLAIN]
        names[place] = name
        with pytest.raises(RuleError):
            assemble(in_memory(text_with(names)))


@pytest.mark.parametrize(
    "letter", ["\u0430", "\uff41", "\u212f", "\u00e9", "\u200b", "\u202e", "\u0131"]
)
def test_look_alikes(letter: str) -> None:
    """Python would take some of these for the letters that they look like."""
    names = [*PLAIN]
    names[9] = f"tot{letter}l"
    with pytest.raises(RuleError, match=r"E010[127]"):
        assemble(in_memory(text_with(names)))


TEXTS = [
    "'", "'''", '\\"', '\\"\\"\\"', "\\\\", "\\\\n", "\\\\\\\\", "%s %d", "$HOME", "`id`", "\\{",
    "\\}", "\\{p\\}", "{p}", "#", "# no comment", "<script>alert(1)</script>", "\u2028", "\u202e",
    "\u0430", "\x7f", "\x1b[31m", "]] ; import os", "{{", "\\\\x41", "\\\\u0041",
]  # fmt: skip


@pytest.mark.parametrize("unseen", ["\x00", "\x1b[31m", "\r", "\x9b", "\u202e", "\ufeff"])
def test_what_cannot_be_seen_is_refused(unseen: str, tmp_path: Path) -> None:
    """A label cannot steer the terminal that shows it, nor a line read other than it is."""
    path = tmp_path / "unseen.rules"
    path.write_bytes(f'game unseen "a"\n    players 2\n\n# no{unseen}te\n'.encode())
    with pytest.raises(RuleError, match="in line 4") as refused:
        gather(str(path))
    assert [d.code for d in refused.value.diagnostics] == ["E0113"]
    assert all(line.isprintable() for line in refused.value.render().splitlines())


@pytest.mark.parametrize("text", TEXTS)
def test_texts(text: str, tmp_path: Path) -> None:
    """The text of titles, labels, notations and reasons is shown as written, or refused."""
    rules = f"""\
game texts "{text}"
    players 2
    source R "{text}"

enum Kind "{text}"
    one "{text}" ru "{text}"
    two

state
    total: 0..9 "{text}"

action take(k: Kind) by p "take {{k}} {text}" [R 1]
    require total < 5 "{text}"
    total += 1

play
    choose p1: take
    choose p2 as main "{text}": take

scoring
    score p = total

label total "{text}"

invariant small "{text}"
    total < 9

example "{text}"
    expect total = 0
"""
    path = tmp_path / "texts.rules"
    path.write_text(rules, encoding="utf-8")
    try:
        found = {d.code for d in diagnose(gather(str(path)))}
    except RuleError as error:
        found = {d.code for d in error.diagnostics}
        assert found == {"E0113"}
        assert text in ("\u202e", "\x7f", "\x1b[31m")
    if found:
        assert found <= {"E0106", "E0125", "E0102", "E0113", "E0201"}
        return
    game = rd.load(str(path))
    state = game.start(seed=1)
    shown = text.replace('\\"', '"').replace("\\\\", "\\").replace("\\{", "{").replace("\\}", "}")
    for move in state.moves():
        notation = str(move)
        assert notation.startswith("take ")
        if "{p}" not in text:
            assert notation.endswith(shown)
        assert state.play(notation) == state.play(move)
    state = state.play(state.moves()[0])
    assert state.play(state.moves()[0]).scores() == (2, 2)


# ---- generated code ------------------------------------------------------------------------------

ALLOWED_BUILTINS = {
    "range", "len", "abs", "min", "max", "sum", "tuple", "bytes", "bytearray", "all", "any", "next",
    "iter", "None", "list", "set", "str", "enumerate", "reversed", "sorted", "zip", "int", "divmod",
    "dict", "frozenset", "bool", "map", "filter", "isinstance", "IndexError", "ValueError",
}  # fmt: skip


@pytest.mark.parametrize("game", ["kuhn_poker", "hex", "mancala", "goofspiel", "tikal"])
def test_generated_code_reaches_nothing(game: str) -> None:
    """Generated code imports the runtime only, and uses no name that reaches the machine."""
    program = assemble(gather(game))
    players, options = next(iter(settings(program)))
    tree = ast.parse(to_python(to_ir(program, players, options)).text)
    for node in ast.walk(tree):
        assert not isinstance(node, ast.Import | ast.Global | ast.Nonlocal | ast.ClassDef)
        if isinstance(node, ast.ImportFrom):
            assert node.module is not None
            assert node.module.startswith("compiler.runtime")
        if isinstance(node, ast.Attribute):
            assert not node.attr.startswith("_")
        if isinstance(node, ast.Name) and hasattr(builtins, node.id):
            assert node.id in ALLOWED_BUILTINS, node.id


def test_includes_stay_in_their_folder(tmp_path: Path) -> None:
    """An include of something that is not a rule file is an error, not a leak of its text."""
    folder = tmp_path / "game"
    folder.mkdir()
    (tmp_path / "above.rules").write_text("password: hunter2\n")
    (folder / "secret.txt").write_text("password: hunter2\n")
    for target in ("secret.txt", "../above.rules", str(tmp_path / "above.rules"), "/etc/passwd"):
        (folder / "game.rules").write_text(
            f'game g\n    players 2\n\ninclude "{target}"\n\nplay\n    end\n\n'
            "scoring\n    score p = 0\n"
        )
        with pytest.raises(RuleError) as caught:
            rd.load(str(folder / "game.rules"))
        assert [d.code for d in caught.value.diagnostics] == ["E0115"]
        assert "hunter2" not in str(caught.value)


def test_links_lead_nowhere_else(tmp_path: Path) -> None:
    """A symlink in a folder of foreign rules does not make us read and show other files."""
    folder = tmp_path / "game"
    (folder / "parts").mkdir(parents=True)
    (tmp_path / "secret.rules").write_text("password: hunter2\n")
    (folder / "linked.rules").symlink_to(tmp_path / "secret.rules")
    (folder / "round.rules").symlink_to(folder / "round.rules")
    (folder / "parts" / "good.rules").write_text("const worth = 3\n")
    (folder / "inner.rules").symlink_to(folder / "parts" / "good.rules")
    text = 'game g\n    players 2\n\ninclude "{}"\n\nplay\n    end\n\nscoring\n    score p = {}\n'
    for target in ("linked.rules", "round.rules"):
        (folder / "game.rules").write_text(text.format(target, 1))
        with pytest.raises(RuleError) as caught:
            rd.load(str(folder / "game.rules"))
        assert [d.code for d in caught.value.diagnostics] == ["E0115"]
        assert "hunter2" not in str(caught.value)
    (folder / "game.rules").write_text(text.format("inner.rules", "worth"))
    assert rd.load(str(folder / "game.rules")).playout().scores() == (3, 3)
    (folder / "house.rules").write_text("variant house of linked\n    const worth = 4\n")
    with pytest.raises(RuleError) as caught:
        rd.load(str(folder / "house.rules"))
    assert "hunter2" not in str(caught.value)
    assert [d.code for d in caught.value.diagnostics] == ["E0502"]
