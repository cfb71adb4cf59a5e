"""A thread that sends a node's beats while its event loop is busy: the node is slow then, but not cut off.

Without it, a client that keeps the event loop busy could stop all clocks, because a silent node counts as an outage.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread

from redis import Redis
from redis.exceptions import RedisError

from parlour.server.store.address import Address
from parlour.server.store.heartbeat import ANY_TIME, BEAT_EVERY, HEARTBEAT, Heartbeat
from parlour.server.store.thread_client import thread_client


class HeartbeatThread:
    """Watches the beats of the event loop, and sends one in its place if it is late.

    It uses its own connection. While the event loop is free and only the store does not reply, it does nothing: then
    the node really is cut off.
    """

    def __init__(self, heartbeat: Heartbeat, server: Callable[[], Address | None]) -> None:
        """`server` returns the address of the server that stores the beats."""
        self._heartbeat = heartbeat
        self._server = server
        self._stopped = Event()

    def start(self) -> None:
        """Start the thread. It ends with the process, or after `stop`."""
        Thread(target=self._run, name="heartbeat", daemon=True).start()

    def stop(self) -> None:
        """Stop beating."""
        self._stopped.set()

    def _run(self) -> None:
        seen = -1
        address: Address | None = None
        client: Redis | None = None
        while not self._stopped.wait(2 * BEAT_EVERY):
            ticks = self._heartbeat.ticks
            if ticks == seen:
                if (found := self._server()) != address:
                    address, client = found, None if found is None else thread_client(found)
                if client is not None:
                    with suppress(RedisError, OSError):
                        script_keys = self._heartbeat.script_keys
                        args = (*script_keys, *self._heartbeat.script_args(ANY_TIME))
                        client.evalsha(HEARTBEAT.sha, len(script_keys), *args)
            seen = ticks
        if client is not None:
            client.close()
