"""Running checks: kept results are looked up, all other work is distributed to workers."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from secrets import token_hex
from threading import Lock
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from verify.proof.obligation import KINDS
from verify.proof.results import FAILING, GIVEN_UP, Part, Report
from verify.proof.settings import STEPWISE, Settings
from verify.running import kept_reports as kept
from verify.running.configurations import configuration_text
from verify.running.cpu_time import cpu_seconds
from verify.running.progress import Progress, ProgressEvent
from verify.running.tasks import FoundSoFar, Kind, Pieces
from verify.running.worker_pool import MEMORY, OnExecutor, OnTheSpot, Pool, Work, workers
from verify.search.witnesses import witnesses

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from compiler.runtime.game import Game
    from verify.analysis.fact_places import Refused
    from verify.proof.step_parts import Start

__all__ = ["STEPWISE", "ProgressEvent", "run", "run_all"]

# CPU seconds after which a task is abandoned; solvers stop long before, by
# their own count.
PATIENCE: dict[str, float] = {"low": 120.0, "normal": 600.0, "high": 3600.0}
# Configurations that a worker keeps in memory.
CONFIGURATIONS_KEPT = 2
# The obligation that stays open if a task that is not one itself has no answer.
_OBLIGATIONS: dict[Kind, str] = {"steps": "safety", "play": "liveness", "report": "liveness"}

# The modules that checks need, most of them slow to import.
_NEEDED = {
    **dict.fromkeys(STEPWISE, "verify.proof.proof_store"),
    "agreement": "verify.agreement.sampled_games",
    "views": "verify.proof.views",
    "liveness": "verify.search.refute",
}


def run(
    game: Game,
    checks: Iterable[str] | None = None,
    jobs: int = 2,
    effort: str = "normal",
    progress: Progress | None = None,
    fresh: bool = False,
    recheck: bool = False,
    cores: bool = False,
    executor: Executor | None = None,
) -> Report:
    """Check a game; see the design of the proof obligations for what is checked.

    Proofs that were found before are used again unless `fresh` is set. With `recheck` a second
    solver looks at every proof (raises `MissingSolverError` if it is not installed); with `cores`
    results say which invariants, requirements and facts their proofs used. An `executor` does the
    work instead of processes of this machine; the results are the same.

    >>> import rules_dsl as rd
    >>> run(rd.load("pig"), ["init"], jobs=1).exit_code
    0
    """
    return run_all([game], checks, jobs, effort, progress, fresh, recheck, cores, executor)[0]


def run_all(
    games: Sequence[Game],
    checks: Iterable[str] | None = None,
    jobs: int = 2,
    effort: str = "normal",
    progress: Progress | None = None,
    fresh: bool = False,
    recheck: bool = False,
    cores: bool = False,
    executor: Executor | None = None,
) -> list[Report]:
    """Check several configurations of a game at the same time; a report on each, see `run`.

    >>> import rules_dsl as rd
    >>> [r.ok for r in run_all([rd.load("pig", players=n) for n in (2, 3)], ["init"], jobs=1)]
    [True, True]
    """
    wanted = frozenset(KINDS if checks is None else [checks] if isinstance(checks, str) else checks)
    unknown = wanted - frozenset(KINDS)
    if unknown:
        raise ValueError(f"no such check: {', '.join(sorted(unknown))}")
    if effort not in PATIENCE:
        raise ValueError(f"no such effort: {effort}; there are {', '.join(PATIENCE)}")
    settings = Settings(wanted, effort, recheck, cores)
    began = cpu_seconds()
    keys = [kept.key_of(game, settings) for game in games]
    reports: dict[int, Report] = {}
    for number, game in enumerate(games):
        known = None if fresh else kept.load(keys[number], game)
        if known is not None:
            reports[number] = known
    left = [number for number in range(len(games)) if number not in reports]
    if left:
        from compiler.rebuild import with_ghosts

        whole = [with_ghosts(games[number]) for number in left]
        configurations = [_ConfigurationCheck(at, game) for at, game in enumerate(whole)]
        made = _Course(configurations, settings, progress, fresh).run(jobs, executor)
        for number, report in zip(left, made, strict=True):
            kept.store(keys[number], report)
            reports[number] = report
    for report in reports.values():
        report.seconds = cpu_seconds() - began
    return [reports[number] for number in range(len(games))]


@frozen
class _Task:
    """A task of the check of a configuration, which is known by its number."""

    configuration: int
    what: Kind
    # The task that must be done first, if any.
    given: tuple[Any, ...] = ()

    @property
    def rule(self) -> str:
        """The rule that it is about, if it is about one."""
        return self.given[0].rule if self.what == "steps" and self.given[0] else self.what


def _form_of(task: _Task) -> int:
    return task.configuration


def _prepared(games: list[Game], settings: Settings, fresh: bool) -> Work:
    """The work of a worker."""
    known: dict[Hashable, Pieces] = {}

    def work(task: _Task) -> Any:
        number = task.configuration
        return _do(task, _kept(known, number, games[number], settings, fresh))

    return work


def _kept(
    known: dict[Hashable, Pieces], key: Hashable, game: Game, settings: Settings, fresh: bool
) -> Pieces:
    """The results on a configuration so far; those of the least recent ones are dropped."""
    pieces = known.pop(key, None)
    if pieces is None:
        from compiler.rebuild import with_ghosts

        pieces = Pieces(with_ghosts(game), settings, fresh)
    known[key] = pieces
    for other in list(known)[:-CONFIGURATIONS_KEPT]:
        del known[other]
    return pieces


def _do(task: _Task, pieces: Pieces) -> Any:
    return getattr(pieces, task.what)(*task.given)


# The state of a worker of an executor, by check and configuration.
_elsewhere: dict[Hashable, Pieces] = {}
# An executor may have several threads in a process, and a solver serves one at a time.
_one_at_a_time = Lock()


def _do_elsewhere(check: str, game: Game, settings: Settings, fresh: bool, task: _Task) -> Any:
    """Do a task of a check in a worker of an executor."""
    with _one_at_a_time:
        pieces = _kept(_elsewhere, (check, task.configuration), game, settings, fresh)
        return _do(task, pieces)


@define(eq=False)
class _ConfigurationCheck:
    """The check of one configuration of a game: its tasks and their results."""

    number: int
    game: Game
    found: FoundSoFar = field(factory=FoundSoFar)
    # Number of tasks under way, and the steps that were requested.
    open: int = 0
    steps: set[Start] = field(factory=set)
    stepping: int = 0
    # Facts that are not used, since a step that claims them does not prove them.
    refused: Refused = frozenset()
    unproved: Refused = frozenset()
    failed: int = 0
    report: Report | None = None

    def task(self, what: Kind, *given: Any) -> _Task:
        """Add a task."""
        self.open += 1
        return _Task(self.number, what, given)

    def step(self, start: Start | None = None) -> _Task:
        """A step to be proved; without a start the first."""
        self.stepping += 1
        return self.task("steps", start, self.refused)

    def note(self, what: Kind, answer: Any) -> Iterator[_Task]:
        """Take the result of a task, or a part that stands for none; returns the next tasks."""
        self.open -= 1
        self.stepping -= what == "steps"
        found = self.found
        match what:
            case _ if isinstance(answer, Part):
                found.parts.append(answer)
                self.failed += 1
            case "steps":
                found.steps.update(answer.found)
                self.unproved |= answer.unproved
                self.failed += _failures(p for parts in answer.found.values() for p in parts)
                for start in answer.following:
                    if start not in self.steps and start not in found.steps:
                        self.steps.add(start)
                        yield self.step(start)
            case "agreement":
                part, found.blocks, met = answer
                found.parts.append(part)
                found.met += met
            case "play":
                found.played = answer
            case "report":
                self.report = answer
            case _:
                found.parts += answer
                self.failed += _failures(answer)
        if self.unproved and not self.stepping:
            # Proofs that used unproved facts do not count: once more, without these facts.
            self.refused, self.unproved = self.refused | self.unproved, frozenset()
            found.steps.clear()
            self.steps.clear()
            yield self.step()
        if not self.open and self.report is None:
            yield self.task("report", found)

    @property
    def examples(self) -> object:
        """What the examples depend on: not the number of players, each of them tells its own."""
        return id(self.game.origin.program()), tuple(sorted(self.game.options.items()))


def _failures(parts: Iterable[Part]) -> int:
    return sum(part.status in FAILING for part in parts)


@define(eq=False)
class _Course:
    """A check of several configurations of a game, as it runs."""

    configurations: list[_ConfigurationCheck]
    settings: Settings
    progress: Progress | None
    fresh: bool
    # Number of tasks by now, and of those done.
    total: int = 0
    done: int = 0

    def run(self, jobs: int, executor: Executor | None) -> list[Report]:
        """The reports on all configurations."""
        games = [configuration.game for configuration in self.configurations]
        for game in games:
            # Errors in files are reported to the caller here, and workers need not read the files.
            game.origin.program()
            witnesses(game.origin.sources, game.players)
        try:
            with self.pool(games, jobs, executor) as pool:
                self.hand_to(pool, self.first(ahead=jobs > 1 or executor is not None))
                for task, answer in pool.results():
                    self.hand_to(pool, self.note(task, answer))
        except KeyboardInterrupt:
            pass
        return [
            configuration.report or self.unfinished(configuration)
            for configuration in self.configurations
        ]

    def pool(
        self, games: list[Game], jobs: int, executor: Executor | None
    ) -> Pool | OnTheSpot | OnExecutor:
        """What does the work."""
        if executor is None:
            for needed in {_NEEDED[kind] for kind in self.settings.kinds if kind in _NEEDED}:
                import_module(needed)  # once for all workers, before they are forked
            prepare = partial(_prepared, games, self.settings, self.fresh)
            return workers(prepare, jobs, PATIENCE[self.settings.effort], _form_of)
        check = token_hex(16)

        def submit(task: _Task) -> Future[Any]:
            game = games[task.configuration]
            return executor.submit(_do_elsewhere, check, game, self.settings, self.fresh, task)

        return OnExecutor(submit)

    def hand_to(self, pool: Pool | OnTheSpot | OnExecutor, tasks: Iterable[_Task]) -> None:
        """Tasks to be done."""
        for task in tasks:
            self.total += 1
            pool.add(task)

    def first(self, ahead: bool) -> Iterator[_Task]:
        """Tasks that can start at once, and those done `ahead`, perhaps in vain."""
        kinds = self.settings.kinds
        told: set[object] = set()
        # Configurations with the most players take longest, so they start first.
        for configuration in reversed(self.configurations):
            # Views and liveness rest on the stepwise proofs.
            if kinds & (STEPWISE | {"views", "liveness"}):
                yield configuration.step()
            if "examples" in kinds and configuration.examples not in told:
                told.add(configuration.examples)
                yield configuration.task("examples")
            elif "examples" in kinds:
                configuration.open += 1
            if "agreement" in kinds:
                yield configuration.task("agreement")
            if "views" in kinds:
                yield configuration.task("views")
            if "liveness" in kinds and ahead:
                yield configuration.task("play")
            if not configuration.open:
                yield configuration.task("report", configuration.found)

    def note(self, task: _Task, answer: Any) -> Iterator[_Task]:
        """Take the result of a task, nothing if it was abandoned; returns the next tasks."""
        self.done += 1
        configuration = self.configurations[task.configuration]
        concerned = [configuration]
        if task.what == "examples":
            concerned = [
                other for other in self.configurations if other.examples == configuration.examples
            ]
        for one in concerned:
            yield from one.note(task.what, self.instead(one, task) if answer is None else answer)
        if self.progress is not None:
            failed = sum(configuration.failed for configuration in self.configurations)
            self.progress(
                ProgressEvent(
                    configuration_text(configuration.game), self.done, self.total, task.rule, failed
                )
            )

    def instead(self, configuration: _ConfigurationCheck, task: _Task) -> Part | Report:
        """The result used in place of a missing one."""
        seconds = PATIENCE[self.settings.effort]
        reason = (
            f"no answer: its worker died, used {seconds:.0f} s of processor time, "
            f"or needed more than {MEMORY // 2**30} GB"
        )
        kind = _OBLIGATIONS.get(task.what, task.what)
        part = Part(kind, task.rule, task.rule, "", "", "UNKNOWN", GIVEN_UP, seconds, reason=reason)
        if task.what != "report":
            return part
        configuration.found.parts.append(part)
        return Pieces(configuration.game, self.settings).report(configuration.found, judged=False)

    def unfinished(self, configuration: _ConfigurationCheck) -> Report:
        """Partial report after Ctrl-C."""
        reason = "interrupted: not every step was checked"
        open_ = Part("safety", "play", "play", "", "", "UNKNOWN", GIVEN_UP, 0.0, reason=reason)
        configuration.found.parts.append(open_)
        report = Pieces(configuration.game, self.settings).report(configuration.found, judged=False)
        report.interrupted = True
        return report
