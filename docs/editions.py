"""Writes the page "What changed between the editions": python docs/editions.py [--search].

The positions on the page are those of `editions.json`; `--search` looks for them anew, as
`rules diff tikal@1999 tikal@2018` does. Tests compare both with the rules, so that neither can go
stale.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from attrs import asdict, frozen

import rules_dsl as rd
from compiler.runtime.drawing import draw
from compiler.runtime.state import State
from docs.edition_points import POINTS
from rules_dsl.language.options import option_infos

HERE = Path(__file__).parent
FOUND = HERE / "editions.json"
PAGE = HERE / "pages" / "games" / "tikal_editions.md"
PICTURES = HERE / "pages" / "pictures"
EDITIONS = (1999, 2018)
SHOWN_MOVES = 12


@frozen
class Found:
    """A change between the editions, with the game that shows it, if it shows in play."""

    what: str
    name: str
    before: str
    after: str
    configuration: str
    equivalent: bool
    players: int
    moves: tuple[str, ...]
    text: str

    def states(self) -> tuple[State, State]:
        """The position in both editions."""
        options = {"auction": "auction=true" in self.configuration}
        ends = []
        for edition in EDITIONS:
            game = rd.load("tikal", players=self.players, options={"edition": edition, **options})
            state = game.start()
            for move in self.moves:
                state = state.play(move)
            ends.append(state)
        return ends[0], ends[1]


@frozen
class Prose:
    """What a change means to people who play: heading, both rules, what the picture shows."""

    heading: str
    old: str
    new: str
    seen: str
    picture: str = ""


PROSE = {
    "needs_member": Prose(
        "A camp needs an explorer on the spot",
        "A camp may be founded on any clearing or emptied ruin, whether or not a member of the "
        "expedition is there. [1999, p. 4-5, Founding a camp]",
        "One of the player's members must stand on the tile. [2018, p. 4, Founding a tent camp]",
        "The first turn of a game: {player} has placed a tile and nobody has left the base camp. "
        "In 1999 `found a camp on b2` is legal here; in 2018 it is refused: *{reason}*.",
        "editions_camp",
    ),
    "setup": Prose(
        "Who begins",
        "The oldest player, who is also the first to bid. [1999, p. 1, Course of play; p. 6, "
        "Bidding for the first turn]",
        "Whoever took part in an excavation most recently. [2018, p. 2, Course of play; p. 5, "
        "Tactical: course of play]",
        "Both are facts about people, so both editions draw the first player. The rules are "
        "written differently and mean the same in play: that is **proved**, and no position can "
        "show a difference.",
    ),
    "most highest_temple(p)": Prose(
        "A tie is broken by the highest temple …",
        "No tie-break: equal points share the victory. [1999, p. 5, End of the game]",
        "Among tied players, the one who controls the highest temple wins. [2018, p. 6, Final "
        "scoring]",
        "The end of a game in which {old_winners} have {points} points each. In 1999 they share "
        "the victory. In 2018 {new_winners} wins: the highest temple of each is worth {temples}.",
        "editions_tie_temple",
    ),
    "most treasures_of(p)": Prose(
        "… and then by treasures",
        "No tie-break. [1999, p. 5, End of the game]",
        "If the highest temples are level, too, the player with more treasures wins; if those are "
        "level, the victory is shared. [2018, p. 6, Final scoring]",
        "The end of another game: {old_winners} have {points} points each, and the highest temple "
        "of each is worth {temples}. In 1999 they share the victory. In 2018 {new_winners} wins "
        "with more treasures ({treasures}).",
        "editions_tie_treasure",
    ),
    "fewest_first": Prose(
        "After an auction: the order of the final scoring",
        "Those with the fewest points take their last ten action points first; of equals, the "
        "nearest to the left of the player who placed the last tile. [1999, p. 7, Final scoring "
        "and end of the game]",
        "The auction has no order of its own, so the usual one holds: from the left neighbour of "
        "the player who placed the last tile. [2018, p. 5, Tactical version; p. 6, Final scoring]",
        "The last tile is placed and the final scoring begins. In 1999 {old_player} is to move, "
        "with fewest points ({all_points}); in 2018 it is {new_player}, to the left of the player "
        "who moved last.",
        "editions_order",
    ),
}

HEAD = """# What changed between the editions

<!-- Written by docs/editions.py; a test compares it with the rules. -->

Two rulebooks of Tikal ship as one game with an option: `tikal@1999` and `tikal@2018`. What is the
same in both is written once. What differs is found by machine, with

```sh
rules diff tikal@1999 tikal@2018
```

This compares the rules as they are carried out, for every number of players, with and without the
auction. For each change it gives a game from the opening, legal under both rulebooks, after which
they disagree; or a proof that they never do. The search for the ties plays the ends of games again
and again until players are level; whatever is shown here was replayed under both rulebooks.
"""

TABLE = """## All points that were compared

