"""Sends push messages: a few at a time, with retries if a push service asks for them, and with bounded queues."""

from __future__ import annotations

import asyncio
import logging
from asyncio import TimerHandle
from collections.abc import Callable, Coroutine
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from parlour.server.metrics import Metrics
from parlour.server.push.encryption import CONTENT_ENCODING, encrypt
from parlour.server.push.http_client import ForbiddenEndpoint, PushHttpClient, Reply, origin_of, split
from parlour.server.push.outcome import PushOutcome, outcome_of
from parlour.server.push.vapid import Vapid
from parlour.server.store.push_subscriptions import PushSubscriptionStore, StoredSubscription

logger = logging.getLogger(__name__)

MAX_WAITING = 1_000  # deliveries on this node; further ones are dropped
CONCURRENT = 8  # requests at the same time
PAUSES = (5.0, 30.0)  # seconds before each further attempt, unless the push service names a time
LONGEST_PAUSE = 600.0  # seconds


class PushMessage(Struct, frozen=True):
    """A message to every browser in which a player wants it."""

    player: str
    kind: str
    topic: str  # replaces an earlier message of the same topic that was not delivered yet; up to 32 letters and digits
    payload: bytes
    ttl: int  # seconds for which the push service keeps it
    urgency: Literal["normal", "high"]
    is_current: Callable[[], bool] = lambda: True  # asked before each attempt


class Delivery(Struct, frozen=True):
    """A message to one browser."""

    message: PushMessage
    to: StoredSubscription
    attempt: int = 0

    @property
    def key(self) -> tuple[str, str, str]:
        """Deliveries with the same key replace each other."""
        return self.message.player, self.message.topic, self.to.endpoint


class PushSender:
    """The push messages of this node."""

    def __init__(
        self,
        subscriptions: PushSubscriptionStore,
        vapid: Vapid,
        http: PushHttpClient,
        metrics: Metrics,
        now: Callable[[], int],
        run: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        """`now` returns milliseconds since 1970; `run` runs a task."""
        self._subscriptions = subscriptions
        self._vapid = vapid
        self._http = http
        self._metrics = metrics
        self._now = now
        self._run = run
        self._waiting: dict[tuple[str, str, str], Delivery] = {}
        self._later: dict[tuple[str, str, str], TimerHandle] = {}
        self._working = 0

    async def send(self, message: PushMessage) -> None:
        """Have a message delivered to the browsers in which the player wants it. Raise StoreUnavailable."""
        for each in await self._subscriptions.all(message.player):
            if message.kind in each.kinds:
                self._add(Delivery(message, each))

    def close(self) -> None:
        """Drop messages that were not sent."""
        self._waiting.clear()
        for timer in self._later.values():
            timer.cancel()
        self._later.clear()

    def _add(self, delivery: Delivery) -> None:
        later = self._later.pop(delivery.key, None)
        if later is not None:
            later.cancel()
        if delivery.key not in self._waiting and len(self._waiting) + len(self._later) >= MAX_WAITING:
            self._count(delivery, PushOutcome.DROPPED)
            return
        self._waiting[delivery.key] = delivery
        if self._working < CONCURRENT:
            self._working += 1
            self._run(self._work())

    async def _work(self) -> None:
        try:
            while self._waiting:
                key = next(iter(self._waiting))
                await self._deliver(self._waiting.pop(key))
        finally:
            self._working -= 1

    async def _deliver(self, delivery: Delivery) -> None:
        if not delivery.message.is_current():
            self._count(delivery, PushOutcome.DROPPED)
            return
        try:
            headers, body = await asyncio.to_thread(self._request, delivery)
            reply = await self._http.post(delivery.to.endpoint, headers, body)
        except (OSError, ForbiddenEndpoint, ValueError) as error:
            logger.info("a push message was not sent: %s", str(error) or type(error).__name__, extra=_context(delivery))
            is_temporary = isinstance(error, OSError)
            reply = Reply(503 if is_temporary else 400)
        outcome = outcome_of(reply.status)
        if outcome is None and delivery.attempt < len(PAUSES):
            self._again_later(delivery, self._pause(delivery, reply))
            return
        self._count(delivery, outcome or PushOutcome.FAILED)
        if outcome is PushOutcome.GONE:
            await self._subscriptions.remove(delivery.message.player, [delivery.to.endpoint])
        elif outcome is not PushOutcome.SENT:
            logger.info("the push service answered %d", reply.status, extra=_context(delivery))

    def _request(self, delivery: Delivery) -> tuple[dict[str, str], bytes]:
        """Return the headers and the body of a request. Takes about a millisecond, so a thread calls it."""
        message, to = delivery.message, delivery.to
        headers = {
            "Authorization": self._vapid.authorization(origin_of(split(to.endpoint)), self._now() // 1000),
            "Content-Encoding": CONTENT_ENCODING,
            "Content-Type": "application/octet-stream",
            "TTL": str(message.ttl),
            "Topic": message.topic,
            "Urgency": message.urgency,
        }
        return headers, encrypt(message.payload, to.p256dh, to.auth)

    def _pause(self, delivery: Delivery, reply: Reply) -> float:
        named = read_retry_after(reply.retry_after, self._now())
        return min(LONGEST_PAUSE, PAUSES[delivery.attempt] if named is None else named)

    def _again_later(self, delivery: Delivery, seconds: float) -> None:
        if delivery.key in self._waiting:
            self._count(delivery, PushOutcome.DROPPED)  # a newer message has replaced it
            return
        again = replace(delivery, attempt=delivery.attempt + 1)
        timer = asyncio.get_running_loop().call_later(seconds, self._add, again)
        self._later[delivery.key] = timer

    def _count(self, delivery: Delivery, outcome: PushOutcome) -> None:
        self._metrics.push_messages[delivery.message.kind, outcome] += 1


def read_retry_after(text: str, now: int) -> float | None:
    """Return the seconds in a Retry-After header, which has a number or a date; None if it has neither."""
    if text.strip().isdecimal():
        return float(text.strip()[:9])
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(0.0, at.replace(tzinfo=at.tzinfo or UTC).timestamp() - now / 1000)


def _context(delivery: Delivery) -> dict[str, object]:
    """Return the fields of a log line. An endpoint is a secret: only its host is logged."""
    return {"player": delivery.message.player, "push_service": delivery.to.endpoint.split("/")[2:3]}
