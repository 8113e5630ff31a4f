"""The server: its routes, its pages, and its start and stop."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from string import Template

from attrs import field, frozen
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from rules_dsl.language.sources import read, shipped_games
from rules_dsl.web.author_routes import AuthorRoutes
from rules_dsl.web.drafts import Drafts
from rules_dsl.web.game_routes import GameRoutes
from rules_dsl.web.guard import Rate, RequestGuard
from rules_dsl.web.jobs import Jobs
from rules_dsl.web.requests import Handler
from rules_dsl.web.store import Store
from rules_dsl.web.table_routes import TableRoutes
from rules_dsl.web.tables import Tables

STATIC = Path(__file__).parent / "static"
LOCAL = ("127.0.0.1", "localhost", "[::1]")
SMALLEST_GZIP = 1000
# Titles of the pages until their scripts have found better ones.
TITLES = {
    "lobby": "Games",
    "table": "Table",
    "author": "House rule",
    "rules": "Rules",
    "simulate": "Simulate",
}


@frozen
class ServerSettings:
    """The settings of a server.

    `hosts` are the names that it goes by besides those of this machine; `texts` are rule files to
    be offered as drafts.
    """

    folder: Path
    games: tuple[str, ...] = field(factory=lambda: tuple(shipped_games()))
    texts: tuple[Path, ...] = ()
    hosts: tuple[str, ...] = ()
    rate: Rate = field(factory=Rate)


def make_app(settings: ServerSettings) -> Starlette:
    """The server as an ASGI application."""
    tables = Tables(Store(settings.folder, "tables"))
    drafts = Drafts(Store(settings.folder, "drafts"))
    jobs = Jobs()
    table_routes = TableRoutes(tables, settings.games)
    author = AuthorRoutes(drafts, jobs, table_routes, settings.games)
    offered = [{"id": drafts.offer(read(path)), "name": path.name} for path in settings.texts]

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
            *GameRoutes(settings.games, jobs).routes(),
            *table_routes.routes(),
            *author.routes(),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[
            Middleware(RequestGuard, hosts=(*LOCAL, *settings.hosts), rate=settings.rate),
            Middleware(GZipMiddleware, minimum_size=SMALLEST_GZIP),
        ],
        lifespan=lifespan,
    )


def page(name: str) -> Handler:
    """A page of the server; scripts load its contents as JSON."""
    layout = Template((STATIC / "layout.html").read_text(encoding="utf-8"))
    content = (STATIC / f"{name}.html").read_text(encoding="utf-8")
    text = layout.substitute(name=name, title=TITLES[name], content=content)

    async def show(_: Request) -> Response:
        return HTMLResponse(text)

    return show
