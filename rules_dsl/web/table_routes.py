"""The routes of a table: looking, playing, taking back, asking why, keeping and forking."""

from __future__ import annotations

from typing import Any

from attrs import evolve
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from rules_dsl.web.desk import Refused, Setup, new_seed, opened
from rules_dsl.web.requests import LANGUAGES, NotThere, answered, body, maybe, number, part, stream
from rules_dsl.web.tables import PERSON, Table, Tables

COOKIE = "seats"
# Lifetime of the seat cookie, in seconds.
A_YEAR = 365 * 24 * 3600
ME, LINK = "me", "link"
LONGEST_NAME = 80


class TableRoutes:
    """The routes; a browser is known by the tokens in its cookie, which only this path gets."""

    def __init__(self, tables: Tables, games: tuple[str, ...]) -> None:
        self.tables = tables
        self.games = games

    def routes(self) -> list[BaseRoute]:
        """All of them."""
        return [
            Route("/api/tables", answered(self.create), methods=["POST"]),
            Route("/api/open", answered(self.open), methods=["POST"]),
            Route("/t/{key}/events", answered(self.events)),
            Route("/t/{key}/view", answered(self.view)),
            Route("/t/{key}/data", answered(self.data)),
            Route("/t/{key}/record", answered(self.record)),
            Route("/t/{key}/invitations", answered(self.invitations)),
            Route("/t/{key}/sit", answered(self.sit), methods=["POST"]),
            Route("/t/{key}/move", answered(self.move), methods=["POST"]),
            Route("/t/{key}/undo", answered(self.undo), methods=["POST"]),
            Route("/t/{key}/explain", answered(self.explain), methods=["POST"]),
            Route("/t/{key}/preview", answered(self.preview), methods=["POST"]),
            Route("/t/{key}/fork", answered(self.fork), methods=["POST"]),
        ]

    # ---- setting up ------------------------------------------------------------------------------

    async def create(self, request: Request) -> Response:
        """A new table of a shipped game."""
        data = await body(request)
        name = part(data, "game", str)
        if name not in self.games:
            raise NotThere(f"there is no game `{name}` here")
        variants = tuple(str(v) for v in part(data, "variants", list, []))
        options = part(data, "options", dict, {})
        setup = Setup(name, maybe(data, "players", int), options, variants, new_seed())
        if not setup.trusted:
            raise Refused("a table is of shipped rules; your own rules are played from their page")
        return await self.set_up(setup, data)

    async def open(self, request: Request) -> Response:
        """A new table from a record."""
        data = await body(request)
        setup, codes = opened(part(data, "record", str))
        return await self.set_up(setup, data, codes)

    async def set_up(
        self, setup: Setup, data: dict[str, Any], codes: tuple[int, ...] = ()
    ) -> Response:
        """Set up a table; the caller gets the seats that are not for others."""
        wanted = [str(kind) for kind in part(data, "seats", list, [])]
        title = part(data, "name", str, "")[:LONGEST_NAME]
        kinds = [PERSON if kind in (ME, LINK) else kind for kind in wanted]
        table = await self.tables.create(setup, kinds, title, codes)
        wanted += [ME] * (len(table.chairs) - len(wanted))
        own = [c.token for c, kind in zip(table.chairs, wanted, strict=True) if kind == ME]
        answer = JSONResponse({"id": table.key, "invitations": table.invitations()}, 201)
        _give(answer, table, [table.owner, *own])
        return answer

    async def sit(self, request: Request) -> Response:
        """Take the seat that a token from a link opens."""
        table = await self._table(request)
        token = part(await body(request), "token", str)
        seats = table.seats_of([token])
        if not seats:
            raise Refused("this link is not for a seat at this table")
        answer = JSONResponse({"seat": seats[0]})
        _give(answer, table, [*_tokens(request), token])
        return answer

    async def invitations(self, request: Request) -> Response:
        """The tokens of all seats, for the owner of the table."""
        table = await self._table(request)
        if not table.owned_by(_tokens(request)):
            raise Refused("only the browser that set up the table has its links")
        return JSONResponse({"invitations": table.invitations()})

    # ---- looking ---------------------------------------------------------------------------------

    async def events(self, request: Request) -> Response:
        """A version number whenever the table changes."""
        table = await self._table(request)
        return stream(table.bell, lambda version: {"version": version}, lambda: False)

    async def view(self, request: Request) -> Response:
        """Everything that a seat may have of the position, or of an earlier one."""
        table = await self._table(request)
        viewer = self._viewer(table, request, number(request, "seat"))
        lang = request.query_params.get("lang", "en")
        at = number(request, "at")
        # The version is read first: an action on an older one is refused as stale.
        told = table.told(table.seats_of(_tokens(request)))
        seen = await table.ask("view", viewer, at, lang if lang in LANGUAGES else "en")
        return JSONResponse({**told, **seen})

    async def data(self, request: Request) -> Response:
        """The view of a seat as data, for programs."""
        table = await self._table(request)
        viewer = self._viewer(table, request, number(request, "seat"))
        return JSONResponse(await table.ask("data", viewer))

    async def explain(self, request: Request) -> Response:
        """Why a move is possible or not, or why nothing can be done with a place."""
        table = await self._table(request)
        data = await body(request)
        viewer = self._viewer(table, request, maybe(data, "seat", int))
        place = maybe(data, "place", str)
        if place is not None:
            reasons = await table.ask("refusals", viewer, place)
        else:
            reasons = await table.ask("explain", viewer, part(data, "move", str))
        return JSONResponse({"reasons": reasons})

    async def preview(self, request: Request) -> Response:
        """The effects of a move, where they reveal nothing hidden."""
        table = await self._table(request)
        data = await body(request)
        viewer = self._viewer(table, request, maybe(data, "seat", int))
        lang = part(data, "lang", str, "en")
        code = part(data, "code", int)
        events = await table.ask("preview", viewer, code, lang if lang in LANGUAGES else "en")
        return JSONResponse({"events": events})

    # ---- playing ---------------------------------------------------------------------------------

    async def move(self, request: Request) -> Response:
        """Make a move, by its number or in notation."""
        table = await self._table(request)
        data = await body(request)
        viewer = self._viewer(table, request, part(data, "seat", int))
        version = maybe(data, "version", int)
        if "code" in data:
            code = part(data, "code", int)
            await table.change(self.tables.store, version, "play", viewer, code)
        else:
            text = part(data, "move", str)
            await table.change(self.tables.store, version, "play_text", viewer, text)
        return Response(status_code=204)

    async def undo(self, request: Request) -> Response:
        """Take back the last decision of one's own."""
        table = await self._table(request)
        data = await body(request)
        viewer = self._viewer(table, request, part(data, "seat", int))
        await table.change(self.tables.store, maybe(data, "version", int), "undo", viewer)
        return Response(status_code=204)

    # ---- keeping ---------------------------------------------------------------------------------

    async def record(self, request: Request) -> Response:
        """The game so far as a file, if the seat knows all of it."""
        table = await self._table(request)
        viewer = self._viewer(table, request, number(request, "seat"))
        text = await table.ask("record", viewer)
        if text is None:
            raise Refused(
                "a record shows hidden information: it is available when the game is over. The "
                "table itself is kept by the server"
            )
        headers = {"content-disposition": f'attachment; filename="{table.about["game"]}.json"'}
        return Response(text, media_type="application/json", headers=headers)

    async def fork(self, request: Request) -> Response:
        """A new table that continues from a position as the seat knows it."""
        table = await self._table(request)
        data = await body(request)
        viewer = self._viewer(table, request, maybe(data, "seat", int))
        base = await table.ask("fork", viewer, maybe(data, "at", int))
        kinds = [ME if chair.kind == PERSON else chair.kind for chair in table.chairs]
        setup = evolve(table.setup, base=base, prefix=(), seed=0)
        return await self.set_up(setup, {"seats": kinds, "name": f"{table.title} (fork)"})

    # ---- who asks --------------------------------------------------------------------------------

    async def _table(self, request: Request) -> Table:
        table = await self.tables.find(request.path_params["key"])
        if table is None:
            raise NotThere("there is no such table")
        return table

    def _viewer(self, table: Table, request: Request, seat: int | None) -> int | None:
        """The requested seat, if it belongs to the caller; a spectator has none."""
        if seat is None:
            return None
        if seat not in table.seats_of(_tokens(request)):
            raise Refused("this is not your seat")
        return seat


def _tokens(request: Request) -> list[str]:
    return [token for token in request.cookies.get(COOKIE, "").split(".") if token]


def _give(answer: Response, table: Table, tokens: list[str]) -> None:
    """Hand a browser its tokens, in a cookie that no script can read."""
    value = ".".join(dict.fromkeys(tokens))
    answer.set_cookie(
        COOKIE, value, max_age=A_YEAR, path=f"/t/{table.key}", httponly=True, samesite="strict"
    )
