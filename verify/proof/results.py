"""Results in fixed words, and the report that holds them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from attrs import asdict, define, field, frozen

from verify.proof.obligation import KINDS

Status = Literal["PROVED", "REFUTED", "UNPROVED", "UNUSED", "TESTED", "UNKNOWN"]

# From the worst to the best; a result of several parts has the status of its worst.
STATUSES: tuple[Status, ...] = ("REFUTED", "UNPROVED", "UNKNOWN", "TESTED", "UNUSED", "PROVED")
# A rule that no row of a table uses: it never happens, and that is not a mistake.
UNUSED: Status = "UNUSED"
FAILING: frozenset[Status] = frozenset({"REFUTED", "UNPROVED", "UNKNOWN"})
# The step hit the time limit: the only verdict that another run may change.
GIVEN_UP = "given up"
# The step has too many branches to be explored.
TOO_WIDE = "too wide"
# The steps after such a step are unknown.
UNEXPLORED = (GIVEN_UP, TOO_WIDE)


@frozen
class Part:
    """One proof or its failure: a goal on one path."""

    obligation: str
    subject: str
    rule: str
    start: str
    what: str
    status: Status
    by: str
    seconds: float
    span: str = ""
    cites: tuple[str, ...] = ()
    reason: str = ""
    # The position in which it fails: cells that differ from the opening, and the choices made.
    cells: dict[str, str] = field(factory=dict)
    chosen: dict[str, str] = field(factory=dict)
    # Number of solver calls, by whether a second solver agreed, disagreed or could not decide.
    rechecked: dict[str, int] = field(factory=dict)
    # The invariants, requirements and facts that the proof used, if that was asked for.
    used: tuple[str, ...] = ()
    # A second position that looks like the first one to a player: the cells in which they differ.
    twin: dict[str, str] = field(factory=dict)


@define
class Result:
    """The result for one obligation."""

    game: str
    players: int
    options: dict[str, Any]
    obligation: str
    subject: str
    status: Status
    seconds: float
    cite: str = ""
    rule: str = ""
    detail: str = ""
    span: str = ""
    # Number of proofs, by kind of argument.
    proofs: dict[str, int] = field(factory=dict)
    cells: dict[str, str] = field(factory=dict)
    chosen: dict[str, str] = field(factory=dict)
    # A game that breaks it: the moves, the record to replay, the state before and after.
    moves: list[str] = field(factory=list)
    record: str = ""
    # A second game, which should look like the first one to a player.
    other_moves: list[str] = field(factory=list)
    other_record: str = ""
    waived: str = ""
    # Unproved premises of a proof, which make it conditional.
    given: list[str] = field(factory=list)
    rechecked: dict[str, int] = field(factory=dict)
    # The invariants, requirements and facts that the proofs used, if that was asked for.
    used: list[str] = field(factory=list)
    # The game with its players and options, in a few words.
    configuration: str = ""
    variants: list[str] = field(factory=list)
    # A second position that looks like the first one to a player: the cells in which they differ.
    twin: dict[str, str] = field(factory=dict)
    # For players: the broken rule as a sentence, the numbers that break it, the author's lines that
    # cause it (changes of a variant, if `changed`), and the game with the names of the players.
    sentence: str = ""
    numbers: str = ""
    causes: list[str] = field(factory=list)
    changed: bool = False
    told: list[str] = field(factory=list)
    other_told: list[str] = field(factory=list)
    # The rule that is broken or not proved, quoted with its place.
    quoted: str = ""
    # Arguments of `rules verify` that repeat this configuration.
    asked: str = ""

    @property
    def fails(self) -> bool:
        """True if a check fails because of this result."""
        return self.status in FAILING and not self.waived

    @property
    def fails_itself(self) -> bool:
        """True if this fails by itself, and not only because of a premise."""
        return self.fails and not self.given

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


@frozen
class Unclaimed:
    """A loop that may repeat for ever, and a game in which it does."""

    configuration: str
    rule: str
    reason: str
    # A sentence about that game, its moves, and the record to replay; empty if none was found.
    shown: str = ""
    moves: tuple[str, ...] = ()
    record: str = ""


@frozen
class Contradiction:
    """An event in play that a PROVED result of the same report rules out."""

    configuration: str
    obligation: str
    subject: str
    message: str
    moves: tuple[str, ...] = ()
    record: str = ""


@define
class Report:
    """The results of a check, in a fixed order."""

    results: list[Result] = field(factory=list)
    seconds: float = 0.0
    # The proved bound on the number of decisions of a game, by configuration.
    bounds: dict[str, int] = field(factory=dict)
    interrupted: bool = False
    # What the proofs take for granted.
    assumed: list[str] = field(factory=list)
    # Loops to which the rules set no limit: no claim that they end.
    unclaimed: list[Unclaimed] = field(factory=list)
    # Events in play that contradict a PROVED result.
    contradictions: list[Contradiction] = field(factory=list)

    @property
    def ok(self) -> bool:
        """Nothing is refuted, unproved or unknown, apart from what is waived."""
        if self.interrupted or self.contradictions:
            return False
        return not any(r.fails for r in self.results)

    @property
    def exit_code(self) -> int:
        """0 on success, 3 if the verifier contradicts itself, else 1."""
        if self.contradictions:
            return 3
        return 0 if self.ok else 1

    @property
    def lasting(self) -> bool:
        """True if another run would find the same: no user and no time limit stopped this one."""
        return not self.interrupted and not any(GIVEN_UP in r.proofs for r in self.results)

    def rechecked(self) -> dict[str, int]:
        """Number of proofs that a second solver checked, by its opinion."""
        return total(r.rechecked for r in self.results)

    def count(self) -> dict[str, dict[str, int]]:
        """Number of results by obligation and status."""
        table: dict[str, dict[str, int]] = {}
        for result in self.results:
            row = table.setdefault(result.obligation, dict.fromkeys(STATUSES, 0))
            row[result.status] += 1
        return table

    def statuses(self) -> list[Status]:
        """The columns of a table of results, best first; some are shown only if they occur."""
        unused = any(r.status == UNUSED for r in self.results)
        return [s for s in reversed(STATUSES) if s != UNUSED or unused]

    def configurations(self) -> dict[str, dict[str, int]]:
        """Number of results by configuration and status."""
        table: dict[str, dict[str, int]] = {}
        for result in self.results:
            row = table.setdefault(result.configuration, dict.fromkeys(STATUSES, 0))
            row[result.status] += 1
        return table

    def to_data(self) -> dict[str, Any]:
        """The whole report as plain data."""
        return {
            "ok": self.ok,
            "seconds": round(self.seconds, 3),
            "interrupted": self.interrupted,
            "bounds": self.bounds,
            "assumed": self.assumed,
            "not_claimed": [asdict(u) for u in self.unclaimed],
            "contradictions": [asdict(c) for c in self.contradictions],
            "results": [r.to_dict() for r in self.results],
        }

    @staticmethod
    def from_data(data: Any) -> Report | None:
        """A report that was kept as plain data; None if it is not one."""
        try:
            results = [Result(**r) for r in data["results"]]
            return Report(
                results,
                data["seconds"],
                data["bounds"],
                data["interrupted"],
                data["assumed"],
                [Unclaimed(**{**u, "moves": tuple(u["moves"])}) for u in data["not_claimed"]],
                [
                    Contradiction(**{**c, "moves": tuple(c["moves"])})
                    for c in data["contradictions"]
                ],
            )
        except (KeyError, TypeError):
            return None

    def to_json(self, indent: int | None = 2) -> str:
        """The whole report as JSON."""
        return json.dumps(self.to_data(), indent=indent, ensure_ascii=False)

    def extend(self, other: Report) -> None:
        """Add the results of another check."""
        self.results += other.results
        self.bounds.update(other.bounds)
        self.unclaimed += other.unclaimed
        self.contradictions += other.contradictions
        self.assumed += [line for line in other.assumed if line not in self.assumed]
        self.seconds += other.seconds
        self.interrupted = self.interrupted or other.interrupted


def worst(statuses: Iterable[Status]) -> Status:
    """The combined status of several parts."""
    return min(statuses, key=STATUSES.index, default="PROVED")


def total(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """The sum of several counts.

    >>> total([{"b": 1}, {"a": 2, "b": 3}])
    {'a': 2, 'b': 4}
    """
    result: dict[str, int] = {}
    for count in counts:
        for name, number in count.items():
            result[name] = result.get(name, 0) + number
    return dict(sorted(result.items()))


def gather(parts: list[Part], game: str, players: int, options: dict[str, Any]) -> list[Result]:
    """Parts as results: one for each obligation, subject and rule."""
    groups: dict[tuple[str, str, str], list[Part]] = {}
    for part in parts:
        groups.setdefault((part.obligation, part.subject, part.rule), []).append(part)
    results = []
    for (obligation, subject, rule), group in groups.items():
        status = worst(p.status for p in group)
        shown = next(p for p in group if p.status == status)
        proofs = total({p.by: 1} for p in group)
        told = status in FAILING or status == UNUSED
        results.append(
            Result(
                game, players, options, obligation, subject, status,
                round(sum(p.seconds for p in group), 4),
                "; ".join(shown.cites), rule,
                _detail(shown) if told else "", shown.span if told else "",
                proofs, shown.cells, shown.chosen,
                rechecked=total(p.rechecked for p in group),
                used=sorted({name for p in group for name in p.used}),
                twin=shown.twin,
            )
        )  # fmt: skip
    return sorted(results, key=_order)


def _order(result: Result) -> tuple[int, str, str]:
    kinds: tuple[str, ...] = KINDS
    return kinds.index(result.obligation), result.subject, result.rule


def _detail(part: Part) -> str:
    after = f" after {part.start}" if part.start else ""
    reason = f" ({part.reason})" if part.reason else ""
    return f"{part.what}{after}{reason}"
