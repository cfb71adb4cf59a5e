"""Which games a player sits at, and which invitations are open."""

from __future__ import annotations

from redis.asyncio import Redis

from parlour.server.store import keys

INVITE_LASTS = 24 * 3600  # seconds
PLAYING_LASTS = 90 * 24 * 3600


class Playing:
    """The rooms of each player. A hint: the log of a room says whether its game is over."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    async def add(self, player: str, room: str) -> None:
        await self._redis.sadd(keys.playing(player), room)
        await self._redis.expire(keys.playing(player), PLAYING_LASTS)

    async def remove(self, player: str, room: str) -> None:
        await self._redis.srem(keys.playing(player), room)

    async def count(self, player: str) -> int:
        return await self._redis.scard(keys.playing(player))

    async def rooms(self, player: str) -> list[str]:
        return sorted(_text(room) for room in await self._redis.smembers(keys.playing(player)))


class Invites:
    """Open invitations by their code, as bytes that only the lobby reads."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    async def put(self, code: str, invite: bytes) -> None:
        await self._redis.set(keys.invite(code), invite, ex=INVITE_LASTS)

    async def find(self, code: str) -> bytes | None:
        found = await self._redis.get(keys.invite(code))
        return found.encode() if isinstance(found, str) else found

    async def take(self, code: str) -> bool:
        """Remove an invitation; of two who try, one succeeds."""
        return bool(await self._redis.delete(keys.invite(code)))


def _text(value: bytes | str) -> str:
    return value.decode() if isinstance(value, bytes) else value
