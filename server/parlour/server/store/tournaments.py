"""The lists of tournaments: open and running ones, and the last finished ones."""

from __future__ import annotations

from parlour.server.store.pipeline import Pipeline

LISTED = 1_000  # finished tournaments on the list

_TOURNAMENT = "tournament-"


def tournament_log(tournament: str) -> str:
    """Return the name of a tournament's log among those of rooms. Its deadline has the same name."""
    return _TOURNAMENT + tournament


def tournament_of(log: str) -> str | None:
    """Return the tournament whose log has this name; None if it is the log of a room."""
    return log.removeprefix(_TOURNAMENT) if log.startswith(_TOURNAMENT) else None


class TournamentStore:
    """The summaries of tournaments. Only a hint: the log of a tournament is the authority."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys

    async def count(self) -> int:
        """Return the number of open and running tournaments."""
        return int(await self._pipeline.call(b"ZCARD", self._keys.current_tournaments))

    async def put(self, tournament: str, at: int, summary: bytes, *, is_over: bool) -> None:
        """List a tournament, replacing its earlier summary. A tournament that is over stays over."""
        added, removed = self._keys.current_tournaments, self._keys.finished_tournaments
        if is_over:
            added, removed = removed, added
        elif await self._pipeline.call(b"ZSCORE", self._keys.finished_tournaments, tournament) is not None:
            return  # another node knows more
        await self._pipeline.call_all(
            (b"HSET", self._keys.tournament_summaries, tournament, summary),
            (b"ZADD", added, at, tournament),
            (b"ZREM", removed, tournament),
        )
        if is_over:
            await self._pipeline.call(b"HDEL", self._keys.tournament_networks, tournament)
            await self._trim()

    async def remove(self, tournament: str) -> None:
        """Remove a tournament whose log is gone from the lists."""
        await self._pipeline.call_all(
            (b"ZREM", self._keys.current_tournaments, tournament),
            (b"HDEL", self._keys.tournament_networks, tournament),
            (b"HDEL", self._keys.tournament_summaries, tournament),
        )

    async def created_from(self, tournament: str, network: str) -> None:
        """Record the network from which a tournament was created, until it is over."""
        await self._pipeline.call(b"HSET", self._keys.tournament_networks, tournament, network)

    async def count_from(self, network: str) -> int:
        """Return how many open and running tournaments were created from a network."""
        found = await self._pipeline.call(b"HVALS", self._keys.tournament_networks)
        return sum(each.decode() == network for each in found)

    async def get(self, tournament: str) -> bytes | None:
        """Return the summary of a tournament; None if it is not listed."""
        found: bytes | None = await self._pipeline.call(b"HGET", self._keys.tournament_summaries, tournament)
        return found

    async def replace(self, tournament: str, summary: bytes) -> None:
        """Replace the summary of a tournament."""
        await self._pipeline.call(b"HSET", self._keys.tournament_summaries, tournament, summary)

    async def _trim(self) -> None:
        """Forget the oldest finished tournaments."""
        key = self._keys.finished_tournaments
        oldest = await self._pipeline.call(b"ZRANGE", key, 0, -LISTED - 1)
        if oldest:
            await self._pipeline.call_all((b"ZREM", key, *oldest), (b"HDEL", self._keys.tournament_summaries, *oldest))

    async def current_ids(self) -> list[str]:
        """Return the open and running tournaments, the earliest first."""
        found = await self._pipeline.call(b"ZRANGE", self._keys.current_tournaments, 0, -1)
        return [id.decode() for id in found]

    async def current(self) -> list[bytes]:
        """Return the summaries of open and running tournaments, the earliest first."""
        return await self._summaries(await self._pipeline.call(b"ZRANGE", self._keys.current_tournaments, 0, -1))

    async def finished(self, before: float, limit: int) -> list[bytes]:
        """Return the summaries of finished tournaments that ended before a time, the newest first."""
        key = self._keys.finished_tournaments
        limits = (b"LIMIT", 0, limit)
        return await self._summaries(
            await self._pipeline.call(b"ZRANGE", key, f"({before}", b"-inf", b"BYSCORE", b"REV", *limits)
        )

    async def _summaries(self, ids: list[bytes]) -> list[bytes]:
        if not ids:
            return []
        found = await self._pipeline.call(b"HMGET", self._keys.tournament_summaries, *ids)
        return [summary for summary in found if summary is not None]
