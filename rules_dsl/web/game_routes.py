"""The routes about games: the list, their pictures, and their rules."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from anyio import to_thread
from attrs import asdict
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from rules_dsl.language.sources import read, shipped_variants
from rules_dsl.shipped import describe
from rules_dsl.web.book import book
from rules_dsl.web.jobs import Jobs
from rules_dsl.web.pictures import picture
from rules_dsl.web.reading import proofs
from rules_dsl.web.requests import LANGUAGES, NotThere, answered, body, maybe

# Reading all rules of all variants takes long: their titles stand in their first lines.
TITLE = re.compile(r'^variant\s+\w+\s+of\s+\w+\s+"([^"]*)"', re.MULTILINE)


class GameRoutes:
    """The routes."""

    def __init__(self, games: tuple[str, ...], jobs: Jobs) -> None:
        self.games = games
        self.jobs = jobs

    def routes(self) -> list[BaseRoute]:
        """All of them."""
        return [
            Route("/api/games", answered(self.list)),
            Route("/api/games/{name}/rules", answered(self.rules)),
            Route("/api/games/{name}/proofs", answered(self.proofs)),
            Route("/api/games/{name}/verify", answered(self.verify), methods=["POST"]),
            Route("/api/games/{name}/picture.svg", answered(self.picture)),
        ]

    async def list(self, request: Request) -> Response:
        """The games with their players, options and variants."""
        found = [await to_thread.run_sync(told, name) for name in self.games]
        return JSONResponse({"games": found})

    async def rules(self, request: Request) -> Response:
        """The rules of a game as a book: chapters, declarations, texts, cites."""
        lang = request.query_params.get("lang", "en")
        found = await to_thread.run_sync(
            book, self._name(request), lang if lang in LANGUAGES else "en"
        )
        return JSONResponse(found)

    async def proofs(self, request: Request) -> Response:
        """The kept verdicts on the rules of a game, by name, and the numbers of players."""
        return JSONResponse(await to_thread.run_sync(proofs, self._name(request)))

    async def verify(self, request: Request) -> Response:
        """Verify a game; its verdicts are kept."""
        name = self._name(request)
        players = maybe(await body(request), "players", int)
        return JSONResponse({"job": self.jobs.start("verify", name, players, "normal").key}, 202)

    async def picture(self, request: Request) -> Response:
        """A position of the game, as everybody sees it."""
        drawn = await to_thread.run_sync(picture, self._name(request))
        headers = {"cache-control": "max-age=3600"}
        return Response(drawn, media_type="image/svg+xml", headers=headers)

    def _name(self, request: Request) -> str:
        name: str = request.path_params["name"]
        if name not in self.games:
            raise NotThere(f"there is no game `{name}` here")
        return name


@lru_cache
def told(name: str) -> dict[str, Any]:
    """The entry of a game in the lobby."""
    info = describe(name)
    variants = []
    for variant, path in shipped_variants(name).items():
        title = TITLE.search(read(path))
        variants.append({"name": variant, "title": title[1] if title else variant})
    return {**asdict(info), "variants": variants}
