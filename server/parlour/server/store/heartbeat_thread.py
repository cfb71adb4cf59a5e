"""Beats for a node while its event loop is busy: the node is slow then, but not cut off.

Without it, a client that keeps the event loop busy could stop all clocks, because a silent node counts as an outage.
"""

from __future__ import annotations

from contextlib import suppress
from threading import Event, Thread

from redis import Redis
from redis.exceptions import RedisError

from parlour.server.store.heartbeat import ANY_TIME, BEAT_EVERY, HEARTBEAT, Heartbeat


class HeartbeatThread:
    """Watches that the event loop comes round to beat, and beats in its place otherwise.

    It uses a connection of its own. While the event loop is free and only the store does not reply, it does nothing:
    then the node really is cut off.
    """

    def __init__(self, heartbeat: Heartbeat, client: Redis) -> None:
        self._heartbeat = heartbeat
        self._client = client
        self._stopped = Event()

    def start(self) -> None:
        """Start the thread. It ends with the process, or after `stop`."""
        Thread(target=self._run, name="heartbeat", daemon=True).start()

    def stop(self) -> None:
        """Stop beating."""
        self._stopped.set()

    def _run(self) -> None:
        seen = -1
        while not self._stopped.wait(2 * BEAT_EVERY):
            ticks = self._heartbeat.ticks
            if ticks == seen:
                with suppress(RedisError, OSError):
                    script_keys = self._heartbeat.script_keys
                    args = (*script_keys, *self._heartbeat.script_args(ANY_TIME))
                    self._client.evalsha(HEARTBEAT.sha, len(script_keys), *args)
            seen = ticks
        self._client.close()
