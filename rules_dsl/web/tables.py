"""Tables: a game on a desk, seats with secret tokens, bots, and their files."""

from __future__ import annotations

import asyncio
import hmac
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from anyio import to_thread
from attrs import asdict, define, evolve, field

from compiler.runtime.bots import NAMES
from rules_dsl.language.diagnostics import RuleError
from rules_dsl.language.options import OptionError
from rules_dsl.web.desk import Desk, Refused, Setup, new_seed
from rules_dsl.web.store import Store
from rules_dsl.web.streams import Bell
from rules_dsl.web.workers import Limits, Worker, WorkerDied

PERSON = "person"
# Minimum duration of a bot's move in seconds, so that people can follow.
BOT_PAUSE = 0.25
# Maximum number of tables in memory; others are read again on the next request.
MOST_OPEN = 100
DAMAGED = "the file of this table is damaged"


@define
class Chair:
    """The occupant of a seat: a person with a token, or a bot by its name."""

    kind: str
    token: str = field(factory=lambda: secrets.token_urlsafe(16), repr=False)


class Table:
    """One table. Everything that changes it is done one after another."""

    def __init__(
        self, key: str, setup: Setup, chairs: list[Chair], title: str, made: float, owner: str
    ) -> None:
        self.key = key
        # The owner's token, which opens the invitations.
        self.owner = owner
        self.setup = setup
        self.chairs = chairs
        self.title = title
        self.made = made
        self.about: dict[str, Any] = {}
        self.bell = Bell()
        self.problem = ""
        self.turn: dict[str, Any] = {}
        self._lock = asyncio.Lock()
        self._desk: Desk | None = None
        self._worker: Worker | None = None
        self._codes: list[int] = []
        self._driver: asyncio.Task[None] | None = None

    # ---- the desk --------------------------------------------------------------------------------

    async def open(self, codes: list[int]) -> None:
        """Lay out the game; raises `Refused`."""
        self._codes = list(codes)
        if self.setup.trusted:
            try:
                self._desk = await to_thread.run_sync(Desk, self.setup, tuple(codes))
            except (RuleError, OptionError, ValueError) as error:
                raise Refused(str(error)) from None
        else:
            self._worker = Worker(Limits(cpu_seconds=600, patience=30.0))
        self.setup = evolve(self.setup, rules=await self._do("rules"))
        self.about = await self._do("about")
        self.turn = await self._do("turn")
        self.bell.version = len(codes)

    async def _do(self, method: str, *args: Any) -> Any:
        if self._desk is not None:
            return await to_thread.run_sync(getattr(self._desk, method), *args)
        assert self._worker is not None
        try:
            if not self._worker.running:
                await self._lay_out(self._worker)
            return await self._worker.call("desk", method, *args)
        except WorkerDied as error:
            raise Refused(f"these rules were stopped: {error}") from None

    async def _lay_out(self, worker: Worker) -> None:
        """Open the table in a new process, as it was after the last move that was kept."""
        try:
            await worker.call("open", asdict(self.setup), self._codes)
        except Refused:
            await worker.kill()  # without a game it has no answers
            raise

    async def ask(self, method: str, *args: Any) -> Any:
        """Ask the desk something that changes nothing."""
        async with self._lock:
            return await self._do(method, *args)

    async def change(self, store: Store, version: int | None, method: str, *args: Any) -> None:
        """Do something at the desk and keep it; raises `Refused`, also for a stale version."""
        async with self._lock:
            if version is not None and version != self.bell.version:
                raise Refused("the table has changed since you looked; nothing was done")
            await self._do(method, *args)
            await self._take_in(store)
        self.problem = ""
        self.bell.ring()
        self.drive(store)

    async def _take_in(self, store: Store) -> None:
        """Keep what has changed at the desk."""
        self._codes = await self._do("codes")
        self.turn = await self._do("turn")
        await to_thread.run_sync(self.keep, store)

    # ---- bots ------------------------------------------------------------------------------------

    def drive(self, store: Store) -> None:
        """Let bots play while it is their turn."""
        if self._driver is None or self._driver.done():
            self._driver = asyncio.get_running_loop().create_task(self._let_bots_play(store))

    async def _let_bots_play(self, store: Store) -> None:
        while not self.problem:
            player = self.turn["player"]
            if player is None or self.chairs[player].kind == PERSON:
                return
            began = time.monotonic()
            turn = self.turn
            try:
                # People may look, and take a move back, while a bot thinks.
                code = await self._do("bot_choice", self.chairs[player].kind, new_seed())
                async with self._lock:
                    if self.turn is not turn:
                        continue
                    await self._do("play", player, code)
                    await self._take_in(store)
            except Refused as error:
                self.problem = str(error)
            except OSError as error:
                self.problem = f"the table cannot be kept: {error.strerror or error}"
            self.bell.ring()
            await asyncio.sleep(max(0.0, BOT_PAUSE - (time.monotonic() - began)))

    async def close(self) -> None:
        """Stop the processes of this table; its file stays."""
        if self._driver is not None:
            self._driver.cancel()
            with suppress(asyncio.CancelledError):
                await self._driver
        if self._worker is not None:
            await self._worker.kill()

    # ---- seats -----------------------------------------------------------------------------------

    def seats_of(self, tokens: list[str]) -> list[int]:
        """The seats that some tokens open."""
        return [
            number
            for number, chair in enumerate(self.chairs)
            if chair.kind == PERSON and any(_same(chair.token, token) for token in tokens)
        ]

    def owned_by(self, tokens: list[str]) -> bool:
        """True if one of the tokens is the owner's."""
        return any(_same(self.owner, token) for token in tokens)

    def told(self, seats: list[int]) -> dict[str, Any]:
        """The data of the table for a browser with some seats."""
        names = self.about["names"]
        return {
            **self.about,
            "id": self.key,
            "name": self.title,
            "version": self.bell.version,
            "you": seats,
            "problem": self.problem,
            "seats": [
                {"name": names[n], "kind": chair.kind, "you": n in seats}
                for n, chair in enumerate(self.chairs)
            ],
        }

    def invitations(self) -> list[dict[str, Any]]:
        """The tokens of the seats of people, for the owner of the table."""
        return [
            {"seat": n, "name": self.about["names"][n], "token": chair.token}
            for n, chair in enumerate(self.chairs)
            if chair.kind == PERSON
        ]

    def keep(self, store: Store) -> None:
        """Write the table to its file."""
        store.write(self.key, {
            "setup": asdict(self.setup), "codes": self._codes, "title": self.title,
            "made": self.made, "owner": self.owner, "over": self.turn.get("over", False),
            "chairs": [asdict(chair) for chair in self.chairs],
        })  # fmt: skip


