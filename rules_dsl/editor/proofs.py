"""Kept verdicts of `rules verify` on the rules of a file, as it is on the disk."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen


@frozen
class Proof:
    """The verdicts on a rule, the worst first, and a game that breaks it, if one was found."""

    status: str
    obligations: tuple[str, ...]
    # The numbers of players it was verified for.
    players: tuple[int, ...]
    # The record of a game that breaks it.
    record: str = ""

    def __str__(self) -> str:
        seats = ", ".join(map(str, self.players))
        return f"{self.status} ({', '.join(self.obligations)}; {seats} players, usual options)"


def kept_proofs(path: Path) -> dict[str, Proof]:
    """The kept verdicts on a game's rules, by name; nothing if it was not verified as it is.

    For every number of players that was verified with the usual options and settings.
    """
    from compiler.loading import load
    from rules_dsl.language.diagnostics import RuleError
    from rules_dsl.language.options import OptionError
    from rules_dsl.language.program import assemble
    from rules_dsl.language.sources import gather
    from verify.proof.obligation import KINDS
    from verify.proof.results import STATUSES, Result
    from verify.proof.settings import Settings
    from verify.running import kept_reports

    found: dict[str, list[Result]] = {}
    seats: list[int] = []
    try:
        low, high = assemble(gather(str(path))).player_range
        for players in range(low, high + 1):
            game = load(path, players)
            key = kept_reports.key_of(game, Settings(frozenset(KINDS)))
            report = kept_reports.load(key, game)
            if report is None:
                continue
            seats.append(players)
            for result in report.results:
                for name in {result.subject, result.rule} - {""}:
                    found.setdefault(name, []).append(result)
    except (RuleError, OptionError, OSError):
        return {}
    proofs = {}
    for name, results in found.items():
        worst = min(results, key=lambda r: STATUSES.index(r.status))
        same = [r for r in results if r.status == worst.status]
        broken = next((r for r in same if r.record), worst)
        kinds = tuple(dict.fromkeys(r.obligation for r in same))
        proofs[name] = Proof(worst.status, kinds, tuple(seats), broken.record)
    return proofs
