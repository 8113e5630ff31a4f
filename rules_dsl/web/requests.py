"""Reading requests and writing answers: JSON in, JSON out, errors in one shape."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from rules_dsl.cli.errors import unexpected
from rules_dsl.web.desk import Refused
from rules_dsl.web.streams import Bell, message

# The languages that labels may have.
LANGUAGES = ("en", "ru")
Handler = Callable[[Request], Awaitable[Response]]
T = TypeVar("T")


class BadRequest(Exception):
    """A malformed request; the message says why."""


class NotThere(Exception):
    """An unknown name in a request."""


def answered(handler: Handler) -> Handler:
    """Turn the errors of a handler into an answer."""

    async def safe(request: Request) -> Response:
        try:
            return await handler(request)
        except BadRequest as error:
            return _problem(400, str(error))
        except NotThere as error:
            return _problem(404, str(error))
        except Refused as error:
            return _problem(409, str(error), reasons=list(error.reasons))
        except ClientDisconnect:
            return Response(status_code=413)
        except OSError as error:
            # The message must not reveal folders of the server.
            return _problem(507, f"the server cannot keep or read this: {error.strerror or error}")
        except Exception as error:
            print(unexpected(error), file=sys.stderr)
            return _problem(500, "the server failed; its output says how")

    return safe


def _problem(status: int, words: str, **more: Any) -> Response:
    # A saved game may hold text that is not valid Unicode, and a message may quote it.
    shown = words.encode("utf-8", "replace").decode()
    return JSONResponse({"error": shown, **more}, status_code=status)


async def body(request: Request) -> dict[str, Any]:
    """The JSON object of a request; raises `BadRequest`.

    Python also reads lone surrogates and NaN, which cannot be sent.
    """
    try:
        data = await request.json()
        json.dumps(data, ensure_ascii=False, allow_nan=False).encode()
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
    """Server-sent events: the messages, now and whenever the bell rings, until the last one."""

    async def events() -> AsyncIterator[bytes]:
        async for version in bell.versions():
            if version is None:
                yield b": still here\n\n"
                continue
            # Read before the message is sent: it may end meanwhile, which is then sent too.
            last = ended()
            yield message(told(version))
            if last:
                return

    return StreamingResponse(events(), media_type="text/event-stream")
