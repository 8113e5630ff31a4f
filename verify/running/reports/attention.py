"""Results that need attention, as text: the same on the terminal, in pages and in JUnit.

A refutation begins with the sentence that is broken and its numbers, then the author's own line,
then the game. A result that several configurations share is shown once, with the shortest game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from rules_dsl.language.plurals import counted
from rules_dsl.language.printer.expressions import quoted
from verify.proof.obligation import OF_INVARIANTS
from verify.proof.results import STATUSES, Report, Result

# The kind of rule that is usually missing when an obligation cannot be proved.
ADVICE = {
    "invariant": "an invariant that rules this position out, or `keeps` in the loop around it",
    "init": "a set-up that keeps the invariant",
    "safety": "a requirement, an invariant or an `assert` that rules this position out",
    "progress": "an invariant that says why a move is left, or `optionally`",
    "termination": "an invariant that bounds the measure, or another measure",
    "conservation": "goods may only be moved",
    "scoring": "an invariant or a condition that rules this position out",
    "views": "rules that do not depend on hidden information, or a `reveal` of it",
    "liveness": "if the rule is meant to be dead, drop it or waive it",
    "examples": "the example or the rules are wrong",
    "agreement": "this is an error of the verifier, please report it",
}
# Obligations whose sentence does not say everything.
DETAILED = frozenset(["termination", "views", "examples", "scoring", "conservation", "agreement"])
MOST_CELLS = 8
# Lines shown as causes of what several rules have in common.
MOST_LINES = 3
# Numbers of moves shown at the start and at the end of a longer game.
FIRST_MOVES, LAST_MOVES = 8, 14


def alike(report: Report) -> list[list[Result]]:
    """Results that need attention; those that several configurations share are one group.

    The first of a group, which has the shortest game, is the one to show.
    """
    groups: dict[object, list[Result]] = {}
    for result in report.results:
        if (result.fails or result.waived) and not result.given:
            kind = "invariant" if result.obligation in OF_INVARIANTS else result.obligation
            key = (result.status, kind, result.subject, _where(result), bool(result.waived))
            groups.setdefault(key, []).append(result)
    found = _one_for_each_leak([sorted(g, key=lambda r: len(r.moves)) for g in groups.values()])
    return sorted(found, key=lambda group: STATUSES.index(group[0].status))


def _one_for_each_leak(groups: list[list[Result]]) -> list[list[Result]]:
    """Groups of views that two games show alike are one: a step leaks for all rules in it."""
    found: dict[object, list[Result]] = {}
    for number, group in enumerate(groups):
        shown = group[0]
        leaks = shown.obligation == "views" and shown.status == "REFUTED" and shown.twin
        key = (shown.detail, *shown.told, "", *shown.other_told) if leaks else number
        found.setdefault(key, []).extend(group)
    return list(found.values())


def _where(result: Result) -> object:
    """The key that separates results of one subject: the refuted game, or the rule and detail."""
    if result.status == "REFUTED" and result.obligation in OF_INVARIANTS:
        return ""
    detail = "" if result.status == "REFUTED" else result.detail
    return result.rule, result.span.rpartition("/")[2], detail


def lines_of(group: list[Result]) -> Iterator[str]:
    """A group of results as lines; the first is the sentence."""
    shown = group[0]
    yield shown.sentence or f"{shown.obligation} {shown.subject}"
    if shown.numbers:
        yield f"  {shown.numbers}"
    if shown.detail and shown.obligation in DETAILED:
        not_proved = "not proved: " if shown.status == "UNPROVED" else ""
        yield f"  {not_proved}{_plain(shown.detail)}"
    label = "your change" if shown.changed else "the line"
    # What two games show is the doing of every rule that the step goes through.
    leaks = shown.status == "REFUTED" and shown.obligation == "views"
    all_of_them = list(dict.fromkeys(line for result in group for line in result.causes))
    causes = all_of_them[:MOST_LINES] if leaks else shown.causes
    if causes:
        yield from (f"  {label}: {line}" for line in causes)
    elif shown.span:
        yield f"  at {_file(shown.span)}"
    if leaks:
        yield from _two_games(group)
    elif shown.status == "REFUTED" and shown.obligation not in ("examples", "agreement"):
        yield from _game(group)
    else:
        yield f"  with {_with(shown)}{_also(group)}"
        yield from _position(shown)
    yield from _advice(shown)
    rules = list(dict.fromkeys(map(_in_the_rules, group)))
    yield from (f"  {rule}" for rule in (rules if leaks else rules[:1]))


def _in_the_rules(result: Result) -> str:
    """The rule with its place and cite, and its name for `waive` and `--check`."""
    cite = f" [{result.cite}]" if result.cite else ""
    name = f"{result.obligation} {result.subject}"
    if not result.quoted:
        return f"in the rules: {name}{cite}"
    if result.obligation in OF_INVARIANTS:
        return f"in the rules: {result.quoted}{cite}   ({name})"
    # The first line of a rule has its cite, that of an example its name as well.
    named = "" if result.obligation == "examples" else f"   ({name})"
    return f"in the rules: {result.quoted}{named}"


def _file(span: str) -> str:
    """A place, with the file as short as it can be."""
    file, colon, rest = span.partition(":")
    path = Path(file)
    below = path.is_absolute() and path.is_relative_to(Path.cwd())
    return f"{path.relative_to(Path.cwd()) if below else path.name}{colon}{rest}"


def _game(group: list[Result]) -> Iterator[str]:
    shown = group[0]
    decisions = [line for line in shown.told if not line.startswith(("chance:", "("))]
    if not decisions:
        yield f"  happens in set-up, before the first move, with {_with(shown)}{_also(group)}"
    else:
        moves = "1 move" if len(decisions) == 1 else f"{len(decisions)} moves"
        yield f"  happens after {moves} with {_with(shown)}{_also(group)}:"
    yield from _numbered(shown.told)
    if not shown.numbers:
        yield from _cells(shown, "the position (cells that matter):")


def _two_games(group: list[Result]) -> Iterator[str]:
    """Two games that should look alike to a player, and the positions they lead to."""
    shown = group[0]
    yield f"  happens with {_with(shown)}{_also(group)}"
    yield "  in two games that look the same to this player until the last move; one of them:"
    yield from _numbered(shown.told)
    yield "  the other game:"
    yield from _numbered(shown.other_told)
    if shown.twin:
        yield "  what differs at the end of them:"
        yield from _side_by_side(shown)


def _numbered(told: list[str]) -> Iterator[str]:
    """The moves of a game; of a long one the first and the last."""
    if len(told) > FIRST_MOVES + LAST_MOVES + 1:
        left = len(told) - FIRST_MOVES - LAST_MOVES
        gap = f"… {left} more; `--records FOLDER` saves the whole game"
        told = [*told[:FIRST_MOVES], gap, *told[-LAST_MOVES:]]
    number = 0
    for line in told:
        if line.startswith(("(", "…")):
            number += int(line.split()[1]) if line.startswith("…") else 0
            yield f"          {line}"
        else:
            number += 1
            yield f"    {number:3}.  {line}"


def _with(result: Result) -> str:
    """Players and options, in a few words."""
    setting = result.configuration.removeprefix(" + ".join([result.game, *result.variants]) + " ")
    return setting or result.game


def _also(group: list[Result]) -> str:
    """The other configurations in which it happens."""
    shown, others = group[0], group[1:]
    if not others:
        return ""
    if all(r.options == shown.options for r in others):
        counts = sorted({r.players for r in others} - {shown.players})
        return f"; also with {_listed(map(str, counts))} players" if counts else ""
    also = {r.configuration for r in others} - {shown.configuration}
    return f"; also in {counted(len(also), 'other configuration')}" if also else ""


def _listed(words: Iterable[str]) -> str:
    """Words as people list them.

    >>> _listed("234")
    '2, 3 and 4'
    """
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _plain(detail: str) -> str:
    """A detail as a sentence.

    >>> _plain("the position after move 0 comes back")
    'the moves below lead back to the opening'
    >>> _plain("the rules fail: games/classics/pig.rules:4: points is 3, outside 0..2")
    'the rules fail: pig.rules:4: points is 3, outside 0..2'
    """
    found = re.fullmatch(r"the position after move (\d+) comes back", detail)
    if found is None:
        return re.sub(r"\S*/([^/\s]+\.rules:\d+)", r"\1", detail)
    back = "the opening" if found[1] == "0" else f"the position after move {found[1]}"
    return f"the moves below lead back to {back}"


# ---- positions ----------------------------------------------------------------------------------


def _position(result: Result) -> Iterator[str]:
    if result.twin:
        yield "  two positions that this player cannot tell apart until then:"
        yield from _side_by_side(result)
        return
    if result.chosen:
        chosen = [f"{_written(n)} = {value}" for n, value in result.chosen.items()]
        yield f"  chosen: {', '.join(chosen)}"
    if result.status == "UNPROVED":
        heading = "a position that the invariants allow, not known to be reachable:"
        yield from _cells(result, heading)


def _written(local: str) -> str:
    """The name of a local as its author wrote it."""
    return re.sub(r"_\d+$", "", local)


def _side_by_side(result: Result) -> Iterator[str]:
    """The cells in which two positions differ, in columns."""
    rows = [("", "one", "the other")]
    rows += [(n, value, result.twin.get(n, "")) for n, value in result.cells.items()][:MOST_CELLS]
    wide = [max(len(row[k]) for row in rows) for k in (0, 1)]
    for name, one, other in rows:
        yield f"    {name:{wide[0]}}  {one:{wide[1]}}  {other}".rstrip()


def _cells(result: Result, heading: str) -> Iterator[str]:
    """The cells that the broken line or sentence names come first; if there are any, alone."""
    about = result.quoted if result.obligation in OF_INVARIANTS else result.detail
    told = [*result.causes, result.sentence, about]
    words = set(re.findall(r"\w+", " ".join(told)))
    items = list(result.cells.items())
    relevant = [(n, value) for n, value in items if re.split(r"[\[.]", n)[0] in words]
    shown = (relevant or items)[:MOST_CELLS]
    if not shown:
        return
    yield f"  {heading}"
    yield from (f"    {name} = {value}" for name, value in shown)
    left = len(items) - len(shown)
    if left:
        yield f"    … and {left} more cells that differ from the start; `--json` shows them"


# ---- what to do ---------------------------------------------------------------------------------


def _advice(result: Result) -> Iterator[str]:
    if result.waived:
        yield f"  waived: {result.waived}"
    elif result.status == "UNKNOWN":
        yield "  to try longer:"
        yield f"      rules verify {result.asked} --check {result.obligation} --effort high"
    elif result.status == "UNPROVED":
        yield f"  missing: {ADVICE[result.obligation]}"
    elif result.obligation == "examples" and result.variants:
        yield "  if this is meant, write in the house rule:"
        yield f"      drop example {quoted(result.subject)}"
