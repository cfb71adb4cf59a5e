"""A worker does what its supervisor says, and learns of its end."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest

from parlour.server.workers.channel import Channel, open_channel
from parlour.server.workers.link import WorkerLink
from parlour.server.workers.messages import (
    Family,
    FromWorker,
    Health,
    Listen,
    Opened,
    Sample,
    Sampled,
    Scrape,
    Scraped,
    StoreOutage,
)
from tests.waiting import until

METRIC = Family("moves", "Moves.", "counter", [("moves_total", {}, 3.0)])


class Linked:
    """A worker's link, and the supervisor's end of it."""

    def __init__(self, link: WorkerLink, supervisor: Channel[FromWorker]) -> None:
        self.link = link
        self.supervisor = supervisor
        self.received = supervisor.receive()
        self.running = asyncio.create_task(link.run())


@pytest.fixture
async def linked() -> AsyncIterator[Linked]:
    ours, theirs = socket.socketpair()
    link = WorkerLink(theirs, None)
    await link.open()
    one = Linked(link, await open_channel(ours, FromWorker))
    yield one
    one.supervisor.close()
    await one.running


async def test_the_port_is_closed_before_a_worker_releases_its_players(linked: Linked) -> None:
    """`report_health` returns when the supervisor's decision has been carried out."""
    closed = asyncio.Event()

    async def close(is_open: bool) -> None:
        assert not is_open
        closed.set()

    linked.link.on_listen = close
    reported = asyncio.create_task(linked.link.report_health(False))
    assert await anext(linked.received) == Health(False)
    assert not reported.done()
    linked.supervisor.send(Listen(False))
    await reported
    assert closed.is_set()


async def test_metrics_are_sent_and_asked_for(linked: Linked) -> None:
    """The supervisor asks each worker for its own, and a worker the supervisor for all."""
    linked.link.sample = lambda: [METRIC]
    linked.link.opened()
    assert await anext(linked.received) == Opened()
    linked.supervisor.send(Sample())
    assert await anext(linked.received) == Sampled([METRIC])

    scrape = asyncio.create_task(linked.link.scrape())
    assert await anext(linked.received) == Scrape()
    linked.supervisor.send(Scraped([METRIC]))
    assert await scrape == [METRIC]


async def test_the_outage_of_the_embedded_store_is_known(linked: Linked) -> None:
    """For `/readyz`."""
    linked.supervisor.send(StoreOutage("The disk is full."))
    await until(lambda: linked.link.store_outage == "The disk is full.")
    linked.supervisor.send(StoreOutage(None))
    await until(lambda: linked.link.store_outage is None)


async def test_a_worker_learns_that_its_supervisor_has_ended(linked: Linked) -> None:
    """However that ended, since the operating system closes the channel."""
    ended = asyncio.Event()
    linked.link.on_end = ended.set
    linked.supervisor.close()
    async with asyncio.timeout(60):
        await ended.wait()
    assert linked.link.ended
