"""Records by HTTP."""

from __future__ import annotations

import msgspec

from parlour.protocol.messages import Record, Resign
from parlour.protocol.types import Terms
from parlour.server.archive.verify import faults, read
from tests.server.api.http_client import HttpClient, Lines, archived, public_table
from tests.server.running_node import Caller, RunningNode


async def finished(node: RunningNode, http: HttpClient, ada: Caller, ben: Caller, game: str = "isaac") -> str:
    """Return the room of a finished game."""
    room = await public_table(Terms(game), ada, ben)
    await node.play(room, ada, ben, moves=2)
    await ada.ask(Resign(id=0, room=room))
    await archived(http, room)
    return room


async def exported(lines: Lines) -> list[Record]:
    """Return all records of an export."""
    data = b""
    while chunk := await lines.chunk():
        data += chunk
    return [msgspec.json.decode(line, type=Record) for line in data.splitlines()]


async def test_a_record_is_served_as_json_and_as_text(node: RunningNode, http: HttpClient) -> None:
    """The text exists only after the game."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(Terms("isaac"), ada, ben)
    assert (await http.get(f"/records/{room}")).json["room"] == room
    assert (await http.get(f"/records/{room}.txt")).json["error"] == "record_unknown"
    await ada.ask(Resign(id=0, room=room))
    text = await http.get(f"/records/{room}.txt")
    assert text.headers["content-type"].startswith("text/plain")
    assert list(faults(read(text.body.decode()))) == []


async def test_records_are_searched_and_exported(node: RunningNode, http: HttpClient) -> None:
    """With the same filters; an export goes on where an earlier one ended."""
    ada, ben = await node.call(name="Ada"), await node.call(name="Ben")
    rooms = [await finished(node, http, ada, ben, game) for game in ("isaac", "replica", "isaac")]

    found = (await http.get("/records?game=isaac&player=Ben&result=won&min_plies=2")).json["rows"]
    assert [row["room"] for row in found] == [rooms[2], rooms[0]]
    async with http.stream("/records/export?count=2") as lines:
        assert lines.headers["content-type"] == "application/x-ndjson"
        first = await exported(lines)
    async with http.stream(f"/records/export?before={first[-1].ended}-{first[-1].room}") as lines:
        rest = await exported(lines)
    assert [record.room for record in (*first, *rest)] == rooms[::-1]
    assert all(list(faults(read(record.text))) == [] for record in first)


async def test_what_cannot_be_searched_is_refused(http: HttpClient) -> None:
    """A value of the wrong type is malformed; filters that do not fit together have the right form."""
    answers = [
        await http.get(f"/records?{query}")
        for query in ("since=yesterday", "result=won", "before=x", "player=Unknown", "until=null", "rated=1")
    ]
    assert [answer.status for answer in answers] == [400, 422, 422, 404, 400, 400]
    assert (await http.get("/records/export?player=Unknown")).status == 404
    assert (await http.get("/records/nowhere")).json["error"] == "record_unknown"
