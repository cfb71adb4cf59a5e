"""Operations on finished games: search, records and their export."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import msgspec
from msgspec.structs import asdict

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Games, GetRecord, ListGames, Record
from parlour.server.api.call import Call
from parlour.server.api.operation import PLAIN_TYPE, Content, Operation
from parlour.server.api.replies import ExportedGames, RoomPath
from parlour.server.connections.line_stream import NDJSON_TYPE
from parlour.server.limits.costs import EXPORT_COST

PAGE = 20  # records that are read at a time


async def get_record_text(call: Call, wanted: RoomPath) -> Content:
    """Return a record as text."""
    record = await call.ask(GetRecord(id=0, room=wanted.room), Record)
    if not record.text:
        raise Refusal(ErrorCode.RECORD_UNKNOWN, "The game is not over yet. Its text is available when it is.")
    return Content(record.text.encode(), PLAIN_TYPE)


async def export_records(call: Call, wanted: ExportedGames) -> AsyncIterator[bytes]:
    """Stream records, one in each line, newest first."""
    filters = asdict(wanted)
    left = filters.pop("count")
    search = ListGames(id=0, **filters)
    await call.charge(1, EXPORT_COST)
    first, more = await call.node.archive.export(search, min(left, PAGE))

    async def lines() -> AsyncIterator[bytes]:
        page, before, remaining = first, more, left
        while True:
            if page:
                yield b"".join(msgspec.json.encode(record) + b"\n" for record in page)
            remaining -= len(page)
            if not before or not remaining:
                return
            await _charge_patiently(call)
            following = msgspec.structs.replace(search, before=before)
            page, before = await call.node.archive.export(following, min(remaining, PAGE))

    return lines()


async def _charge_patiently(call: Call) -> None:
    """Charge for a page, and wait as long as the limit demands: an export slows down instead of failing."""
    while True:
        try:
            await call.charge(1, EXPORT_COST)
            return
        except Refusal as refusal:
            await asyncio.sleep((refusal.retry_after or 1000) / 1000)


_SEARCH = (ErrorCode.PLAYER_UNKNOWN, ErrorCode.GAME_UNKNOWN)
_UNKNOWN = (ErrorCode.RECORD_UNKNOWN, ErrorCode.RULES_UNSUPPORTED)

OPERATIONS = (
    Operation(
        method="GET", path="/records", name="searchRecords", tag="records",
        summary="Search finished games, newest first, 20 at a time",
        about="To get the next page, pass `more` as `before`. `opponent` and `result` need `player`.",
        input=ListGames, reply=Games, codes=_SEARCH,
    ),
    Operation(
        method="GET", path="/records/export", name="exportRecords", tag="records",
        summary="Export the records of finished games, newest first, one in each line",
        about=(
            "The lines are records without boards. The export takes as long as your share of the server's time allows. "
            "To continue one, pass `ENDED-ROOM` of its last line as `before`."
        ),
        input=ExportedGames, reply=Record, formats=(NDJSON_TYPE,), answer=export_records, codes=_SEARCH,
    ),
    Operation(
        method="GET", path="/records/{room}.txt", name="getRecordText", tag="records",
        summary="Get the record of a finished game as text",
        input=RoomPath, reply=None, formats=(PLAIN_TYPE,), answer=get_record_text, codes=_UNKNOWN,
    ),
    Operation(
        method="GET", path="/records/{room}", name="getRecord", tag="records",
        summary="Get the record of a game, running or finished, with its boards",
        input=GetRecord, reply=Record, codes=_UNKNOWN,
    ),
)  # fmt: skip
