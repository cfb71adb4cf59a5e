"""The logs of rooms: append, load, snapshots, records."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Callable
from typing import Any

import pytest
from redis.asyncio import Redis

from parlour.server.store import keys
from parlour.server.store.log import Appended, Entry, Pen, RoomLog, Stored
from parlour.server.store.pipe import Pipe
from tests.server.store.private_valkey import PrivateValkey
from tests.waiting import WITHIN, until

DAY = 24 * 3600 * 1000


@pytest.fixture
def log(pipe: Pipe) -> RoomLog:
    return RoomLog(pipe, "a node")


async def append(log: RoomLog, room: str, first_seq: int, *entries: bytes, deadline: int | None = None) -> Appended:
    done: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()
    log.append(room, first_seq, entries, done.set_result, deadline=deadline)
    return await done


async def test_what_was_appended_is_there(log: RoomLog) -> None:
    """Entries are numbered from 1 in the order of the appends, several at once included."""
    assert await append(log, "r", 1, b"one", b"two") is Appended.OK
    assert await append(log, "r", 3, b"three") is Appended.OK
    assert await log.tail("r", 0) == [(1, b"one"), (2, b"two"), (3, b"three")]
    assert await log.tail("r", 2) == [(3, b"three")]
    assert await log.tail("r", 3) == []
    assert await log.tail("other", 0) == []


@pytest.mark.parametrize("first_seq", [1, 2, 4, 1000])
async def test_no_hole_and_no_overwriting(log: RoomLog, first_seq: int) -> None:
    """An append anywhere but at the end of the log is a conflict and changes nothing."""
    await append(log, "r", 1, b"one", b"two")
    assert await append(log, "r", first_seq, b"x", b"y") is Appended.CONFLICT
    assert await log.tail("r", 0) == [(1, b"one"), (2, b"two")]


async def test_a_log_begins_with_one(log: RoomLog) -> None:
    """The first entry of an empty log has the number 1."""
    assert await append(log, "r", 2, b"x") is Appended.CONFLICT
    assert await log.load("r") is None


async def test_a_room_is_created_once(log: RoomLog) -> None:
    """Of two who create the same room one succeeds."""
    outcomes: list[Appended] = []
    log.create("r", [b"mine"], outcomes.append)
    log.create("r", [b"yours"], outcomes.append)
    assert await log.load("r") == Stored(entries=((1, b"mine"),))
    assert outcomes == [Appended.OK, Appended.CONFLICT]


async def test_entries_are_any_bytes(log: RoomLog) -> None:
    """Every byte comes back, in large entries too, and an entry may be empty."""
    entries = [bytes(range(256)), b"", b"\r\n$5\r\n" * 20_000]
    assert await append(log, "r", 1, *entries) is Appended.OK
    assert [entry for _, entry in await log.tail("r", 0)] == entries


async def test_many_entries_at_once(log: RoomLog) -> None:
    """A thousand entries in one append get their numbers."""
    entries = [b"%d" % n for n in range(1000)]
    assert await append(log, "r", 1, *entries) is Appended.OK
    assert await log.tail("r", 997) == [(998, b"997"), (999, b"998"), (1000, b"999")]


async def write(log: RoomLog, pen: Pen, seq: int, entry: bytes) -> Appended:
    reply: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    pen.append(seq, entry, reply.set_result)
    return log.judge(await reply)


@pytest.mark.parametrize("entry", [b"", b"x", bytes(range(256)), b"\r\n$5\r\n" * 20_000], ids=len)
async def test_a_pen_does_the_same(log: RoomLog, entry: bytes) -> None:
    """One entry at a time, to a log that has begun, and only at its end."""
    pen = log.pen("r")
    assert await write(log, pen, 2, entry) is Appended.CONFLICT
    await append(log, "r", 1, b"one")
    assert await write(log, pen, 2, entry) is Appended.OK
    assert await write(log, pen, 2, entry) is Appended.CONFLICT
    assert await write(log, pen, 4, entry) is Appended.CONFLICT
    assert await write(log, pen, 3, b"three") is Appended.OK
    assert await log.tail("r", 0) == [(1, b"one"), (2, entry), (3, b"three")]


async def test_a_pen_survives_that_redis_forgets(log: RoomLog, pipe: Pipe) -> None:
    """Once it does not know whether it has written, as after a lost connection; then all is as before."""
    await append(log, "r", 1, b"one")
    pen = log.pen("r")
    await pipe.call("SCRIPT", "FLUSH")
    assert await write(log, pen, 2, b"two") is Appended.FAILED
    assert await log.tail("r", 1) == []
    assert await write(log, pen, 2, b"two") is Appended.OK


async def test_outcomes_come_in_order(log: RoomLog) -> None:
    """Callbacks are called in the order of the appends, whatever became of them."""
    outcomes: list[tuple[int, Appended]] = []
    for n in range(1, 301):
        seq = n if n % 3 else 999  # every third one is wrong, and so all after it
        log.append(f"r{n % 7}", seq, [b"x"], lambda outcome, n=n: outcomes.append((n, outcome)))  # type: ignore[misc]
    await log.tail("r", 0)
    assert [n for n, _ in outcomes] == list(range(1, 301))


async def test_abandoned_rooms_expire(log: RoomLog, redis: Redis) -> None:
    """A room is kept for 90 days after its last entry, give or take a few."""
    await append(log, "r", 1, b"x")
    assert 89 * DAY < await redis.pttl(keys.log("r")) <= 90 * DAY
    await redis.pexpire(keys.log("r"), 85 * DAY)
    await append(log, "r", 2, b"x")
    assert await redis.pttl(keys.log("r")) <= 85 * DAY, "one more write to disk at every entry"
    await redis.pexpire(keys.log("r"), 79 * DAY)
    await append(log, "r", 3, b"x")
    assert await redis.pttl(keys.log("r")) > 89 * DAY


async def test_a_deadline_goes_with_the_entries(log: RoomLog, redis: Redis) -> None:
    """A deadline given with an append is stored, and never made later."""
    await append(log, "r", 1, b"x", deadline=5000)
    assert await redis.zscore(keys.DUE, "r") == 5000
    await append(log, "r", 2, b"x", deadline=7000)
    assert await redis.zscore(keys.DUE, "r") == 5000
    await append(log, "r", 3, b"x", deadline=3000)
    assert await redis.zscore(keys.DUE, "r") == 3000


# -- loading


async def test_loading(log: RoomLog) -> None:
    """A room is loaded as the newest snapshot and the entries after it."""
    await append(log, "r", 1, b"1", b"2", b"3")
    assert await log.load("r") == Stored(entries=((1, b"1"), (2, b"2"), (3, b"3")))
    assert await log.save_snapshot("r", 2, b"after two")
    assert await log.load("r") == Stored((2, b"after two"), ((3, b"3"),))
    assert await log.save_snapshot("r", 3, b"after three")
    assert await log.load("r") == Stored((3, b"after three"))


async def test_a_snapshot_is_never_replaced_by_an_older_one(log: RoomLog) -> None:
    """A slow node cannot put back an older snapshot, nor one of entries that are not in the log."""
    await append(log, "r", 1, b"1", b"2", b"3")
    assert await log.save_snapshot("r", 2, b"after two")
    assert not await log.save_snapshot("r", 2, b"after two again")
    assert not await log.save_snapshot("r", 1, b"after one")
    assert not await log.save_snapshot("r", 4, b"after four")
    assert not await log.save_snapshot("unknown", 1, b"of nothing")
    assert await log.load("r") == Stored((2, b"after two"), ((3, b"3"),))


async def test_a_snapshot_does_not_outlive_the_log(log: RoomLog, redis: Redis) -> None:
    """Without its log a room is unknown, whatever else is left of it."""
    await append(log, "r", 1, b"1")
    await log.save_snapshot("r", 1, b"after one")
    assert 0 < await redis.pexpiretime(keys.snapshot("r")) <= await redis.pexpiretime(keys.log("r"))
    await redis.delete(keys.log("r"))
    assert await log.load("r") is None


async def test_a_record_takes_the_place_of_the_log(log: RoomLog, redis: Redis) -> None:
    """A finished game is loaded as its record, which is kept for good; log and snapshot are gone."""
    await append(log, "r", 1, b"1", b"2")
    await log.save_snapshot("r", 2, b"after two")
    assert await log.archive("r", 2, b"the record")
    assert await log.load("r") == Stored(record=b"the record")
    assert await redis.get(keys.record("r")) == b"the record"
    assert await log.tail("r", 0) == []
    assert await redis.keys("*") == [keys.record("r").encode()]
    assert await redis.pttl(keys.record("r")) == -1


async def test_nothing_is_put_away_half(log: RoomLog) -> None:
    """A record that does not have the whole log in it is not taken, and neither is one of nothing."""
    await append(log, "r", 1, b"1", b"2")
    assert not await log.archive("r", 1, b"too early")
    assert not await log.archive("r", 3, b"of what never was")
    assert not await log.archive("unknown", 0, b"of nothing")
    assert await log.load("r") == Stored(entries=((1, b"1"), (2, b"2")))


async def test_a_record_is_final(log: RoomLog) -> None:
    """A room that was put away is not begun or continued again, and its record is not replaced."""
    await append(log, "r", 1, b"1")
    await log.archive("r", 1, b"the record")
    assert await append(log, "r", 1, b"1") is Appended.CONFLICT
    assert await append(log, "r", 2, b"2") is Appended.CONFLICT
    assert await log.archive("r", 1, b"another")
    assert await log.load("r") == Stored(record=b"the record")


# -- several nodes


class Writer:
    """A node that appends to rooms as fast as it can, and reads on when it was not the first."""

    def __init__(self, name: str, log: RoomLog, rooms: list[str], goal: int) -> None:
        self.name = name
        self._log = log
        self._goal = goal
        self._chance = random.Random(name)
        self._count = 0
        self._going = len(rooms)
        self._reading: set[asyncio.Future[None]] = set()
        self.acknowledged: dict[str, list[Entry]] = {room: [] for room in rooms}
        self.conflicts = 0
        self.finished: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        for room in rooms:
            self._append(room, 0)

    def _append(self, room: str, top: int) -> None:
        if top >= self._goal:
            self._going -= 1
            if not self._going:
                self.finished.set_result(None)
            return
        entries = []
        for _ in range(self._chance.choice((1, 1, 1, 2, 3))):
            self._count += 1
            entries.append(f"{self.name} {self._count}".encode())

        def done(outcome: Appended) -> None:
            if outcome is Appended.OK:
                self.acknowledged[room] += enumerate(entries, top + 1)
                self._soon(room, top + len(entries))
            else:
                assert outcome is Appended.CONFLICT
                self.conflicts += 1
                reading = asyncio.ensure_future(self._read_on(room, top))
                self._reading.add(reading)
                reading.add_done_callback(self._reading.discard)

        if len(entries) == 1 and top:
            self._log.pen(room).append(top + 1, entries[0], lambda reply: done(self._log.judge(reply)))
        else:
            self._log.append(room, top + 1, entries, done)

    async def _read_on(self, room: str, top: int) -> None:
        missed = await self._log.tail(room, top)
        assert missed, "a conflict without anything that was missed"
        self._soon(room, missed[-1][0])

    def _soon(self, room: str, top: int) -> None:
        """Go on, sometimes a little later, so that now one node is faster and now the other."""
        pause = self._chance.choice((0, 0, 0.0005, 0.001))
        asyncio.get_running_loop().call_later(pause, self._append, room, top)


async def test_two_nodes_at_once(valkey: str, redis: Redis) -> None:
    """Two nodes append to the same rooms thousands of times: no hole, nothing twice, no acknowledgement lost."""
    rooms, goal = [f"r{n}" for n in range(8)], 600
    pipes = [Pipe(valkey), Pipe(valkey)]
    for pipe in pipes:
        await pipe.open()
    writers = [Writer(name, RoomLog(pipe, name), rooms, goal) for name, pipe in zip("ab", pipes, strict=True)]
    await asyncio.wait_for(asyncio.gather(*(writer.finished for writer in writers)), 30)
    assert sum(writer.conflicts for writer in writers) > 1000
    assert all(sum(map(len, writer.acknowledged.values())) > 500 for writer in writers)
    for room in rooms:
        stored = await RoomLog(pipes[0], "c").tail(room, 0)
        assert [seq for seq, _ in stored] == list(range(1, len(stored) + 1))
        assert len(stored) >= goal
        assert sorted(writers[0].acknowledged[room] + writers[1].acknowledged[room]) == stored
    for pipe in pipes:
        await pipe.close()


async def test_appends_while_redis_is_killed(start_valkey: Callable[..., PrivateValkey]) -> None:
    """Redis is killed under appends: what was acknowledged is in the log, and `tail` tells the rest."""
    server = start_valkey("--appendonly", "yes", "--appendfsync", "always")
    pipe = Pipe(server.url)
    await pipe.open()
    log = RoomLog(pipe, "a node")
    top = failures = 0

    async def chaos() -> None:
        for _ in range(3):
            enough = top + 20
            await until(lambda enough=enough: top >= enough)  # type: ignore[misc]
            server.signal(signal.SIGKILL)
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)

    killing = asyncio.ensure_future(chaos())
    while not killing.done() or failures < 3:
        entry = b"%d" % (top + 1)
        outcome = await append(log, "r", top + 1, entry)
        if outcome is Appended.FAILED:
            failures += 1
            await asyncio.wait_for(pipe.ready(), WITHIN)
            tail = await log.tail("r", top)
            assert tail in ([], [(top + 1, entry)])
            top += len(tail)
        else:
            assert outcome is Appended.OK, "only we write here, so nothing acknowledged was lost"
            top += 1
    assert await log.tail("r", 0) == [(n, b"%d" % n) for n in range(1, top + 1)]
    await killing
    await pipe.close()
