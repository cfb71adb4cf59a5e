"""The sessions on this node that watch the lobby. Changes are sent to all of them together, a few times a second."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from parlour.protocol.messages import Lobby, Ok, WatchLobby
from parlour.server.connections.frames import Broadcast
from parlour.server.matchmaking.live_games import LiveGames
from parlour.server.matchmaking.lobby_listing import LobbyListing
from parlour.server.matchmaking.seeks import open_seek
from parlour.server.sessions.session import Session
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.seeks import ListChange, read_change
from parlour.server.store.store import Store

logger = logging.getLogger(__name__)

PUBLISH_EVERY = 0.2  # seconds, however many changes there are
LOAD_WITHIN = 5.0  # seconds
LOAD_AGAIN_AFTER = 0.5  # seconds, when the store did not answer


class LobbySubscribers:
    """Follows the list of seeks while any session watches the lobby. Each change is encoded once for all sessions."""

    def __init__(self, store: Store, live_games: LiveGames, run: Callable[[Coroutine[Any, Any, None]], None]) -> None:
        """`run` runs a coroutine as a task."""
        self._store = store
        self._live_games = live_games
        self._run = run
        self._listing = LobbyListing()
        self._snapshot: Broadcast | None = None  # for new subscribers, until something changes
        self._sessions: dict[Session, None] = {}  # an ordered set
        self._joining = 0  # sessions that wait for the first load
        self._version: int | None = None  # of the list of seeks; None: not loaded
        self._early_changes: list[ListChange] = []  # those that arrived before the list was loaded
        self._loaded = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None

    # -- sessions

    async def watch(self, session: Session, command: WatchLobby) -> None:
        """Start or stop watching. A session that starts again gets a new snapshot."""
        if not command.on:
            self.leave(session)
            session.send(Ok(id=command.id))
            return
        async with self._loading():
            if not session.is_closed:
                self._sessions[session] = None
                session.lobby = self
                session.send(Ok(id=command.id))
                self.send_snapshot(session)

    async def read(self) -> Lobby:
        """Return the lobby as a new subscriber sees it. Raise StoreUnavailable."""
        async with self._loading():
            return self._listing.snapshot()

    def leave(self, session: Session) -> None:
        """Stop watching."""
        session.lobby = None
        if session in self._sessions:
            del self._sessions[session]
            self._stop_if_idle()

    def send_snapshot(self, session: Session) -> None:
        """Send everything to a session that is new or has fallen behind."""
        if self._snapshot is None:
            self._snapshot = Broadcast(self._listing.snapshot())
        session.connection.put(self._snapshot[session.connection.codec])

    @asynccontextmanager
    async def _loading(self) -> AsyncIterator[None]:
        """Keep the lobby loaded inside the context. Raise StoreUnavailable."""
        self._joining += 1
        try:
            await self._start()
            yield
        finally:
            self._joining -= 1
            self._stop_if_idle()

    async def _start(self) -> None:
        """Load the lobby, if this is the first session."""
        if self._loaded.is_set():
            return
        if self._joining == 1:
            self._store.pubsub.subscribe(self._store.keys.seek_list_changes, self._receive, self._reload)
        try:
            async with asyncio.timeout(LOAD_WITHIN):
                await self._loaded.wait()
        except TimeoutError:
            raise StoreUnavailable("the lobby could not be loaded") from None

    def _stop_if_idle(self) -> None:
        if not self._sessions and not self._joining:
            self._store.pubsub.unsubscribe(self._store.keys.seek_list_changes)
            self._version = None
            self._early_changes = []
            self._loaded.clear()

    # -- seeks

    def _reload(self) -> None:
        """Read the list again: changes may have been missed."""
        self._version = None
        self._run(self._load())

    async def _load(self) -> None:
        """Load the lobby; retry until the store answers or no session watches any more."""
        while self._sessions or self._joining:
            try:
                await self._load_once()
                return
            except StoreUnavailable:  # the channel may have been restored before the pipeline
                await asyncio.sleep(LOAD_AGAIN_AFTER)

    async def _load_once(self) -> None:
        version, seeks = await self._store.seeks.load_list()
        if not self._sessions and not self._joining:
            return
        self._version = version
        self._listing.set_seeks([open_seek(id, data) for id, data in seeks.items()])
        early_changes, self._early_changes = self._early_changes, []
        for change in early_changes:
            self._apply(change)
        if not self._loaded.is_set():
            await self._load_live_games()
            self._publish()
            self._loaded.set()
        self._publish_soon()

    def _receive(self, message: bytes) -> None:
        change = read_change(message)
        if self._version is None:
            self._early_changes.append(change)
        else:
            self._apply(change)
            self._publish_soon()

    def _apply(self, change: ListChange) -> None:
        assert self._version is not None
        if change.version <= self._version:
            return
        if change.version > self._version + 1:
            logger.warning("missed changes to the list of seeks; reading it again")
            self._reload()
            return
        self._version = change.version
        if change.data is None:
            self._listing.remove_seek(change.id)
        else:
            self._listing.add_seek(open_seek(change.id, change.data))

    # -- live games

    async def refresh(self) -> None:
        """Update the live games, if any session watches. Call this after each report."""
        if self._sessions:
            await self._load_live_games()
            self._publish_soon()

    async def _load_live_games(self) -> None:
        games, featured = await self._live_games.load()
        self._listing.set_live(games, featured, self._live_games.list.connections)

    # -- publishing

    def _publish_soon(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(PUBLISH_EVERY, self._publish)

    def _publish(self) -> None:
        self._timer = None
        changed = self._listing.publish()
        if changed is None:
            return
        self._snapshot = None
        broadcast = Broadcast(changed)
        for session in list(self._sessions):
            session.send_lobby_update(broadcast)
