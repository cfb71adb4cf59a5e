"""All clients of a run: players and spectators, and their progress."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from random import Random
from typing import Self

from parlour.chaos.client_group import ClientGroup
from parlour.chaos.players import Opponents, Player
from parlour.chaos.recorder import Recorder
from parlour.chaos.watcher_process import WatcherProcess

AGAINST_COMPUTER = 5  # one game in this many, if there are bot workers
# Of all games together, at most. One process has to play all of them, and to reconnect hundreds of players at once
# without falling behind: its own delays would look like faults of the server.
MOVES_PER_SECOND = 50
SHORTEST_PACE = 0.6  # seconds for a move, on average
ROOMS_EVERY = 1.0  # seconds between two lists of the games that can be watched


class Crowd:
    """An async context manager: the clients are connected inside it.

    The players are in this process, the spectators in another one: when a node is lost, a player that is to move does
    not have to wait until this process has reconnected hundreds of spectators.
    """

    def __init__(self, urls: Sequence[str], recorder: Recorder, rng: Random, games: Sequence[str]) -> None:
        """`urls` are the addresses of the nodes, `games` the keys of what is played."""
        self.players: list[str] = []  # names
        self._urls = list(urls)
        self._recorder = recorder
        self._rng = rng
        self._games = tuple(games)
        self._ending = asyncio.Event()
        self._opponents: list[Opponents] = []
        self._parts = AsyncExitStack()
        self.group = ClientGroup(urls, recorder)
        self.watchers: WatcherProcess | None = None
        self._announcing: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        await self._parts.enter_async_context(self.group)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._announcing is not None:
            self._announcing.cancel()
        await self._parts.aclose()

    # -- what they do

    async def start(self, games: int, watchers: int, *, with_computer: bool) -> None:
        """Connect everyone and let them begin."""
        self.watchers = WatcherProcess(self._urls, watchers, self._rng.randrange(2**32), self._recorder)
        await self._parts.enter_async_context(self.watchers)
        pace = max(SHORTEST_PACE, games / MOVES_PER_SECOND)
        alone = [with_computer and number % AGAINST_COMPUTER == AGAINST_COMPUTER - 1 for number in range(games)]
        clients = iter(await self.group.connect(2 * games - sum(alone)))
        for number, is_alone in enumerate(alone):
            players = tuple(
                Player(next(clients), self._recorder, Random(self._rng.random()), pace, self._ending)
                for _ in range(1 if is_alone else 2)
            )
            self.players += [player.name for player in players]
            opponents = Opponents(number, players, self._games, self._ending)
            self._opponents.append(opponents)
            self.group.run(opponents.run())
        self._announcing = asyncio.create_task(self._announce_rooms(self.watchers))

    async def finish(self, within: float) -> None:
        """Let all games end, and everyone see how they ended. Give up on those that take too long."""
        self._ending.set()
        await self.group.finish(within)
        if self.watchers is not None:
            await self.watchers.finish(within)

    async def _announce_rooms(self, watchers: WatcherProcess) -> None:
        while True:
            watchers.offer(self.rooms())
            await asyncio.sleep(ROOMS_EVERY)

    # -- how far they are

    def rooms(self) -> list[str]:
        """Return the rooms of the games that are going on."""
        return [opponents.room for opponents in self._opponents if opponents.room is not None]

    def is_connected(self) -> bool:
        """Return whether all clients are connected."""
        return self.group.is_connected and (self.watchers is None or self.watchers.status.is_connected)

    @property
    def finished(self) -> int:
        """The number of games that are over."""
        return sum(opponents.finished for opponents in self._opponents)

    @property
    def reconnects(self) -> int:
        """How often clients have lost their connection and come back."""
        return self.group.reconnects + (0 if self.watchers is None else self.watchers.status.reconnects)
