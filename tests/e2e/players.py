"""Clients that queue for a game and play it to the end with random moves."""

from __future__ import annotations

import asyncio
from random import Random

from parlour.client.connection import Connection, RefusedError
from parlour.protocol.messages import Choices, Explore, Join, Paired, Play, Queue, RoomEvent
from parlour.protocol.replica import RoomReplica
from parlour.protocol.types import Clock, Pick, Terms


class RandomPlayer:
    """Plays one game. What the server has acknowledged is kept, to be compared with the result."""

    def __init__(self, connection: Connection, rng: Random) -> None:
        self.connection = connection
        self.rng = rng
        self.room: str | None = None
        self.acknowledged: dict[int, tuple[int, ...]] = {}  # ply -> the picks of the turn
        self.moved = asyncio.Event()  # set after each acknowledged move
        self.joined = asyncio.Event()  # set once the room is there

    @property
    def replica(self) -> RoomReplica:
        assert self.room is not None
        return self.connection.rooms[self.room]

    async def play(self, game: str, clock: Clock | None = None) -> RoomReplica:
        """Queue and play to the end; return the room as it is then."""
        await self.connection.call(Queue(id=0, terms=Terms(game, clock=clock or Clock())))
        return await self.play_on()

    async def play_on(self) -> RoomReplica:
        """Play the game in the room for which this player is paired, to the end."""
        while True:
            message = await self.connection.news.get()
            match message:
                case Paired() if self.room is None:
                    self.room = message.room
                    await self.connection.call(Join(id=0, room=message.room))
                    self.joined.set()
                case Choices(id=None) if message.ply not in self.acknowledged:
                    await self._turn(message)
                case RoomEvent() if message.result is not None:
                    return self.replica
                case _:
                    pass
            if self.room in self.connection.rooms and self.replica.result is not None:
                return self.replica

    async def _turn(self, choices: Choices) -> None:
        picks = await self._choose(choices)
        assert self.room is not None
        try:
            await self.connection.call(Play(id=0, room=self.room, ply=choices.ply, picks=picks))
        except RefusedError as refused:
            # Choices that came twice, around a reconnect: the turn was made by the first of them.
            assert refused.code in ("stale_ply", "not_your_turn", "game_over"), refused.code
            return
        assert choices.ply not in self.acknowledged
        self.acknowledged[choices.ply] = picks
        self.moved.set()

    async def _choose(self, choices: Choices) -> tuple[int, ...]:
        """Return any complete turn; explore where the choices are cut off."""
        step, picks = choices.step, choices.picks
        while True:
            pick = self.rng.choice(step.picks)
            if not isinstance(pick, Pick):
                return (*picks, pick)
            picks = (*picks, pick.place)
            if pick.more:
                assert self.room is not None
                answer = await self.connection.call(Explore(id=0, room=self.room, ply=choices.ply, picks=picks))
                assert isinstance(answer, Choices)
                step = answer.step
            elif pick.then is None:
                return picks
            else:
                step = pick.then


async def play_pair(url: str, game: str, seed: int, clock: Clock | None = None) -> tuple[RandomPlayer, RandomPlayer]:
    """Let two players queue at one server and play each other to the end."""
    async with Connection([url]) as one, Connection([url]) as two:
        players = RandomPlayer(one, Random(seed)), RandomPlayer(two, Random(seed + 1))
        await asyncio.gather(*(player.play(game, clock) for player in players))
        return players
