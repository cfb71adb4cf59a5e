"""Reports by players. Handled ones are removed when they are old."""

from __future__ import annotations

from hashlib import blake2b

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from parlour.server.store.pipeline import Pipeline, script

ADD, HANDLE = script("add_report"), script("handle_report")

MAX_REPORTS = 2_000  # the oldest ones are dropped then
MAX_OPEN = 10  # by one player
REPORT_TTL = 90 * 24 * 3600 * 1000  # milliseconds


class Handled(Struct, frozen=True):
    """How an operator has handled a report."""

    operator: str
    note: str
    at: int


class StoredReport(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A report by a player about another one. Players are stored by their ids only."""

    author: str
    player: str
    reason: str
    at: int  # milliseconds since 1970
    text: str = ""
    room: str = ""
    chat: tuple[str, ...] = ()  # what the reported player said in the room
    handled: Handled | None = None
    id: str = ""


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(StoredReport).decode


class ReportStore:
    """All reports of the deployment. The coroutines raise StoreUnavailable."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        pipeline.load(ADD)
        pipeline.load(HANDLE)

    async def add(self, report: StoredReport) -> bool:
        """Store a report; return False if its author has too many open ones.

        It replaces an earlier one by the same author about the same player and room.
        """
        report = replace(report, id=_id(report))
        keys = (self._keys.reports, self._keys.report_times, self._keys.report_authors)
        args = (report.id, report.author, encode(report), report.at, REPORT_TTL, MAX_REPORTS, MAX_OPEN)
        return bool(await self._pipeline.call_script(ADD, len(keys), *keys, *args))

    async def handle(self, id: str, handled: Handled) -> StoredReport | None:
        """Mark a report as handled and return it; None if there is no such report."""
        found = await self.get(id)
        if found is None:
            return None
        found = replace(found, handled=handled)
        keys = (self._keys.reports, self._keys.report_authors)
        return found if await self._pipeline.call_script(HANDLE, len(keys), *keys, id, encode(found)) else None

    async def get(self, id: str) -> StoredReport | None:
        """Return a report."""
        found = await self._pipeline.call(b"HGET", self._keys.reports, id)
        return None if found is None else decode(found)

    async def count_open(self) -> int:
        """Return how many reports wait for an operator."""
        number: int = await self._pipeline.call(b"HLEN", self._keys.report_authors)
        return number

    async def newest(self, *, handled: bool = False) -> list[StoredReport]:
        """Return the open reports, or all, newest first."""
        times = (b"ZREVRANGE", self._keys.report_times, 0, -1)
        ids, unhandled = await self._pipeline.call_all(times, (b"HKEYS", self._keys.report_authors))
        wanted = ids if handled else [id for id in ids if id in set(unhandled)]
        if not wanted:
            return []
        found = await self._pipeline.call(b"HMGET", self._keys.reports, *wanted)
        return [decode(each) for each in found if each is not None]

    async def by(self, author: str) -> list[StoredReport]:
        """Return the reports of a player, newest first."""
        return [report for report in await self.newest(handled=True) if report.author == author]

    async def forget(self, player: str) -> None:
        """Remove the reports by and about a player who is deleted."""
        for report in await self.newest(handled=True):
            if player in (report.author, report.player):
                await self._pipeline.call_all(
                    (b"ZREM", self._keys.report_times, report.id),
                    (b"HDEL", self._keys.report_authors, report.id),
                    (b"HDEL", self._keys.reports, report.id),
                )


def _id(report: StoredReport) -> str:
    text = f"{report.author} {report.player} {report.room}"
    return blake2b(text.encode(), digest_size=6).hexdigest()
