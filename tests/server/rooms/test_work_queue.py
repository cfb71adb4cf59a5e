"""Work in a room runs one piece at a time, and is resumed with the outcome of each effect."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from parlour.server.rooms.effects import Append, LearnOutages, ReadLog, Reload, Sleep, Work
from parlour.server.rooms.events import Started, encode
from parlour.server.rooms.state import RoomState
from parlour.server.rooms.work_queue import MAX_BACKLOG, WorkQueue
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.room_log import Appended
from tests.server.rooms.sample_rooms import NOON, new_room
from tests.server.rooms.scripted_context import ScriptedContext
from tests.waiting import until


def queue(context: ScriptedContext, load: Callable[[], Any] | None = None) -> WorkQueue:
    async def none() -> RoomState | None:
        return None

    return WorkQueue("room", context, load or none)


def test_an_append_resumes_with_its_outcome() -> None:
    """The work continues in the callback of the store."""
    context, outcomes = ScriptedContext(new_room()), []

    def work() -> Work:
        outcomes.append((yield Append(5, [encode(Started(NOON))], None)))

    queue(context).submit(work())
    (append,) = context.log.appends
    assert (append.first_seq, append.events, outcomes) == (5, (Started(NOON),), [])
    append.outcome(Appended.CONFLICT)
    assert outcomes == [Appended.CONFLICT]


def test_work_does_not_overlap() -> None:
    """A second piece starts when the first one has ended, in the order of submission."""
    context, order = ScriptedContext(new_room()), []

    def work(name: str) -> Work:
        order.append(f"{name} starts")
        yield Append(5, [encode(Started(NOON))], None)
        order.append(f"{name} ends")

    works = queue(context)
    for name in ("one", "two", "three"):
        works.submit(work(name))
    assert (order, works.is_idle) == (["one starts"], False)
    for _ in range(3):
        context.log.appends.pop().outcome(Appended.OK)
    assert order == [f"{name} {when}" for name in ("one", "two", "three") for when in ("starts", "ends")]
    assert works.is_idle


def test_a_failed_effect_raises_inside_the_work() -> None:
    """The work handles the failure where it occurs."""
    context, caught = ScriptedContext(new_room()), []
    context.log.unavailable = True

    def work() -> Work:
        try:
            yield ReadLog(1)
        except StoreUnavailable as error:
            caught.append(str(error))

    queue(context).submit(work())
    assert caught == ["away"]


def test_work_that_fails_does_not_block_the_room(caplog: pytest.LogCaptureFixture) -> None:
    """An unexpected exception is logged, and the next piece runs."""
    context, done = ScriptedContext(new_room()), []

    def broken() -> Work:
        yield ReadLog(1)
        raise ZeroDivisionError

    def work() -> Work:
        done.append((yield ReadLog(1)))

    works = queue(context)
    works.submit(broken())
    works.submit(work())
    assert len(done) == 1
    assert "work in a room failed" in caplog.text


def test_reading_and_loading_resume_with_what_the_store_has() -> None:
    """Each effect resumes with its own kind of outcome."""
    state = new_room()
    context, outcomes = ScriptedContext(state), []

    async def load() -> RoomState | None:
        return state

    def work() -> Work:
        outcomes.append((yield ReadLog(state.seq - 1)))
        outcomes.append((yield Reload()))

    queue(context, load).submit(work())
    assert outcomes == [[(state.seq, b"")], state]


async def test_waiting_does_not_block_the_event_loop() -> None:
    """A sleep and the wait for outages end on their own."""
    context, done = ScriptedContext(new_room()), asyncio.Event()
    tasks = set()

    def run(work: Any) -> None:
        tasks.add(asyncio.ensure_future(work))

    context.run = run  # type: ignore[method-assign]  # a real loop this time

    def work() -> Work:
        yield Sleep(0)
        yield LearnOutages(0)
        done.set()

    queue(context).submit(work())
    assert not done.is_set()
    await done.wait()
    assert context.beat.learned == 1


async def test_work_can_be_waited_for() -> None:
    """Waiting ends with the work, and raises what ended it."""
    context = ScriptedContext(new_room())

    def work() -> Work:
        outcome = yield Append(5, [encode(Started(NOON))], None)
        if outcome is not Appended.OK:
            raise StoreUnavailable("away")

    async def wait_for(outcome: Appended) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(queue(context).run(work()))
            await until(lambda: bool(context.log.appends))
            context.log.appends.pop().outcome(outcome)

    await wait_for(Appended.OK)
    with pytest.raises(ExceptionGroup) as raised:
        await wait_for(Appended.UNKNOWN)
    assert raised.group_contains(StoreUnavailable)


def test_the_backlog_has_a_limit() -> None:
    """The queue says when it is full; submitting still works."""
    context = ScriptedContext(new_room())

    def work() -> Work:
        yield Append(5, [encode(Started(NOON))], None)

    works = queue(context)
    for _ in range(MAX_BACKLOG):
        works.submit(work())
    assert not works.is_full
    works.submit(work())
    assert works.is_full
