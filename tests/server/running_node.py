"""A node inside the test process, with real sockets and a real Valkey."""

from __future__ import annotations

import asyncio
import atexit
import itertools
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from ipaddress import ip_network
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, TypeVar

from msgspec.structs import replace
from sqlalchemy import URL
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from parlour.protocol.codec import MSGPACK
from parlour.protocol.messages import (
    Accept,
    Challenge,
    Command,
    Cursor,
    Hello,
    Join,
    Message,
    Ok,
    Paired,
    Play,
    Refused,
    ServerMessage,
    Welcome,
)  # fmt: skip
from parlour.protocol.types import Terms
from parlour.server.api.handler import ApiHandler
from parlour.server.archive.database.database import Database
from parlour.server.archive.database.engine import sqlite_url
from parlour.server.configuration.settings import Settings
from parlour.server.connections import server as transport
from parlour.server.connections.http import Routes
from parlour.server.connections.incidents import uncounted
from parlour.server.connections.limits import Limits
from parlour.server.metrics import Metrics
from parlour.server.node import Node
from parlour.server.rooms.registry import RoomRegistry
from parlour.server.rooms.state import RoomState
from parlour.server.store.store import Store
from tests.inbox import Inbox
from tests.waiting import WITHIN, until

# Tests come from one address and are in a hurry.
LOOPBACK = (ip_network("127.0.0.0/8"),)
LIMITS = Limits(rate=10_000, burst=10_000, address_rate=100_000, address_burst=100_000)

M = TypeVar("M")


class Caller:
    """One connection under full control: a command has the id that the test chooses, or a new one."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.token = ""
        self.session_id = ""
        self._ids = itertools.count(1)
        self._inbox = Inbox(self._receive)

    async def send(self, message: Message) -> None:
        await self.socket.send(MSGPACK.encode(message))

    async def hello(
        self,
        token: str | None = None,
        rooms: tuple[Cursor, ...] = (),
        name: str | None = None,
        session: str | None = None,
    ) -> Welcome:
        """Say hello and be welcomed."""
        await self.send(Hello("test", token, rooms, name, session=session))
        welcome = await self.hears(Welcome)
        self.token, self.session_id = welcome.token, welcome.session
        return welcome

    async def ask(self, command: Command, id: int | None = None) -> Any:
        """Send a command and return the answer; without an id it gets a new one."""
        numbered = replace(command, id=next(self._ids) if id is None else id)
        await self.send(numbered)
        return await self.hears(Message, lambda message: getattr(message, "id", None) == numbered.id)

    async def code(self, command: Command, id: int | None = None) -> str:
        """Return the code with which a command is refused."""
        answer = await self.ask(command, id)
        assert isinstance(answer, Refused), answer
        return answer.code

    async def hears(self, kind: type[M], fits: Callable[[M], bool] = lambda _: True) -> M:
        """Return the first message of a kind that fits and was not returned before."""
        return await self._inbox.take(kind, fits)

    def has_heard(self, kind: type[M]) -> list[M]:
        """Return the messages of a kind that were received and not asked for."""
        return self._inbox.of(kind)

    async def _receive(self) -> ServerMessage:
        return MSGPACK.decode_server(await self.socket.recv())

    async def closed(self) -> int | None:
        """Wait for the end of the connection; return its close code."""
        async with asyncio.timeout(WITHIN):
            try:
                while True:
                    await self.socket.recv()
            except ConnectionClosed:
                return self.socket.close_code


class RunningNode:
    """A node as tests see it."""

    def __init__(self, node: Node, store: Store, url: str, stack: AsyncExitStack) -> None:
        self.node = node
        self.store = store
        self.url = url
        self._stack = stack

    @property
    def registry(self) -> RoomRegistry:
        return self.node.registry

    async def call(
        self,
        token: str | None = None,
        name: str | None = None,
        *,
        session: str | None = None,
        greet: bool = True,
        **settings: Any,
    ) -> Caller:
        """Connect as a new player, or with a token and a session; `settings` are those of `websockets`."""
        socket = await self._stack.enter_async_context(
            connect(
                self.url,
                subprotocols=[Subprotocol(MSGPACK.subprotocol)],
                compression=None,
                max_size=None,
                max_queue=None,
                **settings,
            )
        )
        caller = Caller(socket)
        if greet:
            await caller.hello(token, name=name, session=session)
        return caller

    async def call_again(self, before: Caller) -> Caller:
        """Connect as a client that continues its session on another connection."""
        return await self.call(before.token, session=before.session_id)

    async def table(self, terms: Terms, first: Caller, second: Caller) -> str:
        """Let two connected players start a game and join it; return the room."""
        code = (await first.ask(Challenge(id=0, terms=terms, seat="first"))).seek
        room: str = (await second.ask(Accept(id=0, seek=code))).room
        for caller in (first, second):
            await caller.hears(Paired, lambda paired: paired.room == room)
            await caller.ask(Join(id=0, room=room))
        return room

    async def play(self, room: str, *callers: Caller, moves: int = 6) -> None:
        """Let two players make some legal moves. A rated game counts after six."""
        for _ in range(moves):
            found = await self.registry.find(room)
            assert isinstance(found, RoomState)
            assert found.to_move is not None
            text = found.rules.write(found.state, found.rules.moves(found.state)[0])
            answer = await callers[found.to_move].ask(Play(id=0, room=room, ply=found.ply, move=text))
            assert isinstance(answer, Ok), answer

    async def until(self, fits: Callable[[], bool]) -> None:
        """Wait for something that happens in the node on its own."""
        await until(fits)


async def shared_archive(store: Store) -> URL:
    """Return the archive of all nodes on a Valkey, which knows it for as long as its data lives."""
    folder = mkdtemp(prefix="parlour-archive-")
    if not await store.pipeline.call("SET", "test:archive", folder, "NX"):
        Path(folder).rmdir()
        folder = (await store.pipeline.call("GET", "test:archive")).decode()
    else:
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return sqlite_url(Path(folder) / "archive.sqlite3")


@asynccontextmanager
async def running_node(
    valkey: str, name: str = "node", *, limits: Limits = LIMITS, archive: URL | None = None, **settings: Any
) -> AsyncIterator[RunningNode]:
    """Run a node on that Valkey. Nothing happens in it on its own: call `node.sweep()` for that.

    It has no limits per minute unless `unlimited_networks` is given. Without an archive of its own, it shares one with
    the other nodes on that Valkey, until that is emptied.
    """
    async with AsyncExitStack() as stack:
        store = Store(valkey, name)
        await store.open()
        stack.push_async_callback(store.close)
        database = Database(archive or await shared_archive(store))
        stack.push_async_callback(database.close)
        await database.open()
        node = Node(Settings(**{"unlimited_networks": LOOPBACK} | settings), store, database, Metrics(), "test")
        stack.callback(node.close)
        server = await transport.start(
            node.dispatcher, host="127.0.0.1", port=0, limits=limits, routes=Routes(api=ApiHandler(node, uncounted))
        )

        async def stop() -> None:
            await server.stop(grace=1.0)
            await node.drain(WITHIN)

        stack.push_async_callback(stop)
        async with AsyncExitStack() as callers:
            yield RunningNode(node, store, f"ws://127.0.0.1:{server.port}/ws", callers)