The machine compares the rule files, not the paper. So the rulebooks were also compared by reading,
point by point, and a test holds this list against the machine's: every difference in it was found,
and nothing else was. Where a book is silent or contradicts itself, the rule file says so with a
`ruling` that can be decided the other way.

| | point | |
|---|---|---|
"""


def search() -> list[Found]:
    """Look for the differences and the positions that show them."""
    done = subprocess.run(
        [sys.executable, "-m", "rules_dsl", "diff", "tikal@1999", "tikal@2018", "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    return [found_of(change) for change in json.loads(done.stdout)["changes"]]


def found_of(change: dict[str, Any]) -> Found:
    """A change as `rules diff --json` tells it."""
    witness = change["witness"]
    return Found(
        change["what"],
        change["name"],
        change["before"],
        change["after"],
        change["configuration"],
        change["equivalent"],
        json.loads(witness["records"][0])["players"] if witness else 0,
        tuple(witness["moves"]) if witness else (),
        witness["text"] if witness else "",
    )


def kept() -> list[Found]:
    """The differences that were found last."""
    data = json.loads(FOUND.read_text(encoding="utf-8"))
    return [Found(**{**change, "moves": tuple(change["moves"])}) for change in data]


def pages(changes: list[Found]) -> dict[Path, str]:
    """The page and its pictures."""
    written: dict[Path, str] = {}
    parts = [HEAD]
    for change in changes:
        if change.what == "option":
            continue
        prose = PROSE[change.name]
        parts.append(f"## {prose.heading}\n")
        parts.append(f"| 1999 | 2018 |\n|---|---|\n| {prose.old} | {prose.new} |\n")
        if not change.moves:
            assert change.equivalent
            parts.append(f"{prose.seen}\n")
            continue
        old, new = change.states()
        drawn = draw(new)
        assert drawn is not None
        written[PICTURES / f"{prose.picture}.svg"] = drawn + "\n"
        parts.append(f"{prose.seen.format(**_facts(old, new))}\n")
        parts.append(f"![{prose.heading}](../pictures/{prose.picture}.svg)\n")
        parts.append(_moves(change))
    parts.append(TABLE + "".join(_row(*item) for item in POINTS.items()))
    written[PAGE] = "\n".join(parts)
    return written


def _facts(old: State, new: State) -> dict[str, str]:
    """What a position looks like, in words."""
    names = new.game.player_names
    facts = {
        "player": names[new.player] if new.player is not None else "",
        "old_player": names[old.player] if old.player is not None else "",
        "new_player": names[new.player] if new.player is not None else "",
        "all_points": ", ".join(f"{n} {p}" for n, p in zip(names, new.scores(), strict=True)),
    }
    if new.over:
        level = old.winners()
        temple, treasure = (tie for _, tie in new.game.machine.code["TIES"])
        facts |= {
            "old_winners": " and ".join(names[p] for p in level),
            "new_winners": " and ".join(names[p] for p in new.winners()),
            "points": str(new.scores()[level[0]]),
            "temples": _each(names, level, [int(temple(new.cells, p)) for p in level]),
            "treasures": _each(names, level, [int(treasure(new.cells, p)) for p in level]),
        }
    else:
        refused = [r for r in new.explain("found a camp on b2") if not r.holds]
        facts["reason"] = refused[0].text if refused else ""
    return facts


def _each(names: tuple[str, ...], level: tuple[int, ...], values: list[int]) -> str:
    if len(set(values)) == 1:
        return str(values[0])
    return ", ".join(f"{v} for {names[p]}" for p, v in zip(level, values, strict=True))


def _moves(change: Found) -> str:
    """How to get there: few moves in a line, many behind a fold."""
    listed = ", ".join(f"`{move}`" for move in change.moves)
    if len(change.moves) <= SHOWN_MOVES:
        return f"After {listed}.\n"
    return f'??? note "The {len(change.moves)} moves that lead there"\n    {listed}\n'


def _row(number: str, point: Any) -> str:
    infos = {i.name: i for i in option_infos(rd.load("tikal").origin.program())}
    if point.verdict == "differs":
        told = "differs: " + ", ".join(f"`{rule}`" for rule in point.rules)
        told += f" (with `{point.with_}`)" if point.with_ else ""
    elif point.verdict == "ruling":
        told = f"open: ruling `{point.ruling}`, by default `{infos[point.ruling].default}`"
    else:
        told = "same"
    return f"| {number} | {point.subject} | {told} |\n"


def main() -> None:
    """Write the page and its pictures, and if asked look for the positions first."""
    if "--search" in sys.argv[1:]:
        data = json.dumps([asdict(f) for f in search()], indent=1, ensure_ascii=False)
        FOUND.write_text(data + "\n", encoding="utf-8")
    for path, text in pages(kept()).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent))
    main()
