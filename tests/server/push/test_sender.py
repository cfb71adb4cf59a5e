"""Push messages on their way: bounded, coalesced, repeated where that makes sense."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from typing import Any, NamedTuple

import pytest

from parlour.server.metrics import Metrics
from parlour.server.push import sender as module
from parlour.server.push.http_client import PushHttpClient
from parlour.server.push.outcome import PushOutcome
from parlour.server.push.sender import PushMessage, PushSender, read_retry_after
from parlour.server.push.vapid import Vapid, new_key, read_key
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.players import PlayerStore
from parlour.server.store.push_subscriptions import PushSubscriptionStore, StoredSubscription
from tests.server.push.push_service import LOOPBACK, PushService, SubscribedBrowser, push_service
from tests.waiting import until

NOW = 1_760_000_000_000


class Bench(NamedTuple):
    """A sender, a player with one browser, and the push service of that browser."""

    sender: PushSender
    player: str
    browser: SubscribedBrowser
    service: PushService
    store: PushSubscriptionStore
    counts: dict[tuple[str, str], int]

    def message(self, text: str = "x", kind: str = "your_turn", topic: str = "a") -> PushMessage:
        return PushMessage(self.player, kind, topic, f'"{text}"'.encode(), 60, "high")


@pytest.fixture
async def bench(pipeline: Pipeline) -> AsyncIterator[Bench]:
    tasks = set()

    def run(work: Coroutine[Any, Any, None]) -> None:
        tasks.add(asyncio.create_task(work))

    identity = await PlayerStore(pipeline).create_guest("Ann", "ann")
    assert identity is not None
    store, metrics = PushSubscriptionStore(pipeline), Metrics()
    async with push_service() as service:
        browser = service.browser()
        given = browser.subscription
        stored = StoredSubscription(given.endpoint, given.p256dh, given.auth, ("your_turn",), "", NOW)
        await store.put(identity.player.id, stored)
        vapid = Vapid(read_key(new_key()), "mailto:ann@example.org")
        sender = PushSender(store, vapid, PushHttpClient(LOOPBACK), metrics, lambda: NOW, run)
        yield Bench(sender, identity.player.id, browser, service, store, metrics.push_messages)
        sender.close()
        await asyncio.gather(*tasks)


async def test_a_message_is_sent_with_its_terms(bench: Bench) -> None:
    """The push service gets how long, how urgent and instead of what; the browser reads the rest."""
    await bench.sender.send(bench.message("hello", topic="abc"))
    request = await bench.service.request()

    assert bench.browser.read(request) == "hello"
    assert [request.headers[name] for name in ("TTL", "Urgency", "Topic")] == ["60", "high", "abc"]
    await until(lambda: bench.counts["your_turn", PushOutcome.SENT] == 1)


async def test_only_wanted_kinds_are_sent(bench: Bench) -> None:
    """A browser in which the player wants other kinds gets nothing."""
    await bench.sender.send(bench.message(kind="challenge"))
    await bench.sender.send(bench.message("last"))

    assert bench.browser.read(await bench.service.request()) == "last"
    assert len(bench.service.received) == 1


@pytest.mark.parametrize("status", ["404 Not Found", "410 Gone"])
async def test_an_ended_subscription_is_removed(bench: Bench, status: str) -> None:
    """A push service that no longer knows the browser gets no further message."""
    bench.service.answers = [status]
    await bench.sender.send(bench.message())
    await until(lambda: bench.counts["your_turn", PushOutcome.GONE] == 1)

    async def removed() -> bool:
        return not await bench.store.all(bench.player)

    while not await removed():
        await asyncio.sleep(0.01)
    await bench.sender.send(bench.message())
    assert len(bench.service.received) == 1


async def test_a_busy_service_is_asked_again(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """After 429 and 503 the message is sent again, as late as the service says or after a pause; then it has failed."""
    monkeypatch.setattr(module, "PAUSES", (0.01, 0.01))
    bench.service.answers = ["429 Too Many Requests\r\nRetry-After: 0", "503 Service Unavailable"]
    await bench.sender.send(bench.message("late"))
    requests = [await bench.service.request() for _ in range(3)]

    assert [bench.browser.read(each) for each in requests] == ["late"] * 3
    await until(lambda: bench.counts["your_turn", PushOutcome.SENT] == 1)
    bench.service.answers = ["500 Oops", "500 Oops", "500 Oops", "500 Oops"]
    await bench.sender.send(bench.message())
    await until(lambda: bench.counts["your_turn", PushOutcome.FAILED] == 1)
    bench.service.answers = ["400 Bad Request"]
    await bench.sender.send(bench.message())
    await until(lambda: bench.counts["your_turn", PushOutcome.FAILED] == 2)
    assert len(bench.service.received) == 3 + 3 + 1


async def test_a_newer_message_takes_the_place_of_one_that_waits(bench: Bench) -> None:
    """While a service is busy, only the newest message about a game waits."""
    bench.service.answers = ["429 Too Many Requests\r\nRetry-After: 300"]
    await bench.sender.send(bench.message("old"))
    await bench.service.request()
    await bench.sender.send(bench.message("new"))

    assert bench.browser.read(await bench.service.request()) == "new"
    assert len(bench.service.received) == 2


async def test_what_no_longer_holds_is_not_sent(bench: Bench) -> None:
    """A player who has come back before the message was sent does not get it."""
    await bench.sender.send(PushMessage(bench.player, "your_turn", "a", b"", 60, "high", lambda: False))
    await until(lambda: bench.counts["your_turn", PushOutcome.DROPPED] == 1)
    assert bench.service.received == []


async def test_the_queue_is_bounded(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """More messages than the bound allows are dropped and counted."""
    monkeypatch.setattr(module, "MAX_WAITING", 2)
    monkeypatch.setattr(module, "CONCURRENT", 0)
    for topic in "abc":
        await bench.sender.send(bench.message(topic=topic))
    assert bench.counts["your_turn", PushOutcome.DROPPED] == 1


def test_retry_after() -> None:
    """A service names seconds or a date; anything else is ignored."""
    assert read_retry_after("120", NOW) == 120
    assert read_retry_after("Thu, 09 Oct 2025 08:54:20 GMT", NOW) == 60
    assert read_retry_after("Thu, 09 Oct 2025 08:00:00 GMT", NOW) == 0
    assert [read_retry_after(text, NOW) for text in ("", "soon")] == [None, None]
