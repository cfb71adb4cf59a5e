"""A room in which two players move only as far as the test allows, and its spectators."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from random import Random
from types import TracebackType
from typing import Self

from parlour.client.connection import Connection
from parlour.protocol.messages import Choices, Join, Ok, Play, Say, ServerMessage
from parlour.protocol.replica import RoomReplica
from tests.e2e.players import RandomPlayer
from tests.e2e.processes import ServerProcess

WITHIN = 60.0  # seconds for whatever is awaited here
LONG_LINE = "♟" * 280  # 840 bytes of talk


class Seated(RandomPlayer):
    """A player that moves when the test allows it."""

    def __init__(self, table: PacedTable, connection: Connection, rng: Random) -> None:
        super().__init__(connection, rng)
        self.oks: dict[int, Ok] = {}  # ply -> how the move was acknowledged
        self._table = table

    async def _turn(self, choices: Choices) -> None:
        await self._table.may_play(choices.ply)
        picks = await self._choose(choices)
        ok = await self.connection.call(Play(id=0, room=self._table.room, ply=choices.ply, picks=picks))
        assert isinstance(ok, Ok)
        self.acknowledged[choices.ply] = picks
        self.oks[choices.ply] = ok
        self._table.moved(choices.ply)


class Spectator:
    """A client that only watches."""

    def __init__(self, connection: Connection, room: str) -> None:
        self.connection = connection
        self.room = room
        self.seen: list[ServerMessage] = []

    @property
    def replica(self) -> RoomReplica:
        return self.connection.rooms[self.room]

    async def sees(self, moves: int) -> None:
        """Wait until a number of moves has arrived."""
        async with asyncio.timeout(WITHIN):
            while len(self.replica.moves) < moves:
                self.seen.append(await self.connection.news.get())

    async def sees_the_end(self) -> None:
        async with asyncio.timeout(WITHIN):
            while self.replica.result is None:
                self.seen.append(await self.connection.news.get())


class PacedTable:
    """A room with two players, before the first move. Use it as an async context manager."""

    def __init__(self, server: ServerProcess, game: str = "mapello", seed: int = 1) -> None:
        self._server = server
        self._game = game
        self._rng = Random(seed)
        self._limit = 0
        self._made = 0
        self._news = asyncio.Event()  # another one after each time that it was set
        self._guests = AsyncExitStack()
        self._tasks: list[asyncio.Task[RoomReplica]] = []
        self.players: list[Seated] = []

    async def __aenter__(self) -> Self:
        for _ in range(2):
            connection = await self._guests.enter_async_context(Connection([self._server.url]))
            self.players.append(Seated(self, connection, Random(self._rng.random())))
        self._tasks = [asyncio.create_task(player.play(self._game)) for player in self.players]
        for task in self._tasks:
            task.add_done_callback(lambda _: self._tell())
        async with asyncio.timeout(WITHIN):
            for player in self.players:
                await player.joined.wait()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._guests.aclose()

    @property
    def room(self) -> str:
        room = self.players[0].room
        assert room is not None
        return room

    @property
    def replica(self) -> RoomReplica:
        """The room as a player has it."""
        return self.players[0].replica

    async def watch(self) -> Spectator:
        """Add a spectator."""
        connection = await self._guests.enter_async_context(Connection([self._server.url]))
        async with asyncio.timeout(WITHIN):
            await connection.call(Join(id=0, room=self.room))
        return Spectator(connection, self.room)

    # -- how far they play

    async def may_play(self, ply: int) -> None:
        """Wait until the test allows this move."""
        while ply >= self._limit:
            await self._news.wait()

    def moved(self, ply: int) -> None:
        """Note that a move was acknowledged."""
        self._made = ply + 1
        self._tell()

    async def play_to(self, plies: int) -> None:
        """Let the players play until a number of moves is acknowledged."""
        self._limit = plies
        self._tell()
        async with asyncio.timeout(WITHIN):
            while self._made < plies:
                await self._news.wait()
                assert not any(task.done() for task in self._tasks), "a player has given up"

    async def finish(self) -> None:
        """Let them play to the end."""
        self._limit = 10_000
        self._tell()
        async with asyncio.timeout(WITHIN):
            await asyncio.gather(*self._tasks)
        one, two = (player.replica for player in self.players)
        assert (one.moves, one.scene, one.result) == (two.moves, two.scene, two.result)

    def _tell(self) -> None:
        """Wake everything that waits for a change."""
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def talk(self, lines: int) -> None:
        """Let a player send many lines of chat."""
        connection = self.players[0].connection
        async with asyncio.timeout(WITHIN):
            await asyncio.gather(*(connection.call(Say(id=0, room=self.room, text=LONG_LINE)) for _ in range(lines)))
