"""Room logs: appending, loading, snapshots, archiving and published entries."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.asyncio import Redis

from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.room_log import (
    ARCHIVED_TTL,
    Appended,
    Entry,
    Published,
    RoomLog,
    Stored,
    published_header,
    read_published,
)  # fmt: skip
from tests.server.store.private_valkey import PrivateValkey
from tests.waiting import WITHIN, until

keys = Keys()

DAY = 24 * 3600 * 1000


@pytest.fixture
def log(pipeline: Pipeline) -> RoomLog:
    return RoomLog(pipeline, "a node")


async def append(log: RoomLog, room: str, first_seq: int, *entries: bytes, deadline: int | None = None) -> Appended:
    outcome: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()
    log.append(room, first_seq, entries, outcome.set_result, deadline=deadline)
    return await outcome


async def test_appending(log: RoomLog) -> None:
    """Entries are numbered from 1 in the order of the appends, also several at once."""
    assert await append(log, "r", 1, b"one", b"two") is Appended.OK
    assert await append(log, "r", 3, b"three") is Appended.OK
    assert await log.tail("r", 0) == [(1, b"one"), (2, b"two"), (3, b"three")]
    assert await log.tail("r", 2) == [(3, b"three")]
    assert await log.tail("r", 3) == []
    assert await log.tail("other", 0) == []


@pytest.mark.parametrize("first_seq", [1, 2, 4, 1000])
async def test_a_log_has_no_gaps(log: RoomLog, first_seq: int) -> None:
    """An append anywhere but at the end of the log is a conflict and changes nothing."""
    await append(log, "r", 1, b"one", b"two")
    assert await append(log, "r", first_seq, b"x", b"y") is Appended.CONFLICT
    assert await log.tail("r", 0) == [(1, b"one"), (2, b"two")]


async def test_a_log_begins_with_one(log: RoomLog) -> None:
    """The first entry of a log has number 1."""
    assert await append(log, "r", 2, b"x") is Appended.CONFLICT
    assert await log.load("r") is None


async def test_a_room_is_created_once(log: RoomLog) -> None:
    """Of two nodes that create the same room one succeeds."""
    outcomes = await asyncio.gather(log.create("r", [b"mine"]), log.create("r", [b"yours"]))
    assert list(outcomes) == [Appended.OK, Appended.CONFLICT]
    assert await log.load("r") == Stored(entries=((1, b"mine"),))


async def test_entries_are_any_bytes(log: RoomLog) -> None:
    """Entries are returned unchanged, whatever their bytes, also large and empty ones."""
    entries = [bytes(range(256)), b"", b"\r\n$5\r\n" * 20_000]
    assert await append(log, "r", 1, *entries) is Appended.OK
    assert [entry for _, entry in await log.tail("r", 0)] == entries


async def test_many_entries_at_once(log: RoomLog) -> None:
    """A thousand entries in one append are numbered consecutively."""
    entries = [b"%d" % n for n in range(1000)]
    assert await append(log, "r", 1, *entries) is Appended.OK
    assert await log.tail("r", 997) == [(998, b"997"), (999, b"998"), (1000, b"999")]


@pytest.mark.parametrize("entry", [b"", b"x", bytes(range(256)), b"\r\n$5\r\n" * 20_000], ids=len)
async def test_one_entry_at_a_time(log: RoomLog, entry: bytes) -> None:
    """A single entry can be appended to an existing log, and only at its end."""
    assert await append(log, "r", 2, entry) is Appended.CONFLICT
    await append(log, "r", 1, b"one")
    assert await append(log, "r", 2, entry) is Appended.OK
    assert await append(log, "r", 2, entry) is Appended.CONFLICT
    assert await append(log, "r", 4, entry) is Appended.CONFLICT
    assert await append(log, "r", 3, b"three") is Appended.OK
    assert await log.tail("r", 0) == [(1, b"one"), (2, entry), (3, b"three")]


async def test_redis_loses_its_scripts(log: RoomLog, pipeline: Pipeline) -> None:
    """After Redis has lost the append script, one append is not executed, as after a lost connection."""
    await append(log, "r", 1, b"one")
    await pipeline.call("SCRIPT", "FLUSH")
    assert await append(log, "r", 2, b"two") is Appended.UNKNOWN
    assert await log.tail("r", 1) == []
    assert await append(log, "r", 2, b"two") is Appended.OK
    assert await log.tail("r", 0) == [(1, b"one"), (2, b"two")]


async def test_outcomes_come_in_order(log: RoomLog) -> None:
    """Callbacks are called in the order of the appends, whatever their outcomes."""
    outcomes: list[tuple[int, Appended]] = []
    for n in range(1, 301):
        seq = n if n % 3 else 999  # every third append conflicts, and so do all after it in its room
        log.append(f"r{n % 7}", seq, [b"x"], lambda outcome, n=n: outcomes.append((n, outcome)))  # type: ignore[misc]
    await log.tail("r", 0)
    assert [n for n, _ in outcomes] == list(range(1, 301))


async def test_abandoned_rooms_expire(log: RoomLog, redis: Redis) -> None:
    """A room expires about 90 days after its last entry, and the expiry is not renewed with every entry."""
    await append(log, "r", 1, b"x")
    assert 89 * DAY < await redis.pttl(keys.log("r")) <= 90 * DAY
    await redis.pexpire(keys.log("r"), 85 * DAY)
    await append(log, "r", 2, b"x")
    assert await redis.pttl(keys.log("r")) <= 85 * DAY, "the expiry was renewed with every entry"
    await redis.pexpire(keys.log("r"), 79 * DAY)
    await append(log, "r", 3, b"x")
    assert await redis.pttl(keys.log("r")) > 89 * DAY


async def test_a_deadline_is_stored_with_the_entries(log: RoomLog, redis: Redis) -> None:
    """A deadline given with an append is stored, and never postponed."""
    await append(log, "r", 1, b"x", deadline=5000)
    assert await redis.zscore(keys.due("r"), "r") == 5000
    await append(log, "r", 2, b"x", deadline=7000)
    assert await redis.zscore(keys.due("r"), "r") == 5000
    await append(log, "r", 3, b"x", deadline=3000)
    assert await redis.zscore(keys.due("r"), "r") == 3000


# -- loading


async def test_loading(log: RoomLog) -> None:
    """A room is loaded as its newest snapshot and the entries after it."""
    await append(log, "r", 1, b"1", b"2", b"3")
    assert await log.load("r") == Stored(entries=((1, b"1"), (2, b"2"), (3, b"3")))
    assert await log.save_snapshot("r", 2, b"after two")
    assert await log.load("r") == Stored((2, b"after two"), ((3, b"3"),))
    assert await log.save_snapshot("r", 3, b"after three")
    assert await log.load("r") == Stored((3, b"after three"))


async def test_a_snapshot_is_never_replaced_by_an_older_one(log: RoomLog) -> None:
    """A slow node cannot store an older snapshot, or one of entries that are not in the log."""
    await append(log, "r", 1, b"1", b"2", b"3")
    assert await log.save_snapshot("r", 2, b"after two")
    assert not await log.save_snapshot("r", 2, b"after two again")
    assert not await log.save_snapshot("r", 1, b"after one")
    assert not await log.save_snapshot("r", 4, b"after four")
    assert not await log.save_snapshot("unknown", 1, b"of nothing")
    assert await log.load("r") == Stored((2, b"after two"), ((3, b"3"),))


async def test_a_snapshot_does_not_outlive_the_log(log: RoomLog, redis: Redis) -> None:
    """A snapshot expires with its log, and without its log a room is unknown."""
    await append(log, "r", 1, b"1")
    await log.save_snapshot("r", 1, b"after one")
    assert 0 < await redis.pexpiretime(keys.snapshot("r")) <= await redis.pexpiretime(keys.log("r"))
    await redis.delete(keys.log("r"))
    assert await log.load("r") is None


async def test_archiving(log: RoomLog, redis: Redis) -> None:
    """Nothing is left of an archived game but a sign, for a minute."""
    await append(log, "r", 1, b"1", b"2")
    await log.save_snapshot("r", 2, b"after two")
    assert await log.archive("r", 2)
    assert await log.load("r") is None
    assert await log.tail("r", 0) == []
    assert await redis.keys("*") == [keys.archived("r").encode()]
    assert 0 < await redis.pttl(keys.archived("r")) <= ARCHIVED_TTL
    await redis.delete(keys.archived("r"))
    assert await log.archive("r", 2)  # it is done, and not again
    assert await redis.keys("*") == []


async def test_a_log_can_expire(log: RoomLog, redis: Redis) -> None:
    """The log of a game that is not archived is deleted after a time."""
    await append(log, "r", 1, b"1")
    await log.expire("r", 50_000)
    assert 0 < await redis.pttl(keys.log("r")) <= 50_000


async def test_an_incomplete_record_is_refused(log: RoomLog) -> None:
    """A record that does not contain the whole log is refused."""
    await append(log, "r", 1, b"1", b"2")
    assert not await log.archive("r", 1)
    assert not await log.archive("r", 3)
    assert await log.load("r") == Stored(entries=((1, b"1"), (2, b"2")))


async def test_archiving_is_final(log: RoomLog) -> None:
    """An archived room can neither be created nor continued, even by a node that has not heard of it."""
    await append(log, "r", 1, b"1")
    await log.archive("r", 1)
    assert await append(log, "r", 1, b"1") is Appended.CONFLICT
    assert await append(log, "r", 2, b"2") is Appended.CONFLICT
    assert await log.archive("r", 1)
    assert await log.load("r") is None


# -- published entries


@given(st.integers(1, 2**53), st.lists(st.binary(max_size=300), min_size=1, max_size=20), st.binary(max_size=300))
def test_published_entries_read_back(first_seq: int, entries: list[bytes], update: bytes) -> None:
    """Whatever entries are published, with or without their update, the same are read."""
    message = published_header(first_seq, entries) + b"".join(entries)
    assert read_published(message) == Published(first_seq, entries)
    assert read_published(message + update) == Published(first_seq, entries, update)


# -- several nodes


class Writer:
    """A node that appends to rooms as fast as it can, and reads on after a conflict."""

    def __init__(self, name: str, log: RoomLog, rooms: list[str], goal: int) -> None:
        self.name = name
        self._log = log
        self._goal = goal
        self._random = random.Random(name)
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
        for _ in range(self._random.choice((1, 1, 1, 2, 3))):
            self._count += 1
            entries.append(f"{self.name} {self._count}".encode())

        def on_outcome(outcome: Appended) -> None:
            if outcome is Appended.OK:
                self.acknowledged[room] += enumerate(entries, top + 1)
                self._continue(room, top + len(entries))
            else:
                assert outcome is Appended.CONFLICT
                self.conflicts += 1
                reading = asyncio.ensure_future(self._read_on(room, top))
                self._reading.add(reading)
                reading.add_done_callback(self._reading.discard)

        self._log.append(room, top + 1, entries, on_outcome)

    async def _read_on(self, room: str, top: int) -> None:
        missed = await self._log.tail(room, top)
        assert missed, "a conflict, but nothing was missed"
        self._continue(room, missed[-1][0])

    def _continue(self, room: str, top: int) -> None:
        """Continue, sometimes a little later, so that the nodes overtake each other."""
        pause = self._random.choice((0, 0, 0.0005, 0.001))
        asyncio.get_running_loop().call_later(pause, self._append, room, top)


async def test_two_nodes_at_once(valkey: str, redis: Redis) -> None:
    """Two nodes append to the same rooms thousands of times: no gap, no duplicate, no lost acknowledgement."""
    rooms, goal = [f"r{n}" for n in range(8)], 600
    pipelines = [Pipeline(valkey), Pipeline(valkey)]
    for pipeline in pipelines:
        await pipeline.open()
    named = zip("ab", pipelines, strict=True)
    writers = [Writer(name, RoomLog(pipeline, name), rooms, goal) for name, pipeline in named]
    await asyncio.wait_for(asyncio.gather(*(writer.finished for writer in writers)), 30)
    assert sum(writer.conflicts for writer in writers) > 1000
    assert all(sum(map(len, writer.acknowledged.values())) > 500 for writer in writers)
    for room in rooms:
        stored = await RoomLog(pipelines[0], "c").tail(room, 0)
        assert [seq for seq, _ in stored] == list(range(1, len(stored) + 1))
        assert len(stored) >= goal
        assert sorted(writers[0].acknowledged[room] + writers[1].acknowledged[room]) == stored
    for pipeline in pipelines:
        await pipeline.close()


async def test_appends_while_redis_is_killed(start_valkey: Callable[..., PrivateValkey]) -> None:
    """When Redis is killed during appends, acknowledged entries are in the log, and `tail` settles the others."""
    server = start_valkey("--appendonly", "yes", "--appendfsync", "always")
    pipeline = Pipeline(server.url)
    await pipeline.open()
    log = RoomLog(pipeline, "a node")
    top = failures = 0

    async def kill_repeatedly() -> None:
        for _ in range(3):
            enough = top + 20
            await until(lambda enough=enough: top >= enough)  # type: ignore[misc]
            server.signal(signal.SIGKILL)
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)

    killing = asyncio.ensure_future(kill_repeatedly())
    while not killing.done() or failures < 3:
        entry = b"%d" % (top + 1)
        outcome = await append(log, "r", top + 1, entry)
        if outcome is Appended.UNKNOWN:
            failures += 1
            await asyncio.wait_for(pipeline.ready(), WITHIN)
            tail = await log.tail("r", top)
            assert tail in ([], [(top + 1, entry)])
            top += len(tail)
        else:
            assert outcome is Appended.OK, "the only writer got a conflict, so an acknowledged entry was lost"
            top += 1
    assert await log.tail("r", 0) == [(n, b"%d" % n) for n in range(1, top + 1)]
    await killing
    await pipeline.close()
