"""The routes of the author's page: a rule text, its errors, and its verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from compiler.runtime.bots import NAMES
from rules_dsl.highlighting import keywords
from rules_dsl.web.desk import Refused, Setup, new_seed
from rules_dsl.web.drafts import Drafts
from rules_dsl.web.jobs import Job, Jobs
from rules_dsl.web.requests import NotThere, answered, body, maybe, part, stream
from rules_dsl.web.table_routes import TableRoutes
from rules_dsl.web.workers import Limits, Worker, WorkerDied

EFFORTS = ("low", "normal", "high")
MOST_GAMES = 100_000
CHECK_LIMITS = Limits(cpu_seconds=3600, memory=3 << 30, patience=30.0)


class AuthorRoutes:
    """The routes; the key of a draft gives access to it."""

    def __init__(
        self, drafts: Drafts, jobs: Jobs, tables: TableRoutes, games: tuple[str, ...]
    ) -> None:
        self.drafts = drafts
        self.jobs = jobs
        self.tables = tables
        self.games = games
        # One process checks texts as they are typed; it is replaced when it is killed.
        self.checker = Worker(CHECK_LIMITS)

    def routes(self) -> list[BaseRoute]:
        """All of them."""
        return [
            Route("/api/keywords", answered(self.words)),
            Route("/api/drafts", answered(self.create), methods=["POST"]),
            Route("/api/drafts/{key}", answered(self.read)),
            Route("/api/drafts/{key}/check", answered(self.check), methods=["POST"]),
            Route("/api/drafts/{key}/format", answered(self.layout), methods=["POST"]),
            Route("/api/drafts/{key}/hover", answered(self.hover), methods=["POST"]),
            Route("/api/drafts/{key}/complete", answered(self.complete), methods=["POST"]),
            Route("/api/drafts/{key}/examples", answered(self.examples), methods=["POST"]),
            Route("/api/drafts/{key}/jobs", answered(self.start), methods=["POST"]),
            Route("/api/drafts/{key}/tables", answered(self.play), methods=["POST"]),
            Route("/api/simulations", answered(self.simulate), methods=["POST"]),
            Route("/api/comparisons", answered(self.balance), methods=["POST"]),
            Route("/api/jobs/{key}", answered(self.job)),
            Route("/api/jobs/{key}/events", answered(self.events)),
            Route("/api/jobs/{key}/stop", answered(self.stop), methods=["POST"]),
        ]

    async def words(self, request: Request) -> Response:
        """The words of the language, for colours and completion."""
        return JSONResponse({"keywords": keywords()})

    async def create(self, request: Request) -> Response:
        """A new draft: a text, or the skeleton of a variant of a game."""
        data = await body(request)
        game = part(data, "game", str, "")
        text = maybe(data, "text", str)
        if text is None:
            if game not in self.games:
                raise NotThere(f"there is no game `{game}` here")
            text = await to_thread.run_sync(skeleton_of, game)
        return JSONResponse({"id": self.drafts.create(text, game)}, 201)

    async def read(self, request: Request) -> Response:
        """The text of a draft."""
        key, about = self._draft(request)
        return JSONResponse({"id": key, "text": self.drafts.read(key), **about})

    async def check(self, request: Request) -> Response:
        """Keep a text and return its errors, with its version."""
        key, _ = self._draft(request)
        data = await body(request)
        self.drafts.write(key, part(data, "text", str))
        found = await self._ask("check", str(self.drafts.path(key)))
        return JSONResponse({**found, "version": maybe(data, "version", int)})

    async def layout(self, request: Request) -> Response:
        """The text as the formatter writes it."""
        self._draft(request)
        data = await body(request)
        text = part(data, "text", str)
        return JSONResponse(await self._ask("layout", text))

    async def hover(self, request: Request) -> Response:
        """The hover text for the name at a place of the text that was checked last."""
        return JSONResponse(await self._at(request, "hover"))

    async def complete(self, request: Request) -> Response:
        """The words that may be written at a place of the text that was checked last."""
        return JSONResponse(await self._at(request, "complete"))

    async def _at(self, request: Request, do: str) -> Any:
        key, _ = self._draft(request)
        data = await body(request)
        line, column = part(data, "line", int), part(data, "column", int)
        return await self._ask(do, str(self.drafts.path(key)), line, column)

    async def examples(self, request: Request) -> Response:
        """The examples of the rules, and whether they hold."""
        key, _ = self._draft(request)
        return JSONResponse({"examples": await self._ask("examples", str(self.drafts.path(key)))})

    async def _ask(self, do: str, *args: Any) -> Any:
        try:
            return await self.checker.call(do, *args)
        except WorkerDied as error:
            raise Refused(f"the rules could not be read: {error}") from None

    # ---- long work -------------------------------------------------------------------------------

    async def start(self, request: Request) -> Response:
        """Verify the rules, compare them with their base, or play many games of them."""
        key, _ = self._draft(request)
        data = await body(request)
        path, players = str(self.drafts.path(key)), maybe(data, "players", int)
        match part(data, "do", str):
            case "verify":
                effort = part(data, "effort", str, "normal")
                if effort not in EFFORTS:
                    raise Refused(f"an effort is one of {', '.join(EFFORTS)}")
                job = self.jobs.start("verify", path, players, effort)
            case "compare":
                job = self.jobs.start("compare", path, players)
            case "simulate":
                job = self._simulation(path, data)
            case "balance":
                job = self._balance(path, data)
            case other:
                raise Refused(f"there is no work called `{other}`")
        return JSONResponse({"job": job.key}, 202)

    async def simulate(self, request: Request) -> Response:
        """Simulate a shipped game, with options and variants."""
        data = await body(request)
        return JSONResponse({"job": self._simulation(self._game(data), data).key}, 202)

    async def balance(self, request: Request) -> Response:
        """Compare the results of a shipped game and of a variant of it."""
        data = await body(request)
        return JSONResponse({"job": self._balance(self._game(data), data).key}, 202)

    def _game(self, data: dict[str, Any]) -> str:
        name = part(data, "game", str)
        if name not in self.games:
            raise NotThere(f"there is no game `{name}` here")
        return name

    def _simulation(self, path: str, data: dict[str, Any]) -> Job:
        variants, *counts = _counts(path, data)
        return self.jobs.start(
            "simulate",
            path,
            maybe(data, "players", int),
            part(data, "options", dict, {}),
            variants,
            *counts,
        )

    def _balance(self, path: str, data: dict[str, Any]) -> Job:
        return self.jobs.start("balance", path, maybe(data, "players", int), *_counts(path, data))

    async def job(self, request: Request) -> Response:
        """The current state of a job."""
        return JSONResponse(self._job(request).told())

    async def events(self, request: Request) -> Response:
        """The events of a job, until it ends."""
        job = self._job(request)
        return stream(job.bell, lambda _: job.told(), lambda: job.ended)

    async def stop(self, request: Request) -> Response:
        """Stop a job and every process that works on it."""
        job = self._job(request)
        await job.stop()
        return JSONResponse(job.told())

    # ---- playing ---------------------------------------------------------------------------------

    async def play(self, request: Request) -> Response:
        """A table of these rules, or of a game that breaks them."""
        key, _ = self._draft(request)
        data = await body(request)
        path, record = str(self.drafts.path(key)), maybe(data, "record", str)
        if record is None:
            setup = Setup(path, maybe(data, "players", int), {}, (), new_seed())
            return await self.tables.set_up(setup, data)
        kept, codes = await self._ask("unpack", record, path)
        return await self.tables.set_up(Setup.from_data(kept), data, tuple(codes))

    async def close(self) -> None:
        """Stop the checker."""
        await self.checker.kill()

    def _draft(self, request: Request) -> tuple[str, dict[str, Any]]:
        key = request.path_params["key"]
        about = self.drafts.about(key)
        if about is None:
            raise NotThere("there is no such text")
        return key, about

    def _job(self, request: Request) -> Job:
        job = self.jobs.find(request.path_params["key"])
        if job is None:
            raise NotThere("there is no such work, or it is long over")
        return job


def _counts(path: str, data: dict[str, Any]) -> tuple[list[str], int, str, int]:
    """The variants to play with, how many games, by which bots, and the first seed."""
    games = part(data, "games", int, 1000)
    policy = part(data, "policy", str, "random")
    variants = [str(v) for v in part(data, "variants", list, [])]
    if not 2 <= games <= MOST_GAMES or policy not in NAMES:
        raise Refused(f"2 to {MOST_GAMES:,} games, played by one of {', '.join(NAMES)}")
    if variants and not Setup(path, None, {}, tuple(variants)).trusted:
        raise Refused("variants are shipped ones, by name")
    return variants, games, policy, part(data, "seed", int, 0)


def skeleton_of(game: str) -> str:
    """A variant of a game that changes nothing yet."""
    from rules_dsl.cli.new import skeleton
    from rules_dsl.language.program import assemble
    from rules_dsl.language.sources import gather

    return skeleton("house_rule", Path(game).stem, assemble(gather(game)))
