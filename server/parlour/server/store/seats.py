"""The running games of each player, and when each player last had the first seat."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.server.store.pipeline import Pipeline
from parlour.server.store.resp import Arg

SEAT_TTL = 90 * 24 * 3600  # seconds


class SeatStore:
    """The rooms of each player. Only a hint: a room's log says whether its game is over."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys

    async def seat(self, room: str, game: str, players: Sequence[str | None], now: int) -> None:
        """Record that a game begins. `players` are by seat; None for the computer, which has no list of games."""
        commands: list[tuple[Arg, ...]] = []
        for seat, player in enumerate(players):
            if player is not None:
                playing = self._keys.playing(player)
                commands += [(b"SADD", playing, room), (b"EXPIRE", playing, SEAT_TTL)]
            if player is not None and seat == 0:
                commands += [(b"HSET", self._keys.first_seats(player), game, now)]
                commands += [(b"EXPIRE", self._keys.first_seats(player), SEAT_TTL)]
        await self._pipeline.call_all(*commands)

    async def first_seat(self, player: str, game: str) -> int:
        """Return when the player last had the first seat, in milliseconds since 1970; 0: never."""
        return int(await self._pipeline.call(b"HGET", self._keys.first_seats(player), game) or 0)

    async def remove(self, player: str, room: str) -> None:
        """Remove a room from the list of a player: its game is over."""
        await self._pipeline.call(b"SREM", self._keys.playing(player), room)

    async def count(self, player: str) -> int:
        """Return the number of rooms on the list of a player."""
        number: int = await self._pipeline.call(b"SCARD", self._keys.playing(player))
        return number

    async def rooms(self, player: str) -> list[str]:
        """Return the rooms on the list of a player."""
        return sorted(room.decode() for room in await self._pipeline.call(b"SMEMBERS", self._keys.playing(player)))