class Tables:
    """All tables, those in memory and those that only have their file."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._open: dict[str, Table] = {}
        self._opening = asyncio.Lock()

    async def create(
        self, setup: Setup, kinds: list[str], title: str, codes: tuple[int, ...] = ()
    ) -> Table:
        """A new table; raises `Refused` if it cannot be set up."""
        for kind in kinds:
            if kind != PERSON and kind not in NAMES:
                raise Refused(f"a seat is for a {PERSON} or one of {', '.join(NAMES)}, not {kind}")
        key = secrets.token_urlsafe(12)
        chairs = [Chair(kind) for kind in kinds]
        table = Table(key, setup, chairs, title, time.time(), secrets.token_urlsafe(16))
        async with _closed_on_failure(table):
            await table.open(list(codes))
            names = table.about["names"]
            if len(kinds) > len(names):
                raise Refused(f"there are {len(names)} seats")
            table.chairs += [Chair(PERSON) for _ in names[len(kinds) :]]
            table.keep(self.store)
        self._open[key] = table
        await self._make_room()
        table.drive(self.store)
        return table

    async def find(self, key: str) -> Table | None:
        """A table by its key, read from its file if it is not in memory."""
        async with self._opening:
            if key in self._open:
                return self._open[key]
            kept = self.store.read(key)
            if kept is None:
                return None
            table, codes = _read_table(key, kept)
            async with _closed_on_failure(table):
                await table.open(codes)
                if len(table.chairs) != len(table.about["names"]):
                    raise Refused(DAMAGED)
            self._open[key] = table
            await self._make_room()
        table.drive(self.store)
        return table

    async def _make_room(self) -> None:
        for key, table in list(self._open.items())[:-MOST_OPEN]:
            if not table.bell.listeners:
                del self._open[key]
                await table.close()

    async def close(self) -> None:
        """Stop everything; nothing is lost."""
        for table in self._open.values():
            await table.close()
        self._open.clear()


def _read_table(key: str, kept: dict[str, Any]) -> tuple[Table, list[int]]:
    """A table and its moves from its file, every part of which may be damaged."""
    try:
        chairs = [Chair(**chair) for chair in kept["chairs"]]
        setup = Setup.from_data(kept["setup"])
        codes, texts = kept["codes"], [kept["title"], kept["owner"], setup.game]
        texts += [text for chair in chairs for text in (chair.kind, chair.token)]
        numbers = [*codes, *setup.prefix, setup.seed]
        known = all(chair.kind in (PERSON, *NAMES) for chair in chairs)
        table = Table(key, setup, chairs, kept["title"], float(kept["made"]), kept["owner"])
    except (KeyError, TypeError, ValueError):
        raise Refused(DAMAGED) from None
    sound = all(type(n) is int for n in numbers) and all(isinstance(t, str) for t in texts)
    if not (sound and known and isinstance(setup.options, dict)):
        raise Refused(DAMAGED)
    return table, list(codes)


@asynccontextmanager
async def _closed_on_failure(table: Table) -> AsyncIterator[None]:
    """A table that cannot be set up leaves no process behind."""
    try:
        yield
    except BaseException:
        await table.close()
        raise


def _same(one: str, two: str) -> bool:
    return hmac.compare_digest(one.encode(), two.encode())
