"""Whatever comes in, a command ends with a message and an exit code, never with a traceback."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import rules_dsl as rd
from rules_dsl.cli import rules
from rules_dsl.language.sources import GAMES
from rules_dsl.web import drafts
from tests.cli.conftest import Run

PIG = GAMES / "classics" / "pig.rules"
# No text in UTF-8: Python hands it on with half characters in it.
BYTES = os.fsdecode(b"\xff\xfe")


def command(*args: str, cwd: Path, stdin: bytes = b"", **env: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "rules_dsl", *args],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        check=False,
        timeout=120,
        env={**os.environ, **env},
    )
    output = (done.stdout + done.stderr).decode("utf-8", errors="replace")
    assert "Traceback" not in output
    assert "the program failed" not in output
    return done.returncode, output


# ---- the last resort -----------------------------------------------------------------------------


ERRORS = [
    TypeError("odd"),
    MemoryError(),
    RecursionError("deep"),
    AssertionError(),
    KeyError("x"),
    UnicodeError("no\ntext"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_what_nobody_foresaw(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.delenv("RULES_DEBUG", raising=False)
    monkeypatch.setattr("rules_dsl.language.checking.diagnose", fail)
    plain = CliRunner().invoke(rules, ["check", "pig"])
    assert plain.exit_code == 2
    assert type(error).__name__ in plain.stderr
    assert plain.stderr.count("\n") == 1
    assert "--debug" in plain.stderr
    monkeypatch.setenv("RULES_DEBUG", "0")  # is set by the option, and taken back after the test
    full = CliRunner().invoke(rules, ["--debug", "check", "pig"])
    assert full.exit_code == 2
    assert "Traceback" in full.stderr


# ---- names ---------------------------------------------------------------------------------------


@pytest.fixture
def odd_name(tmp_path: Path) -> Path:
    try:
        return Path(shutil.copy(PIG, tmp_path / f"{BYTES}.rules"))
    except OSError:
        pytest.skip("this file system has no such names")


@pytest.mark.parametrize(
    "line",
    [
        "check {}", "check --json {}", "show {}", "play {} --seat 0 --seed 1", "fmt --check {}",
        "simulate {} --games 20", "verify {} --check init --jobs 1 --players 2",
        "compile {} --emit python", "trace {}", "explain {}",
    ],
)  # fmt: skip
def test_a_file_name_that_is_not_utf8(line: str, odd_name: Path) -> None:
    code, output = command(*line.format(odd_name.name).split(), cwd=odd_name.parent)
    assert code in (0, 2), output


@pytest.mark.parametrize(
    "line",
    [
        "check {}", "show {}", "show pig@{}", "play pig --seat {}", "play --from {}",
        "simulate pig --variant {}", "simulate pig --option {}=1", "explain {}", "{}",
        "verify pig --check {}", "new variant {} --of pig", "compile pig --emit {}",
    ],
)  # fmt: skip
def test_a_name_that_is_not_utf8(line: str, tmp_path: Path) -> None:
    code, output = command(*line.format(BYTES).split(), cwd=tmp_path)
    assert code == 2, output


# ---- sizes ---------------------------------------------------------------------------------------


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device here")
@pytest.mark.parametrize("line", ["check /dev/zero", "fmt /dev/zero", "fmt -", "show /dev/zero",
                                  "play --from /dev/zero", "play pig --seed 1"])  # fmt: skip
def test_a_device_without_an_end(line: str, tmp_path: Path) -> None:
    """Ends in time and with little memory; the input is endless as well."""
    limited = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (2 * 10**9,) * 2); "
        "from rules_dsl.cli import main; main()"
    )
    with open("/dev/zero", "rb") as zeros:
        done = subprocess.Popen(
            [sys.executable, "-c", limited, *line.split()],
            cwd=tmp_path,
            stdin=zeros,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert done.stdout is not None
        try:
            output = done.stdout.read(100_000).decode("utf-8", errors="replace")
        finally:
            done.stdout.close()
            if "play pig" in line:  # goes on asking as long as there is input
                done.kill()
            code = done.wait(60)
    assert "Traceback" not in output
    if "play pig" not in line:
        assert code in (1, 2), output


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text.replace('"seed": 1', '"seed": ' + "9" * 5_000),
        lambda text: text.replace('"pig"', '"\\ud800"'),
        lambda text: text.replace('"pig"', '"\\u0000"'),
        lambda text: text.replace('"seed": 1', '"seed": NaN'),
        lambda text: "[" * 100_000,
        lambda text: "\ufeff" + text,
        lambda text: "",
        lambda text: "null",
        lambda text: text.replace('"checksum": "', '"checksum": "0'),
    ],
)
def test_a_saved_game_that_is_none(damage: object, tmp_path: Path, run: Run) -> None:
    assert callable(damage)
    game = rd.load("pig")
    state = game.start(seed=1)
    for text, read in (
        (game.record(state).to_json(), game.replay),
        (state.to_json(), game.state_from_json),
    ):
        with pytest.raises(rd.DataError):
            read(damage(text))
    path = tmp_path / "game.json"
    path.write_text(damage(game.record(state).to_json()), encoding="utf-8")
    result = run("play", "--from", str(path))
    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: {path}")


def test_an_index_for_a_plain_constant(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "g.rules"
    path.write_text(
        "game g\n    players 2\n\nconst limit = 3\n\nstate\n    n: 0..limit[1]\n\n"
        "play\n    end\n\nscoring\n    score p = n\n"
    )
    result = run("check", str(path))
    assert result.exit_code == 1
    assert "`limit` has no index" in result.stdout


# ---- chance without a seed -----------------------------------------------------------------------


@pytest.fixture
def unseeded(tmp_path: Path) -> Path:
    """A game that waits for chance, as the games that verification finds do."""
    game = rd.load("pig")
    state = game.start().play("roll")
    assert state.is_chance
    path = tmp_path / "game.json"
    path.write_text(game.record(state).to_json(), encoding="utf-8")
    return path


def test_a_person_says_what_chance_does(unseeded: Path, run: Run) -> None:
    result = run("play", "--from", str(unseeded), "--bots", "none", stdin="roll 5\nlog\n")
    assert "chance>" in result.stdout
    assert "turn total: 5" in result.stdout
    assert "chance: roll 5" in result.stdout.split("log")[-1]
    assert "game over" not in result.stdout
    assert run("play", "--from", str(unseeded), stdin="3\n").exit_code == 0
    wrong = run("play", "--from", str(unseeded), stdin="roll 9\nchance 3\n")
    assert "there is no move `roll 9` here" in wrong.stdout


def test_chance_is_left_to_luck(unseeded: Path, run: Run, tmp_path: Path) -> None:
    saved = tmp_path / "saved.json"
    result = run(
        "play",
        "--from",
        str(unseeded),
        "--bots",
        "none",
        stdin=f"chance\nroll\nchance all\nsave {saved}\nchance\n",
    )
    assert result.stdout.count("chance>") == 2
    assert "chance does not decide anything here" in result.stdout
    state = rd.load("pig").replay(saved.read_text(encoding="utf-8"))
    assert [str(m).split()[0] for m in state.played()] == ["roll"] * 4
    assert json.loads(saved.read_text(encoding="utf-8"))["seed"] is None


def test_bots_alone_leave_it_to_luck(unseeded: Path, run: Run) -> None:
    result = run("play", "--from", str(unseeded), "--seat", "0", "--bots", "random")
    assert "The game is over" in result.stdout


def test_a_message_of_a_hundred_terabytes() -> None:
    """An editor that has lost its mind ends the server in words."""
    done = subprocess.run(
        [sys.executable, "-m", "rules_dsl", "lsp"],
        input=b"Content-Length: 99999999999999\r\n\r\n{",
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(b"error: ") and done.stderr.count(b"\n") == 1


def test_fmt_never_replaces_characters_of_standard_input(tmp_path: Path) -> None:
    latin = "# caf\u00e9\n".encode("latin-1")
    code, said = command("fmt", "-", cwd=tmp_path, stdin=latin)
    assert code == 2
    assert "not UTF-8" in said
    text = "# caf\u00e9\n".encode()
    result = subprocess.run(
        [sys.executable, "-m", "rules_dsl", "fmt", "-"],
        cwd=tmp_path,
        input=text,
        check=True,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert result.stdout == text


# ---- the server ----------------------------------------------------------------------------------


def test_too_many_drafts_are_told_at_the_start(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drafts, "MOST_DRAFTS", 0)
    file = tmp_path / "mine.rules"
    file.write_text(PIG.read_text(encoding="utf-8"), encoding="utf-8")
    result = run("serve", str(file), "--port", "0", "--data", str(tmp_path / "data"))
    assert result.exit_code == 2
    assert result.stderr == (
        "error: there are already 0 drafts here: `--data` names another folder\n"
    )


@pytest.mark.parametrize("option", ["--host", "--name"])
def test_an_empty_address_is_not_every_network(option: str, run: Run) -> None:
    result = run("serve", option, "", "--port", "0")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "must not be empty" in result.stderr


# ---- pipes, full disks, long numbers -------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_a_pipe_next_to_a_module_is_not_waited_for(tmp_path: Path) -> None:
    """The games in the folder are looked through for the one that includes the module."""
    (tmp_path / "part.rules").write_text("const one = 1\n", encoding="utf-8")
    os.mkfifo(tmp_path / "pipe.rules")
    code, output = command("check", "part.rules", cwd=tmp_path)
    assert code == 0
    assert "part.rules" in output


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize("line", ["explain E9999", "simulate pig --games 2 --jobs 1"])
def test_errors_that_cannot_be_printed_have_their_exit_code(line: str, tmp_path: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "rules_dsl", *line.split()], cwd=tmp_path, stderr=full,
            stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, check=False, timeout=120,
        )  # fmt: skip
    assert done.returncode == 2


@pytest.mark.parametrize("seat", ["9" * 5000, "9" * 30, "\u00b2", "-1"])
def test_a_seat_that_is_not_there(seat: str, run: Run) -> None:
    result = run("play", "pig", "--seat", seat)
    assert result.exit_code == 2
    assert result.stderr.endswith("1 to 2, or p1, p2\n")
