"""The clients of a run in one process: their connections and their tasks."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack
from typing import Any, Self

from parlour.chaos.recorder import Recorder
from parlour.client import Client, connect

CONNECT_AT_ONCE = 20  # clients


class ClientGroup:
    """An async context manager: the clients are connected and their tasks run inside it."""

    def __init__(self, urls: Sequence[str], recorder: Recorder) -> None:
        """`urls` are the addresses of the nodes."""
        self.clients: list[Client] = []
        self._urls = list(urls)
        self._recorder = recorder
        self._connections = AsyncExitStack()
        self._followers: list[asyncio.Task[None]] = []  # note where clients are
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        tasks = [*self._tasks, *self._followers]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._connections.aclose()

    async def connect(self, count: int) -> list[Client]:
        """Connect more clients, evenly to all nodes, and return them."""
        limit = asyncio.Semaphore(CONNECT_AT_ONCE)

        async def one(number: int) -> Client:
            first = number % len(self._urls)
            client = connect([*self._urls[first:], *self._urls[:first]], timeout=None, guest_if_unknown=False)
            async with limit:
                await client.__aenter__()
            self._connections.push_async_exit(client)
            self.clients.append(client)
            self._followers.append(asyncio.create_task(self._follow(client)))
            return client

        return await asyncio.gather(*(one(number) for number in range(count)))

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a task of a client. A failure is recorded."""
        self._tasks.append(asyncio.create_task(self._guarded(work)))

    async def finish(self, within: float) -> None:
        """Wait until all work is done, or the time is over. Record what each client sees then."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=within)
        for client in self.clients:
            for replica in client.connection.rooms.values():
                self._recorder.view(client.you.name, replica)

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        """Record the failure of a client that should have gone on."""
        try:
            await work
        except Exception as error:
            reasons = error.exceptions if isinstance(error, ExceptionGroup) else [error]
            self._recorder.fail(f"A client stopped: {'; '.join(repr(reason) for reason in reasons)}")

    async def _follow(self, client: Client) -> None:
        """Record every address that a client is connected to."""
        try:
            async for state in client.states():
                if state == "connected":
                    self._recorder.place(client.you.name, client.connection.address)
        except Exception as error:
            self._recorder.fail(f"{client.you.name} was disconnected for good: {error!r}")

    @property
    def is_connected(self) -> bool:
        """Whether all clients are connected."""
        return all(client.state == "connected" for client in self.clients)

    @property
    def reconnects(self) -> int:
        """How often clients have lost their connection and come back."""
        return sum(client.connection.connects - 1 for client in self.clients)
