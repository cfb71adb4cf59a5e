"""Which games a player sits at, and who had the first seat when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from parlour.server.store import keys
from parlour.server.store.line import Arg
from parlour.server.store.pipe import Pipe

LASTS = 90 * 24 * 3600  # seconds


class Playing:
    """The rooms of each player. A hint: the log of a room says whether its game is over."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe

    async def seat(self, room: str, game: str, players: Sequence[str | None], now: int) -> None:
        """A game begins between these, by seat; None is nobody who has to be remembered."""
        commands: list[tuple[Arg, ...]] = []
        for seat, player in enumerate(players):
            if player is not None:
                commands += [(b"SADD", keys.playing(player), room), (b"EXPIRE", keys.playing(player), LASTS)]
            if player is not None and seat == 0:
                commands += [(b"HSET", keys.first_seats(player), game, now)]
                commands += [(b"EXPIRE", keys.first_seats(player), LASTS)]
        # All leave together, and answers come in the order of the commands: after the last one all are done.
        for command in commands[:-1]:
            self._pipe.send(*command, done=_ignore)
        for command in commands[-1:]:
            await self._pipe.call(*command)

    async def first_seat(self, player: str, game: str) -> int:
        """When the player was given the first seat for the last time, in milliseconds since 1970; 0: never."""
        return int(await self._pipe.call(b"HGET", keys.first_seats(player), game) or 0)

    async def remove(self, player: str, room: str) -> None:
        await self._pipe.call(b"SREM", keys.playing(player), room)

    async def count(self, player: str) -> int:
        number: int = await self._pipe.call(b"SCARD", keys.playing(player))
        return number

    async def rooms(self, player: str) -> list[str]:
        return sorted(room.decode() for room in await self._pipe.call(b"SMEMBERS", keys.playing(player)))


def _ignore(reply: Any) -> None:
    """Who asks for the last answer learns whether the others came."""
