"""A request for a game that still needs an opponent."""

from __future__ import annotations

import asyncio

import pytest

from parlour.client.pending_seek import PendingSeek
from parlour.client.table import Table
from parlour.protocol.errors import ErrorCode, Refusal


async def no_table(room: str) -> Table:
    raise AssertionError("nothing is joined here")


async def test_an_opponent_resolves_it() -> None:
    """All callers get the room, and a later failure changes nothing."""
    pending = PendingSeek("s1", no_table, lambda _: asyncio.sleep(0))
    waiting = asyncio.create_task(pending.room())
    assert not pending.done
    pending.resolve("room")
    pending.fail(Refusal(ErrorCode.SEEK_GONE, "Too late."))

    assert pending.done
    assert await waiting == await pending.room() == "room"


async def test_a_cancelled_caller_does_not_cancel_it() -> None:
    """One caller may give up while others keep waiting."""
    pending = PendingSeek("s1", no_table, lambda _: asyncio.sleep(0))
    impatient = asyncio.create_task(pending.room())
    await asyncio.sleep(0)  # it has started to wait
    impatient.cancel()
    with pytest.raises(asyncio.CancelledError):
        await impatient
    pending.resolve("room")

    assert await pending.room() == "room"


async def test_a_failure_is_raised() -> None:
    """Every caller gets the reason."""
    pending = PendingSeek("s1", no_table, lambda _: asyncio.sleep(0))
    pending.fail(Refusal(ErrorCode.SEEK_GONE, "The seek was cancelled."))

    for _ in range(2):
        with pytest.raises(Refusal, match="cancelled"):
            await pending.table()


async def test_cancelling_asks_the_client() -> None:
    """The pending seek passes itself on."""
    cancelled: list[PendingSeek] = []

    async def cancel(pending: PendingSeek) -> None:
        cancelled.append(pending)

    pending = PendingSeek("s1", no_table, cancel)
    await pending.cancel()

    assert cancelled == [pending]
