"""Proofs grow no faster than promised with the values of parameters and the cells of a board."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules_dsl as rd
import verify

HERE = Path(__file__).parent


# The fastest of so many checks counts, each with an empty cache: other load only slows them down.
ROUNDS = 2


def proved(
    name: str, written: str, put: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> float:
    """CPU seconds of a check of rules with another size, in which all has to be proved."""
    text = (HERE / name).read_text(encoding="utf-8")
    assert written in text
    path = folder / name
    path.write_text(text.replace(written, put), encoding="utf-8")
    seconds = []
    for number in range(ROUNDS):
        monkeypatch.setenv("RULES_CACHE_DIR", str(folder / f"{put} {number}"))
        report = verify.run(rd.load(str(path)), jobs=1)
        assert report.ok
        seconds.append(report.seconds)
    return min(seconds)


@pytest.mark.benchmark
def test_two_parameters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From 24 x 24 to 48 x 48 moves no more than fourfold; the first check warms up."""
    _, small, large = (
        proved("pairs.rules", "places = 24", f"places = {n}", tmp_path, monkeypatch)
        for n in (6, 24, 48)
    )
    print(f"24 x 24 moves {small:.1f} s, 48 x 48 moves {large:.1f} s")
    assert large <= 4 * small


@pytest.mark.benchmark
def test_neighbours_and_an_invariant_on_all_pairs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No more than the square of the cells; their power of 1.3 to 1.4 has been measured."""
    _, small, large = (
        proved("neighbours.rules", "side = 5", f"side = {n}", tmp_path, monkeypatch)
        for n in (3, 5, 7)
    )
    print(f"25 cells {small:.1f} s, 49 cells {large:.1f} s")
    assert large <= (49 / 25) ** 2 * small
