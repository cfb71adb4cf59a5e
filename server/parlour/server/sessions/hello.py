"""The hello of a connection: identifies its player and resumes its rooms."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from secrets import token_urlsafe

from parlour.protocol.codec import MAX_MESSAGE_SIZE
from parlour.protocol.errors import Refusal
from parlour.protocol.messages import Cursor, Hello, Refused, Welcome
from parlour.protocol.types import GameCard
from parlour.server.limits.accounting import too_fast
from parlour.server.limits.costs import hello_messages
from parlour.server.players.accounts import Accounts
from parlour.server.rooms.registry import RoomRegistry
from parlour.server.rooms.room import STORE_SILENT
from parlour.server.sessions.player_sessions import PlayerSessions
from parlour.server.sessions.session import Session
from parlour.server.sessions.subscriptions import Subscriptions
from parlour.server.store.block_lists import NO_BLOCK_LISTS, BlockLists, BlockListStore
from parlour.server.store.players import StoredPlayer

SESSION_ID_SIZE = 6  # bytes


class HelloHandler:
    """Answers hello with welcome, and resumes the client's rooms."""

    def __init__(
        self,
        accounts: Accounts,
        registry: RoomRegistry,
        player_sessions: PlayerSessions,
        subscriptions: Subscriptions,
        block_lists: BlockListStore,
        *,
        is_healthy: Callable[[], bool],
        now: Callable[[], int],
        games: tuple[GameCard, ...],
        nodes: tuple[str, ...],
        version: str,
    ) -> None:
        self._accounts = accounts
        self._registry = registry
        self._player_sessions = player_sessions
        self._subscriptions = subscriptions
        self._block_lists = block_lists
        self._is_healthy = is_healthy
        self._now = now
        self._games = games
        self._nodes = nodes
        self._version = version

    async def hello(self, session: Session, hello: Hello) -> None:
        """Identify the player, welcome the session, and send what it missed in its rooms."""
        try:
            if not self._is_healthy():
                raise STORE_SILENT
            if wait := session.connection.charge(hello_messages(hello) - 1):
                raise too_fast(wait)
            identity = await self._accounts.identify(session, hello)
            # Opened before welcome: commands may follow it at once and must find their rooms, with the chat that the
            # player wants to see. All is read from the store at the same time, in one round trip to each master.
            lists, refusals = await asyncio.gather(
                self._read_lists(hello, identity.player),
                asyncio.gather(*(self._open(cursor) for cursor in hello.rooms)),
            )
        except BaseException:
            session.protocol.forget_hello()
            raise
        if session.hello_timer is not None:
            session.hello_timer.cancel()
        if session.is_closed:
            return
        # Only a client that continues as the same player can have unanswered commands to send again.
        session_id = hello.session if hello.token is not None else None
        session.identify(identity.player, identity.token, session_id or token_urlsafe(SESSION_ID_SIZE))
        session.wants_choices = hello.choices
        session.block_lists = lists
        self._player_sessions.add(session)
        session.send(
            Welcome(
                you=session.as_player(),
                token=session.token,
                session=session.session_id,
                time=self._now(),
                games=self._games,
                max_message_size=MAX_MESSAGE_SIZE,
                nodes=self._nodes,
                server=self._version,
            )
        )
        for cursor, refused in zip(hello.rooms, refusals, strict=True):
            refusal = refused or await self._resume(session, cursor)
            if refusal is not None:
                session.send(Refused(code=refusal.code, text=refusal.sentence, room=cursor.room))

    async def authenticate(self, session: Session, token: str, session_id: str) -> None:
        """Make this the session of the player with a token, without a welcome. Raise Refusal."""
        if not self._is_healthy():
            raise STORE_SILENT
        hello = Hello(token=token)
        identity = await self._accounts.identify(session, hello)
        session.identify(identity.player, identity.token, session_id)
        session.block_lists = await self._read_lists(hello, identity.player)

    async def _read_lists(self, hello: Hello, player: StoredPlayer) -> BlockLists:
        """Return the players that a player has blocked and muted; a new guest has none."""
        if hello.token is None:
            return NO_BLOCK_LISTS
        return await self._block_lists.read(player.id, is_guest=player.kind == "guest")

    async def _open(self, cursor: Cursor) -> Refusal | None:
        try:
            await self._registry.open(cursor.room)
        except Refusal as refusal:
            return refusal
        return None

    async def _resume(self, session: Session, cursor: Cursor) -> Refusal | None:
        try:
            await self._subscriptions.resume(session, cursor)
        except Refusal as refusal:
            return refusal
        return None
