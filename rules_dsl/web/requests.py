"""Reading requests and writing answers: JSON in, JSON out, errors in one shape."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from rules_dsl.web.desk import Refused
from rules_dsl.web.streams import Bell, message

# The languages that labels may have.
LANGUAGES = ("en", "ru")
Handler = Callable[[Request], Awaitable[Response]]
T = TypeVar("T")


class BadRequest(Exception):
    """A request that makes no sense; the message says why."""


class NotThere(Exception):
    """Something that was asked for by a name that nothing has."""


def answered(handler: Handler) -> Handler:
    """Turn what can go wrong in a handler into an answer."""

    async def safe(request: Request) -> Response:
        try:
            return await handler(request)
        except BadRequest as error:
            return JSONResponse({"error": str(error)}, status_code=400)
        except NotThere as error:
            return JSONResponse({"error": str(error)}, status_code=404)
        except Refused as error:
            return JSONResponse(
                {"error": str(error), "reasons": list(error.reasons)}, status_code=409
            )
        except ClientDisconnect:
            return Response(status_code=413)

    return safe


async def body(request: Request) -> dict[str, Any]:
    """The JSON object of a request."""
    try:
        data = await request.json()
    except (ValueError, RecursionError):
        raise BadRequest("the body is not valid JSON") from None
    if not isinstance(data, dict):
        raise BadRequest("the body must be a JSON object")
    return data


def part(data: dict[str, Any], name: str, kind: type[T], default: T | None = None) -> T:
    """A part of a request, which must have a type."""
    value = data.get(name, default)
    wrong = isinstance(value, bool) and kind is int
    if wrong or not isinstance(value, kind):
        raise BadRequest(f"`{name}` must be {kind.__name__}")
    return value


def maybe(data: dict[str, Any], name: str, kind: type[T]) -> T | None:
    """A part of a request that may be missing."""
    return None if data.get(name) is None else part(data, name, kind)


def number(request: Request, name: str) -> int | None:
    """A number in the address."""
    text = request.query_params.get(name)
    if text is None or text == "":
        return None
    if not text.isdecimal() or len(text) > 9:
        raise BadRequest(f"`{name}` must be a number")
    return int(text)


def stream(bell: Bell, told: Callable[[int], Any], ended: Callable[[], bool]) -> Response:
    """Server-sent events: what is told, now and whenever the bell rings, until all is said."""

    async def events() -> AsyncIterator[bytes]:
        async for version in bell.versions():
            if version is None:
                yield b": still here\n\n"
                continue
            # Asked before the message is sent: it may end meanwhile, and that is to be told too.
            last = ended()
            yield message(told(version))
            if last:
                return

    return StreamingResponse(events(), media_type="text/event-stream")
