"""All clients of a run: players, spectators, and what they have achieved so far."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack
from random import Random
from typing import Any, Self

from parlour.chaos.players import Opponents, Player
from parlour.chaos.recorder import Recorder
from parlour.chaos.watchers import Watcher
from parlour.client import Client, connect

AGAINST_COMPUTER = 5  # one game in this many, if there are bot workers
CONNECT_AT_ONCE = 20  # clients
# Of all games together, at most. One process has to play all of them, and to reconnect hundreds of clients at once
# without falling behind: what it is late for would look like a fault of the server.
MOVES_PER_SECOND = 50
SHORTEST_PACE = 0.6  # seconds for a move, on average


class Crowd:
    """An async context manager: the clients are connected inside it."""

    def __init__(self, urls: Sequence[str], recorder: Recorder, rng: Random, games: Sequence[str]) -> None:
        """`urls` are the addresses of the nodes, `games` the keys of what is played."""
        self.clients: list[Client] = []
        self.players: list[str] = []  # names
        self._urls = list(urls)
        self._recorder = recorder
        self._rng = rng
        self._games = tuple(games)
        self._ending = asyncio.Event()
        self._opponents: list[Opponents] = []
        self._connections = AsyncExitStack()
        self._background: list[asyncio.Task[None]] = []  # notes where clients are
        self._players: list[asyncio.Task[None]] = []
        self._watchers: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        tasks = [*self._players, *self._watchers, *self._background]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._connections.aclose()

    # -- what they do

    async def start(self, games: int, watchers: int, *, with_computer: bool) -> None:
        """Connect everyone and let them begin."""
        pace = max(SHORTEST_PACE, games / MOVES_PER_SECOND)
        alone = [with_computer and number % AGAINST_COMPUTER == AGAINST_COMPUTER - 1 for number in range(games)]
        clients = iter(await self._connect(2 * games - sum(alone) + watchers))
        for number, is_alone in enumerate(alone):
            players = tuple(
                Player(next(clients), self._recorder, Random(self._rng.random()), pace, self._ending)
                for _ in range(1 if is_alone else 2)
            )
            self.players += [player.name for player in players]
            opponents = Opponents(number, players, self._games, self._ending)
            self._opponents.append(opponents)
            self._players.append(self._task(opponents.run()))
        for client in clients:
            watcher = Watcher(client, self._recorder, Random(self._rng.random()), self.rooms, self._ending)
            self._watchers.append(self._task(watcher.run()))

    async def finish(self, within: float) -> None:
        """Let all games end, and everyone see how they ended. Give up on those that take too long."""
        self._ending.set()
        for tasks in (self._players, self._watchers):
            if tasks:
                await asyncio.wait(tasks, timeout=within)
        for client in self.clients:
            for replica in client.connection.rooms.values():
                self._recorder.view(client.you.name, replica)

    def _task(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        return asyncio.create_task(self._guarded(work))

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        """Note the end of a client that should have gone on."""
        try:
            await work
        except Exception as error:
            reasons = error.exceptions if isinstance(error, ExceptionGroup) else [error]
            self._recorder.fail(f"A client stopped: {'; '.join(repr(reason) for reason in reasons)}")

    # -- connections

    async def _connect(self, count: int) -> list[Client]:
        """Connect clients, evenly to all nodes."""
        limit = asyncio.Semaphore(CONNECT_AT_ONCE)

        async def one(number: int) -> Client:
            first = number % len(self._urls)
            client = connect([*self._urls[first:], *self._urls[:first]], timeout=None, guest_if_unknown=False)
            async with limit:
                await client.__aenter__()
            self._connections.push_async_exit(client)
            self.clients.append(client)
            self._background.append(asyncio.create_task(self._follow(client)))
            return client

        return await asyncio.gather(*(one(number) for number in range(count)))

    async def _follow(self, client: Client) -> None:
        """Note every address that a client is connected to."""
        try:
            async for state in client.states():
                if state == "connected":
                    self._recorder.place(client.you.name, client.connection.address)
        except Exception as error:
            self._recorder.fail(f"{client.you.name} was disconnected for good: {error!r}")

    # -- how far they are

    def rooms(self) -> list[str]:
        """Return the rooms of the games that are going on."""
        return [opponents.room for opponents in self._opponents if opponents.room is not None]

    def is_connected(self) -> bool:
        """Return whether all clients are connected."""
        return all(client.state == "connected" for client in self.clients)

    @property
    def finished(self) -> int:
        """The number of games that are over."""
        return sum(opponents.finished for opponents in self._opponents)

    @property
    def reconnects(self) -> int:
        """How often clients have lost their connection and come back."""
        return sum(client.connection.connects - 1 for client in self.clients)
