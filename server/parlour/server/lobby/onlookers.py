"""Everybody on this node who follows the lobby: told of changes together, a few times a second at most."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from parlour.protocol.messages import Ok, WatchLobby
from parlour.server.lobby.board import Board
from parlour.server.lobby.live import LiveGames
from parlour.server.lobby.seeks import open_seek
from parlour.server.rooms.journal import STORE_FAULTS
from parlour.server.store import keys
from parlour.server.store.seeks import Change, read_change
from parlour.server.store.store import Store
from parlour.server.transport.frames import Broadcast
from parlour.server.visitor import Visitor

log = logging.getLogger(__name__)

TELL_EVERY = 0.2  # seconds, however much happens
LOAD_WITHIN = 5.0  # seconds


class Onlookers:
    """While there are any, the list of seeks is followed. Changes are encoded once for all of them."""

    def __init__(self, store: Store, live: LiveGames, run: Callable[[Coroutine[Any, Any, None]], None]) -> None:
        self._store = store
        self._live = live
        self._run = run
        self._board = Board()
        self._whole: Broadcast | None = None  # what newcomers get, until something changes
        self._here: dict[Visitor, None] = {}  # a set that keeps its order
        self._coming = 0  # those who wait for the first look
        self._number: int | None = None  # of the newest change of the list of seeks; None: the list is not known
        self._held: list[Change] = []  # changes that came before the list
        self._known = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None

    # -- who is there

    async def watch(self, visitor: Visitor, command: WatchLobby) -> None:
        """Begin or stop to follow; whoever begins again gets everything anew."""
        if not command.on:
            self.leave(visitor)
            visitor.send(Ok(id=command.id))
            return
        self._coming += 1
        try:
            await self._begin()
            if not visitor.is_gone:
                self._here[visitor] = None
                visitor.lobby = self
                visitor.send(Ok(id=command.id))
                self.send_whole(visitor)
        finally:
            self._coming -= 1
            self._end_if_idle()

    def leave(self, visitor: Visitor) -> None:
        """Stop to follow."""
        visitor.lobby = None
        if self._here.pop(visitor, self) is None:
            self._end_if_idle()

    def send_whole(self, visitor: Visitor) -> None:
        """Everything, to one who comes or did not keep up."""
        if self._whole is None:
            self._whole = Broadcast(self._board.whole())
        visitor.peer.put(self._whole.frame(visitor.peer.codec))

    async def _begin(self) -> None:
        """Know everything, for the first one who comes."""
        if self._known.is_set():
            return
        if self._coming == 1:
            self._store.bus.follow(keys.SEEKS_NEWS, self._heard, self._missed)
        async with asyncio.timeout(LOAD_WITHIN):
            await self._known.wait()

    def _end_if_idle(self) -> None:
        if not self._here and not self._coming:
            self._store.bus.unfollow(keys.SEEKS_NEWS)
            self._number = None
            self._held = []
            self._known.clear()

    # -- seeks

    def _missed(self) -> None:
        """Changes may have been missed until now: read the list."""
        self._number = None
        self._run(self._load())

    async def _load(self) -> None:
        with suppress(*STORE_FAULTS):  # then the channel breaks too, and this is called again
            number, seeks = await self._store.seeks.listed()
            if not self._here and not self._coming:
                return
            self._number = number
            self._board.begin([open_seek(id, data) for id, data in seeks.items()])
            held, self._held = self._held, []
            for change in held:
                self._take(change)
            if not self._known.is_set():
                await self.look()
                self._tell()
                self._known.set()
            self._tell_soon()

    def _heard(self, message: bytes) -> None:
        change = read_change(message)
        if self._number is None:
            self._held.append(change)
        else:
            self._take(change)
            self._tell_soon()

    def _take(self, change: Change) -> None:
        assert self._number is not None
        if change.number <= self._number:
            return
        if change.number > self._number + 1:
            log.warning("changes of the list of seeks were missed")
            self._missed()
            return
        self._number = change.number
        if change.data is None:
            self._board.remove(change.id)
        else:
            self._board.post(open_seek(change.id, change.data))

    # -- live games

    async def look(self) -> None:
        """Take in what all nodes have told of live games. Call this after each report."""
        games, featured = await self._live.look()
        self._board.show(games, featured, self._live.listing.online)

    async def refresh(self) -> None:
        """The same, if there is anybody to see it."""
        if self._here:
            await self.look()
            self._tell_soon()

    # -- telling

    def _tell_soon(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(TELL_EVERY, self._tell)

    def _tell(self) -> None:
        self._timer = None
        changed = self._board.tell()
        if changed is None:
            return
        self._whole = None
        broadcast = Broadcast(changed)
        for visitor in list(self._here):
            visitor.show_lobby(broadcast)
