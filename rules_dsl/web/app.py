"""The server: its routes, its pages, and what starts and stops with it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from attrs import field, frozen
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from rules_dsl.language.sources import shipped_games
from rules_dsl.web.author_routes import AuthorRoutes
from rules_dsl.web.drafts import Drafts
from rules_dsl.web.game_routes import GameRoutes
from rules_dsl.web.guard import Guard, Rate
from rules_dsl.web.jobs import Jobs
from rules_dsl.web.requests import Handler
from rules_dsl.web.store import Store
from rules_dsl.web.table_routes import TableRoutes
from rules_dsl.web.tables import Tables

STATIC = Path(__file__).parent / "static"
LOCAL = ("127.0.0.1", "localhost", "[::1]")
SMALLEST_GZIP = 1000


@frozen
class Settings:
    """How a server is set up.

    `hosts` are the names that it goes by besides those of this machine; `texts` are rule files to
    be offered as drafts.
    """

    folder: Path
    games: tuple[str, ...] = field(factory=lambda: tuple(shipped_games()))
    texts: tuple[Path, ...] = ()
    hosts: tuple[str, ...] = ()
    rate: Rate = field(factory=Rate)


def make_app(settings: Settings) -> Starlette:
    """The server as an ASGI application."""
    tables = Tables(Store(settings.folder, "tables"))
    drafts = Drafts(Store(settings.folder, "drafts"))
    jobs = Jobs()
    table_routes = TableRoutes(tables, settings.games)
    author = AuthorRoutes(drafts, jobs, table_routes, settings.games)
    offered = [
        {"id": drafts.create(path.read_text(encoding="utf-8"), ""), "name": path.name}
        for path in settings.texts
    ]

    async def own(request: Request) -> Response:
        return JSONResponse({"texts": offered})

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await jobs.close()
        await author.close()
        await tables.close()

    return Starlette(
        routes=[
            Route("/", page("lobby")),
            Route("/t/{key}", page("table")),
            Route("/a/{key}", page("author")),
            Route("/rules/{name}", page("rules")),
            Route("/simulate", page("simulate")),
            Route("/api/texts", own),
            *GameRoutes(settings.games).routes(),
            *table_routes.routes(),
            *author.routes(),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[
            Middleware(Guard, hosts=(*LOCAL, *settings.hosts), rate=settings.rate),
            Middleware(GZipMiddleware, minimum_size=SMALLEST_GZIP),
        ],
        lifespan=lifespan,
    )


def page(name: str) -> Handler:
    """A page of the server; what it shows comes by scripts, as JSON."""

    async def show(_: Request) -> Response:
        return FileResponse(STATIC / f"{name}.html")

    return show
