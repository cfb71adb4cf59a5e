"""Rooms whose rules this node does not support: other nodes serve them, and they are closed once no node can."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from typing import Any

from parlour import games
from parlour.server.rooms.outline import Outline
from parlour.server.rooms.registry import RoomRegistry
from parlour.server.store.rules import RulesVersion
from parlour.server.store.store import Store

logger = logging.getLogger(__name__)


def supported_rules() -> tuple[RulesVersion, ...]:
    """Return every version of the rules of every game that this node supports."""
    return tuple(
        (key, version)
        for key in games.keys()
        for info in (games.find(key).info,)
        for version in (info.rules_version, *info.compatible_versions)
    )


def is_orphaned(last_supported: int, last_outage_end: int, started: int, now: int, grace: int) -> bool:
    """Return whether it is certain that no node supports the rules of a game any more. All times in milliseconds.

    After an outage, and when this node has just started, the nodes that support them may not be back yet.
    """
    return now - max(last_supported, last_outage_end, started) >= grace


class UnsupportedRooms:
    """Announces the rules that this node supports, and closes rooms whose rules no node supports."""

    def __init__(
        self,
        store: Store,
        registry: RoomRegistry,
        finish: Callable[[Outline], Coroutine[Any, Any, None]],
        grace: int,
    ) -> None:
        """`finish` archives a game that is over.

        A game is orphaned after no node has supported its rules for `grace`.
        """
        self._store = store
        self._registry = registry
        self._finish = finish
        self._grace = grace
        self._started = store.clock.now()
        self._supported = supported_rules()

    async def announce(self) -> None:
        """Tell the other nodes which rules this one supports, if players can connect to it. Call this every second."""
        if self._store.serves_players:
            await self._store.rules.announce(self._supported, self._store.clock.now())

    async def check(self, room: Outline) -> None:
        """Abort a running game, or finish one that is over, if no node supports its rules."""
        now = self._store.clock.now()
        last_supported = await self._store.rules.last_announced((room.game, room.rules_version))
        last_outage_end = self._store.heartbeat.last_outage_end
        if not is_orphaned(last_supported, last_outage_end, self._started, now, self._grace):
            self._store.deadlines.settle(room.id, now)  # the next node that checks due rooms may support its rules
        elif room.is_over:
            await self._finish(room)
        elif await self._registry.abort(room, now):
            logger.warning(
                "aborted: no node supports version %d of the rules of %s",
                room.rules_version, room.game, extra={"room": room.id},
            )  # fmt: skip
            self._store.deadlines.settle(room.id, None)
