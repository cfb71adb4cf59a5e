"""The sessions of each player on this node, and messages to a player on any node."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any

import msgspec

from parlour.protocol.errors import CloseCode
from parlour.protocol.messages import ChallengeClosed, Challenged, Message, Paired, YourGame
from parlour.server.sessions.session import Session
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.keys import Keys
from parlour.server.store.players import digest
from parlour.server.store.pubsub import PubSub

logger = logging.getLogger(__name__)

Refreshers = tuple[Callable[[Session], Awaitable[None]], ...]

CONCERNING_PLAYER = 2  # of the refreshers
REFRESH_AGAIN_AFTER = 1.0  # seconds, when the store did not answer


class Renamed(Message, frozen=True, tag="renamed"):
    """Between nodes: a guest has an account now, and its sessions continue under the new name."""

    name: str


class TokensRevoked(Message, frozen=True, tag="tokens_revoked"):
    """Between nodes: the sessions of these tokens are closed."""

    digests: tuple[str, ...]
    text: str


class PlayerChanged(Message, frozen=True, tag="player_changed"):
    """Between nodes: something stored about a player has changed, which the sessions have to read again."""


encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(
    Paired | Challenged | ChallengeClosed | YourGame | Renamed | TokensRevoked | PlayerChanged
).decode


class PlayerSessions:
    """Delivers messages to all sessions of a player, here and on other nodes."""

    def __init__(self, pubsub: PubSub, keys: Keys, run: Callable[[Coroutine[Any, Any, None]], None]) -> None:
        self._pubsub = pubsub
        self._keys = keys
        self._run = run
        self._sessions: dict[str, set[Session]] = {}
        self._changed: set[str] = set()  # see `take_changed`
        self.on_paired: Callable[[str], None] = lambda _: None  # called with the seek of each player paired here
        # Awaited for each new session, and again after messages may have been missed: they send the current state. The
        # first two are about the player alone, and are also awaited when stored data about the player has changed.
        self.refreshers: Refreshers = ()

    def send(self, player: str, message: Message) -> None:
        """Send to a player, on every node."""
        if isinstance(message, Paired):
            logger.info("paired", extra={"room": message.room, "player": player})
        self._pubsub.publish(self._keys.player_channel(player), encode(message))
        self._deliver(player, message)

    def add(self, session: Session) -> None:
        """Register an identified session, and send it the current state of its player."""
        player = session.player
        if player in self._sessions:
            self._sessions[player].add(session)
            self._run(self._refresh(session, self.refreshers))
        else:
            self._sessions[player] = {session}
            self._changed.add(player)
            receive, refresh_all = partial(self._receive, player), partial(self._refresh_all, player)
            self._pubsub.subscribe(self._keys.player_channel(player), receive, refresh_all)

    def remove(self, session: Session) -> None:
        """Forget a session whose connection is closed."""
        sessions = self._sessions.get(session.player)
        if sessions is not None:
            sessions.discard(session)
            if not sessions:
                del self._sessions[session.player]
                self._changed.add(session.player)
                self._pubsub.unsubscribe(self._keys.player_channel(session.player))

    def take_changed(self) -> set[str]:
        """Return the players who connected, left or changed their names on this node since the last call."""
        changed, self._changed = self._changed, set()
        return changed

    def name(self, player: str) -> str | None:
        """Return the name of a player who is connected to this node; None for others."""
        return next((session.name for session in self._sessions.get(player, ())), None)

    def _receive(self, player: str, message: bytes) -> None:
        self._deliver(player, decode(message))

    def _deliver(self, player: str, message: Message) -> None:
        if isinstance(message, Paired) and message.seek is not None:
            self.on_paired(message.seek)
        for session in tuple(self._sessions.get(player, ())):
            match message:
                case Renamed():
                    session.name, session.kind = message.name, "account"
                    self._changed.add(player)
                case TokensRevoked():
                    if digest(session.token) in message.digests:
                        session.connection.close(CloseCode.SIGNED_OUT, message.text)
                case PlayerChanged():
                    self._run(self._refresh(session, self.refreshers[:CONCERNING_PLAYER]))
                case _:
                    session.send(message)

    def _refresh_all(self, player: str) -> None:
        """Messages may have been missed while the channel was not subscribed."""
        for session in self._sessions.get(player, ()):
            self._run(self._refresh(session, self.refreshers))

    async def _refresh(self, session: Session, refreshers: Refreshers) -> None:
        while not session.is_closed:
            name = session.name
            try:
                for refresh in refreshers:
                    await refresh(session)
                if session.name != name:
                    self._changed.add(session.player)
                return
            except StoreUnavailable:
                await asyncio.sleep(REFRESH_AGAIN_AFTER)
