"""Lines that several reports share."""

from __future__ import annotations

from verify.proof.results import STATUSES, UNUSED, Report

# A bound of this size or more is only said to exist.
HUGE = 10**15


def configuration_lines(report: Report) -> list[str]:
    """For each configuration of a game: the share that is proved, and the bound on its length."""
    lines = []
    for configuration, counts in report.configurations().items():
        line = f"{configuration}: " + ", ".join(
            f"{counts[status]} {status.lower()}" for status in reversed(STATUSES) if counts[status]
        )
        if configuration in report.bounds:
            most = report.bounds[configuration]
            line += f"; at most {f'{most:,}' if most < HUGE else '10^15 or more'} decisions"
        lines.append(line)
    return lines


def unclaimed_lines(report: Report) -> list[str]:
    """Loops without a limit in the rules, and what a repeating game shows.

    >>> from verify.proof.results import Unclaimed
    >>> unclaimed_lines(Report(unclaimed=[Unclaimed("go", "play", "no limit is set")]))
    ['not claimed: that a game of go ends (play: no limit is set)']
    """
    lines = []
    for loop in report.unclaimed:
        line = f"not claimed: that a game of {loop.configuration} ends ({loop.rule}: {loop.reason})"
        lines.append(f"{line}; {loop.shown}" if loop.shown else line)
    return lines


def unused_lines(report: Report) -> list[str]:
    """Rules that no row of a table uses, once for all configurations.

    >>> from verify.proof.results import Result
    >>> swap = Result("go", 2, {}, "liveness", "swap", UNUSED, 0.0, detail="no row uses this")
    >>> unused_lines(Report([swap, swap]))
    ['unused: swap (no row uses this)']
    """
    unused = [r for r in report.results if r.status == UNUSED]
    return list(dict.fromkeys(f"unused: {r.subject} ({r.detail})" for r in unused))


def assumption_lines(report: Report) -> list[str]:
    """The assumptions of the proofs.

    >>> assumption_lines(Report(assumed=["the box never runs out of wood"]))
    ['assumed: the box never runs out of wood']
    """
    return [f"assumed: {line}" for line in report.assumed]
