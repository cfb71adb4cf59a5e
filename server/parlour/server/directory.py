"""Who is connected here, and how a player is told something, on whatever node he is."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any

import msgspec
from redis.exceptions import RedisError

from parlour.protocol.messages import Challenged, InviteGone, Message, Paired
from parlour.server.accounts import Ended, Renamed
from parlour.server.rooms.journal import STORE_FAULTS
from parlour.server.store import keys
from parlour.server.store.bus import Bus
from parlour.server.visitor import Visitor

log = logging.getLogger(__name__)

encode = msgspec.msgpack.Encoder().encode
# What one node tells a player through another.
decode = msgspec.msgpack.Decoder(Paired | Challenged | InviteGone | Renamed | Ended).decode

REMIND_AFTER = 1.0  # seconds until somebody is told again who could not be told, because the store was away


class Directory:
    """The connections of each player on this node. `paired` is called for everybody here who has a game now."""

    def __init__(
        self, bus: Bus, run: Callable[[Coroutine[Any, Any, None]], None], paired: Callable[[str], None]
    ) -> None:
        self._bus = bus
        self._run = run
        self._paired = paired
        self._by_player: dict[str, set[Visitor]] = {}
        self.reminders: tuple[Callable[[Visitor], Awaitable[None]], ...] = ()  # what is still true for somebody

    def tell(self, player: str, message: Message) -> None:
        """Tell a player something, on whatever node he is connected."""
        if isinstance(message, Paired):
            log.info("paired", extra={"room": message.room, "player": player})
        self._bus.publish(keys.player_channel(player), encode(message))
        self._deliver(player, message)

    def _deliver(self, player: str, message: Message) -> None:
        if isinstance(message, Paired) and message.seek is not None:
            self._paired(message.seek)
        for visitor in tuple(self._by_player.get(player, ())):
            if isinstance(message, Renamed | Ended):
                message.reach(visitor)
            else:
                visitor.send(message)

    def enter(self, visitor: Visitor) -> None:
        """A visitor is known by name now, and is told which games are on."""
        player = visitor.player
        if player in self._by_player:
            self._by_player[player].add(visitor)
            self._run(self._remind(visitor))
        else:
            self._by_player[player] = {visitor}
            told, missed = partial(self._told, player), partial(self._missed, player)
            self._bus.follow(keys.player_channel(player), told, missed)

    def leave(self, visitor: Visitor) -> None:
        """A connection is gone."""
        here = self._by_player.get(visitor.player)
        if here is not None:
            here.discard(visitor)
            if not here:
                del self._by_player[visitor.player]
                self._bus.unfollow(keys.player_channel(visitor.player))

    def _told(self, player: str, message: bytes) -> None:
        self._deliver(player, decode(message))

    def _missed(self, player: str) -> None:
        """Something may have been told while we did not listen yet, or not any more: say what is still true."""
        for visitor in self._by_player.get(player, ()):
            self._run(self._remind(visitor))

    async def _remind(self, visitor: Visitor) -> None:
        while not visitor.is_gone:
            try:
                for remind in self.reminders:
                    await remind(visitor)
                return
            except (*STORE_FAULTS, RedisError):
                await asyncio.sleep(REMIND_AFTER)
